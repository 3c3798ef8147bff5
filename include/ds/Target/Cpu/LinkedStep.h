//===- LinkedStep.h - A step whose code is linked ------------- -*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What ds-compile has written, in the program that was linked with it. Needs no compiler.
//
//===----------------------------------------------------------------------===//
#ifndef DS_TARGET_CPU_LINKEDSTEP_H
#define DS_TARGET_CPU_LINKEDSTEP_H

#include "ds/Step/Executable.h"
#include "ds/Target/CompiledStep.h"
#include "ds/Target/EntrySlots.h"

#include "llvm/Support/Error.h"

namespace ds {

/// An error names what this machine lacks of `cpu`; no library uses more than that from here on.
llvm::Error useCpu(llvm::StringRef cpu);

/// `executable` without its objects, whose entry is here. `cpu` is what the code may use, as
/// `requiredFeatures` (TargetCpu.h) has it. An error names what this machine lacks.
llvm::Expected<std::unique_ptr<CompiledStep>>
useLinkedStep(Executable executable, EntryFunction entry, llvm::StringRef cpu);

} // namespace ds

#endif // DS_TARGET_CPU_LINKEDSTEP_H
