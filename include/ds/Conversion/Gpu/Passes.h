//===- Passes.h - From a driver and kernels to a GPU's ----------*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// After `ds-lower-to-driver`, which is independent of the device: work that the host cannot do for
// a GPU moves out of the driver, and kernels become functions of the gpu dialect.
//
//===----------------------------------------------------------------------===//
#ifndef DS_CONVERSION_GPU_PASSES_H
#define DS_CONVERSION_GPU_PASSES_H

#include "mlir/Pass/Pass.h"

namespace ds {

#define GEN_PASS_DECL
#include "ds/Conversion/Gpu/Passes.h.inc"

namespace gpu {
/// The module of kernels that ds-map-kernels creates, and the attribute with the launches of the
/// driver: for each one the `kernel`, its `scheme`, and its `shape` as blocks and threads in x and
/// y.
inline constexpr llvm::StringLiteral kKernelsModule = "kernels";
inline constexpr llvm::StringLiteral kLaunches = "ds.launches";
/// Attribute of the driver: `offset` and `bytes` of the words of assertions in its arena. A word is
/// 0 while its assertion holds, else the number of one of the `messages`, from 1 on.
inline constexpr llvm::StringLiteral kAssertions = "ds.assertions";
} // namespace gpu

#define GEN_PASS_REGISTRATION
#include "ds/Conversion/Gpu/Passes.h.inc"

} // namespace ds

#endif // DS_CONVERSION_GPU_PASSES_H
