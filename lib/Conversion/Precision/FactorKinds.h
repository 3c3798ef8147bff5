//===- FactorKinds.h - What kind of value a factor is -----------*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef DS_CONVERSION_PRECISION_FACTORKINDS_H
#define DS_CONVERSION_PRECISION_FACTORKINDS_H

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"

namespace ds {

/// Returns the tensor whose elements an operation moves to its only result without computing with
/// them, perhaps beside zeros; null for other operations.
mlir::Value movedBy(mlir::Operation *op);

/// Which products of a step are no products of a model, so that a precision of the model does not
/// apply to them: a factor is the same in every step (a filter of averages, the triangle of a
/// cumulative sum) or is made of booleans (an index written as a product), or one comes from the
/// new value of a matrix of the optimizer's states.
class FactorKinds {
public:
  explicit FactorKinds(mlir::func::FuncOp step);

  bool staysWide(mlir::linalg::GenericOp product) const;

private:
  mlir::DenseSet<mlir::Value> varying; // depend on an argument
  mlir::DenseSet<mlir::Value> updates; // depend on the new value of a state
};

} // namespace ds

#endif // DS_CONVERSION_PRECISION_FACTORKINDS_H
