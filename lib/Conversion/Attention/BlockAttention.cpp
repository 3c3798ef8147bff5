//===- BlockAttention.cpp - Attention in blocks of queries ------* -*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "ds/Conversion/BlockAttention.h"

#include "Rounds.h"
#include "ds/Conversion/Utils/Contraction.h"
#include "ds/Dialect/IR/Ds.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Remarks.h"

using namespace mlir;
using namespace ds;

/// From this many pairs of a head on, a step computes attention in blocks by default.
static constexpr int64_t manyPairs = 256 * 256;

namespace {

struct BlockAttention final : PassWrapper<BlockAttention, OperationPass<func::FuncOp>> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(BlockAttention)

  StringRef getArgument() const override { return "ds-block-attention"; }
  StringRef getDescription() const override {
    return "attention and its gradient in blocks of queries, without values for all pairs in "
           "memory";
  }
  void getDependentDialects(DialectRegistry &registry) const override {
    registry.insert<arith::ArithDialect, bufferization::BufferizationDialect, linalg::LinalgDialect,
                    scf::SCFDialect, tensor::TensorDialect>();
  }

  void runOnOperation() override {
    FailureOr<Config> config = getConfig(getOperation()->getParentOfType<ModuleOp>());
    if (failed(config))
      return signalPassFailure();
    const auto form = std::get<std::string>(*llvm::cantFail(config->get("attention")));
    if (form == "plain")
      return;
    SmallVector<linalg::GenericOp> seeds;
    getOperation().walk([&](linalg::GenericOp op) {
      if (isMatrixProduct(op))
        seeds.push_back(op);
    });
    llvm::SmallPtrSet<Operation *, 32> seen;
    IRRewriter rewriter(&getContext());
    for (linalg::GenericOp seed : seeds) {
      if (!seen.insert(seed).second)
        continue;
      std::optional<AttentionRegion> region = findAttention(seed);
      if (!region)
        continue;
      seen.insert_range(region->derived);
      if (form == "blocked" || region->queries * region->keys >= manyPairs)
        rewrite(*region, rewriter);
    }
  }

  static void rewrite(const AttentionRegion &region, RewriterBase &rewriter) {
    std::optional<SmallVector<Round>> rounds = planRounds(region);
    if (!rounds)
      return;
    remark::passed(region.ops.front().first->getLoc(),
                   remark::RemarkOpts::name("Blocked").category("ds-block-attention"))
        << "attention is computed in blocks of queries" << remark::metric("queries", region.queries)
        << remark::metric("keys", region.keys) << remark::metric("heads", region.heads)
        << remark::metric("passes", region.numRounds);
    emitRounds(region, *rounds, rewriter);
    for (auto &[op, axes] : llvm::reverse(region.ops))
      if (op->use_empty())
        rewriter.eraseOp(op);
  }
};

} // namespace

std::unique_ptr<Pass> ds::createBlockAttentionPass() { return std::make_unique<BlockAttention>(); }
