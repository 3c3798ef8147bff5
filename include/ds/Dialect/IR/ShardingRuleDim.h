//===- ShardingRuleDim.h - One dimension of a sharding rule -----*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef DS_DIALECT_IR_SHARDINGRULEDIM_H
#define DS_DIALECT_IR_SHARDINGRULEDIM_H

#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/BuiltinTypes.h"

namespace ds {

/// A dimension of an operand or a result in `#ds.sharding_rule`, which stores it as an array of
/// numbers. Its element at position p belongs to the iterations for which sum(round * stride) -
/// begin is p.
struct RuleDim {
  /// The position depends on the factor, but is not a multiple of it.
  static constexpr int64_t noStride = -1;

  int64_t begin = 0;
  int64_t size = mlir::ShapedType::kDynamic; // kDynamic: not given
  /// Factor and stride, major to minor.
  llvm::SmallVector<std::pair<unsigned, int64_t>, 2> factors;

  static RuleDim of(mlir::DenseI64ArrayAttr attr);
  mlir::DenseI64ArrayAttr toAttr(mlir::MLIRContext *ctx) const;
};

} // namespace ds

#endif // DS_DIALECT_IR_SHARDINGRULEDIM_H
