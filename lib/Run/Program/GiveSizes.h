//===- GiveSizes.h - The static step of a file ------------------*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef DS_LIB_RUN_PROGRAM_GIVESIZES_H
#define DS_LIB_RUN_PROGRAM_GIVESIZES_H

#include "ds/Dialect/IR/Config.h"

#include "mlir/IR/BuiltinOps.h"

#include <string>

namespace ds {

/// Gives dynamic dimensions the sizes of the configuration once, so that every reader of the step's
/// types knows them, and takes the key out of it. `hash`, of the file, becomes one of the sizes,
/// too: other sizes are another program.
llvm::LogicalResult giveSizes(mlir::ModuleOp module, llvm::StringRef entry, Config &config,
                              std::string &hash);

} // namespace ds

#endif // DS_LIB_RUN_PROGRAM_GIVESIZES_H
