//===- DumpModule.h - A stage of compiling, in a file -----------*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef DS_COMPILER_DUMPMODULE_H
#define DS_COMPILER_DUMPMODULE_H

#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/Pass.h"

namespace ds {

/// Writes the module to 'directory/NN-stage.mlir', and creates the directory if needed. Fails with
/// a diagnostic if that is not possible.
llvm::LogicalResult dumpModule(mlir::ModuleOp module, llvm::StringRef directory, unsigned number,
                               llvm::StringRef stage);

/// Creates a pass that calls dumpModule.
std::unique_ptr<mlir::Pass> createDumpModulePass(llvm::StringRef directory, unsigned number,
                                                 llvm::StringRef stage);

} // namespace ds

#endif // DS_COMPILER_DUMPMODULE_H
