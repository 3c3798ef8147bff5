//===- BestTest.cpp - Which epoch is kept -----------------------*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "ds/Run/Feed/Best.h"

#include "TestSupport.h"

#include <cmath>

namespace ds {
namespace {

class BestTest : public TemporaryDirectory {
protected:
  /// Whether an epoch with this accuracy is kept.
  bool keeps(Best &best, double accuracy) {
    auto kept = best.consider({{"accuracy", accuracy}},
                              [] { return llvm::Expected<Safetensors>(Safetensors()); });
    EXPECT_TRUE(bool(kept)) << errorOf(kept.takeError());
    return kept && *kept;
  }
};

TEST_F(BestTest, NoNumberIsBetterThanNothing) {
  auto best = Best::create("accuracy", true, path("w.safetensors"), false, {"accuracy"});
  ASSERT_TRUE(bool(best)) << errorOf(best.takeError());
  EXPECT_FALSE(keeps(**best, NAN));
  EXPECT_TRUE(keeps(**best, 0.5));
  EXPECT_FALSE(keeps(**best, NAN));
  EXPECT_FALSE(keeps(**best, 0.5));
  EXPECT_TRUE(keeps(**best, 0.75));
  EXPECT_EQ((*best)->value(), 0.75);
}

TEST_F(BestTest, AResumedRunIsComparedWithWhatWasKept) {
  auto first = Best::create("accuracy", false, path("w.safetensors"), false, {"accuracy"});
  ASSERT_TRUE(bool(first)) << errorOf(first.takeError());
  EXPECT_TRUE(keeps(**first, 0.5));
  auto second = Best::create("accuracy", false, path("w.safetensors"), true, {"accuracy"});
  ASSERT_TRUE(bool(second)) << errorOf(second.takeError());
  EXPECT_FALSE(keeps(**second, 0.5));
  EXPECT_TRUE(keeps(**second, 0.25));
}

TEST_F(BestTest, WhatIsNotKeptIsAnError) {
  auto best = Best::create("loss", false, path("w.safetensors"), false, {"loss"});
  ASSERT_TRUE(bool(best)) << errorOf(best.takeError());
  auto kept = (*best)->consider({{"loss", 1}}, []() -> llvm::Expected<Safetensors> {
    return llvm::createStringError("'w' holds inf");
  });
  EXPECT_EQ(errorOf(std::move(kept)), "'w' holds inf");
  EXPECT_TRUE(files().empty());
}

TEST_F(BestTest, ADamagedOneIsNotComparedWith) {
  write("w-best.safetensors", "short");
  expectSentence(errorOf(Best::create("loss", false, path("w.safetensors"), true, {"loss"})),
                 {"w-best.safetensors'", "remove it, and the best of later epochs is kept"});
}

} // namespace
} // namespace ds
