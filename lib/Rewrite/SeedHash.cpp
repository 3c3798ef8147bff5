//===- SeedHash.cpp - The random key of a rank ----------------------------===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The hash is computed once, as scalars; the key is then rewritten word by word.
//
//===----------------------------------------------------------------------===//
#include "ds/Rewrite/SeedHash.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;

namespace ds {

static Value createHash(OpBuilder &b, Location loc, Value rank) {
  Type i32 = b.getI32Type();
  auto constant = [&](uint32_t value) -> Value {
    return arith::ConstantOp::create(b, loc, b.getI32IntegerAttr(static_cast<int32_t>(value)));
  };
  Value x = arith::IndexCastOp::create(b, loc, i32, rank);
  auto shiftIn = [&](uint32_t bits) {
    x = arith::XOrIOp::create(b, loc, x, arith::ShRUIOp::create(b, loc, x, constant(bits)));
  };
  auto multiply = [&](uint32_t factor) { x = arith::MulIOp::create(b, loc, x, constant(factor)); };
  shiftIn(16);
  multiply(0x85ebca6b);
  shiftIn(13);
  multiply(0xc2b2ae35);
  shiftIn(16);
  return x;
}

Value createSeedOfRank(OpBuilder &b, Location loc, Value seed, Value rank) {
  auto type = cast<RankedTensorType>(seed.getType());
  Type word = type.getElementType();
  Value hash = createHash(b, loc, rank);
  if (word.getIntOrFloatBitWidth() > 32)
    hash = arith::ExtUIOp::create(b, loc, word, hash);
  else if (word.getIntOrFloatBitWidth() < 32)
    hash = arith::TruncIOp::create(b, loc, word, hash);
  Value empty = tensor::EmptyOp::create(b, loc, type.getShape(), word);
  AffineMap identity = b.getMultiDimIdentityMap(type.getRank());
  SmallVector<utils::IteratorType> loops(type.getRank(), utils::IteratorType::parallel);
  auto body = [&](OpBuilder &in, Location at, ValueRange args) {
    Value isFirst = arith::ConstantOp::create(in, at, in.getBoolAttr(true));
    Value zero = arith::ConstantIndexOp::create(in, at, 0);
    for (int64_t dim = 0; dim < type.getRank(); ++dim)
      isFirst =
          arith::AndIOp::create(in, at, isFirst,
                                arith::CmpIOp::create(in, at, arith::CmpIPredicate::eq,
                                                      linalg::IndexOp::create(in, at, dim), zero));
    Value own = arith::XOrIOp::create(in, at, args[0], hash);
    linalg::YieldOp::create(in, at,
                            arith::SelectOp::create(in, at, isFirst, own, args[0]).getResult());
  };
  return linalg::GenericOp::create(b, loc, type, seed, empty,
                                   ArrayRef<AffineMap>{identity, identity}, loops, body)
      .getResult(0);
}

} // namespace ds
