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

/// Name of the target, without its chip: steps are compiled for `cuda:sm_90`. A step is captured as
/// one CUDA graph, but not with `cuda:sm_90:calls`.
inline constexpr char kGpuTarget[] = "cuda";

const Target &gpuTarget();

/// Returns the target for the GPUs of this machine, `cuda:sm_90` for H100s; an error if there is
/// none, if a listed number does not exist, or if they have different chips.
llvm::Expected<std::string> findGpu(llvm::StringRef numbers = "");

} // namespace ds

#endif // DS_TARGET_GPU_GPUTARGET_H
