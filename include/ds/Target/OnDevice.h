//===- OnDevice.h - The memory of an instance on a GPU ----------*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// For programs that compute on the same device: what they made there is taken without a way over
// the host, and so is what a step has made.
//
//===----------------------------------------------------------------------===//
#ifndef DS_TARGET_ONDEVICE_H
#define DS_TARGET_ONDEVICE_H

#include "ds/Target/CompiledStep.h"

#include "llvm/ADT/ArrayRef.h"

#include <cstdint>
#include <map>

namespace ds {

/// Bytes that are copied from one offset to another.
struct Piece {
  int64_t from, to, bytes;
};

/// Arguments of one rank that lie in memory of another instance on its device: their addresses.
using BorrowedSlots = std::map<unsigned, void *>;

/// The same of a set of instances, by rank. Their lenders outlive them.
struct BorrowedMemory final : SharedMemory {
  std::map<int64_t, BorrowedSlots> ofRank;
};

/// Streams are those of the device's library, a CUstream or one of its numbers for default streams.
/// What fails is an error of the next step.
class InstanceOnDevice {
public:
  virtual ~InstanceOnDevice() = default;
  virtual int32_t deviceNumber() const = 0;
  /// What the instance's work is queued on.
  virtual void *stream() const = 0;
  /// Addresses of the device, for the life of the instance.
  virtual void *deviceArgument(unsigned slot) const = 0;
  virtual void *deviceResult(unsigned slot) const = 0;
  /// Queues copies to an argument, from memory of the same device, which stays until a step or a
  /// read has returned.
  virtual void copyOnDevice(unsigned argument, const void *from, llvm::ArrayRef<Piece> pieces) = 0;
  /// Reads memory of the device behind what is queued of the instance; false after an error.
  virtual bool download(void *to, const void *from, int64_t bytes) = 0;
  /// Memory of the device beside that of the instance, which is given back before the instance
  /// ends; null after an error.
  virtual void *allocateBlock(int64_t bytes) = 0;
  virtual void releaseBlock(void *data) = 0;
  /// Queues a copy of memory of the device.
  virtual void copyBlock(void *to, const void *from, int64_t bytes) = 0;
  /// Returns when what is queued has ended. What is wrong is an error of the rank by now.
  virtual void settle() = 0;
  /// The instance's work goes on behind what is queued on a stream now, and a stream behind what is
  /// queued of the instance.
  virtual void follow(void *stream) = 0;
  virtual void lead(void *stream) = 0;
};

} // namespace ds

#endif // DS_TARGET_ONDEVICE_H
