//===- FileTest.cpp - Whole files or none -----------------------*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A write that fails leaves the old file and nothing else.
//
//===----------------------------------------------------------------------===//
#include "ds/Support/File.h"

#include "TestSupport.h"

#include "llvm/Support/raw_ostream.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

namespace ds {
namespace {

using File = TemporaryDirectory;

TEST_F(File, AWriteReplacesTheFileAndLeavesNothingElse) {
  write("out", "old");
  ASSERT_EQ(errorOf(writeFileAtomically(path("out"), [](auto &stream) { stream << "new"; })),
            "(no error)");
  EXPECT_EQ(contents("out"), "new");
  EXPECT_EQ(files(), std::vector<std::string>{"out"});
}

// So a process that is killed while it writes leaves nothing.
TEST_F(File, AFileHasNoNameBeforeItIsWhole) {
  int unnamed = open(directory.c_str(), O_WRONLY | O_TMPFILE, 0666);
  if (unnamed < 0)
    GTEST_SKIP() << "this file system has no files without a name";
  close(unnamed);
  ASSERT_EQ(errorOf(writeFileAtomically(path("out"),
                                        [&](auto &stream) {
                                          stream << "new";
                                          stream.flush();
                                          EXPECT_TRUE(files().empty());
                                        })),
            "(no error)");
  EXPECT_EQ(contents("out"), "new");
}

TEST_F(File, AMissingDirectoryIsOneSentence) {
  std::string target = path("missing/out");
  expectSentence(errorOf(writeFileAtomically(target, [](auto &) {})),
                 {"cannot write '" + target + "'", "there is no directory"});
  expectSentence(errorOf(checkWritable(target)), {"there is no directory"});
}

TEST_F(File, AnUnwritableDirectoryIsFoundBeforeTraining) {
  using std::filesystem::perms;
  std::filesystem::permissions(directory, perms::owner_read | perms::owner_exec |
                                              perms::others_read | perms::others_exec);
  // Root may write anywhere, so it becomes nobody for the question.
  constexpr uid_t nobody = 65534;
  bool isRoot = geteuid() == 0;
  ASSERT_TRUE(!isRoot || seteuid(nobody) == 0);
  std::string found = errorOf(checkWritable(path("out")));
  ASSERT_TRUE(!isRoot || seteuid(0) == 0);
  std::filesystem::permissions(directory, perms::owner_all);
  expectSentence(found, {"cannot write", "permission denied"});
}

TEST_F(File, ADirectoryIsNoFile) {
  expectSentence(errorOf(openFile(directory)), {"cannot read", "it is a directory"});
  expectSentence(errorOf(checkWritable(directory)), {"cannot write", "it is a directory"});
}

TEST_F(File, AMissingFileIsNamed) {
  expectSentence(errorOf(openFile(path("absent"))), {"absent'", "no such file"});
}

TEST_F(File, WhatIsNoRegularFileIsNotOpened) {
  std::string fifo = path("fifo");
  ASSERT_EQ(mkfifo(fifo.c_str(), 0600), 0);
  for (const std::string &name : {fifo, std::string("/dev/zero"), std::string("/dev/null")})
    expectSentence(errorOf(openFile(name)), {"cannot read '" + name + "': it is no regular file"});
  // A step may come through a pipe, but not from a device.
  expectSentence(errorOf(openText("/dev/zero")), {"cannot read '/dev/zero': it is no file"});
}

TEST_F(File, AFileThatBecomesShorterWhileItIsReadIsNamed) {
  std::string name = write("data", std::string(1000, 'x'));
  auto file = InputFile::open(name);
  ASSERT_TRUE(bool(file));
  uint8_t bytes[1000];
  ASSERT_EQ(errorOf(file->read(bytes, 100)), "(no error)");
  std::filesystem::resize_file(name, 600);
  EXPECT_EQ(errorOf(file->read(bytes, 900)),
            "cannot read '" + name +
                "': it became shorter while it was read: it had 1000 bytes, now it ends at 600");
}

TEST_F(File, WhatWasReadStaysWhatItWas) {
  std::string name = write("data", std::string(100000, 'x'));
  auto bytes = openFile(name);
  ASSERT_TRUE(bool(bytes));
  std::filesystem::resize_file(name, 0);
  EXPECT_EQ((*bytes)->getBuffer(), std::string(100000, 'x'));
}

TEST_F(File, ATextIsNoLongerThanAPersonCouldMean) {
  std::string name = write("step", "");
  std::filesystem::resize_file(name, (int64_t(1) << 30) + 1); // without blocks on disk
  expectSentence(errorOf(openText(name)), {"it has more than 1.0 GiB"});
}

TEST_F(File, AFileLargerThanTheMemoryIsNotRead) {
  std::string name = write("data", "");
  std::error_code code;
  std::filesystem::resize_file(name, int64_t(1) << 43, code);
  if (code)
    GTEST_SKIP() << "the file system has no files of 8 TiB";
  std::string text = errorOf(openFile(name));
  expectSentence(text, {"cannot read '" + name + "': the file needs 8.0 TiB of memory, but ",
                        " are available"});
}

TEST_F(File, AFullDeviceLeavesTheOldFile) {
  // Nothing can be created beside /dev/full, so the failure is the temporary file's or the write's:
  // never a crash.
  EXPECT_NE(errorOf(writeFileAtomically("/proc/ds-test", [](auto &stream) { stream << "x"; })),
            "(no error)");
}

TEST_F(File, CheckWritableLeavesNothing) {
  ASSERT_EQ(errorOf(checkWritable(path("out"))), "(no error)");
  EXPECT_TRUE(files().empty());
}

/// As root: a user of its own makes the link.
TEST_F(File, ALinkOfAnotherUserInASharedFolderIsNotFollowed) {
  if (geteuid() != 0)
    GTEST_SKIP() << "only root can make another user's link";
  write("victim", "precious");
  std::string folder = path("shared"), link = folder + "/link";
  ASSERT_EQ(mkdir(folder.c_str(), 0777), 0);
  ASSERT_EQ(symlink(path("victim").c_str(), link.c_str()), 0);
  constexpr uid_t other = 65534;
  auto attempt = [&](mode_t mode, uid_t owner) {
    EXPECT_EQ(chmod(folder.c_str(), mode), 0);
    EXPECT_EQ(lchown(link.c_str(), owner, -1), 0);
    return errorOf(writeFileAtomically(link, [](llvm::raw_ostream &out) { out << "new"; }));
  };
  expectSentence(
      attempt(01777, other),
      {"cannot write '" + link, "it is a link of another user, in a folder that everybody"});
  expectSentence(errorOf(checkWritable(link)), {"it is a link of another user"});
  EXPECT_EQ(contents("victim"), "precious");
  // The kernel follows these.
  EXPECT_EQ(attempt(01777, 0), "(no error)");
  EXPECT_EQ(attempt(0755, other), "(no error)");
  EXPECT_EQ(contents("victim"), "new");
}

} // namespace
} // namespace ds
