//===- saves.h - The checkpoints of a training ------------------*- C -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// As ds-run writes and reads them: FILE.safetensors, and FILE-000000000100.safetensors.. beside it.
// Each is there whole or not at all, with a checksum, the permissions of the file that it replaces,
// and the facts that identify its training. A part of ds.h, which includes it.
//
//===----------------------------------------------------------------------===//
#ifndef DS_C_SAVES_H
#define DS_C_SAVES_H

#include "ds-c/ds.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct ds_saves ds_saves;

typedef enum ds_saving {
  DS_SAVES_READ = 0,  // nothing is written, as by processes that do not have rank 0
  DS_SAVES_NEW = 1,   // a training that begins: numbered checkpoints of another one are an error
  DS_SAVES_RESUME = 2 // one that goes on
} ds_saving;
/// A writer holds the lock on FILE until the saves are destroyed: another job that writes it is an
/// error. The `keep` newest of the numbered checkpoints stay.
DS_NODISCARD ds_status ds_saves_create(ds_context *context, const char *file, ds_saving saving,
                                       int64_t keep, ds_saves **out_saves);
/// Waits for what is being written.
void ds_saves_destroy(ds_saves *saves);

/// Finds the newest checkpoint. One that is damaged is a warning, and the one before is taken; if
/// all are, that is an error. `out` gets JSON: `file`, `step`, and `metadata`, texts by name;
/// nothing if there is no checkpoint.
DS_NODISCARD ds_status ds_saves_find(ds_saves *saves, ds_string_callback out, void *user_data);
/// Fails where what was found is of another step, or, with data that was made for_saves, of other
/// samples, another seed or another division of them.
DS_NODISCARD ds_status ds_saves_check(ds_saves *saves, const ds_program *program,
                                      const ds_data *data);
/// `array` lives for the time of the call.
typedef void (*ds_array_callback)(const ds_array *array, void *user_data);
/// The values of what was found.
DS_NODISCARD ds_status ds_saves_read(ds_saves *saves, ds_array_callback out, void *user_data);
/// Writes FILE, or a checkpoint with the number of the step, which a thread writes while the
/// training goes on: a failure is an error of the next call. `metadata` is `count` pairs of a name
/// and a text. Null data: batches that cannot be read twice. Values that are local to a rank are in
/// no file, so a step that has some is an error.
DS_NODISCARD ds_status ds_saves_write(ds_saves *saves, const ds_program *program,
                                      const ds_instance *instance, const ds_data *data,
                                      int64_t step, int32_t is_numbered, const ds_array *arrays,
                                      int64_t num_arrays, const char *const *metadata,
                                      int64_t count);

/// Reads one checkpoint, FILE.safetensors or the index of one in several files, as it was written:
/// a wrong checksum is an error. `metadata` gets JSON, texts by name; `out` gets each array.
DS_NODISCARD ds_status ds_checkpoint_read(ds_context *context, const char *file,
                                          ds_string_callback metadata, ds_array_callback out,
                                          void *user_data);
/// Writes FILE.safetensors, or fails if a training writes it. `metadata` is `count` pairs of a name
/// and a text.
DS_NODISCARD ds_status ds_checkpoint_write(ds_context *context, const char *file,
                                           const ds_array *arrays, int64_t num_arrays,
                                           const char *const *metadata, int64_t count);

#ifdef __cplusplus
} // extern "C"
#endif

#endif // DS_C_SAVES_H
