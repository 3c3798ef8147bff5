//===- Bodies.h - Scalar bodies to try the analyses on ----------*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A body is the text of a function; beside the upstream dialects it may use `foreign`, whose scalar
// operations implement ds's interface as those of another compiler do.
//
//===----------------------------------------------------------------------===//
#ifndef DS_UNITTESTS_ANALYSIS_BODIES_H
#define DS_UNITTESTS_ANALYSIS_BODIES_H

#include "ds/Analysis/Rules/Rules.h"
#include "ds/Analysis/ScalarRule.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Parser/Parser.h"

#include <gtest/gtest.h>

namespace ds::test {

using namespace mlir;

/// (1 - t) x + t y, an operation of a dialect that ds does not know.
struct LerpOp : Op<LerpOp, OpTrait::ZeroRegions, OpTrait::OneResult, OpTrait::ZeroSuccessors,
                   OpTrait::NOperands<3>::Impl, ScalarRuleOpInterface::Trait> {
  using Op::Op;
  static ArrayRef<StringRef> getAttributeNames() { return {}; }
  static StringRef getOperationName() { return "foreign.lerp"; }
  ScalarRule getScalarRule(unsigned) {
    Operation *op = getOperation();
    return ScalarRule::sum(
        {ScalarTerm::scaled(op->getOpOperand(0)), ScalarTerm::scaled(op->getOpOperand(1))});
  }
};

/// x + y z, where the rule says what it must not if an attribute is there.
struct AxpyOp : Op<AxpyOp, OpTrait::ZeroRegions, OpTrait::OneResult, OpTrait::ZeroSuccessors,
                   OpTrait::NOperands<3>::Impl, ScalarRuleOpInterface::Trait> {
  using Op::Op;
  static ArrayRef<StringRef> getAttributeNames() { return {}; }
  static StringRef getOperationName() { return "foreign.axpy"; }
  ScalarRule getScalarRule(unsigned) {
    Operation *op = getOperation();
    OpOperand &x = op->getOpOperand(0), &y = op->getOpOperand(1), &z = op->getOpOperand(2);
    ScalarRule rule = ScalarRule::sum({ScalarTerm::same(x), ScalarTerm::product(y, z)});
    if (op->hasAttr("constant"))
      rule.terms.push_back({});
    if (op->hasAttr("twice"))
      rule.terms.push_back(ScalarTerm::product(x, y));
    return rule;
  }
};

struct ForeignDialect : Dialect {
  explicit ForeignDialect(MLIRContext *context)
      : Dialect("foreign", context, TypeID::get<ForeignDialect>()) {
    addOperations<LerpOp, AxpyOp>();
  }
  static StringRef getDialectNamespace() { return "foreign"; }
};

inline MLIRContext &context() {
  static MLIRContext *made = [] {
    DialectRegistry registry;
    registerPlacementModels(registry);
    auto *context = new MLIRContext(registry);
    context->loadDialect<arith::ArithDialect, DsDialect, ForeignDialect, func::FuncDialect,
                         math::MathDialect, scf::SCFDialect, tensor::TensorDialect>();
    return context;
  }();
  return *made;
}

/// The body as a function; its arguments are named after their kinds.
inline OwningOpRef<ModuleOp> parse(const std::string &arguments, const std::string &body,
                                   const std::string &result) {
  std::string text = "func.func @body(" + arguments + ") -> " + result + " {\n" + body + "}\n";
  OwningOpRef<ModuleOp> module = parseSourceString<ModuleOp>(text, &context());
  EXPECT_TRUE(module) << text;
  return module;
}

} // namespace ds::test

#endif // DS_UNITTESTS_ANALYSIS_BODIES_H
