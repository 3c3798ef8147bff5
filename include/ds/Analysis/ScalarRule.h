//===- ScalarRule.h - The rule of a scalar operation ------------*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A result of a scalar operation is a sum of terms, or a choice of one of them. A term is the
// product of its factors and of any function of the coefficients, the operands that are not
// factors. All knowledge of ds about arith and math follows from this: linearity, addends that
// count once, accumulation, and the contents of an update. The table is
// lib/Analysis/Rules/Scalar.cpp; other dialects implement `ds::ScalarRuleOpInterface`.
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
  /// factor only once in all terms, so that masking it masks this term only.
  llvm::SmallVector<mlir::OpOperand *, 2> factors;
  /// True if the term equals its only factor up to rounding: it is neither scaled nor negated.
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
  /// The reduction that the result computes: Sum adds the terms up, every other one takes all
  /// operands in any order.
  std::optional<ReductionKind> combiner;
  /// Operands that are not factors; the terms may depend on them in any way. Set by
  /// `getScalarRule`.
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

  /// True if the result is one scaled term.
  bool isProduct() const { return terms.size() == 1 && !terms.front().isSame; }
};

/// Returns the rule of a result with its coefficients, without invalid terms; empty for an
/// operation without a rule.
ScalarRule getScalarRule(mlir::OpResult result);

/// Returns upstream's kind for the reduction of numbers of a type; a mean adds them up.
mlir::arith::AtomicRMWKind getAtomicKind(ReductionKind kind, mlir::Type type);

/// Returns the identity of a reduction in a float or integer type; none for a mean.
mlir::TypedAttr getReductionIdentity(ReductionKind kind, mlir::Type type);

} // namespace ds

#include "ds/Analysis/ScalarRuleInterface.h.inc"

#endif // DS_ANALYSIS_SCALARRULE_H
