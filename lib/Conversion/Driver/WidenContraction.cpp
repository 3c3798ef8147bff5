//===- WidenContraction.cpp - Sum a contraction of 16 bits in f32 ---------===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "WidenContraction.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"

using namespace mlir;

/// Creates a kernel that writes `body` of each element of `from`, or of none if `from` is null, to
/// `to`.
static void writeEach(OpBuilder &builder, Location loc, Value from, Value to,
                      llvm::function_ref<Value(OpBuilder &, Value)> body) {
  const int64_t rank = cast<MemRefType>(to.getType()).getRank();
  SmallVector<AffineMap> maps(from ? 2 : 1, builder.getMultiDimIdentityMap(rank));
  linalg::GenericOp::create(builder, loc, TypeRange(), from ? ValueRange(from) : ValueRange(),
                            ValueRange(to), maps,
                            SmallVector<utils::IteratorType>(rank, utils::IteratorType::parallel),
                            [&](OpBuilder &inner, Location, ValueRange args) {
                              linalg::YieldOp::create(inner, loc, body(inner, args.front()));
                            });
}

void ds::widenContraction(linalg::GenericOp op, Operation *fill) {
  OpBuilder builder(op);
  Location loc = op.getLoc();
  Type wide = builder.getF32Type();
  Value out = op.getDpsInits()[0];
  auto type = cast<MemRefType>(out.getType());
  Value sums = memref::AllocOp::create(builder, loc, MemRefType::get(type.getShape(), wide));
  writeEach(builder, loc, fill ? Value() : out, sums,
            [&](OpBuilder &inner, Value element) -> Value {
              if (!fill)
                return arith::ExtFOp::create(inner, loc, wide, element);
              return arith::ConstantOp::create(inner, loc, inner.getFloatAttr(wide, 0));
            });
  linalg::GenericOp::create(
      builder, loc, TypeRange(), op.getInputs(), ValueRange(sums), op.getIndexingMapsArray(),
      op.getIteratorTypesArray(), [&](OpBuilder &inner, Location, ValueRange args) {
        Value lhs = arith::ExtFOp::create(inner, loc, wide, args[0]);
        Value rhs = arith::ExtFOp::create(inner, loc, wide, args[1]);
        Value product = arith::MulFOp::create(inner, loc, lhs, rhs);
        linalg::YieldOp::create(inner, loc,
                                ValueRange(arith::AddFOp::create(inner, loc, args[2], product)));
      });
  writeEach(builder, loc, sums, out, [&](OpBuilder &inner, Value element) -> Value {
    return arith::TruncFOp::create(inner, loc, type.getElementType(), element);
  });
  op.erase();
  if (fill)
    fill->erase();
}
