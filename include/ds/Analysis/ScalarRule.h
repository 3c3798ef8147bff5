//===- ScalarRule.h - What a scalar operation computes ----------*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A result of a scalar operation is a sum of terms, or one of them, chosen. A term is the product
// of its factors, by any function of the coefficients: what is no factor. Everything that ds knows
// of arith and math follows from this: what is linear, which addends count once, what accumulates,
// and what an update contains. The table is lib/Analysis/Rules/Scalar.cpp; other dialects implement
// `ds::ScalarRuleOpInterface`.
//
//===----------------------------------------------------------------------===//
#ifndef DS_ANALYSIS_SCALARRULE_H
#define DS_ANALYSIS_SCALARRULE_H

#include "ds/Dialect/IR/Ds.h"

#include "mlir/IR/Operation.h"

#include <optional>

namespace mlir::arith {
enum class AtomicRMWKind : uint64_t;
} // namespace mlir::arith

namespace ds {

/// One addend of a result.
struct ScalarTerm {
  /// Operands of the operation, or of the terminators of its regions; at least one. Each is a
  /// factor once in all terms, so that masking it masks this term and nothing else.
  llvm::SmallVector<mlir::OpOperand *, 2> factors;
  /// The term is its one factor as it is, up to rounding: neither scaled nor negated.
  bool isSame = false;

  static ScalarTerm same(mlir::OpOperand &factor) { return {{&factor}, true}; }
  static ScalarTerm scaled(mlir::OpOperand &factor) { return {{&factor}, false}; }
  static ScalarTerm product(mlir::OpOperand &x, mlir::OpOperand &y) { return {{&x, &y}, false}; }
};

struct ScalarRule {
  /// Empty: linear in nothing.
  llvm::SmallVector<ScalarTerm, 2> terms;
  /// The result is one of the terms, which the coefficients choose.
  bool isChoice = false;
  /// The reduction with which the result combines: Sum adds the terms up, every other one takes all
  /// operands in any order.
  std::optional<ReductionKind> combiner;
  /// Operands that are no factors, of which the terms are any function. Found by `getScalarRule`.
  llvm::SmallVector<mlir::OpOperand *, 2> coefficients;

  /// One term.
  static ScalarRule linear(ScalarTerm term) { return {{std::move(term)}, false, {}, {}}; }
  static ScalarRule sum(llvm::ArrayRef<ScalarTerm> terms) {
    return {llvm::SmallVector<ScalarTerm, 2>(terms), false, ReductionKind::Sum, {}};
  }
  static ScalarRule choice(llvm::ArrayRef<ScalarTerm> terms) {
    return {llvm::SmallVector<ScalarTerm, 2>(terms), true, {}, {}};
  }
  static ScalarRule product(mlir::OpOperand &x, mlir::OpOperand &y) {
    return {{ScalarTerm::product(x, y)}, false, ReductionKind::Prod, {}};
  }
  /// Not linear, but a reduction.
  static ScalarRule combines(ReductionKind kind) { return {{}, false, kind, {}}; }

  /// Whether the result is one term that something scales.
  bool isProduct() const { return terms.size() == 1 && !terms.front().isSame; }
};

/// The rule of a result with its coefficients; empty for an operation that no table knows, and for
/// terms that are not as they must be.
ScalarRule getScalarRule(mlir::OpResult result);

/// What upstream calls the reduction of numbers of a type; a mean adds them up.
mlir::arith::AtomicRMWKind getAtomicKind(ReductionKind kind, mlir::Type type);

/// What a reduction leaves as it is, in a float or integer type; none for a mean.
mlir::TypedAttr getReductionIdentity(ReductionKind kind, mlir::Type type);

} // namespace ds

#include "ds/Analysis/ScalarRuleInterface.h.inc"

#endif // DS_ANALYSIS_SCALARRULE_H
