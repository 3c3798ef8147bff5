//===- gpu.h - Instances on GPUs, beside other work there -------*- C -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A part of ds.h, which includes it: where values of an instance are, for programs that read or
// write them on the same device, and values that instances read of each other without a copy.
//
//===----------------------------------------------------------------------===//
#ifndef DS_C_GPU_H
#define DS_C_GPU_H

#include "ds-c/ds.h"

#ifdef __cplusplus
extern "C" {
#endif

/// As DLPack numbers them.
typedef enum ds_device_type { DS_DEVICE_CPU = 1, DS_DEVICE_CUDA = 2 } ds_device_type;

/// The memory of a slot on a rank of this process, wherever it is, for the life of the instance.
typedef struct ds_view {
  uint32_t struct_size; // the caller sets it to sizeof(ds_view)
  int32_t device_type;  // ds_device_type
  int32_t device_id;    // number of a GPU; 0 on the CPU
  uint32_t reserved;
  void *data;       // an address of the device, a CUdeviceptr on a GPU
  const char *type; // as ds_step_manifest names it: f32, i32, i1 (a byte), ..
  int64_t num_dimensions;
  const int64_t *shape;   // of what the rank holds
  const int64_t *strides; // in elements: dense and row-major
} ds_view;
/// A view is what the rank holds between two calls; what is written there counts in the next step
/// of that rank alone. Work on a GPU that reads or writes it is queued after ds_instance_lead,
/// because a step may still run, and the next step after that work by ds_instance_follow.
DS_NODISCARD ds_status ds_instance_view_argument(ds_instance *instance, int64_t local_rank,
                                                 int32_t slot, ds_view *out_view);
DS_NODISCARD ds_status ds_instance_view_result(ds_instance *instance, int64_t local_rank,
                                               int32_t slot, ds_view *out_view);
/// The CUstream that a rank's steps are queued on; null on the CPU.
void *ds_instance_stream(ds_instance *instance, int64_t local_rank);
/// Work that is queued on `stream` (a CUstream, or CUDA's number 1 or 2 of a default stream) later
/// runs after the rank's inputs are copied and its steps are done. Nothing to do on the CPU.
DS_NODISCARD ds_status ds_instance_lead(ds_instance *instance, int64_t local_rank, void *stream);
/// Later work of the rank runs after the work that is queued on `stream` now.
DS_NODISCARD ds_status ds_instance_follow(ds_instance *instance, int64_t local_rank, void *stream);
/// ds_instance_write of a value in memory of GPU `device_id`, which all ranks of this process must
/// compute on. The copies are queued in front of the next step, after what is queued on the stream
/// of local rank 0; the memory stays until a step or a read has returned. Integers that the step
/// indexes with are looked at, which waits, but for DS_INDEX_OFF.
DS_NODISCARD ds_status ds_instance_write_device(ds_instance *instance, int32_t slot, ds_part part,
                                                const void *data, int64_t bytes, int32_t device_id);

/// An argument that lies where another instance has an argument or a result of the same type and
/// shape: what that instance is given, or computes, is this one's value of it, on each rank. Steps
/// of both have ended when ds_instance_run returns. Of instances on GPUs in one process, with the
/// same ranks on the same devices; `of` is destroyed after this one. No step of this instance
/// updates it, and it is not written: `of` is.
typedef struct ds_borrowed {
  int32_t argument;
  int32_t slot;      // of `of`
  int32_t is_result; // 1: a result of `of`; 0: an argument
  uint32_t reserved;
  ds_instance *of;
} ds_borrowed;

/// Copies of results on all ranks of this process, in memory of their GPUs, for values that are
/// read again after a later step, which overwrites them.
typedef struct ds_snapshot ds_snapshot;
/// Takes one of some results. *snapshot is null, or an old one of as many and the same results,
/// whose copies are overwritten. Fails on the CPU, where ds_instance_place_result lets a step write
/// elsewhere.
DS_NODISCARD ds_status ds_instance_snapshot(ds_instance *instance, const int32_t *results,
                                            int64_t num_results, ds_snapshot **snapshot);
/// The results are again what they were. Before the call returns, as in ds_instance_snapshot, the
/// copies have been made.
DS_NODISCARD ds_status ds_snapshot_restore(ds_snapshot *snapshot);
/// Before its instance.
void ds_snapshot_destroy(ds_snapshot *snapshot);

#ifdef __cplusplus
} // extern "C"
#endif

#endif // DS_C_GPU_H
