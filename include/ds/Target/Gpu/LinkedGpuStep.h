//===- LinkedGpuStep.h - A step for GPUs whose code is linked --*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Runs a step that ds-compile has written, in the program that was linked with it. Needs no
// compiler: the driver of the GPU has its own.
//
//===----------------------------------------------------------------------===//
#ifndef DS_TARGET_GPU_LINKEDGPUSTEP_H
#define DS_TARGET_GPU_LINKEDGPUSTEP_H

#include "ds/Target/Cpu/LinkedStep.h"

namespace ds {

/// Does what useLinkedStep does. The objects of `executable` hold code of GPUs alone; `tables` are
/// those of its driver. An error names what this machine or its GPU lacks.
llvm::Expected<std::unique_ptr<CompiledStep>> useLinkedGpuStep(Executable executable,
                                                               EntryFunction entry,
                                                               const void *tables,
                                                               llvm::StringRef cpu);

} // namespace ds

#endif // DS_TARGET_GPU_LINKEDGPUSTEP_H
