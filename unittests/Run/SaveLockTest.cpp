//===- SaveLockTest.cpp - Two jobs and one --save ---------------*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A child stands for the other job: locks are of processes' open files.
//
//===----------------------------------------------------------------------===//
#include "ds/Run/Feed/SaveLock.h"

#include "TestSupport.h"

#include <chrono>
#include <csignal>
#include <sys/wait.h>
#include <unistd.h>

namespace ds {
namespace {

class SaveLockTest : public TemporaryDirectory {
protected:
  std::unique_ptr<SaveLock> take(const std::string &name, bool waits = true) {
    auto lock = SaveLock::take(path(name), [](const std::string &) { FAIL(); }, waits);
    if (!lock)
      refused = errorOf(std::move(lock));
    return lock ? std::move(*lock) : nullptr;
  }
  std::string refused;
};

TEST_F(SaveLockTest, TheSecondNeedNotWaitForTheFirst) {
  auto first = take("w.safetensors");
  ASSERT_TRUE(first);
  const auto begin = std::chrono::steady_clock::now();
  EXPECT_FALSE(take("w.safetensors", /*waits=*/false));
  EXPECT_LT(std::chrono::steady_clock::now() - begin,
            std::chrono::seconds(2)); // of 3 that it waits
}

TEST_F(SaveLockTest, TheSecondIsToldWhoHasIt) {
  auto first = take("w.safetensors");
  ASSERT_TRUE(first);
  EXPECT_FALSE(take("w.safetensors"));
  expectSentence(refused, {"w.safetensors' is being written by another job, process " +
                               std::to_string(getpid()) + " on host ",
                           "wait for its end, or give --save another name"});
  EXPECT_TRUE(take("v.safetensors"));
  first.reset();
  EXPECT_TRUE(files().empty());
  EXPECT_TRUE(take("w.safetensors"));
}

TEST_F(SaveLockTest, AKilledJobLocksNothing) {
  int ready[2];
  ASSERT_EQ(pipe(ready), 0);
  pid_t child = fork();
  if (child == 0) {
    auto lock = take("w.safetensors");
    (void)!::write(ready[1], lock ? "y" : "n", 1);
    pause();
    _exit(0);
  }
  char held = 0;
  ASSERT_EQ(read(ready[0], &held, 1), 1);
  EXPECT_EQ(held, 'y');
  kill(child, SIGKILL);
  waitpid(child, nullptr, 0);
  EXPECT_EQ(files(), std::vector<std::string>{"w.safetensors.lock"});
  EXPECT_TRUE(take("w.safetensors")) << refused;
  EXPECT_TRUE(files().empty());
}

TEST_F(SaveLockTest, ALockWhoseFileIsGoneIsNoticedBeforeAWrite) {
  auto first = take("w.safetensors");
  ASSERT_TRUE(first);
  EXPECT_EQ(errorOf(first->check()), "(no error)");
  std::filesystem::remove(path("w.safetensors.lock"));
  expectSentence(errorOf(first->check()), {"w.safetensors.lock' was removed or replaced while this "
                                           "job trains",
                                           "start again with --resume"});
  auto second = take("w.safetensors");
  ASSERT_TRUE(second);
  expectSentence(errorOf(first->check()), {"was removed or replaced"});
  EXPECT_EQ(errorOf(second->check()), "(no error)");
  first.reset(); // which does not take away the file of the other
  EXPECT_EQ(errorOf(second->check()), "(no error)");
}

TEST_F(SaveLockTest, AChildDoesNotHoldTheLockOfAKilledParent) {
  int ready[2];
  ASSERT_EQ(pipe(ready), 0);
  pid_t child = fork();
  if (child == 0) {
    auto lock = take("w.safetensors");
    pid_t worker = fork();
    if (worker == 0) {
      const bool isRefused =
          errorOf(lock->check()) ==
          "a child of fork does not write the files of the training that it was made in";
      (void)!::write(ready[1], &worker, sizeof worker);
      (void)!::write(ready[1], isRefused ? "y" : "n", 1);
      pause();
    }
    (void)!::write(ready[1], &worker, sizeof worker);
    pause();
  }
  pid_t worker = 0;
  char isRefused = 0;
  for (int told = 0; told < 2; ++told) {
    pid_t pid = 0;
    ASSERT_EQ(read(ready[0], &pid, sizeof pid), ssize_t(sizeof pid));
    if (pid == 0)
      ASSERT_EQ(read(ready[0], &isRefused, 1), 1);
    else
      worker = pid;
  }
  EXPECT_EQ(isRefused, 'y');
  kill(child, SIGKILL);
  waitpid(child, nullptr, 0);
  EXPECT_TRUE(take("w.safetensors")) << refused;
  kill(worker, SIGKILL);
}

TEST_F(SaveLockTest, TwoNamesOfOneFileAreOne) {
  ASSERT_EQ(symlink("w.safetensors", path("link.safetensors").c_str()), 0);
  auto first = take("link.safetensors");
  ASSERT_TRUE(first);
  EXPECT_FALSE(take("w.safetensors"));
}

TEST_F(SaveLockTest, ALinkInItsPlaceIsNotWrittenThrough) {
  write("victim", "precious");
  ASSERT_EQ(symlink("victim", path("w.safetensors.lock").c_str()), 0);
  EXPECT_FALSE(take("w.safetensors"));
  expectSentence(refused, {"cannot write", "w.safetensors.lock", "too many levels of symbolic"});
  EXPECT_EQ(contents("victim"), "precious");
}

} // namespace
} // namespace ds
