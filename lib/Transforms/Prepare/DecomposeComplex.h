//===- DecomposeComplex.h - Complex numbers as their parts ------*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef DS_LIB_TRANSFORMS_PREPARE_DECOMPOSECOMPLEX_H
#define DS_LIB_TRANSFORMS_PREPARE_DECOMPOSECOMPLEX_H

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/PatternMatch.h"

namespace ds {

/// Lowers complex arithmetic to arithmetic on the parts. The remaining operations build numbers
/// from parts and split them, which folds within a body.
llvm::LogicalResult splitComplexArithmetic(mlir::ModuleOp module);

/// True for the operations that the patterns match.
bool isOfComplexNumbers(mlir::Operation *op);
void populateSplitComplexPatterns(mlir::RewritePatternSet &patterns);

} // namespace ds

#endif // DS_LIB_TRANSFORMS_PREPARE_DECOMPOSECOMPLEX_H
