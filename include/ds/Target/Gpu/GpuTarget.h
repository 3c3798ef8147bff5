//===- GpuTarget.h - Steps on NVIDIA's GPUs ---------------------*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef DS_TARGET_GPU_GPUTARGET_H
#define DS_TARGET_GPU_GPUTARGET_H

#include "ds/Target/Target.h"

namespace ds {

/// Name of the target, without its chip: `cuda:sm_90` is what steps are compiled for. A step is
/// captured as one CUDA graph, with `cuda:sm_90:calls` it is not.
inline constexpr char kGpuTarget[] = "cuda";

const Target &gpuTarget();

/// The target for the GPUs of this machine, `cuda:sm_90` for H100s; an error where there is none,
/// or none of a number that is listed, or where they have different chips.
llvm::Expected<std::string> findGpu(llvm::StringRef numbers = "");

} // namespace ds

#endif // DS_TARGET_GPU_GPUTARGET_H
