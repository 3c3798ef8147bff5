//===- DeviceVariables.h - Variables of a process with GPUs -----*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef DS_TARGET_DEVICEVARIABLES_H
#define DS_TARGET_DEVICEVARIABLES_H

namespace ds {

/// Lists the devices of a process by number, as in `0` or `2,3`: rank r computes on the (r modulo
/// their number)th. Read by the runtime's nccl, and by Target/Gpu if no list is given; not set: all
/// devices.
inline constexpr char kDevicesVariable[] = "DS_CUDA_DEVICES";

/// If set, the host waits for each launch, library call and exchange, and an error names the one
/// that failed.
inline constexpr char kCheckLaunchesVariable[] = "DS_CUDA_CHECK_LAUNCHES";

} // namespace ds

#endif // DS_TARGET_DEVICEVARIABLES_H
