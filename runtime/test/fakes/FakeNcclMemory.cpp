//===- FakeNcclMemory.cpp - Memory that NCCL can register -------*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "FakeCuda.h"

#define EXPORT extern "C" __attribute__((visibility("default")))

namespace {
enum : int { success = 0, systemError = 2, invalidArgument = 4 };
}

EXPORT int ncclMemAlloc(void **data, size_t bytes) {
  if (fake::currentCudaDevice() < 0 || !data || bytes == 0)
    return invalidArgument;
  *data = fake::allocateDevice(bytes, fake::currentCudaDevice());
  return *data ? success : systemError;
}

EXPORT int ncclMemFree(void *data) { return fake::releaseDevice(data) ? success : invalidArgument; }
