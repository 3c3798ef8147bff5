//===- dsrt.h - The ds runtime: collectives behind one C ABI ----*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The whole public interface of the runtime. A dsrt_context is one rank of a world; n ranks are n
// threads of one process (`local`, or `nccl` with several devices) or n processes (`mpi`, `nccl`,
// `hccl`). Compiled steps take the context as an argument and call the collectives below.
//
// Rules of every call:
//  - Errors are sticky: after the first failure of a context every later call on it does nothing
//    and returns the same status, so a compiled step asks dsrt_failed() once, at its end.
//  - Nothing blocks for ever: a call whose peers do not arrive within the timeout fails with
//    DSRT_TIMEOUT and a text that names the call, its bytes, the group, this rank and late ranks.
//  - Members of a group make the same calls in one order, or get DSRT_MISMATCH, never a wrong sum.
//  - A context serves one thread at a time; dsrt_abort, dsrt_failed and dsrt_last_error serve any.
//  - A comment "equivalent to" names what MPI, NCCL and HCCL call the same thing; arguments differ.
//  - Out parameters come last. No exception and no signal crosses this interface.
//
//===----------------------------------------------------------------------===//
#ifndef DSRT_DSRT_H
#define DSRT_DSRT_H

#include <stddef.h>
#include <stdint.h>

#if defined(__GNUC__)
#define DSRT_NODISCARD __attribute__((warn_unused_result))
#else
#define DSRT_NODISCARD
#endif
#ifdef __cplusplus
extern "C" {
#endif

//===----------------------------------------------------------------------===//
// Types. The numbers are part of the ABI: compiled code holds them as constants.
//===----------------------------------------------------------------------===//

/// What a call ended with. The comments say which one a backend chooses.
typedef enum dsrt_status {
  DSRT_OK = 0,
  /// The caller's mistake, seen without asking another rank: null, negative, not a member.
  DSRT_INVALID_ARGUMENT = 1,
  /// Well-formed, but this backend has no such dtype, reduction or feature.
  DSRT_UNSUPPORTED = 2,
  /// The backend cannot be used here: not built, no launcher, a library that does not fit.
  DSRT_UNAVAILABLE = 3,
  /// The wrong moment: a wait for an unknown handle, MPI after its end.
  DSRT_FAILED_PRECONDITION = 4,
  /// Ranks disagree on call, dtype, reduction, root, sources or sizes; names ranks and both values.
  DSRT_MISMATCH = 5,
  /// Ranks did not arrive in time; names them.
  DSRT_TIMEOUT = 6,
  /// Some rank called dsrt_abort.
  DSRT_ABORTED = 7,
  /// Another rank's context failed first; names it and repeats its reason.
  DSRT_PEER_FAILED = 8,
  /// An allocation inside the runtime failed.
  DSRT_OUT_OF_MEMORY = 9,
  /// The library below reported an error; its text is in the message.
  DSRT_INTERNAL = 10
} dsrt_status;

/// Element types, in the order of ds's own. i1 is one byte that holds 0 or 1.
typedef enum dsrt_dtype {
  DSRT_F64 = 0,
  DSRT_F32 = 1,
  DSRT_F16 = 2,
  DSRT_BF16 = 3,
  DSRT_I64 = 4,
  DSRT_I32 = 5,
  DSRT_I16 = 6,
  DSRT_I8 = 7,
  DSRT_I1 = 8,
  DSRT_U64 = 9,
  DSRT_U32 = 10,
  DSRT_U16 = 11,
  DSRT_U8 = 12
} dsrt_dtype;
#define DSRT_NUM_DTYPES 13

/// sum, mean, max, min, prod: floats; all but mean: integers (sum and prod wrap). and, or:
/// integers, bit by bit. i1 has max, min, and, or. f16 and bf16 accumulate in f32 and round once.
/// mean is the sum times 1/n rounded to f32 (f64 for f64). max and min of a NaN are NaN.
typedef enum dsrt_reduction {
  DSRT_SUM = 0,
  DSRT_MEAN = 1,
  DSRT_MAX = 2,
  DSRT_MIN = 3,
  DSRT_PROD = 4,
  DSRT_AND = 5,
  DSRT_OR = 6
} dsrt_reduction;
#define DSRT_NUM_REDUCTIONS 7

typedef enum dsrt_op {
  DSRT_OP_ALL_REDUCE = 0,
  DSRT_OP_REDUCE_SCATTER = 1,
  DSRT_OP_ALL_GATHER = 2,
  DSRT_OP_BROADCAST = 3,
  DSRT_OP_BARRIER = 4,
  DSRT_OP_ALL_TO_ALL = 5,
  DSRT_OP_COLLECTIVE_PERMUTE = 6
} dsrt_op;
#define DSRT_NUM_OPS 7

/// One rank of a world.
typedef struct dsrt_context dsrt_context;
/// A subset of the ranks, by a handle of this context. DSRT_WORLD (0), every rank, always exists.
typedef int64_t dsrt_group;
#define DSRT_WORLD ((dsrt_group)0)

/// A collective under way, from a *_start call until its one dsrt_wait.
typedef struct dsrt_pending dsrt_pending;

/// Set struct_size and the defaults with dsrt_options_init. Null options mean the defaults.
typedef struct dsrt_options {
  uint32_t struct_size;   // sizeof(dsrt_options) of the caller, so that fields can be added
  uint32_t deterministic; // 1 (default): reductions in rank order; 0: in a faster one, if any
  int64_t timeout_ms;     // how long a call waits for late ranks; default 300000, at least 1
  int64_t chunk_bytes;    // longest piece that is moved at once; 0 (default): the backend's choice
  uint32_t check_calls;   // 1 (default): device backends compare the ranks' calls, as others do;
                          // 0: ranks that disagree time out or go wrong
  uint32_t on_host; // 1: the caller's buffers are host memory, so "auto" chooses no device backend
  /// A link that "local" models: no collective ends earlier than over it. 0 bytes/s (default):
  /// none.
  int64_t link_latency_ns, link_bytes_per_s;
} dsrt_options;

typedef struct dsrt_capabilities {
  uint32_t struct_size;   // set by the caller to sizeof(dsrt_capabilities)
  uint32_t abi_version;   // DSRT_BACKEND_ABI_VERSION of the backend
  const char *backend;    // "local", "mpi", ...
  uint32_t dtypes;        // bit d: dsrt_dtype d
  uint32_t deterministic; // 1: this context reduces in rank order
  uint32_t async;         // 1: a started collective makes progress while the caller computes
  uint32_t multiprocess;  // 1: ranks are processes
  uint32_t alignment;     // of buffers, in bytes, for full speed; that of the dtype works
  uint32_t device;    // 1: collectives run in device memory, through which host buffers are copied
  uint32_t nan_order; // 1: max and min of floats give NaN if any element is NaN
  int64_t largest_message; // bytes that travel at once; longer calls go in pieces. 0: no limit
  const char *library;     // the library below in its own words: "Open MPI v4.1.4, ..."; "" if none
  uint32_t gpu_aware, reserved; // 1: MPI could take device pointers; it is given host memory
} dsrt_capabilities;

/// What a context has done so far; `waiting_ns` lasts until the last member of a group arrived.
typedef struct dsrt_statistics {
  uint32_t struct_size, reserved; // the caller sets struct_size to sizeof(dsrt_statistics)
  uint64_t calls;                 // collectives that completed
  uint64_t bytes;                 // payload of those calls on this rank
  uint64_t total_ns;              // inside collectives, waiting included
  uint64_t waiting_ns;            // for other ranks to arrive
  uint64_t exposed_ns;            // the caller's thread, in blocking collectives and waits
  uint64_t link_ns;               // that the modelled link was busy
} dsrt_statistics;

//===----------------------------------------------------------------------===//
// Worlds and contexts.
//===----------------------------------------------------------------------===//

void dsrt_options_init(dsrt_options *options);

/// Makes a world of `num_ranks` ranks inside this process and writes one context per rank to
/// out_contexts[0..num_ranks). Each rank's thread uses its own. Every context must be shut down.
/// Equivalent to ncclCommInitAll and HcclCommInitAll; MPI has no ranks that are threads.
DSRT_NODISCARD dsrt_status dsrt_local_world_create(int32_t num_ranks, const dsrt_options *options,
                                                   dsrt_context **out_contexts);

/// The same with a backend whose ranks can be threads ("nccl" with several devices, or "local").
DSRT_NODISCARD dsrt_status dsrt_world_create(const char *backend_name, int32_t num_ranks,
                                             const dsrt_options *options,
                                             dsrt_context **out_contexts);

/// Joins the world that started this process. `backend_name` is "auto", "local" (a world of one
/// rank), "mpi", "nccl", "hccl", or a registered one. "auto" takes, for a launched job, hccl or
/// nccl where there is a device for every rank of the machine, else mpi; and local otherwise. It
/// never splits a launched job into unconnected worlds of one.
/// Equivalent to MPI_Init_thread, ncclCommInitRank and HcclCommInitRootInfo.
DSRT_NODISCARD dsrt_status dsrt_init(const char *backend_name, const dsrt_options *options,
                                     dsrt_context **out_context);

/// Leaves the world and frees the context; null does nothing. A collective of processes while it is
/// healthy. A failed context lets go without waiting: the process should then end with an error.
/// Equivalent to MPI_Finalize, ncclCommDestroy and HcclCommDestroy.
dsrt_status dsrt_shutdown(dsrt_context *context);

/// Equivalent to MPI_Comm_rank, ncclCommUserRank and HcclGetRankId.
int32_t dsrt_rank(const dsrt_context *context);
/// Equivalent to MPI_Comm_size, ncclCommCount and HcclGetRankSize.
int32_t dsrt_num_ranks(const dsrt_context *context);
/// What the launcher's variables say: 1 with rank and size; 0 if nobody has launched this process.
int32_t dsrt_launched(int32_t *out_rank, int32_t *out_num_ranks);

/// Makes the calling thread treat denormal floats as zero, as the runtime's own threads do. Each
/// rank's thread calls it once: a converged model can be thirty times slower on denormals.
void dsrt_flush_denormals(void);

/// Ends the world: every rank that waits, and every later call of every rank, gets DSRT_ABORTED
/// with `reason`. On multi-process backends the message is printed and the job is killed.
/// Equivalent to MPI_Abort and ncclCommAbort; HCCL has none.
void dsrt_abort(dsrt_context *context, const char *reason);

//===----------------------------------------------------------------------===//
// Errors and queries.
//===----------------------------------------------------------------------===//

/// 1 once any call of this context has failed, or its world was ended by another rank.
/// Equivalent to ncclCommGetAsyncError and HcclGetCommAsyncError; MPI has none.
int32_t dsrt_failed(const dsrt_context *context);
/// The sticky status; DSRT_OK while the context is healthy.
dsrt_status dsrt_last_status(const dsrt_context *context);
/// One sentence; "" while the context is healthy. Lives as long as the context. With null: why the
/// last call without a context (dsrt_init, dsrt_local_world_create) failed on this thread.
/// Equivalent to MPI_Error_string, ncclGetLastError and HcclGetErrorString.
const char *dsrt_last_error(const dsrt_context *context);
/// The ranks that the sticky DSRT_TIMEOUT blames, ascending: writes up to `capacity`, returns all.
int32_t dsrt_late_ranks(const dsrt_context *context, int32_t capacity, int32_t *out_ranks);
/// The axes of this rank's mesh, the last one fastest: errors then say "rank 5 is dp=1, tp=1".
DSRT_NODISCARD dsrt_status dsrt_name_axes(dsrt_context *context, int32_t num_axes,
                                          const char *const *names, const int32_t *sizes);

/// 1 while a collective of this context runs. From any thread.
int32_t dsrt_in_collective(const dsrt_context *context);
/// Whether this context can run the call; `reduction` counts for those that reduce.
int32_t dsrt_supports(const dsrt_context *context, dsrt_op op, dsrt_dtype dtype,
                      dsrt_reduction reduction);
DSRT_NODISCARD dsrt_status dsrt_get_capabilities(const dsrt_context *context,
                                                 dsrt_capabilities *out_capabilities);
DSRT_NODISCARD dsrt_status dsrt_get_statistics(const dsrt_context *context,
                                               dsrt_statistics *out_statistics);

const char *dsrt_status_name(dsrt_status status);
const char *dsrt_dtype_name(dsrt_dtype dtype); // as MLIR writes it: "f32", "i1"; unsigned "ui8"
int64_t dsrt_dtype_size(dsrt_dtype dtype);     // bytes of one element; 0 if `dtype` is none
const char *dsrt_reduction_name(dsrt_reduction reduction);
const char *dsrt_op_name(dsrt_op op);
/// Names of the backends in this build, in order of registration; null after the last.
const char *dsrt_backend_name(int32_t index);

//===----------------------------------------------------------------------===//
// Groups and buffers.
//===----------------------------------------------------------------------===//

/// The group of these ranks of the world, which must be ascending, distinct and include this one.
/// Called by its members only. The same list gives the same handle again, at the price of a
/// look-up, so a step may ask each time it runs; the list of all ranks gives DSRT_WORLD.
/// Equivalent to MPI_Comm_create_group, ncclCommSplit and HcclCreateSubCommConfig.
DSRT_NODISCARD dsrt_status dsrt_group_create(dsrt_context *context, int32_t num_ranks,
                                             const int32_t *ranks, dsrt_group *out_group);
/// Frees the handle once for every dsrt_group_create that gave it. DSRT_WORLD is not freed.
/// Equivalent to MPI_Comm_free, ncclCommDestroy and HcclCommDestroy.
DSRT_NODISCARD dsrt_status dsrt_group_destroy(dsrt_context *context, dsrt_group group);
/// Equivalent to MPI_Comm_size, ncclCommCount and HcomGetRankSize.
DSRT_NODISCARD dsrt_status dsrt_group_size(dsrt_context *context, dsrt_group group,
                                           int32_t *out_size);

/// The group of that name, made from these ranks in any order; its members count from 0 in
/// ascending rank. The same name with the same ranks gives the same handle again; with other ranks
/// it is DSRT_INVALID_ARGUMENT. "world" and MindSpore's "hccl_world_group", "nccl_world_group" and
/// "mccl_world_group" name DSRT_WORLD and cannot be made.
/// Equivalent to HcomCreateGroup; its counterparts below are those of hcom.
DSRT_NODISCARD dsrt_status dsrt_group_create_named(dsrt_context *context, const char *name,
                                                   int32_t num_ranks, const int32_t *ranks,
                                                   dsrt_group *out_group);
DSRT_NODISCARD dsrt_status dsrt_group_find(dsrt_context *context, const char *name,
                                           dsrt_group *out_group);
/// Forgets the name and frees its handle. The world cannot be destroyed.
DSRT_NODISCARD dsrt_status dsrt_group_destroy_named(dsrt_context *context, const char *name);
/// This rank's number in the group.
/// Equivalent to MPI_Comm_rank, ncclCommUserRank and HcomGetRankId.
DSRT_NODISCARD dsrt_status dsrt_group_rank(dsrt_context *context, dsrt_group group,
                                           int32_t *out_rank);
/// The rank of the world that has number `group_rank` in the group, and the other way round.
/// Equivalent to MPI_Group_translate_ranks and HcomGetWorldRankFromGroupRank.
DSRT_NODISCARD dsrt_status dsrt_group_world_rank(dsrt_context *context, dsrt_group group,
                                                 int32_t group_rank, int32_t *out_world_rank);
DSRT_NODISCARD dsrt_status dsrt_group_rank_of(dsrt_context *context, dsrt_group group,
                                              int32_t world_rank, int32_t *out_group_rank);

/// Declares that [data, data + bytes) is an arena: the padding between its slots is the runtime's
/// to read and write, so the buffers of one call that lie in it less than 64 bytes apart may travel
/// as one span. Local to this rank; a backend that pins or maps memory does it here.
/// Equivalent to ncclCommRegister, and ncclCommDeregister below.
DSRT_NODISCARD dsrt_status dsrt_buffer_register(dsrt_context *context, void *data, int64_t bytes);
/// Must be called before the memory is freed; `data` as it was registered.
DSRT_NODISCARD dsrt_status dsrt_buffer_unregister(dsrt_context *context, void *data);

//===----------------------------------------------------------------------===//
// Device memory, or host memory on backends without a device, so that a program need not tell.
// The buffers of one call are all in host or all in device memory, alike on all ranks.
//===----------------------------------------------------------------------===//

/// Memory of this context's device, aligned to 64 bytes or more.
/// Equivalent to MPI_Alloc_mem, cudaMalloc and aclrtMalloc, each with its free.
DSRT_NODISCARD dsrt_status dsrt_memory_alloc(dsrt_context *context, int64_t bytes, void **out_data);
/// Works on a failed context too; null does nothing.
dsrt_status dsrt_memory_free(dsrt_context *context, void *data);
/// Copies between host and device memory, in any direction, and returns when it is done.
/// Equivalent to cudaMemcpy and aclrtMemcpy.
DSRT_NODISCARD dsrt_status dsrt_memory_copy(dsrt_context *context, void *to, const void *from,
                                            int64_t bytes);
/// Names the device stream (CUstream, aclrtStream) on which the caller's own work on device buffers
/// is queued. A collective that is called or started begins after what the stream holds at that
/// moment; when its call, or its wait, returns, it has ended. Null: none.
/// Equivalent to the argument 'stream' of every call of NCCL and HCCL.
DSRT_NODISCARD dsrt_status dsrt_set_stream(dsrt_context *context, void *stream);

//===----------------------------------------------------------------------===//
// Collectives. Blocking; n_buffers buffers in one call, which do not overlap; buffers[i] holds
// elements[i] elements of `dtype`, dense. No buffers and no elements still synchronise.
//===----------------------------------------------------------------------===//

/// In place: every rank ends with the reduction over the group.
/// Equivalent to MPI_Allreduce (MPI_IN_PLACE), ncclAllReduce and HcclAllReduce.
dsrt_status dsrt_all_reduce(dsrt_context *context, int64_t n_buffers, void *const *buffers,
                            const int64_t *elements, dsrt_dtype dtype, dsrt_reduction reduction,
                            dsrt_group group);

/// inputs[i] holds group-size x elements[i] elements, outputs[i] elements[i]: member m of the group
/// gets part m of the reduction. outputs[i] may be part m of inputs[i] itself.
/// Equivalent to MPI_Reduce_scatter_block, ncclReduceScatter and HcclReduceScatter.
dsrt_status dsrt_reduce_scatter(dsrt_context *context, int64_t n_buffers, const void *const *inputs,
                                void *const *outputs, const int64_t *elements, dsrt_dtype dtype,
                                dsrt_reduction reduction, dsrt_group group);

/// inputs[i] holds elements[i] elements, outputs[i] group-size times as many: part m comes from
/// member m. inputs[i] may be part m of outputs[i] itself.
/// Equivalent to MPI_Allgather, ncclAllGather and HcclAllGather.
dsrt_status dsrt_all_gather(dsrt_context *context, int64_t n_buffers, const void *const *inputs,
                            void *const *outputs, const int64_t *elements, dsrt_dtype dtype,
                            dsrt_group group);

/// inputs[i] and outputs[i] hold group-size x elements[i] elements each: part k of an input goes to
/// member k, part m of an output comes from member m. They must not overlap.
/// Equivalent to MPI_Alltoall and HcclAlltoAll; with NCCL grouped ncclSend and ncclRecv.
dsrt_status dsrt_all_to_all(dsrt_context *context, int64_t n_buffers, const void *const *inputs,
                            void *const *outputs, const int64_t *elements, dsrt_dtype dtype,
                            dsrt_group group);

/// inputs[i] and outputs[i] hold elements[i] elements each and must not overlap: member m receives
/// those of member sources[m], or zeros if that is -1. `sources` names no member twice.
/// Equivalent to MPI_Isend with MPI_Irecv, grouped ncclSend and ncclRecv, and HcclBatchSendRecv.
dsrt_status dsrt_collective_permute(dsrt_context *context, int64_t n_buffers,
                                    const void *const *inputs, void *const *outputs,
                                    const int64_t *elements, dsrt_dtype dtype,
                                    const int64_t *sources, dsrt_group group);

/// In place: every member ends with what `root` holds, a rank of the world and of the group.
/// Equivalent to MPI_Bcast, ncclBroadcast and HcclBroadcast.
dsrt_status dsrt_broadcast(dsrt_context *context, int64_t n_buffers, void *const *buffers,
                           const int64_t *elements, dsrt_dtype dtype, int32_t root,
                           dsrt_group group);

/// Equivalent to MPI_Barrier and HcclBarrier; with NCCL an all-reduce of one element.
dsrt_status dsrt_barrier(dsrt_context *context, dsrt_group group);

//===----------------------------------------------------------------------===//
// Asynchronous collectives run in the order of their start, a blocking call behind them. Arrays are
// copied; buffers are the runtime's until the wait. A failed start gives null; its wait fails.
//===----------------------------------------------------------------------===//

/// Equivalent to MPI_Iallreduce; NCCL and HCCL return as soon as a call is queued.
dsrt_status dsrt_all_reduce_start(dsrt_context *context, int64_t n_buffers, void *const *buffers,
                                  const int64_t *elements, dsrt_dtype dtype,
                                  dsrt_reduction reduction, dsrt_group group,
                                  dsrt_pending **out_pending);
/// Equivalent to MPI_Ireduce_scatter_block.
dsrt_status dsrt_reduce_scatter_start(dsrt_context *context, int64_t n_buffers,
                                      const void *const *inputs, void *const *outputs,
                                      const int64_t *elements, dsrt_dtype dtype,
                                      dsrt_reduction reduction, dsrt_group group,
                                      dsrt_pending **out_pending);
/// Equivalent to MPI_Iallgather.
dsrt_status dsrt_all_gather_start(dsrt_context *context, int64_t n_buffers,
                                  const void *const *inputs, void *const *outputs,
                                  const int64_t *elements, dsrt_dtype dtype, dsrt_group group,
                                  dsrt_pending **out_pending);
/// Equivalent to MPI_Ialltoall.
dsrt_status dsrt_all_to_all_start(dsrt_context *context, int64_t n_buffers,
                                  const void *const *inputs, void *const *outputs,
                                  const int64_t *elements, dsrt_dtype dtype, dsrt_group group,
                                  dsrt_pending **out_pending);
/// Equivalent to MPI_Isend with MPI_Irecv.
dsrt_status dsrt_collective_permute_start(dsrt_context *context, int64_t n_buffers,
                                          const void *const *inputs, void *const *outputs,
                                          const int64_t *elements, dsrt_dtype dtype,
                                          const int64_t *sources, dsrt_group group,
                                          dsrt_pending **out_pending);

/// Ends one started collective. Its timeout runs from the moment that the collective begins.
/// Equivalent to MPI_Wait, cudaEventSynchronize and aclrtSynchronizeEvent.
dsrt_status dsrt_wait(dsrt_context *context, dsrt_pending *pending);

#ifdef __cplusplus
} // extern "C"
#endif

#endif // DSRT_DSRT_H
