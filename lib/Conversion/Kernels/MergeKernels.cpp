//===- MergeKernels.cpp - Share equal kernels -------------------*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Upstream's CSE finds equal operations by a hash that leaves bodies out. A thousand kernels that
// read one value, and differ only in their bodies, would all be compared with each other. So each
// gets the hash of its body as a temporary attribute.
//
//===----------------------------------------------------------------------===//
#include "ds/Conversion/Passes.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/IR/Dominance.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/Transforms/CSE.h"
#include "llvm/ADT/DenseMap.h"

using namespace mlir;

/// Returns a hash that is equal for bodies which CSE treats as equal.
static llvm::hash_code hashOf(Block &body) {
  llvm::DenseMap<Value, unsigned> numbers;
  auto number = [&](Value value) { numbers.try_emplace(value, numbers.size()); };
  llvm::for_each(body.getArguments(), number);
  llvm::hash_code hash = llvm::hash_value(numbers.size());
  for (Operation &op : body) {
    auto hashValue = [&](Value value) {
      auto known = numbers.find(value);
      return known == numbers.end() ? hash_value(value) : llvm::hash_value(known->second);
    };
    hash = llvm::hash_combine(hash, OperationEquivalence::computeHash(
                                        &op, hashValue, OperationEquivalence::ignoreHashValue,
                                        OperationEquivalence::IgnoreLocations));
    llvm::for_each(op.getResults(), number);
  }
  return hash;
}

namespace {

struct MergeKernels final : PassWrapper<MergeKernels, OperationPass<func::FuncOp>> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(MergeKernels)

  StringRef getArgument() const override { return "ds-merge-kernels"; }
  StringRef getDescription() const override { return "CSE that knows the bodies of kernels apart"; }

  void runOnOperation() override {
    func::FuncOp func = getOperation();
    MLIRContext *context = &getContext();
    const auto name = StringAttr::get(context, "ds.body");
    const auto type = IntegerType::get(context, 64);
    func.walk([&](linalg::GenericOp kernel) {
      kernel->setDiscardableAttr(
          name, IntegerAttr::get(type, static_cast<int64_t>(size_t(hashOf(*kernel.getBody())))));
    });
    IRRewriter rewriter(context);
    DominanceInfo dominance(func);
    eliminateCommonSubExpressions(rewriter, dominance, func);
    func.walk([&](linalg::GenericOp kernel) { kernel->removeDiscardableAttr(name); });
  }
};

} // namespace

std::unique_ptr<Pass> ds::createMergeKernelsPass() { return std::make_unique<MergeKernels>(); }
