//===- HalfConversions.h - f16 and bf16 in integer instructions -*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A sixteen-bit float travels as its bits, an i16. Every function takes scalars or vectors and
// rounds once, to nearest even; a NaN stays one and becomes quiet.
//
//===----------------------------------------------------------------------===//
#ifndef DS_LIB_TARGET_CPU_HALFCONVERSIONS_H
#define DS_LIB_TARGET_CPU_HALFCONVERSIONS_H

#include "llvm/IR/IRBuilder.h"

namespace ds {

enum class Half { f16, bf16 };

class HalfConversions {
public:
  /// `hasF16`: the target converts between f16 and f32 itself.
  HalfConversions(llvm::IRBuilderBase &builder, bool hasF16) : builder(builder), hasF16(hasF16) {}

  /// Converts to f32, exactly.
  llvm::Value *extend(llvm::Value *bits, Half kind);
  /// Converts from f32 or f64.
  llvm::Value *truncate(llvm::Value *wide, Half kind);
  /// Converts from an integer of at most 64 bits.
  llvm::Value *fromInteger(llvm::Value *integer, bool isSigned, Half kind);
  /// Computes a * b + c, rounded once.
  llvm::Value *fusedMultiplyAdd(llvm::Value *a, llvm::Value *b, llvm::Value *c, Half kind);
  /// Returns an f32 that llvm.is.fpclass puts into the class of the half.
  llvm::Value *sameClass(llvm::Value *bits, Half kind);

private:
  llvm::Value *extendF16(llvm::Value *bits);
  llvm::Value *truncateF32ToF16(llvm::Value *wide);
  llvm::Value *truncateF32ToBF16(llvm::Value *wide);
  llvm::Value *truncateF64(llvm::Value *wide, Half kind);
  /// Sets the lowest kept bit where any of the `dropped` low bits is set, and clears those.
  llvm::Value *roundToOdd(llvm::Value *integer, unsigned dropped);

  llvm::Type *like(llvm::Value *shape, llvm::Type *scalar) const;
  llvm::Constant *number(llvm::Value *like, uint64_t value) const;

  llvm::IRBuilderBase &builder;
  bool hasF16;
};

} // namespace ds

#endif // DS_LIB_TARGET_CPU_HALFCONVERSIONS_H
