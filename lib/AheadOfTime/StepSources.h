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

/// Returns the identifier of C that is closest to the text.
std::string identifierOf(llvm::StringRef text);

/// Returns the header, which declares `NAME_compiled` and numbers ranks, arguments and results.
std::string headerOf(llvm::StringRef name, const Manifest &manifest);

/// Returns the objects to link: all of them, or the driver alone for a step on GPUs.
llvm::ArrayRef<std::string> linkedObjects(const Executable &executable);

/// Returns the source that defines `NAME_compiled` for the objects of the executable. `cpu`
/// describes the instructions that their code may use.
std::string sourceOf(llvm::StringRef name, Executable executable, const Config &config,
                     llvm::StringRef cpu);

/// Returns the linker's list of the symbols that the library exports.
std::string exportsOf(llvm::StringRef name);

} // namespace ds

#endif // DS_LIB_AHEADOFTIME_STEPSOURCES_H
