//===- ExecutableTest.cpp - A compiled step as data -------------*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// That a step which was read runs as it should is what all other tests of this folder show: their
// fixture writes and reads every step.
//
//===----------------------------------------------------------------------===//
#include "ds/Target/All/Targets.h"

#include "gtest/gtest.h"

using namespace ds;

namespace {

/// Each field with a value of its own.
Executable example() {
  Executable step;
  step.target = "cpu";
  step.targetCpu = "x86-64";
  step.machine = "x86_64-linux x86-64 +sse2";
  step.arenaBytes = uint64_t(5) << 40;
  step.communicates = true;
  step.driverArguments = {{DriverArgument::context}, {DriverArgument::result, 1}};
  StridedContraction product;
  product.sizes = {4, 5, 6};
  product.lhs = {6, 0, 1};
  product.accumulate = true;
  Convolution convolution;
  convolution.kind = Convolution::weightsGradient;
  convolution.source.sizes = {1, 2, 3, 4};
  convolution.source.groupStride = -7;
  convolution.padding = {0, -1};
  convolution.outOffset = 9;
  step.libraryCalls = {{"contraction_0", product}, {"convolution_0", convolution}};
  step.callNames = {"kernel_a", ""};
  step.kernels = {"kernel_a"};
  step.objects = {std::string("\0\x7f"
                              "ELF",
                              5),
                  ""};
  Manifest &manifest = step.manifest;
  manifest.entry = "step";
  manifest.numRanks = 8;
  manifest.axes = {{"dp", 4}, {"tp", 2}};
  manifest.global = manifest.gradientsMean = true;
  ArgumentSpec argument;
  argument.name = "w";
  argument.role = ArgumentRole::batch;
  argument.type = ElementType::bf16;
  argument.shape = {3, 0};
  argument.batchDim = 1;
  argument.indexRange = IntegerRange{-1, 5, {7, -100}};
  argument.shards = {{1, {0, 4, 5}}, {0, {1, 2, 3}}};
  argument.init = "zeros";
  ArgumentSpec second;
  second.localState = "per_rank";
  manifest.arguments = {argument, second};
  ResultSpec updated;
  updated.name = "w";
  updated.updates = 1;
  ResultSpec metric;
  metric.isMetric = true;
  metric.reduce = "mean";
  manifest.results = {updated, metric};
  manifest.plan = PlanFigures();
  manifest.plan->boundNs = 12;
  manifest.bucketPlan = BucketFigures();
  manifest.bucketPlan->presets = {{"ddp", 3}, {"xla", 4}};
  manifest.starts = {{"w,b", 64, true}};
  return step;
}

TEST(Executable, WhatWasWrittenIsRead) {
  std::string bytes = writeExecutable(example());
  std::optional<Executable> read = readExecutable(bytes);
  ASSERT_TRUE(read);
  EXPECT_EQ(writeExecutable(*read), bytes);
  EXPECT_EQ(read->arenaBytes, uint64_t(5) << 40);
  EXPECT_EQ(read->driverArguments[1].kind, DriverArgument::result);
  EXPECT_EQ(std::get<StridedContraction>(read->libraryCalls[0].what).lhs[0], 6);
  const auto &convolution = std::get<Convolution>(read->libraryCalls[1].what);
  EXPECT_EQ(convolution.kind, Convolution::weightsGradient);
  EXPECT_EQ(convolution.source.groupStride, -7);
  EXPECT_EQ(read->objects[0].size(), 5u);
  const Manifest &manifest = read->manifest;
  EXPECT_EQ(manifest.mesh(), "dp=4 x tp=2");
  EXPECT_EQ(manifest.arguments[0].indexRange->others[1], -100);
  EXPECT_EQ(manifest.arguments[0].shards[0].axis, 1);
  EXPECT_EQ(manifest.arguments[0].shards[0].layout.b, 5);
  EXPECT_EQ(alongFirstAxis(manifest.arguments[0].shards)->a, 2);
  EXPECT_EQ(manifest.arguments[1].localState, "per_rank");
  EXPECT_EQ(*manifest.results[0].updates, 1u);
  EXPECT_FALSE(manifest.results[1].updates);
  EXPECT_EQ(*manifest.plan->boundNs, 12);
  EXPECT_FALSE(manifest.plan->dataParallelNs);
  EXPECT_EQ(manifest.bucketPlan->presets[1].first, "xla");
  EXPECT_TRUE(manifest.starts[0].isGradient);
}

TEST(Executable, AnyPartOfItIsRefused) {
  std::string bytes = writeExecutable(example());
  for (size_t length = 0; length < bytes.size(); ++length)
    EXPECT_FALSE(readExecutable(std::string_view(bytes).substr(0, length))) << length;
  EXPECT_FALSE(readExecutable(bytes + "x"));
}

TEST(Executable, AnyOtherByteIsRefused) {
  std::string bytes = writeExecutable(example());
  for (size_t at = 0; at < bytes.size(); ++at)
    for (int bit : {0, 3, 7}) {
      std::string damaged = bytes;
      damaged[at] ^= 1 << bit;
      EXPECT_FALSE(readExecutable(damaged)) << at;
    }
}

TEST(Executable, ThatOfAnotherNameIsRefused) {
  std::string bytes = writeExecutable(example(), "one");
  EXPECT_TRUE(readExecutable(bytes, "one"));
  EXPECT_FALSE(readExecutable(bytes, "two"));
  EXPECT_FALSE(readExecutable(bytes));
}

TEST(Executable, SlotsThatAreNotThereAreRefused) {
  Executable step = example();
  step.driverArguments[1].index = 2;
  EXPECT_FALSE(readExecutable(writeExecutable(step)));
  step = example();
  step.manifest.results[0].updates = 2;
  EXPECT_FALSE(readExecutable(writeExecutable(step)));
  step = example();
  step.manifest.arguments[0].type = static_cast<ElementType>(99);
  EXPECT_FALSE(readExecutable(writeExecutable(step)));
}

TEST(Executable, CodeOfAnotherMachineIsNotLoaded) {
  auto loaded = loadStep(example());
  ASSERT_FALSE(loaded);
  std::string message = llvm::toString(loaded.takeError());
  EXPECT_NE(message.find("compiled for another machine"), std::string::npos) << message;
  EXPECT_NE(message.find("got x86_64-linux x86-64"), std::string::npos) << message;
}

TEST(Executable, CodeOfAnotherTargetIsNotLoaded) {
  Executable step = example();
  step.target = "abacus";
  auto read = readExecutable(writeExecutable(step));
  ASSERT_TRUE(read);
  auto loaded = loadStep(std::move(*read));
  ASSERT_FALSE(loaded);
  EXPECT_EQ(llvm::toString(loaded.takeError()),
            "target 'abacus' is not known, expected cpu or cuda");
}

} // namespace
