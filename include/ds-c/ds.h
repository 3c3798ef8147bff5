//===- ds.h - ds from C, in the caller's process ----------------*- C -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The whole interface of libds.so, and of libdsaot.so without the compiler, in the manner of
// MLIR-C, for languages that load libraries.
//
//   context    gets diagnostics
//   program    a training step as it was written, with its configuration
//   world      the ranks of this process: threads that stay, all of them or some of a launched job
//   step       a program compiled for the ranks of a world
//   instance   what each rank holds of a step: parameters and states live here between calls
//   data       samples of files and arrays, which an instance is trained on
//   saves      the checkpoints of a training (saves.h)
//
// Rules of every call:
//  - Handles are opaque. What is made from a handle is destroyed before it; null does nothing.
//  - A call that fails returns DS_FAILED, or DS_INVALID_ARGUMENT where the caller alone is wrong,
//    after its context's handler has got one sentence. Out parameters are then null or 0.
//  - Texts come by callback, `length` bytes that live for the time of the call.
//  - A context and what is made from it serve one thread at a time; several contexts serve several.
//  - A rank that fails ends its world: later calls on its instances fail with the same sentence.
//    The process, the context, and other worlds go on.
//  - Ranks that are threads do not live in a child of fork: calls there are refused.
//  - No exception and no signal crosses this interface; no handler of signals is installed.
//
//===----------------------------------------------------------------------===//
#ifndef DS_C_DS_H
#define DS_C_DS_H

#include "ds-c/codes.h"

#include <stddef.h>
#include <stdint.h>

#if defined(__GNUC__)
#define DS_NODISCARD __attribute__((warn_unused_result))
#else
#define DS_NODISCARD
#endif
#ifdef __cplusplus
extern "C" {
#endif

/// Rises with every change of what is below; 0.x promises nothing between minor versions of ds.
#define DS_ABI_VERSION 0

typedef struct ds_context ds_context;
typedef struct ds_program ds_program;
typedef struct ds_world ds_world;
typedef struct ds_step ds_step;
typedef struct ds_instance ds_instance;
typedef struct ds_data ds_data;

typedef enum ds_status {
  DS_OK = 0,
  DS_FAILED = 1,
  DS_INVALID_ARGUMENT = 2 // null, out of range, or a number of bytes that does not fit
} ds_status;

typedef enum ds_severity { DS_ERROR = 0, DS_WARNING = 1 } ds_severity;

/// One sentence. `file` is the name that the text was given, or null where no place is known;
/// lines and columns count from 1. A program decides by `code` and `fields`, never by the message.
/// All of it lives for the time of the call.
typedef struct ds_diagnostic {
  uint32_t struct_size;
  int32_t severity; // ds_severity
  const char *message;
  const char *file;
  int64_t line, column;
  int32_t code; // ds_code
  uint32_t reserved;
  const char *fields; // a JSON object, null where the code is DS_CODE_NONE
} ds_diagnostic;

typedef void (*ds_diagnostic_callback)(const ds_diagnostic *diagnostic, void *user_data);
typedef void (*ds_string_callback)(const char *data, size_t length, void *user_data);

//===----------------------------------------------------------------------===//
// Versions and contexts.
//===----------------------------------------------------------------------===//

/// "0.1.0", and so on; lives for ever.
const char *ds_version(void);
/// DS_ABI_VERSION of the library.
uint32_t ds_abi_version(void);

/// Makes a context. A null `handler` drops diagnostics.
ds_context *ds_context_create(ds_diagnostic_callback handler, void *user_data);
void ds_context_destroy(ds_context *context);

//===----------------------------------------------------------------------===//
// Programs.
//===----------------------------------------------------------------------===//

/// Set struct_size and the defaults with ds_program_options_init. Texts are copied.
typedef struct ds_program_options {
  uint32_t struct_size;
  uint32_t reserved;
  const char *name;       // of the text, for places; default "step.mlir"
  const char *entry;      // the step's function; null (default): the only public one
  const char *config;     // key=value,.. as --config of ds-run has it; null: that of the step
  const char *target_cpu; // as --target-cpu of ds-run has it; null: DS_TARGET_CPU or native
  const char *device;     // as --device of ds-run has it: "cuda", "cuda:0,2"; null: "cpu"
  int32_t no_graph;       // not 0: a GPU's steps are queued call by call, as --no-graph has it
  /// 1: each process compiles it for the sizes of its own batches, whenever it has to. Compiling
  /// and creating instances is then not collective; processes compare what they exchange in each
  /// step.
  int32_t per_process;
} ds_program_options;
/// As dsrt_options_init_sized: writes no byte after the caller's struct.
void ds_program_options_init_sized(ds_program_options *options, uint32_t struct_size);
static inline void ds_program_options_init(ds_program_options *options) {
  ds_program_options_init_sized(options, (uint32_t)sizeof *options);
}

/// Reads a module, text or bytecode, of `length` bytes. Null options mean the defaults.
DS_NODISCARD ds_status ds_program_parse(ds_context *context, const char *data, size_t length,
                                        const ds_program_options *options,
                                        ds_program **out_program);
void ds_program_destroy(ds_program *program);

/// A step that ds-compile has compiled. The header that it writes declares one, which lives longer
/// than what is made of it.
typedef struct ds_compiled_step {
  uint32_t struct_size;
  uint32_t abi_version;    // DS_ABI_VERSION of the ds-compile that wrote it
  const char *name;        // of the step, for messages
  const char *config;      // the keys in force
  const char *cpu;         // what its code takes: `x86_64 avx,avx2,fma`
  const void *description; // of slots, memory and calls, for ds alone
  uint64_t description_bytes;
  void (*entry)(void **slots);
  const void *device; // what the code of a GPU needs; null of one for the CPU
} ds_compiled_step;
/// Loads libNAME.so of ds-compile, for the life of the process. Its checksum is compared before any
/// of it is mapped as code, and so is that of NAME.h where that lies beside it.
DS_NODISCARD ds_status ds_compiled_step_open(ds_context *context, const char *path,
                                             const ds_compiled_step **out_step);
/// A program that is compiled already, for one number of ranks. Calls that ask how it was written
/// (roles, config, emit, plan, check) fail; libdsaot.so, which holds no compiler, has none of them.
/// Fails where the library that holds the code is not what ds-compile wrote.
DS_NODISCARD ds_status ds_program_load(ds_context *context, const ds_compiled_step *compiled,
                                       ds_program **out_program);

/// Arguments and results of the step as it was written, as JSON (see ds_step_manifest).
DS_NODISCARD ds_status ds_program_roles(ds_program *program, ds_string_callback out,
                                        void *user_data);
/// The keys in force for so many ranks, with where each comes from, as JSON.
DS_NODISCARD ds_status ds_program_config(ds_program *program, int64_t num_ranks,
                                         ds_string_callback out, void *user_data);

typedef enum ds_stage {
  DS_STAGE_WRITTEN = 0,    // as it was parsed
  DS_STAGE_DISTRIBUTED = 1 // the step of one of the ranks, on tensors
} ds_stage;
typedef enum ds_format { DS_FORMAT_TEXT = 0, DS_FORMAT_BYTECODE = 1 } ds_format;
/// The module at a stage, for so many ranks.
DS_NODISCARD ds_status ds_program_emit(ds_program *program, ds_stage stage, int64_t num_ranks,
                                       ds_format format, ds_string_callback out, void *user_data);

/// How so many ranks divide the step, as `ds-plan --json` writes it. Where the configuration has
/// no parallel_mode, it is searched. `explain` names values (null-terminated list, or null) whose
/// other divisions are priced, too.
DS_NODISCARD ds_status ds_program_plan(ds_program *program, int64_t num_ranks,
                                       const char *const *explain, ds_string_callback out,
                                       void *user_data);

typedef enum ds_verdict { DS_EQUAL = 0, DS_DIFFERENT = 1, DS_UNDECIDED = 2 } ds_verdict;
/// Whether so many ranks compute what one device does, bit for bit over finite fields, in at most
/// `seconds` (0: 600). `out` gets the certificate, as JSON, and may be null.
DS_NODISCARD ds_status ds_program_check(ds_program *program, int64_t num_ranks, double seconds,
                                        ds_verdict *out_verdict, ds_string_callback out,
                                        void *user_data);
/// Checks a module that was distributed elsewhere against the step as it was written. The number of
/// ranks is in the configuration of `distributed`. `out` gets the certificate, as JSON.
DS_NODISCARD ds_status ds_verify_equivalence(ds_program *written, ds_program *distributed,
                                             double seconds, ds_verdict *out_verdict,
                                             ds_string_callback out, void *user_data);

//===----------------------------------------------------------------------===//
// Worlds. Timeout, determinism and the number of ranks are those of the program's configuration,
// which must not contradict; several programs may use one world.
//===----------------------------------------------------------------------===//

/// Makes `num_ranks` ranks as threads of this process; rank 0 is the calling thread.
DS_NODISCARD ds_status ds_world_create(const ds_program *program, int64_t num_ranks,
                                       ds_world **out_world);
/// Joins the job that mpirun, srun, torchrun or another launcher has started. This process is one
/// rank of it, or, where device_num is greater than the number of processes, several consecutive
/// ones. Collective over the processes. Null with DS_OK if no launcher started this one.
DS_NODISCARD ds_status ds_world_join(const ds_program *program, ds_world **out_world);
/// Leaves the job. Call it before the process ends, or launchers take the job for failed.
void ds_world_destroy(ds_world *world);
int64_t ds_world_num_ranks(const ds_world *world);
int64_t ds_world_num_local_ranks(const ds_world *world); // those of this process
int64_t ds_world_first_rank(const ds_world *world);      // of this process

//===----------------------------------------------------------------------===//
// Compiled steps.
//===----------------------------------------------------------------------===//

/// Compiles the program for the ranks of the world, or loads it from the cache (DS_CACHE_DIR).
/// Collective over processes, unless each compiles its own (ds_program_options.per_process). A null
/// world: a function without updates, on one device.
DS_NODISCARD ds_status ds_program_compile(ds_program *program, ds_world *world, ds_step **out_step);
void ds_step_destroy(ds_step *step);

/// As JSON: `entry`, `ranks`, `global`, `arguments` and `results`, each with `name`, `type` as MLIR
/// writes it, `shape` of what one rank holds and `global_shape` of what all hold; where these
/// differ, `layout` lists [axis, dimension, a, b]: the dimension is read as [a, ranks, b], the
/// middle index is the rank's along that axis of the mesh. Arguments have a `role` (param, state,
/// batch, seed, hyper), results `updates` (a slot of an argument) or `metric` (how ranks combine
/// it). A boolean is a byte.
DS_NODISCARD ds_status ds_step_manifest(const ds_step *step, ds_string_callback out,
                                        void *user_data);
/// Bytes that an instance takes for each rank of this process.
int64_t ds_step_memory_bytes(const ds_step *step);

//===----------------------------------------------------------------------===//
// Instances. A slot counts arguments, or results, from 0 in the order of the manifest. Values are
// dense and row-major, in host memory of any alignment.
//===----------------------------------------------------------------------===//

typedef enum ds_part {
  DS_WHOLE = 0, // what all ranks hold together, of which each takes its part
  DS_LOCAL = 1  // what the ranks of this process hold together, in their order
} ds_part;
typedef enum ds_on_index {
  DS_INDEX_STOP = 0, // a label or token that the step cannot index with is an error
  DS_INDEX_WARN = 1,
  DS_INDEX_OFF = 2
} ds_on_index;

/// Set struct_size and the defaults with ds_instance_options_init.
typedef struct ds_instance_options {
  uint32_t struct_size;
  int32_t on_index;  // ds_on_index; default DS_INDEX_STOP
  int32_t batches;   // ds_part: what ds_instance_run is given of batch arguments; default DS_WHOLE
  uint32_t compares; // 1: what a GPU was given last is not copied again where it has not changed
  const struct ds_borrowed *borrowed; // arguments in memory of other instances, on GPUs (gpu.h)
  int64_t num_borrowed;
} ds_instance_options;
/// As dsrt_options_init_sized: writes no byte after the caller's struct.
void ds_instance_options_init_sized(ds_instance_options *options, uint32_t struct_size);
static inline void ds_instance_options_init(ds_instance_options *options) {
  ds_instance_options_init_sized(options, (uint32_t)sizeof *options);
}

/// Zero-filled memory of the world's ranks. Collective over processes, which prove that they run
/// the same step, unless each has compiled its own. A null world: for a function that was compiled
/// without one.
DS_NODISCARD ds_status ds_instance_create(ds_step *step, ds_world *world,
                                          const ds_instance_options *options,
                                          ds_instance **out_instance);
void ds_instance_destroy(ds_instance *instance);

/// Copies a value into an argument on every rank of this process. `bytes` must be those of `part`.
DS_NODISCARD ds_status ds_instance_write(ds_instance *instance, int32_t slot, ds_part part,
                                         const void *data, int64_t bytes);
/// Fills the random keys as ds-run does, from a run's seed and a step's number.
DS_NODISCARD ds_status ds_instance_write_seeds(ds_instance *instance, uint64_t seed, int64_t step);
/// Broadcasts parameters and states of rank 0 to all ranks, except those that are sharded or local
/// to a rank. Collective over processes; does nothing if all ranks are threads.
DS_NODISCARD ds_status ds_instance_broadcast(ds_instance *instance);

/// Copies an argument's, or a result's, value out: all of it, with the rows of all ranks in the
/// order of the samples; a metric that each rank has is combined. Collective over processes.
DS_NODISCARD ds_status ds_instance_read_argument(ds_instance *instance, int32_t slot, void *data,
                                                 int64_t bytes);
DS_NODISCARD ds_status ds_instance_read_result(ds_instance *instance, int32_t slot, void *data,
                                               int64_t bytes);
/// Copies out what the ranks of this process hold of a result, DS_LOCAL. A metric of floats is
/// reduced over them; another value that each of them has fails unless it is the same on all. Not
/// collective.
DS_NODISCARD ds_status ds_instance_read_local(ds_instance *instance, int32_t slot, void *data,
                                              int64_t bytes);

/// The memory of a slot on a rank of this process (0 .. num_local_ranks), aligned to 64 bytes, for
/// the life of the instance: a view, which writes as well. Null if there is no such slot or rank,
/// or on a GPU, of which gpu.h has a view.
void *ds_instance_argument(ds_instance *instance, int64_t local_rank, int32_t slot);
void *ds_instance_result(ds_instance *instance, int64_t local_rank, int32_t slot);

/// From now on an argument, or a result, of a rank of this process is in `memory`, which is the
/// caller's: of as many bytes as the rank holds (ds_step_manifest: `shape`), aligned to 64. The
/// step reads it, or writes it, there; values that no step writes may be one memory for all ranks.
/// Null: the instance's own memory again. DS_INVALID_ARGUMENT, without a
/// diagnostic, where that is impossible: an argument that a result updates, values that ranks
/// share, and on a GPU, for which there are ds_borrowed and ds_snapshot (gpu.h).
DS_NODISCARD ds_status ds_instance_place_argument(ds_instance *instance, int64_t local_rank,
                                                  int32_t slot, void *memory);
DS_NODISCARD ds_status ds_instance_place_result(ds_instance *instance, int64_t local_rank,
                                                int32_t slot, void *memory);

/// One step on every rank of this process. inputs[slot] is the value of an argument, of DS_WHOLE
/// size, or of the size that `batches` gives; null keeps what the slot holds, and null instead of
/// the list keeps all. The values are read before the call returns. Collective over processes,
/// which compare the batch of their first step if each passes the samples of all ranks.
///
/// On a GPU the step may still run then, so that the next call queues the next one after it; the
/// step before it has ended. Calls that read, or write a parameter or a state, wait for the end.
/// A failure of a step is an error of the call that waits for it, and names the step.
DS_NODISCARD ds_status ds_instance_run(ds_instance *instance, const void *const *inputs);
/// Runs a step as ds_instance_run does. `next`, or null, holds the inputs of the next call: its
/// batch arguments are read before this call returns, and are copied to a GPU while the step
/// computes. The next call uses these copies for inputs at the same addresses. The CPU ignores
/// `next`.
DS_NODISCARD ds_status ds_instance_run_ahead(ds_instance *instance, const void *const *inputs,
                                             const void *const *next);
/// `count` steps; inputs[step * arguments + slot]. outputs[step * results + slot], or null, gets
/// what ds_instance_read_result would copy after that step.
DS_NODISCARD ds_status ds_instance_run_steps(ds_instance *instance, int64_t count,
                                             const void *const *inputs, void *const *outputs);

/// Of the first rank of this process, since the instance was made.
typedef struct ds_statistics {
  uint32_t struct_size, reserved; // the caller sets struct_size to sizeof(ds_statistics)
  uint64_t steps;
  uint64_t step_ns;      // in all of them, exchanges included
  uint64_t collectives;  // that completed, of the world
  uint64_t exchanged;    // bytes of these
  uint64_t exposed_ns;   // that the rank's thread was in these
  uint64_t memory_bytes; // of each rank
} ds_statistics;
DS_NODISCARD ds_status ds_instance_statistics(const ds_instance *instance,
                                              ds_statistics *out_statistics);

//===----------------------------------------------------------------------===//
// Data: samples in the order of ds-run, which a seed and the number of a step choose, and divided
// among ranks as it divides them.
//===----------------------------------------------------------------------===//

typedef enum ds_last_batch {
  DS_LAST_AS_STEP = 0, // DS_LAST_PAD where the step weighs samples, else DS_LAST_DROP
  DS_LAST_DROP = 1,    // an incomplete last batch of an epoch is left out,
  DS_LAST_WRAP = 2,    // or filled with samples of the epoch,
  DS_LAST_PAD = 3      // or with rows that weigh nothing
} ds_last_batch;

/// All samples of a batch argument, dense and row-major.
typedef struct ds_array {
  const char *name; // of the argument
  const char *type; // f64 f32 f16 bf16 i64 i32 i16 i8 u64 u32 u16 u8 bool
  const int64_t *shape;
  int64_t num_dimensions;
  const void *data; // for the life of the ds_data
} ds_array;

/// Set struct_size and the defaults with ds_data_options_init.
typedef struct ds_data_options {
  uint32_t struct_size;
  int32_t last_batch;     // ds_last_batch
  uint64_t seed;          // of the order, and of random keys
  const char *files;      // NAME=FILE,.. as --data of ds-run has it; null: none
  const ds_array *arrays; // of the arguments that have no file
  int64_t num_arrays;
  int32_t for_saves; // 1: ds_saves writes with this data, whose fingerprint is taken; default 0
  int32_t reserved;
} ds_data_options;
/// As dsrt_options_init_sized: writes no byte after the caller's struct.
void ds_data_options_init_sized(ds_data_options *options, uint32_t struct_size);
static inline void ds_data_options_init(ds_data_options *options) {
  ds_data_options_init_sized(options, (uint32_t)sizeof *options);
}

/// Opens and checks the data of an instance of the program. Collective over processes, which have
/// all the same samples, or each its own. The data ends before its instance; until then a view of a
/// batch argument may have the samples of another step.
DS_NODISCARD ds_status ds_data_create(const ds_program *program, ds_instance *instance,
                                      const ds_data_options *options, ds_data **out_data);
void ds_data_destroy(ds_data *data);
int64_t ds_data_steps_per_epoch(const ds_data *data);

/// One step on its samples; `step` counts from 0 over all epochs. Other arguments keep what their
/// slots hold, random keys are those of ds-run. `metrics`, or null, gets each metric of one element
/// in the order of the results, combined over ranks. `*stop`, where not null, is whether this
/// process wants to end, and then whether any process does. Collective over processes.
DS_NODISCARD ds_status ds_data_run(ds_data *data, int64_t step, double *metrics,
                                   int32_t num_metrics, int32_t *stop);

#ifdef __cplusplus
} // extern "C"
#endif

#include "ds-c/gpu.h"
#include "ds-c/saves.h"

#endif // DS_C_DS_H
