//===- InterruptTest.cpp - Signals as requests ------------------*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "ds/Run/Interrupt.h"

#include <csignal>
#include <cstdlib>
#include <gtest/gtest.h>

namespace ds {
namespace {

/// Ends with what is known after these signals.
[[noreturn]] void report(std::initializer_list<int> signals) {
  catchInterrupts();
  for (int signal : signals)
    std::raise(signal);
  std::_Exit(10 + 2 * interruptRequested() + requeueRequested());
}

TEST(Interrupt, TheFirstSignalIsARequest) {
  EXPECT_EXIT(report({}), testing::ExitedWithCode(10), "");
  EXPECT_EXIT(report({SIGINT}), testing::ExitedWithCode(12), "");
  for (int signal : {SIGTERM, SIGUSR1, SIGHUP})
    EXPECT_EXIT(report({signal}), testing::ExitedWithCode(13), "");
}

TEST(Interrupt, TheSecondEndsTheProcessWhicheverItIs) {
  for (int first : {SIGINT, SIGTERM, SIGUSR1, SIGHUP})
    for (int second : {SIGINT, SIGTERM, SIGUSR1, SIGHUP})
      EXPECT_EXIT(report({first, second}), testing::KilledBySignal(second), "");
}

TEST(Interrupt, WhatIsIgnoredStaysIgnored) {
  auto underNohup = [] {
    std::signal(SIGHUP, SIG_IGN);
    report({SIGHUP, SIGHUP});
  };
  EXPECT_EXIT(underNohup(), testing::ExitedWithCode(10), "");
}

} // namespace
} // namespace ds
