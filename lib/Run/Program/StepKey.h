//===- StepKey.h - What the code of a step follows from ---------*- C++ -*-===//
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

/// 256 bits, in hexadecimal.
std::string wholeHash(llvm::StringRef bytes);

/// Of the text of a module without its configuration: the step of a rank differs from that of
/// another in global_rank alone.
std::string moduleHash(mlir::ModuleOp module);

struct StepSource {
  std::string path, textHash; // of the file
  std::string entry, targetCpu, target;
};

/// A hash of all that the code follows from: this program, the source, and the configuration but
/// for global_rank, for which no pass asks. `purpose` tells apart what is compiled of one file.
/// Empty where another file has a say.
std::string stepKey(llvm::StringRef purpose, const StepSource &source, const Config &settings);

} // namespace ds

#endif // DS_LIB_RUN_PROGRAM_STEPKEY_H
