//===- Rules.cpp - What ds is told of the nn dialect ------------*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// docs/AddingAnOperation.md walks through this file.
//
//===----------------------------------------------------------------------===//
#include "nn/Nn.h"

/// Linear in the value, by any function of `by`.
ds::ScalarRule nn::GateOp::getScalarRule(unsigned) {
  return ds::ScalarRule::linear(ds::ScalarTerm::scaled(getValueMutable()));
}

/// Linear in each operand.
std::optional<ds::ShardingRule> nn::ContractOp::getShardingRule() {
  auto maps = getMaps();
  return ds::ShardingRule::of({maps[0], maps[1]}, {maps[2]},
                              ds::ScalarRule::product(getLhsMutable(), getRhsMutable()));
}
