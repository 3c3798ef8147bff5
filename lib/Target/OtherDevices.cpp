//===- OtherDevices.cpp - Devices that steps are not compiled for ---------===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "ds/Target/OtherDevices.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/Twine.h"

using llvm::StringRef;

std::string ds::describeOtherDevice(StringRef name) {
  StringRef device = name.split(':').first; // before the chip, or numbers
  const bool isAscend = device == "ascend" || device == "npu";
  if (!isAscend &&
      !llvm::is_contained({"hip", "rocm", "xpu", "sycl", "mps", "metal", "tpu"}, device))
    return "";
  return (llvm::Twine("there is no code generation for '") + name +
          "': steps compute on cpu, or on NVIDIA's GPUs (cuda)" +
          (isAscend ? "; on Ascend's devices the runtime's collectives run alone, over hccl" : ""))
      .str();
}
