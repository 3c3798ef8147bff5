//===- StoreBooleanConstants.cpp - Boolean tables are bytes -----*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Buffers of i1 become bytes after bufferization, but constants have become module-level globals by
// then. So each constant tensor of i1 is written as one of i8, and a kernel converts the elements
// (splats were folded into their users before).
//
//===----------------------------------------------------------------------===//
#include "ds/Conversion/Passes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

namespace ds {
#define GEN_PASS_DEF_STOREBOOLEANCONSTANTSPASS
#include "ds/Conversion/Passes.h.inc"
} // namespace ds

using namespace mlir;

namespace {

void storeAsBytes(arith::ConstantOp constant) {
  auto type = dyn_cast<RankedTensorType>(constant.getType());
  auto values = dyn_cast<DenseElementsAttr>(constant.getValue());
  if (!type || !values || !type.getElementType().isInteger(1))
    return;
  OpBuilder builder(constant);
  Location loc = constant.getLoc();
  SmallVector<int8_t> bytes;
  if (values.isSplat())
    bytes.push_back(values.getSplatValue<bool>());
  else
    for (bool value : values.getValues<bool>())
      bytes.push_back(value);
  auto byteType = RankedTensorType::get(type.getShape(), builder.getI8Type());
  Value stored =
      arith::ConstantOp::create(builder, loc, DenseElementsAttr::get<int8_t>(byteType, bytes));
  Value empty = tensor::EmptyOp::create(builder, loc, type.getShape(), type.getElementType());
  AffineMap identity = builder.getMultiDimIdentityMap(type.getRank());
  SmallVector<utils::IteratorType> loops(type.getRank(), utils::IteratorType::parallel);
  auto flags = linalg::GenericOp::create(
      builder, loc, TypeRange(type), ValueRange(stored), ValueRange(empty),
      ArrayRef<AffineMap>{identity, identity}, loops,
      [](OpBuilder &b, Location l, ValueRange args) {
        linalg::YieldOp::create(b, l,
                                arith::TruncIOp::create(b, l, b.getI1Type(), args[0]).getResult());
      });
  constant.replaceAllUsesWith(flags.getResult(0));
  constant.erase();
}

struct StoreBooleanConstants final
    : ds::impl::StoreBooleanConstantsPassBase<StoreBooleanConstants> {
  void runOnOperation() override { getOperation().walk(storeAsBytes); }
};

} // namespace
