//===- FieldCollectives.h - collectives of elements -------------*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef DS_LIB_EXACT_FIELDCOLLECTIVES_H
#define DS_LIB_EXACT_FIELDCOLLECTIVES_H

#include "FieldBuilder.h"

#include "ds/Dialect/IR/Ds.h"

namespace ds {

/// Rewrites a collective whose operands were floats, and are elements now, into one over the field:
/// sums are reduced after it, a mean is a sum times 1/n, a product is one of gathered factors.
mlir::LogicalResult readCollective(FieldBuilder &b, const PrimeField &field, mlir::Operation *op);

} // namespace ds

#endif // DS_LIB_EXACT_FIELDCOLLECTIVES_H
