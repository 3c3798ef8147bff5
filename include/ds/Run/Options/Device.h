//===- Device.h - The value of --device -------------------------*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef DS_RUN_OPTIONS_DEVICE_H
#define DS_RUN_OPTIONS_DEVICE_H

#include "ds/Support/OptionTable.h"

namespace ds {

/// Refuses a text other than `cpu`, `cuda`, or `cuda:` and numbers of GPUs.
llvm::Error checkDevice(llvm::StringRef option, llvm::StringRef text);

/// Returns the parser of an option with such a value.
OptionValue deviceValue(std::string &to);

} // namespace ds

#endif // DS_RUN_OPTIONS_DEVICE_H
