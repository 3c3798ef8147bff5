//===- OnDevice.h - The memory of an instance on a GPU ----------*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// For programs that compute on the same device: their data there is taken without a detour over the
// host, and so are the results of a step.
//
//===----------------------------------------------------------------------===//
#ifndef DS_TARGET_ONDEVICE_H
#define DS_TARGET_ONDEVICE_H

#include "ds/Target/CompiledStep.h"

#include "llvm/ADT/ArrayRef.h"

#include <cstdint>
#include <map>

namespace ds {

/// Bytes to copy from one offset to another.
struct Piece {
  int64_t from, to, bytes;
};

/// Addresses of the arguments of one rank that lie in memory of another instance on its device.
using BorrowedSlots = std::map<unsigned, void *>;

/// The borrowed slots of a set of instances, by rank. Their lenders outlive them.
struct BorrowedMemory final : SharedMemory {
  std::map<int64_t, BorrowedSlots> ofRank;
};

/// Streams are those of the device's library, a CUstream or one of its numbers for default streams.
/// A failure is an error of the next step.
class InstanceOnDevice {
public:
  virtual ~InstanceOnDevice() = default;
  virtual int32_t deviceNumber() const = 0;
  /// Returns the stream on which the instance's work is queued.
  virtual void *stream() const = 0;
  /// Return addresses on the device, for the life of the instance.
  virtual void *deviceArgument(unsigned slot) const = 0;
  virtual void *deviceResult(unsigned slot) const = 0;
  /// Queues copies to an argument from memory of the same device, which must stay until a step or a
  /// read has returned.
  virtual void copyOnDevice(unsigned argument, const void *from, llvm::ArrayRef<Piece> pieces) = 0;
  /// Reads memory of the device after the instance's queued work; false after an error.
  virtual bool download(void *to, const void *from, int64_t bytes) = 0;
  /// Allocates memory of the device beside that of the instance; it is to be released before the
  /// instance ends. Null after an error.
  virtual void *allocateBlock(int64_t bytes) = 0;
  virtual void releaseBlock(void *data) = 0;
  /// Queues a copy of memory of the device.
  virtual void copyBlock(void *to, const void *from, int64_t bytes) = 0;
  /// Returns when the queued work has ended. An error is the rank's by then.
  virtual void settle() = 0;
  /// The first makes the instance's later work wait for the work now queued on a stream, the second
  /// a stream wait for the work queued by the instance.
  virtual void follow(void *stream) = 0;
  virtual void lead(void *stream) = 0;
};

} // namespace ds

#endif // DS_TARGET_ONDEVICE_H
