//===- FakeCuda.h - What the fake NCCL needs of the fake driver -*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef DSRT_TEST_FAKES_FAKECUDA_H
#define DSRT_TEST_FAKES_FAKECUDA_H

#include "FakeDevice.h"

namespace fake {

/// The device that the calling thread uses; -1 if it has not said.
int32_t currentCudaDevice();
/// Null unless it is a stream of that device.
Stream *cudaStream(void *handle, int32_t device);

} // namespace fake

#endif // DSRT_TEST_FAKES_FAKECUDA_H
