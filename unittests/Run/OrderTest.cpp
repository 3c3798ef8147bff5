//===- OrderTest.cpp - Files that say which rank updates when ---*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "ds/Run/Asynchronous/Order.h"

#include "TestSupport.h"

#include "llvm/Support/FileSystem.h"
#include "llvm/Support/raw_ostream.h"

namespace ds {
namespace {

/// What reading such a file for two ranks and one shard says; empty where it is good.
std::string problemOf(const std::string &text) {
  llvm::SmallString<64> path;
  EXPECT_FALSE(llvm::sys::fs::createTemporaryFile("order", "txt", path));
  std::error_code code;
  llvm::raw_fd_ostream(path, code) << text;
  auto order = Order::read(std::string(path), 2, 1);
  std::string what = order ? "" : llvm::toString(order.takeError());
  llvm::sys::fs::remove(path);
  size_t at = what.find(path.str());
  return at == std::string::npos ? what : what.replace(at, path.size(), "FILE");
}

const std::string head = "ds-order version=1 ranks=2 shards=1\n";

TEST(OrderTest, SaysWhereRanksMeet) {
  Order order(2, 1);
  order.change(0, 0, 0) = {0, 0};
  order.change(0, 1, 0) = {0, 2};
  order.change(1, 0, 0) = {1, 1};
  order.change(1, 1, 0) = {3, 3};
  EXPECT_TRUE(order.meetsAt(0));
  EXPECT_FALSE(order.meetsAt(1)); // rank 0 pulls when rank 1 has not pushed
  EXPECT_TRUE(order.meetsAt(2));
  EXPECT_FALSE(order.meetsAt(3));
  order.shorten(1);
  EXPECT_EQ(order.steps(), 1);
}

TEST(OrderTest, RefusesWhatNoTrainingCanFollow) {
  EXPECT_EQ(problemOf(head + "0 0 0:0\n0 1 0:1\n1 0 1:3\n1 1 2:2\n"), "");
  EXPECT_EQ(problemOf("ds-order version=1 ranks=3 shards=1\n"),
            "'FILE' is no order of this training: it begins with 'ds-order version=1 ranks=3 "
            "shards=1', expected 'ds-order version=2 ranks=2 shards=1'");
  EXPECT_EQ(problemOf(head + "0 0 0:0\n"), "'FILE' ends within a step");
  EXPECT_EQ(problemOf(""), "'FILE' ends within a step");
  EXPECT_EQ(problemOf(head + "0 0 0:0\n0 2 0:1\n"),
            "'FILE', line 3: expected step 0 of rank 1 and PULLED:PUSHED of each shard, got '0 2 "
            "0:1'");
  EXPECT_EQ(problemOf(head + "0 0 0:0\n0 1 0:0\n"),
            "'FILE': in step 0 rank 1 cannot make update 0 of shard 0");
  EXPECT_EQ(problemOf(head + "0 0 0:0\n0 1 0:7\n"),
            "'FILE': in step 0 rank 1 cannot make update 7 of shard 0");
  EXPECT_EQ(problemOf(head + "0 0 1:0\n0 1 0:1\n"),
            "'FILE': in step 0 rank 0 cannot make update 0 having pulled update 1 of shard 0");
}

TEST(OrderTest, WhatIsChangedAfterItWasWrittenIsRefused) {
  llvm::SmallString<64> path;
  ASSERT_FALSE(llvm::sys::fs::createTemporaryFile("order", "txt", path));
  Order order(2, 1);
  order.change(0, 0, 0) = {0, 0};
  order.change(0, 1, 0) = {0, 1};
  llvm::cantFail(order.write(path.str().str(), 1));
  std::ifstream file(path.c_str());
  const std::string text((std::istreambuf_iterator<char>(file)), {});
  llvm::sys::fs::remove(path);
  EXPECT_EQ(problemOf(text), "");
  std::string other = text; // which another training could have
  other.replace(other.find("0 0 0:0"), 16, "0 0 0:1\n0 1 0:0\n");
  expectSentence(problemOf(other), {"'FILE' is damaged: its checksum is "});
  for (size_t length : {text.size() - 1, text.find("ds-seal"), text.find('\n') + 1})
    EXPECT_EQ(problemOf(text.substr(0, length)),
              "'FILE' does not end with its seal, so it was cut short or changed");
  other.replace(other.find("version=2"), 9, "version=1"); // as a person writes it
  EXPECT_EQ(problemOf(other.substr(0, other.find("ds-seal"))), "");
}

} // namespace
} // namespace ds
