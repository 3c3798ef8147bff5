//===- KeptTest.cpp - Values that are not kept ------------------*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "ds/Run/Train/Kept.h"

#include "TestSupport.h"

#include <cmath>

namespace ds {
namespace {

class KeptTest : public testing::Test {
protected:
  KeptTest() {
    add("w", ArgumentRole::parameter);
    add("mask", ArgumentRole::parameter);
    add("best", ArgumentRole::state);
    add("lr", ArgumentRole::hyperparameter);
  }
  void add(const char *name, ArgumentRole role) {
    ArgumentSpec argument;
    argument.name = name;
    argument.role = role;
    argument.shape = {2};
    manifest.arguments.push_back(argument);
  }
  static Array pair(float first, float second) {
    return arrayOf<float>(DataType::f32, {2}, {first, second});
  }
  static Safetensors holding(const char *name, Array value) {
    Safetensors contents;
    contents.tensors["a"] = pair(1, 2);
    contents.tensors[name] = std::move(value);
    return contents;
  }
  Manifest manifest;
};

TEST_F(KeptTest, WhatIsNotFiniteAtTheStartMayStaySo) {
  InitialValues initial;
  initial.values = {pair(1, 2), pair(0, -INFINITY), pair(INFINITY, NAN), pair(INFINITY, 0)};
  NotFiniteNames names = notFiniteNames(manifest, initial);
  EXPECT_EQ(names, (NotFiniteNames{"best", "mask"}));
  EXPECT_EQ(firstNotKept(holding("w", pair(1, 2)), names, manifest), "");
  EXPECT_EQ(firstNotKept(holding("w", pair(1, INFINITY)), names, manifest), "'w' holds inf");
  EXPECT_EQ(firstNotKept(holding("w", pair(NAN, 1)), names, manifest), "'w' holds nan");
  EXPECT_EQ(firstNotKept(holding("best", pair(NAN, -INFINITY)), names, manifest), "");
  EXPECT_EQ(firstNotKept(holding("best", pair(0, INFINITY)), {}, manifest), "'best' holds inf");
  // No parameter is trained from NaN.
  EXPECT_EQ(firstNotKept(holding("mask", pair(0, -INFINITY)), names, manifest), "");
  EXPECT_EQ(firstNotKept(holding("mask", pair(-INFINITY, NAN)), names, manifest),
            "'mask' holds nan");
}

TEST_F(KeptTest, ACheckpointCarriesItForTheNextRun) {
  CarriedFacts facts;
  facts.mayBeInfinite = {"best", "a \"name\", with more"};
  for (double loss : {1.0, 2.0, 4.0}) {
    facts.ofTraining.add({loss});
    if (loss > 1)
      facts.ofEpoch.add({loss});
  }
  std::map<std::string, std::string> metadata;
  facts.addTo(metadata, /*sums=*/true);
  // 3 steps are done, of which the last one is the first of an epoch of 2: not what was noted.
  CarriedFacts other = CarriedFacts::from(metadata, 1, 3, 2);
  EXPECT_EQ(other.mayBeInfinite, facts.mayBeInfinite);
  EXPECT_EQ(other.ofEpoch.steps, 0);
  EXPECT_EQ(other.ofTraining.sums, std::vector<double>{7});
  facts.ofTraining.add({8});
  metadata.clear();
  facts.addTo(metadata, /*sums=*/true);
  CarriedFacts same = CarriedFacts::from(metadata, 1, 4, 0x7fffffff);
  EXPECT_EQ(same.ofTraining.sums, std::vector<double>{15});
  EXPECT_EQ(CarriedFacts::from(metadata, 2, 4, 2).ofTraining.steps, 0);
  EXPECT_EQ(CarriedFacts::from({}, 1, 4, 2).ofTraining.steps, 0);
  std::map<std::string, std::string> names;
  facts.addTo(names, /*sums=*/false);
  EXPECT_EQ(names.size(), 1u);
  names.clear();
  CarriedFacts().addTo(names, /*sums=*/false);
  EXPECT_TRUE(names.empty());
}

TEST_F(KeptTest, NamesInBracketsWithoutEndAreNoNames) {
  std::map<std::string, std::string> metadata = {{"ds.may_be_infinite", std::string(200000, '[')}};
  EXPECT_TRUE(CarriedFacts::from(metadata, 1, 4, 2).mayBeInfinite.empty());
}

} // namespace
} // namespace ds
