//===- DumpModule.h - write a stage to a file -------------------*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef DS_LIB_PIPELINES_DUMPMODULE_H
#define DS_LIB_PIPELINES_DUMPMODULE_H

#include "mlir/Pass/Pass.h"

namespace ds {

/// Writes the module to 'directory/NN-stage.mlir'; a directory that cannot be written is an error
/// at the module.
std::unique_ptr<mlir::Pass> createDumpModulePass(llvm::StringRef directory, unsigned number,
                                                 llvm::StringRef stage);

} // namespace ds

#endif // DS_LIB_PIPELINES_DUMPMODULE_H
