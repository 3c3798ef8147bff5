//===- InterruptTest.cpp - Signals as requests ------------------*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "ds/Run/Ranks/Interrupt.h"

#include <csignal>
#include <cstdlib>
#include <gtest/gtest.h>
#include <unistd.h>
#include <vector>

namespace ds {
namespace {

/// Ends with what is known after these signals.
[[noreturn]] void report(std::initializer_list<int> signals) {
  catchSignals(environ);
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

/// Before a training the first signal ends the process.
void endEarly(int signal, std::vector<const char *> environment) {
  environment.push_back(nullptr);
  catchSignals(const_cast<char **>(environment.data()));
  std::raise(signal);
}

TEST(Interrupt, BeforeATrainingTheFirstEndsTheProcess) {
  const char *words = "ds-run: ended by a signal before the first step: there was nothing to save";
  EXPECT_EXIT(endEarly(SIGINT, {}), testing::ExitedWithCode(exitInterrupted), words);
  for (int signal : {SIGTERM, SIGUSR1, SIGHUP})
    EXPECT_EXIT(endEarly(signal, {"A=1"}), testing::ExitedWithCode(exitRequeue), words);
  // One of several ranks speaks.
  EXPECT_EXIT(endEarly(SIGTERM, {"A=1", "DS_RANK=0"}), testing::ExitedWithCode(exitRequeue), words);
  EXPECT_EXIT(endEarly(SIGTERM, {"PMI_RANK=0"}), testing::ExitedWithCode(exitRequeue), words);
  for (const char *rank : {"DS_RANK=1", "OMPI_COMM_WORLD_RANK=3", "PMI_RANK=10", "RANK=2"})
    EXPECT_EXIT(endEarly(SIGTERM, {rank}), testing::ExitedWithCode(exitRequeue), "^$");
}

TEST(Interrupt, ALimitOfFilesIsAnErrorOfTheWrite) {
  EXPECT_EXIT(
      {
        catchSignals(environ);
        std::raise(SIGXFSZ);
        std::_Exit(3);
      },
      testing::ExitedWithCode(3), "");
}

} // namespace
} // namespace ds
