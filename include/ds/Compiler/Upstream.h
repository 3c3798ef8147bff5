//===- Upstream.h - What of upstream is in a tool ---------------*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Two places define these functions: lib/Compiler takes all of upstream, tools/static what a step
// can hold. A link takes the one that it meets first.
//
//===----------------------------------------------------------------------===//

#ifndef DS_COMPILER_UPSTREAM_H
#define DS_COMPILER_UPSTREAM_H

namespace mlir {
class DialectRegistry;
} // namespace mlir

namespace ds {

/// Upstream's dialects with their extensions.
void registerUpstreamDialects(mlir::DialectRegistry &registry);

/// Upstream's passes, for ds-opt.
void registerUpstreamPasses();

} // namespace ds

#endif // DS_COMPILER_UPSTREAM_H
