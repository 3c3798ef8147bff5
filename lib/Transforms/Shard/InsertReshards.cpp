//===- InsertReshards.cpp - Write moves between placements into a step ----===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The first half of `ds-localize-batch`, as a pass whose result can be read: it shows which operand
// is required in which placement.
//
//===----------------------------------------------------------------------===//
#include "ds/Transforms/Passes.h"

#include "ShardedBatch.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

namespace ds {
#define GEN_PASS_DEF_INSERTRESHARDSPASS
#include "ds/Transforms/Passes.h.inc"
} // namespace ds

namespace ds {
namespace {

struct InsertReshards final : impl::InsertReshardsPassBase<InsertReshards> {
  using InsertReshardsPassBase::InsertReshardsPassBase;

  void runOnOperation() override {
    if (failed(shardBatch(getOperation(), entry)))
      signalPassFailure();
  }
};

} // namespace
} // namespace ds
