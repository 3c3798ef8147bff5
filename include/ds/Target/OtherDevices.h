//===- OtherDevices.h - Devices that steps are not compiled for -*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef DS_TARGET_OTHERDEVICES_H
#define DS_TARGET_OTHERDEVICES_H

#include "llvm/ADT/StringRef.h"

#include <string>

namespace ds {

/// Describes the alternatives for a device that people ask for and no step is compiled for, such as
/// `hip` or `ascend`; empty for any other name.
std::string describeOtherDevice(llvm::StringRef name);

} // namespace ds

#endif // DS_TARGET_OTHERDEVICES_H
