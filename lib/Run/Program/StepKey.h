//===- StepKey.h - The hash of all inputs of a step's code ------*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef DS_LIB_RUN_PROGRAM_STEPKEY_H
#define DS_LIB_RUN_PROGRAM_STEPKEY_H

#include "ds/Dialect/IR/Config.h"

#include "mlir/IR/BuiltinOps.h"

#include <string>

namespace ds {

/// Returns 256 bits in hexadecimal.
std::string wholeHash(llvm::StringRef bytes);

/// Returns the hash of a module's text without its configuration, because global_rank is all that
/// differs between the steps of two ranks.
std::string moduleHash(mlir::ModuleOp module);

struct StepSource {
  std::string path, textHash; // of the file
  std::string entry, targetCpu, target;
};

/// Returns a hash of all inputs of the code: this program, the source, and the configuration except
/// for global_rank, which no pass reads. `purpose` distinguishes the programs that are compiled
/// from one file. Empty if the code depends on another file.
std::string stepKey(llvm::StringRef purpose, const StepSource &source, const Config &settings);

} // namespace ds

#endif // DS_LIB_RUN_PROGRAM_STEPKEY_H
