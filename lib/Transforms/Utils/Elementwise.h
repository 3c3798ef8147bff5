//===- Elementwise.h - one scalar operation over a tensor -------*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef DS_TRANSFORMS_UTILS_ELEMENTWISE_H
#define DS_TRANSFORMS_UTILS_ELEMENTWISE_H

#include "mlir/IR/Builders.h"

namespace ds {

using ScalarBody =
    llvm::function_ref<mlir::Value(mlir::OpBuilder &, mlir::Location, mlir::Value element)>;

/// Returns a tensor of the shape of `tensor` with elements of type `element`, each computed by
/// `body` from the element at its place.
mlir::Value mapElements(mlir::OpBuilder &builder, mlir::Location loc, mlir::Value tensor,
                        mlir::Type element, ScalarBody body);

/// True for a transpose, as a named operation or as a generic that only copies.
bool isPermutation(mlir::Operation *op);

} // namespace ds

#endif // DS_TRANSFORMS_UTILS_ELEMENTWISE_H
