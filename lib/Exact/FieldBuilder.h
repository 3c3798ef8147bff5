//===- FieldBuilder.h - scalar code over a prime field ----------*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef DS_LIB_EXACT_FIELDBUILDER_H
#define DS_LIB_EXACT_FIELDBUILDER_H

#include "ds/Exact/PrimeField.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/Builders.h"
#include "llvm/ADT/DenseMap.h"

namespace ds {

/// Writes operations on elements, which are i64 scalars.
class FieldBuilder {
public:
  FieldBuilder(mlir::MLIRContext *ctx, const PrimeField &field, uint64_t seed)
      : b(ctx), field(field), seed(seed) {}

  /// Sets the insertion point before `op`, with its location; constants go to the beginning of its
  /// function.
  void at(mlir::Operation *op);
  /// Sets the insertion point and the location, in the same function.
  void at(mlir::OpBuilder::InsertPoint point, mlir::Location location);

  int64_t largest() const { return field.largest(); }
  mlir::Value constant(int64_t number);
  /// Returns the element of any 64-bit integer.
  mlir::Value reduce(mlir::Value number);

  mlir::Value add(mlir::Value x, mlir::Value y);
  mlir::Value subtract(mlir::Value x, mlir::Value y);
  mlir::Value negate(mlir::Value x);
  mlir::Value multiply(mlir::Value x, mlir::Value y);
  mlir::Value inverse(mlir::Value x);
  mlir::Value divide(mlir::Value x, mlir::Value y) { return multiply(x, inverse(y)); }

  mlir::Value compare(mlir::arith::CmpIPredicate predicate, mlir::Value x, mlir::Value y);
  mlir::Value select(mlir::Value condition, mlir::Value x, mlir::Value y);
  mlir::Value truth(bool value);

  /// Returns a word that depends on `name`, the seed and every bit of the operands, which are
  /// scalars of any integer type.
  mlir::Value hash(llvm::StringRef name, mlir::ValueRange operands);
  /// Returns a hash as an element.
  mlir::Value element(mlir::Value word);
  /// Returns a hash as an integer of another type.
  mlir::Value integer(mlir::Value word, mlir::Type type);
  /// True except for one word in 2 to 4096, depending on the seed: models `isfinite`.
  mlir::Value mostly(mlir::Value word);

  mlir::Value zeroExtend(mlir::Value integer);
  mlir::Value signExtend(mlir::Value integer);
  mlir::Value truncate(mlir::Value x, mlir::Type type);

  mlir::OpBuilder b;

private:
  template <typename OpTy, typename... Args> mlir::Value make(Args... args) {
    return OpTy::create(b, loc, args...);
  }
  mlir::Value mask(mlir::Value x, int64_t bits);
  mlir::Value fold(mlir::Value number);
  /// Reduces a product of two elements, perhaps with a third element added.
  mlir::Value reduceProduct(mlir::Value number);
  /// Move a number that is at most one prime too large, or too small, into the range of elements.
  mlir::Value lower(mlir::Value x);
  mlir::Value raise(mlir::Value x);
  /// Returns word * factor, its high bits folded into its low ones.
  mlir::Value mix(mlir::Value word, uint64_t factor, int64_t bits);

  mlir::Location loc = b.getUnknownLoc();
  const PrimeField &field;
  uint64_t seed;
  mlir::func::FuncOp function;
  /// Of each function, at its beginning.
  llvm::DenseMap<std::pair<mlir::Operation *, int64_t>, mlir::Value> constants;
  /// Products before their reduction: a sum that contains one is reduced once.
  llvm::DenseMap<mlir::Value, mlir::Value> products;
};

} // namespace ds

#endif // DS_LIB_EXACT_FIELDBUILDER_H
