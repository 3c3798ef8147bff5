//===- LinkedStep.h - A step whose code is linked ------------- -*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Runs a step that ds-compile has written, in the program that was linked with it. Needs no
// compiler.
//
//===----------------------------------------------------------------------===//
#ifndef DS_TARGET_CPU_LINKEDSTEP_H
#define DS_TARGET_CPU_LINKEDSTEP_H

#include "ds/Step/Executable.h"
#include "ds/Target/CompiledStep.h"
#include "ds/Target/EntrySlots.h"

#include "llvm/Support/Error.h"

namespace ds {

/// Holds all libraries to the instructions of `cpu` from here on. An error names the instructions
/// of `cpu` that this machine lacks.
llvm::Error useCpu(llvm::StringRef cpu);

/// Makes a step of `executable` without its objects, whose entry is here. `cpu` is the set of
/// instructions that the code may use, as `requiredFeatures` (TargetCpu.h) has it. An error names
/// those that this machine lacks.
llvm::Expected<std::unique_ptr<CompiledStep>>
useLinkedStep(Executable executable, EntryFunction entry, llvm::StringRef cpu);

} // namespace ds

#endif // DS_TARGET_CPU_LINKEDSTEP_H
