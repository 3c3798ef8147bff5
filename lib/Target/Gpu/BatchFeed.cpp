//===- BatchFeed.cpp - New values of each step's arguments ------*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//   copies    wait taken(k)   pinned -> staged   record arrived(k+1)
//   compute   wait arrived(k)   staged -> slot   record taken(k)   step k
//
//===----------------------------------------------------------------------===//
#include "BatchFeed.h"

using namespace ds::gpu;

PinnedRing::PinnedRing(CudaQueue &queue, size_t bytes, size_t count)
    : queue(queue), buffers(count) {
  for (char *&buffer : buffers)
    if (!queue.hasFailed())
      queue.check(queue.device.api->cuMemHostAlloc(reinterpret_cast<void **>(&buffer), bytes, 0),
                  "cuMemHostAlloc");
}

PinnedRing::~PinnedRing() {
  if (queue.isAbandoned())
    return;
  for (char *buffer : buffers)
    if (buffer)
      (void)queue.device.api->cuMemFreeHost(buffer);
}

void ArgumentFeed::write(llvm::function_ref<void(char *)> fill) {
  if (++copies + underWay > numBuffers) { // without steps in between
    queue.wait();
    copies = 1;
    underWay = 0;
  }
  if (!pinned.next()) { // the next run reports the error
    std::vector<char> nowhere(bytes);
    return fill(nowhere.data());
  }
  fill(pinned.next());
  queue.upload(slot, pinned.next(), bytes);
  pinned.flip();
  isKnown = true;
}

BatchFeed::BatchFeed(CudaQueue &queue, EventPool &events, void *copies, DevicePointer slot,
                     size_t bytes)
    : queue(queue), events(events), copies(copies), slot(slot), bytes(bytes),
      pinned(queue, bytes, numBuffers) {
  // Without the second buffer batches are copied before their step.
  if (!queue.hasFailed() && queue.device.api->cuMemAlloc_v2(&staged, bytes) != 0)
    staged = 0;
  for (void **event : {&arrived, &taken})
    if (int result = 0; staged && !queue.hasFailed()) {
      *event = events.take(result);
      queue.check(result, "cuEventCreate");
    }
}

BatchFeed::~BatchFeed() {
  if (queue.isAbandoned())
    return;
  queue.release(staged);
  for (void *event : {arrived, taken})
    if (event)
      events.give(event);
}

char *BatchFeed::spare() {
  if (isSent) // of a step that never ran: its buffer is filled anew
    (void)queue.device.api->cuStreamSynchronize(copies);
  return staged ? pinned.next() : nullptr;
}

void BatchFeed::send() {
  isSent = true;
  const CudaApi &cuda = *queue.device.api;
  const std::pair<int, const char *> calls[] = {
      {cuda.cuCtxSetCurrent(queue.device.context), "cuCtxSetCurrent"},
      {cuda.cuStreamWaitEvent(copies, taken, 0), "cuStreamWaitEvent"},
      {cuda.cuMemcpyHtoDAsync_v2(staged, pinned.next(), bytes, copies), "cuMemcpyHtoDAsync"},
      {cuda.cuEventRecord(arrived, copies), "cuEventRecord"}};
  for (const auto &call : calls)
    if (call.first != 0 && !mistake)
      mistake = call;
}

void BatchFeed::take() {
  isSent = false;
  if (mistake && !queue.hasFailed())
    queue.check(mistake->first, mistake->second);
  queue.follow(arrived);
  queue.copy(slot, staged, bytes);
  queue.record(taken);
  pinned.flip();
}
