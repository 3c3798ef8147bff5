//===- ScalarRule.cpp - The rule of a scalar operation --------------------===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Asks the operation. An operand that its rule omits counts as a coefficient, so an incomplete rule
// is too strict, not wrong.
//
//===----------------------------------------------------------------------===//
#include "ds/Analysis/ScalarRule.h"

#include "ds/Analysis/Placement.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Builders.h"
#include "llvm/ADT/SmallPtrSet.h"

using namespace mlir;

namespace ds {

#include "ds/Analysis/ScalarRuleInterface.cpp.inc"

/// Adds the coefficients, and drops invalid terms.
static ScalarRule complete(Operation *op, ScalarRule rule) {
  llvm::SmallPtrSet<OpOperand *, 4> factors;
  bool isMultilinear = llvm::all_of(rule.terms, [&](const ScalarTerm &term) {
    return !term.factors.empty() && llvm::all_of(term.factors, [&](OpOperand *factor) {
      return factors.insert(factor).second;
    });
  });
  if (!isMultilinear)
    rule.terms.clear();
  for (OpOperand &operand : op->getOpOperands())
    if (!factors.contains(&operand))
      rule.coefficients.push_back(&operand);
  return rule;
}

ScalarRule getScalarRule(OpResult result) {
  if (auto interface = dyn_cast<ScalarRuleOpInterface>(result.getOwner()))
    return complete(interface, interface.getScalarRule(result.getResultNumber()));
  return {};
}

ScalarRule getTerms(OpResult result) {
  Operation *op = result.getOwner();
  unsigned index = result.getResultNumber();
  if (auto interface = dyn_cast<ScalarRuleOpInterface>(op))
    return complete(op, interface.getScalarRule(index));
  if (!isa<PlacementOpInterface>(op) && !getWrittenRule(op))
    return {};
  std::optional<ShardingRule> rule = getShardingRule(op);
  return rule && index < rule->terms.size() ? complete(op, std::move(rule->terms[index]))
                                            : ScalarRule();
}

arith::AtomicRMWKind getAtomicKind(ReductionKind kind, Type type) {
  using arith::AtomicRMWKind;
  bool isFloat = isa<FloatType>(type);
  switch (kind) {
  case ReductionKind::Sum:
  case ReductionKind::Mean:
    return isFloat ? AtomicRMWKind::addf : AtomicRMWKind::addi;
  case ReductionKind::Prod:
    return isFloat ? AtomicRMWKind::mulf : AtomicRMWKind::muli;
  case ReductionKind::Max:
    return isFloat ? AtomicRMWKind::maximumf : AtomicRMWKind::maxs;
  case ReductionKind::Min:
    return isFloat ? AtomicRMWKind::minimumf : AtomicRMWKind::mins;
  case ReductionKind::And:
    return AtomicRMWKind::andi;
  case ReductionKind::Or:
    return AtomicRMWKind::ori;
  }
  llvm_unreachable("all kinds are covered");
}

TypedAttr getReductionIdentity(ReductionKind kind, Type type) {
  if (kind == ReductionKind::Mean)
    return {};
  OpBuilder b(type.getContext());
  return arith::getIdentityValueAttr(getAtomicKind(kind, type), type, b, b.getUnknownLoc());
}

} // namespace ds
