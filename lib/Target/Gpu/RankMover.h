//===- RankMover.h - Exchanges between ranks on GPUs ------------*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef DS_LIB_TARGET_GPU_RANKMOVER_H
#define DS_LIB_TARGET_GPU_RANKMOVER_H

#include "CudaStep.h"
#include "dsrt/queue.h"

#include <functional>

namespace ds::gpu {

/// Queues one rank's share of the exchanges among all ranks of a process.
class RankMover {
public:
  RankMover(CudaQueue &queue, const DeviceCode &code);
  ~RankMover();
  RankMover(const RankMover &) = delete;

  const dsrt_mover *table() const { return &functions; }
  void startStep() { used = 0; }

  /// All ranks meet. `fork`: the streams of the others wait for the work that rank 0's holds.
  /// `lead`: rank 0's waits for those of all, does `work`, and the others' wait for that. Returns
  /// true if there is no error.
  enum class Meeting { fork, lead };
  bool meet(dsrt_context *context, Meeting meeting, const std::function<void()> &work = nullptr);

  /// While ranks record one graph, one thread at a time does so by this mutex; null: they do not.
  std::mutex *turn = nullptr;

private:
  static Mark &markAt(void *mark) { return *static_cast<Mark *>(mark); }
  Mark *nextMark();
  dsrt_status mark(void **out, dsrt_error *error);
  dsrt_status move(llvm::ArrayRef<const dsrt_call *> calls, int64_t index, dsrt_error *error);
  dsrt_status join(llvm::ArrayRef<void *> marks, int64_t index, void **out, dsrt_error *error);
  dsrt_status follow(void *done, dsrt_error *error);
  dsrt_status told(dsrt_error *error) const;

  void moveShare(llvm::ArrayRef<const dsrt_call *> calls, int64_t index);
  void allReduce(llvm::ArrayRef<const dsrt_call *> calls, int64_t index);
  void reduceScatter(llvm::ArrayRef<const dsrt_call *> calls, int64_t index);
  void reduce(const dsrt_call &call, bool toAll, std::vector<DevicePointer> buffers,
              int64_t elements);
  void copy(void *to, const void *from, int64_t bytes);

  CudaQueue &queue;
  const DeviceCode &code;
  SideStream side;           // for exchanges, beside the step's own stream
  std::vector<Mark *> marks; // of a step, in the order of its exchanges
  size_t used = 0;
  std::optional<Meeting> meeting; // the kind of meeting, if a barrier is one
  const std::function<void()> *leadersWork = nullptr;
  dsrt_mover functions;
};

} // namespace ds::gpu

#endif // DS_LIB_TARGET_GPU_RANKMOVER_H
