//===- StepCacheTest.cpp - Compiled steps that stay on disk -----*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "../../lib/Run/Program/StepCache.h"

#include "TestSupport.h"

#include <atomic>
#include <chrono>
#include <cstdlib>
#include <fcntl.h>
#include <filesystem>
#include <fstream>
#include <sys/stat.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

using namespace ds;
namespace fs = std::filesystem;

namespace {

struct StepCacheTest : TemporaryDirectory {
  const std::string &root() const { return directory; }

  /// What a start finds with these variables; null: not set.
  StepCache open(const char *directory, const char *size = nullptr) {
    setenv("DS_CACHE_DIR", directory, 1);
    size ? setenv("DS_CACHE_SIZE", size, 1) : unsetenv("DS_CACHE_SIZE");
    warning.clear();
    StepCache cache = StepCache::open(warning);
    unsetenv("DS_CACHE_DIR");
    unsetenv("DS_CACHE_SIZE");
    return cache;
  }
  std::string warning;
};

TEST_F(StepCacheTest, WhatWasKeptIsFound) {
  StepCache cache(root(), 1 << 20);
  EXPECT_FALSE(cache.find("a"));
  cache.keep("a", std::string("one\0two", 7));
  cache.keep("b", "");
  EXPECT_EQ(*cache.find("a"), std::string("one\0two", 7));
  EXPECT_EQ(*cache.find("b"), "");
  cache.keep("a", "other");
  EXPECT_EQ(*cache.find("a"), "other");
}

TEST_F(StepCacheTest, AFileThatOthersCanWriteIsAsGoodAsNone) {
  StepCache cache(root(), 1 << 20);
  const mode_t before = umask(0);
  cache.keep("a", "one");
  EXPECT_TRUE(cache.find("a"));
  ASSERT_EQ(chmod(path("a.step").c_str(), 0666), 0);
  EXPECT_FALSE(cache.find("a"));
  cache.keep("a", "one"); // as after compiling it again
  EXPECT_TRUE(cache.find("a"));
  umask(before);
  fs::rename(path("a.step"), path("b"));
  ASSERT_EQ(symlink("b", path("a.step").c_str()), 0);
  EXPECT_FALSE(cache.find("a"));
}

TEST_F(StepCacheTest, AFolderIsMadeForThisUserAlone) {
  StepCache cache = open(path("new/folder").c_str());
  EXPECT_FALSE(cache.isOff());
  struct stat found = {};
  ASSERT_EQ(stat(path("new/folder").c_str(), &found), 0);
  EXPECT_EQ(found.st_mode & 077, 0u);
}

TEST_F(StepCacheTest, AFolderThatOthersCanWriteIsNotTrusted) {
  ASSERT_EQ(chmod(root().c_str(), 0777), 0);
  EXPECT_TRUE(open(root().c_str()).isOff());
  EXPECT_NE(warning.find("no other user can write"), std::string::npos) << warning;
  EXPECT_NE(warning.find(root()), std::string::npos) << warning;
}

TEST_F(StepCacheTest, WithoutAFolderNothingIsKeptAndNothingSaid) {
  for (const char *directory : {"off", "", "/proc/no-such-folder"}) {
    StepCache cache = open(directory);
    EXPECT_TRUE(cache.isOff()) << directory;
    EXPECT_EQ(warning, "");
    cache.keep("a", "one");
    EXPECT_FALSE(cache.find("a"));
    EXPECT_TRUE(cache.waitForTurn("a", 0));
  }
  EXPECT_TRUE(open(root().c_str(), "0").isOff());
}

TEST_F(StepCacheTest, ALimitThatIsNoNumberIsNamed) {
  for (const char *size : {"many", "-1", "1.5", "99999999999999999999"}) {
    EXPECT_TRUE(open(root().c_str(), size).isOff());
    EXPECT_NE(warning.find("DS_CACHE_SIZE is '" + std::string(size) + "'"), std::string::npos)
        << warning;
  }
}

TEST_F(StepCacheTest, TheLeastRecentlyUsedGoFirst) {
  StepCache cache(root(), 30);
  auto wait = [] { std::this_thread::sleep_for(std::chrono::milliseconds(20)); };
  for (const char *key : {"a", "b", "c"}) {
    cache.keep(key, "0123456789");
    wait();
  }
  EXPECT_TRUE(cache.find("a")); // used just now
  wait();
  cache.keep("d", "0123456789");
  EXPECT_TRUE(cache.find("a"));
  EXPECT_FALSE(cache.find("b"));
  EXPECT_TRUE(cache.find("c"));
  EXPECT_TRUE(cache.find("d"));
  cache.keep("e", std::string(31, 'x')); // larger than all may be
  EXPECT_FALSE(cache.find("e"));
  EXPECT_TRUE(cache.find("d"));
}

TEST_F(StepCacheTest, OtherFilesStayAndLeftoversGo) {
  std::ofstream(path("notes.txt")) << "mine";
  std::ofstream(path("k.step.tmp-17-0")) << "half";
  std::ofstream(path("k.step.tmp-18-0")) << "being written";
  std::ofstream(path("k.turn"));
  struct timespec old[2] = {{1000, 0}, {1000, 0}};
  for (const char *name : {"k.step.tmp-17-0", "k.turn"})
    ASSERT_EQ(utimensat(AT_FDCWD, path(name).c_str(), old, 0), 0);
  StepCache(root(), 1).keep("a", "x");
  EXPECT_TRUE(fs::exists(path("notes.txt")));
  EXPECT_FALSE(fs::exists(path("k.step.tmp-17-0")));
  EXPECT_FALSE(fs::exists(path("k.turn")));
  EXPECT_TRUE(fs::exists(path("k.step.tmp-18-0")));
}

TEST_F(StepCacheTest, WritersBesideOneAnotherLeaveOneWholeFile) {
  std::string one(100000, '1'), two(100000, '2');
  StepCache cache(root(), 1 << 20);
  pid_t other = fork();
  if (other == 0) {
    for (int i = 0; i < 200; ++i)
      cache.keep("a", two);
    _exit(0);
  }
  for (int i = 0; i < 200; ++i) {
    cache.keep("a", one);
    std::optional<std::string> found = cache.find("a");
    ASSERT_TRUE(found);
    EXPECT_TRUE(*found == one || *found == two);
  }
  int status = 0;
  waitpid(other, &status, 0);
}

TEST_F(StepCacheTest, OneHasTheTurnAndOthersWaitForIt) {
  StepCache cache(root(), 1 << 20);
  std::atomic<int> compiled = 0;
  std::vector<std::thread> ranks;
  for (int rank = 0; rank < 8; ++rank)
    ranks.emplace_back([&] {
      auto turn = cache.waitForTurn("a", 60000);
      if (cache.find("a"))
        return;
      ++compiled;
      std::this_thread::sleep_for(std::chrono::milliseconds(50));
      cache.keep("a", "one");
    });
  for (std::thread &rank : ranks)
    rank.join();
  EXPECT_EQ(compiled, 1);
  EXPECT_FALSE(fs::exists(path("a.turn")));
}

TEST_F(StepCacheTest, WhoWaitsTooLongGoesOn) {
  StepCache cache(root(), 1 << 20);
  auto held = cache.waitForTurn("a", 0);
  auto start = std::chrono::steady_clock::now();
  auto late = cache.waitForTurn("a", 50);
  EXPECT_GE(std::chrono::steady_clock::now() - start, std::chrono::milliseconds(50));
  auto other = cache.waitForTurn("b", 60000); // nobody has that one
}

TEST_F(StepCacheTest, TheTurnOfAProcessThatDiesIsFree) {
  StepCache cache(root(), 1 << 20);
  int ready[2];
  ASSERT_EQ(pipe(ready), 0);
  pid_t holder = fork();
  if (holder == 0) {
    auto turn = cache.waitForTurn("a", 0);
    (void)!::write(ready[1], "x", 1);
    pause();
  }
  char byte;
  ASSERT_EQ(::read(ready[0], &byte, 1), 1);
  kill(holder, SIGKILL);
  int status = 0;
  waitpid(holder, &status, 0);
  auto start = std::chrono::steady_clock::now();
  auto turn = cache.waitForTurn("a", 60000);
  EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds(30));
}

} // namespace
