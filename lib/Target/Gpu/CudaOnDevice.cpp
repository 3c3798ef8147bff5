//===- CudaOnDevice.cpp - An instance beside other work of its GPU --------===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "CudaInstance.h"

using namespace ds;
using namespace ds::gpu;

/// Returns how many pieces from the first one on are rows of one copy: of one length, and as far
/// apart as the first two.
static size_t countRows(llvm::ArrayRef<Piece> pieces) {
  size_t rows = 1;
  for (; rows < pieces.size(); ++rows) {
    const Piece &last = pieces[rows - 1], &next = pieces[rows];
    if (next.bytes != pieces[0].bytes || next.from - last.from != pieces[1].from - pieces[0].from ||
        next.to - last.to != pieces[1].to - pieces[0].to || next.from - last.from < next.bytes)
      break;
  }
  return rows;
}

void CudaInstance::copyOnDevice(unsigned argument, const void *from, llvm::ArrayRef<Piece> pieces) {
  queue.bind();
  if (feeds[argument])
    feeds[argument]->forget();
  const auto source = reinterpret_cast<DevicePointer>(from);
  while (!pieces.empty() && !queue.hasFailed()) {
    const Piece &first = pieces[0];
    const size_t rows = countRows(pieces);
    if (rows == 1) {
      queue.copy(arguments[argument] + first.to, source + first.from, first.bytes);
    } else {
      CopyRows copy;
      copy.from = source + first.from;
      copy.fromPitch = pieces[1].from - first.from;
      copy.to = arguments[argument] + first.to;
      copy.toPitch = pieces[1].to - first.to;
      copy.width = first.bytes;
      copy.height = rows;
      queue.check(queue.device.api->cuMemcpy2DAsync_v2(&copy, queue.stream), "cuMemcpy2DAsync");
    }
    pieces = pieces.drop_front(rows);
  }
  queue.record(copiedIn);
  hasCopied = true;
}

bool CudaInstance::download(void *to, const void *from, int64_t bytes) {
  copyOut(static_cast<char *>(to), reinterpret_cast<DevicePointer>(from), bytes);
  return !queue.hasFailed();
}

void *CudaInstance::allocateBlock(int64_t bytes) {
  queue.bind();
  return address(queue.allocate(bytes));
}

void CudaInstance::releaseBlock(void *data) {
  if (queue.isAbandoned())
    return;
  queue.bind();
  queue.release(reinterpret_cast<DevicePointer>(data));
}

void CudaInstance::copyBlock(void *to, const void *from, int64_t bytes) {
  queue.bind();
  isRestored = true;
  queue.copy(reinterpret_cast<DevicePointer>(to), reinterpret_cast<DevicePointer>(from), bytes);
}

void CudaInstance::settle() {
  queue.bind();
  finish();
  queue.wait();
  tellFailure();
}

void CudaInstance::follow(void *stream) {
  queue.bind();
  queue.record(handover, stream);
  queue.follow(handover);
}

void CudaInstance::lead(void *stream) {
  queue.bind();
  queue.record(handover);
  queue.follow(handover, stream);
}
