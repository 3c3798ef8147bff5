//===- WorkCosts.cpp - The cost of an operation on one rank ---------------===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Operations are those of a step before kernel fusion, so a chain of elementwise ones reads and
// writes more here than the fused kernel does.
//
//===----------------------------------------------------------------------===//
#include "ds/Analysis/WorkCosts.h"

#include "ds/Analysis/Placement.h"
#include "ds/Dialect/IR/Ds.h"
#include "ds/Plan/StepCosts.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;

namespace ds {

std::optional<int64_t> flopsOf(Operation *op) {
  // Saturates, so that thousands of costs can be added.
  constexpr __int128 most = int64_t(1) << 40;
  if (op->getNumResults() == 0 || op->hasTrait<OpTrait::ConstantLike>() ||
      isa<tensor::EmptyOp, tensor::ExpandShapeOp, tensor::CollapseShapeOp, tensor::CastOp>(op) ||
      isa<DsDialect>(op->getDialect()))
    return std::nullopt;
  if (auto linalgOp = dyn_cast<linalg::LinalgOp>(op)) {
    // The yield and ds.replicated_to_partial are not counted.
    __int128 rounds =
        std::max<int64_t>(1, llvm::count_if(*linalgOp.getBlock(), [](Operation &inner) {
                               return !isa<DsDialect>(inner.getDialect());
                             }) - 1);
    for (int64_t size : linalgOp.getStaticLoopRanges())
      rounds = std::min(most, rounds * std::max<int64_t>(size, 1));
    return static_cast<int64_t>(rounds);
  }
  auto type = dyn_cast<RankedTensorType>(op->getResult(0).getType());
  return type && type.hasStaticShape() ? type.getNumElements() : 1;
}

int64_t timeOfWork(Operation *op, const StepCosts &costs) {
  std::optional<int64_t> flops = flopsOf(op);
  if (!flops)
    return 0;
  auto bytesOf = [](Value value) -> int64_t {
    auto type = dyn_cast<RankedTensorType>(value.getType());
    return type && type.getElementType().isIntOrIndexOrFloat() ? getWireBytes(value) : 0;
  };
  int64_t read = 0, written = 0;
  for (Value result : op->getResults())
    written += bytesOf(result);
  for (Value operand : op->getOperands()) {
    // From the source of a slice, no more is read than is produced.
    int64_t bytes = bytesOf(operand);
    read += isa<tensor::ExtractSliceOp>(op) ? std::min(bytes, written) : bytes;
  }
  return costs.ofWork(*flops, read + written);
}

} // namespace ds
