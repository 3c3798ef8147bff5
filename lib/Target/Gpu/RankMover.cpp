//===- RankMover.cpp - Exchanges between ranks on GPUs ----------*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// As in the runtime's `local` on a host: for an all_reduce each rank reduces its share of the
// elements from the buffers of all ranks, in rank order, and writes the result to all. Kernels and
// copies are on a stream beside the step's own, after events of all members; the step's stream then
// waits for an event that comes after the shares of all.
//
// The threads of the ranks meet when they queue, not when the devices work. Within a capture these
// events make one graph of the streams of all ranks.
//
//===----------------------------------------------------------------------===//
#include "RankMover.h"

#include "dsrt/dsrt.h"

#include <algorithm>
#include <cstdio>
#include <numeric>

using namespace ds;
using namespace ds::gpu;

static DevicePointer address(const void *data, int64_t bytes = 0) {
  return reinterpret_cast<DevicePointer>(data) + bytes;
}

RankMover::RankMover(CudaQueue &queue, const DeviceCode &code)
    : queue(queue), code(code), side(queue) {
  functions.state = this;
  functions.mark = [](void *state, void **out, dsrt_error *error) {
    return static_cast<RankMover *>(state)->mark(out, error);
  };
  functions.move = [](void *state, const dsrt_call *const *calls, int64_t members, int64_t index,
                      dsrt_error *error) {
    return static_cast<RankMover *>(state)->move({calls, static_cast<size_t>(members)}, index,
                                                 error);
  };
  functions.join = [](void *state, void *const *marks, int64_t members, int64_t index, void **out,
                      dsrt_error *error) {
    return static_cast<RankMover *>(state)->join({marks, static_cast<size_t>(members)}, index, out,
                                                 error);
  };
  functions.follow = [](void *state, void *done, dsrt_error *error) {
    return static_cast<RankMover *>(state)->follow(done, error);
  };
}

RankMover::~RankMover() {
  if (queue.isAbandoned())
    return;
  for (Mark *mark : marks)
    code.marks.give(mark);
}

bool RankMover::meet(dsrt_context *context, Meeting which, const std::function<void()> &work) {
  if (queue.hasFailed())
    dsrt_abort(context, queue.error().c_str());
  meeting = which;
  leadersWork = work ? &work : nullptr;
  const bool met = dsrt_barrier(context, DSRT_WORLD) == DSRT_OK;
  meeting.reset();
  return met && !queue.hasFailed();
}

dsrt_status RankMover::told(dsrt_error *error) const {
  if (!queue.hasFailed())
    return DSRT_OK;
  snprintf(error->text, sizeof error->text, "%s", queue.error().c_str());
  return DSRT_INTERNAL;
}

static std::unique_lock<std::mutex> take(std::mutex *turn) {
  return turn ? std::unique_lock<std::mutex>(*turn) : std::unique_lock<std::mutex>();
}

Mark *RankMover::nextMark() {
  if (used == marks.size()) {
    int result = 0;
    Mark *made = code.marks.take(result);
    if (!queue.check(result, "cuEventCreate"))
      return nullptr;
    marks.push_back(made);
  }
  return marks[used++];
}

dsrt_status RankMover::mark(void **out, dsrt_error *error) {
  auto lock = take(turn);
  if (Mark *next = nextMark()) {
    queue.record(next->ready);
    *out = next;
  }
  return told(error);
}

dsrt_status RankMover::move(llvm::ArrayRef<const dsrt_call *> calls, int64_t index,
                            dsrt_error *error) {
  auto lock = take(turn);
  Mark &mine = markAt(calls[index]->ready);
  auto behind = [&](size_t member, void *stream) {
    queue.follow(markAt(calls[member]->ready).ready, stream);
  };
  if (calls[index]->op != DSRT_OP_BARRIER) {
    for (size_t m = 0; m < calls.size(); ++m)
      behind(m, side.get());
    moveShare(calls, index);
    queue.record(mine.done, side.get());
  } else if (meeting == Meeting::fork && index > 0) {
    behind(0, queue.stream);
  } else if (meeting == Meeting::lead && index == 0) {
    for (size_t m = 1; m < calls.size(); ++m)
      behind(m, queue.stream);
    if (leadersWork && !queue.hasFailed())
      (*leadersWork)();
    queue.record(mine.done);
  }
  return told(error);
}

dsrt_status RankMover::join(llvm::ArrayRef<void *> all, int64_t index, void **out,
                            dsrt_error *error) {
  auto lock = take(turn);
  if (meeting) {
    if (meeting == Meeting::lead && index > 0)
      queue.follow(markAt(all[0]).done);
    return told(error);
  }
  for (auto [m, mark] : llvm::enumerate(all))
    if (static_cast<int64_t>(m) != index)
      queue.follow(markAt(mark).done, side.get());
  queue.record(markAt(all[index]).joined, side.get());
  *out = all[index];
  return told(error);
}

dsrt_status RankMover::follow(void *done, dsrt_error *error) {
  auto lock = take(turn);
  queue.follow(markAt(done).joined);
  return told(error);
}

//===----------------------------------------------------------------------===//
// Shares.
//===----------------------------------------------------------------------===//

void RankMover::copy(void *to, const void *from, int64_t bytes) {
  if (bytes > 0 && to != from && !queue.hasFailed())
    queue.check(
        queue.device.api->cuMemcpyDtoDAsync_v2(address(to), address(from), bytes, side.get()),
        "cuMemcpyDtoDAsync");
}

/// Reduces on the side stream. `buffers`: those of the members, and unless `toAll` that of the
/// result.
void RankMover::reduce(const dsrt_call &call, bool toAll, std::vector<DevicePointer> buffers,
                       int64_t elements) {
  if (elements == 0 || queue.hasFailed())
    return;
  const auto members = static_cast<int64_t>(buffers.size()) - (toAll ? 0 : 1);
  const RankReduction reduction = {call.dtype, call.reduction, members, toAll};
  void *kernel = code.find(reduction);
  if (!queue.check(kernel ? 0 : cuda::errorNotFound, nameOf(reduction).c_str()))
    return;
  std::vector<void *> parameters;
  for (DevicePointer &buffer : buffers)
    parameters.push_back(&buffer);
  parameters.push_back(&elements);
  const auto blocks =
      static_cast<unsigned>((elements + kRankReductionThreads - 1) / kRankReductionThreads);
  queue.check(queue.device.api->cuLaunchKernel(kernel, blocks, 1, 1, kRankReductionThreads, 1, 1, 0,
                                               side.get(), parameters.data(), nullptr),
              "cuLaunchKernel");
}

/// Returns the distance from the first buffer to the end of the last one in each call, in elements,
/// if the buffers lie next to each other in the arenas of all members, and alike: padding is
/// reduced, too.
static std::optional<int64_t> spanOf(llvm::ArrayRef<const dsrt_call *> calls) {
  const dsrt_call &first = *calls[0];
  auto offset = [](const dsrt_call &call, int64_t buffer) {
    return address(call.outputs[buffer]) - address(call.outputs[0]);
  };
  for (const dsrt_call *call : calls)
    for (int64_t b = 0; b < first.n_buffers; ++b)
      if (!call->one_span || first.elements[b] == 0 || offset(*call, b) != offset(first, b))
        return std::nullopt;
  const int64_t last = first.n_buffers - 1;
  return static_cast<int64_t>(offset(first, last)) / dsrt_dtype_size(first.dtype) +
         first.elements[last];
}

// Shares divide all elements of the call, so that many small buffers are few launches for each
// rank, and end on 64 bytes of it. A bucket is one buffer.
void RankMover::allReduce(llvm::ArrayRef<const dsrt_call *> calls, int64_t index) {
  const dsrt_call &call = *calls[index];
  if (calls.size() == 1)
    return;
  llvm::SmallVector<int64_t> elements(call.elements, call.elements + call.n_buffers);
  if (std::optional<int64_t> span = spanOf(calls))
    elements = {*span};
  const int64_t size = dsrt_dtype_size(call.dtype), unit = 64 / size;
  const auto members = static_cast<int64_t>(calls.size());
  const int64_t total = std::accumulate(elements.begin(), elements.end(), int64_t(0));
  const int64_t share = ((total + members - 1) / members + unit - 1) / unit * unit;
  const int64_t begin = std::min(total, share * index), end = std::min(total, begin + share);
  int64_t first = 0; // of this buffer, in the elements of the call
  for (auto [b, count] : llvm::enumerate(elements)) {
    const int64_t from = std::max(begin, first), to = std::min(end, first + count);
    std::vector<DevicePointer> buffers;
    for (const dsrt_call *member : calls)
      buffers.push_back(address(member->outputs[b], (from - first) * size));
    reduce(call, /*toAll=*/true, std::move(buffers), std::max<int64_t>(to - from, 0));
    first += count;
  }
}

void RankMover::reduceScatter(llvm::ArrayRef<const dsrt_call *> calls, int64_t index) {
  const dsrt_call &call = *calls[index];
  for (int64_t b = 0; b < call.n_buffers; ++b) {
    const int64_t bytes = call.elements[b] * dsrt_dtype_size(call.dtype);
    if (calls.size() == 1) {
      copy(call.outputs[b], call.inputs[b], bytes);
      continue;
    }
    std::vector<DevicePointer> buffers;
    for (const dsrt_call *member : calls)
      buffers.push_back(address(member->inputs[b], index * bytes));
    buffers.push_back(address(call.outputs[b]));
    reduce(call, /*toAll=*/false, std::move(buffers), call.elements[b]);
  }
}

void RankMover::moveShare(llvm::ArrayRef<const dsrt_call *> calls, int64_t index) {
  const dsrt_call &call = *calls[index];
  auto part = [](const void *buffer, int64_t bytes) {
    return const_cast<char *>(static_cast<const char *>(buffer)) + bytes;
  };
  auto forEachBuffer = [&](llvm::function_ref<void(int64_t buffer, int64_t bytes)> body) {
    for (int64_t b = 0; b < call.n_buffers; ++b)
      body(b, call.elements[b] * dsrt_dtype_size(call.dtype));
  };
  switch (call.op) {
  case DSRT_OP_ALL_REDUCE:
    return allReduce(calls, index);
  case DSRT_OP_REDUCE_SCATTER:
    return reduceScatter(calls, index);
  case DSRT_OP_ALL_GATHER:
    return forEachBuffer([&](int64_t b, int64_t bytes) {
      for (auto [m, member] : llvm::enumerate(calls))
        copy(part(call.outputs[b], m * bytes), member->inputs[b], bytes);
    });
  case DSRT_OP_ALL_TO_ALL:
    return forEachBuffer([&](int64_t b, int64_t bytes) {
      for (auto [m, member] : llvm::enumerate(calls))
        copy(part(call.outputs[b], m * bytes), part(member->inputs[b], index * bytes), bytes);
    });
  case DSRT_OP_COLLECTIVE_PERMUTE:
    return forEachBuffer([&](int64_t b, int64_t bytes) {
      if (call.source >= 0)
        copy(call.outputs[b], calls[call.source]->inputs[b], bytes);
      else if (bytes > 0 && !queue.hasFailed())
        queue.check(
            queue.device.api->cuMemsetD8Async(address(call.outputs[b]), 0, bytes, side.get()),
            "cuMemsetD8Async");
    });
  case DSRT_OP_BROADCAST:
    return forEachBuffer([&](int64_t b, int64_t bytes) {
      if (index != call.root)
        copy(call.outputs[b], calls[call.root]->outputs[b], bytes);
    });
  case DSRT_OP_BARRIER:
    return;
  }
}
