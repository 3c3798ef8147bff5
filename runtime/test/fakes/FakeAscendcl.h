//===- FakeAscendcl.h - What the fake HCCL needs of the fake AscendCL -*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef DSRT_TEST_FAKES_FAKEASCENDCL_H
#define DSRT_TEST_FAKES_FAKEASCENDCL_H

#include "FakeDevice.h"

namespace fake {

/// The device that the calling thread uses; -1 if it has not said.
int32_t currentAclDevice();
/// Null unless it is a stream of that device.
Stream *aclStream(void *handle, int32_t device);

} // namespace fake

#endif // DSRT_TEST_FAKES_FAKEASCENDCL_H
