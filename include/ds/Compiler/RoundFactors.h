//===- RoundFactors.h - The first passes of a lowering ----------*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef DS_COMPILER_ROUNDFACTORS_H
#define DS_COMPILER_ROUNDFACTORS_H

namespace mlir {
class OpPassManager;
} // namespace mlir

namespace ds {

/// Brings a step on tensors into generic form and rounds factors as `precision` says: to 16 bits if
/// `narrow`, else to f32 with the values of 16 bits.
void buildRoundFactorsPipeline(mlir::OpPassManager &manager, bool narrow);

} // namespace ds

#endif // DS_COMPILER_ROUNDFACTORS_H
