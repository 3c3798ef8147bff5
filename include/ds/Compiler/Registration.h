//===- Registration.h - everything ds adds to a tool ------------*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef DS_COMPILER_REGISTRATION_H
#define DS_COMPILER_REGISTRATION_H

namespace mlir {
class DialectRegistry;
} // namespace mlir

namespace ds {

/// Registers the ds dialect with its external models, and every upstream dialect with its
/// extensions. Without the extensions upstream interfaces are promised but absent, and calls are
/// silently not inlined.
void registerDialects(mlir::DialectRegistry &registry);

/// Registers only the ds dialect and its external models, for a tool that brings the upstream
/// dialects itself.
void registerDsDialect(mlir::DialectRegistry &registry);

/// Registers every ds pass and pipeline; later calls in a process have no effect.
void registerPasses();

} // namespace ds

#endif // DS_COMPILER_REGISTRATION_H
