//===- Embedding.h - Dialects of another compiler in ds-run -----*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// ds-run with the operations of another dialect: they pass through ds-data-parallel unchanged, and
// are lowered before the step becomes a driver of calls.
//
//===----------------------------------------------------------------------===//
#ifndef DS_RUN_PROGRAM_EMBEDDING_H
#define DS_RUN_PROGRAM_EMBEDDING_H

#include <functional>

namespace mlir {
class DialectRegistry;
class OpPassManager;
} // namespace mlir

namespace ds {

struct Embedding {
  /// Adds dialects, their external models and extensions to those of ds and upstream.
  std::function<void(mlir::DialectRegistry &)> registerDialects;
  /// Adds the passes, on a module, that lower these dialects to upstream's on tensors.
  std::function<void(mlir::OpPassManager &)> buildLowering;
};

} // namespace ds

#endif // DS_RUN_PROGRAM_EMBEDDING_H
