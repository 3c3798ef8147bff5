//===- Upstream.h - Upstream's dialects and passes in a tool ----*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// These functions have two definitions: lib/Compiler registers all of upstream, tools/static only
// the dialects that a step can contain. The linker takes the first one.
//
//===----------------------------------------------------------------------===//

#ifndef DS_COMPILER_UPSTREAM_H
#define DS_COMPILER_UPSTREAM_H

namespace mlir {
class DialectRegistry;
} // namespace mlir

namespace ds {

/// Registers upstream's dialects with their extensions.
void registerUpstreamDialects(mlir::DialectRegistry &registry);

/// Registers upstream's passes, for ds-opt.
void registerUpstreamPasses();

} // namespace ds

#endif // DS_COMPILER_UPSTREAM_H
