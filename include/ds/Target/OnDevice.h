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

#include "llvm/ADT/ArrayRef.h"

#include <cstdint>

namespace ds {

/// Bytes that are copied from one offset to another.
struct Piece {
  int64_t from, to, bytes;
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
  /// The instance's work goes on behind what is queued on a stream now, and a stream behind what is
  /// queued of the instance.
  virtual void follow(void *stream) = 0;
  virtual void lead(void *stream) = 0;
};

} // namespace ds

#endif // DS_TARGET_ONDEVICE_H
