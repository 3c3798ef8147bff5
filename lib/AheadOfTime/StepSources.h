//===- StepSources.h - A compiled step as sources in C -------- -*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef DS_LIB_AHEADOFTIME_STEPSOURCES_H
#define DS_LIB_AHEADOFTIME_STEPSOURCES_H

#include "ds/Dialect/IR/Config.h"
#include "ds/Step/Executable.h"

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"

namespace ds {

/// A name in C that is most like the text.
std::string identifierOf(llvm::StringRef text);

/// Declares `NAME_compiled`, and numbers ranks, arguments and results.
std::string headerOf(llvm::StringRef name, const Manifest &manifest);

/// The objects that are linked: of a step for GPUs, its driver alone.
llvm::ArrayRef<std::string> linkedObjects(const Executable &executable);

/// Defines `NAME_compiled`, for the objects of the executable. `cpu`: what their code may use.
std::string sourceOf(llvm::StringRef name, Executable executable, const Config &config,
                     llvm::StringRef cpu);

/// What is seen of the library, for the linker.
std::string exportsOf(llvm::StringRef name);

} // namespace ds

#endif // DS_LIB_AHEADOFTIME_STEPSOURCES_H
