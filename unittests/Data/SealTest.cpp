//===- SealTest.cpp - Files that are what was written -----------*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "ds/Support/Seal.h"
#include "ds/Step/SealedLibrary.h"
#include "ds/Support/File.h"

#include "TestSupport.h"

#include "llvm/Support/FormatVariadic.h"

#include <sys/stat.h>

namespace ds {
namespace {

using llvm::StringRef;

class SealTest : public TemporaryDirectory {
protected:
  static std::string problemOf(StringRef kind, StringRef name, StringRef file) {
    auto bytes = unseal(kind, name, file);
    return !bytes ? errorOf(bytes.takeError()) : *bytes ? "" : "no seal";
  }
  std::string readJson(const std::string &text) {
    auto object = readSealedJson(write("x.json", text), "test", {"ds_test", "x", "y"});
    return object ? llvm::formatv("{0}", llvm::json::Value(std::move(*object))).str()
                  : errorOf(std::move(object));
  }
};

const std::string bytes("a\0b\nds-seal 1 word\n", 19);

TEST_F(SealTest, WhatWasSealedIsRead) {
  for (const std::string &each : {bytes, std::string()}) {
    const std::string file = each + sealOf("order", "name", each);
    auto found = unseal("order", "name", file);
    ASSERT_TRUE(bool(found));
    ASSERT_TRUE(found->has_value());
    EXPECT_EQ(**found, each);
  }
  EXPECT_EQ(problemOf("order", "", bytes.substr(0, 3)), "no seal");
}

TEST_F(SealTest, EveryBitCounts) {
  const std::string file = bytes + sealOf("order", "name", bytes);
  for (size_t bit = 0; bit < 8 * file.size(); ++bit) {
    std::string other = file;
    other[bit / 8] ^= 1 << bit % 8;
    EXPECT_NE(problemOf("order", "name", other), "") << bit;
  }
  for (size_t length = 0; length < file.size(); ++length)
    EXPECT_NE(problemOf("order", "name", file.substr(0, length)), "") << length;
  EXPECT_NE(problemOf("order", "name", "x" + file), "");
  EXPECT_EQ(problemOf("order", "name", "ds-seal 1 order 7\n"),
            "is damaged: its last line is no seal");
}

TEST_F(SealTest, AnotherNameAndAnotherKindAreRefused) {
  const std::string file = bytes + sealOf("order", "name", bytes);
  expectSentence(problemOf("order", "mane", file),
                 {"is damaged: its checksum is ", ", but it was written with ", "another name"});
  EXPECT_EQ(problemOf("library", "name", file), "is of the kind 'order', expected 'library'");
}

TEST_F(SealTest, JsonIsReadAsItWasWrittenOrNotAtAll) {
  llvm::json::Object object{{"ds_test", 1}, {"x", 0.1}, {"y", llvm::json::Array{"a\"b", 30.0}}};
  const std::string plain = llvm::formatv("{0}", llvm::json::Value(llvm::json::Object(object)));
  llvm::cantFail(writeSealedJson(path("w.json"), object));
  const std::string text = contents("w.json");
  EXPECT_EQ(readJson(text), plain);
  EXPECT_EQ(readJson(plain), plain); // never sealed
  for (size_t bit = 0; bit < 8 * text.size(); ++bit) {
    std::string other = text;
    other[bit / 8] ^= 1 << bit % 8;
    const std::string read = readJson(other);
    StringRef said = read; // spaces say nothing
    EXPECT_TRUE(read == plain || said.starts_with("is damaged: ") ||
                said.starts_with("is not JSON: ") || said.starts_with("has a member '"))
        << bit << ": " << read;
  }
}

TEST_F(SealTest, ALibraryIsCheckedWithItsHeader) {
  const std::string library = write("libx.so", sealLibrary("code", "x.h", "header"));
  auto check = [&] {
    auto isSealed = checkLibrary(library);
    return isSealed ? std::string(*isSealed ? "sealed" : "no seal") : errorOf(isSealed.takeError());
  };
  EXPECT_EQ(check(), "sealed"); // a program has the header compiled in
  write("x.h", "header");
  EXPECT_EQ(check(), "sealed");
  write("x.h", "heades");
  expectSentence(check(),
                 {"x.h' is damaged: its checksum is ", "libx.so'; compile the step again"});
  write("libx.so", "code");
  EXPECT_EQ(check(), "no seal");
  std::string other = sealLibrary("code", "x.h", "header");
  other[0] ^= 1;
  write("libx.so", other);
  expectSentence(check(), {"libx.so' is damaged: its checksum is ", "; compile it again"});
}

TEST_F(SealTest, OnlyWhatNobodyElseCanWriteIsOwn) {
  auto problem = [&] { return errorOf(InputFile::openOwn(path("x"))); };
  write("x", "1");
  ASSERT_EQ(chmod(path("x").c_str(), 0644), 0);
  EXPECT_EQ(problem(), "(no error)");
  ASSERT_EQ(chmod(path("x").c_str(), 0664), 0);
  expectSentence(problem(), {"it is not this user's alone to write (chmod go-w)"});
  if (geteuid() == 0) {
    ASSERT_EQ(chmod(path("x").c_str(), 0600), 0);
    ASSERT_EQ(chown(path("x").c_str(), 12345, 12345), 0);
    expectSentence(problem(), {"it is not this user's alone to write"});
  }
  std::filesystem::rename(path("x"), path("y"));
  ASSERT_EQ(symlink("y", path("x").c_str()), 0);
  expectSentence(problem(), {"too many levels of symbolic links"});
}

TEST_F(SealTest, AFileHasTheModeThatIsAskedFor) {
  auto write = [&](std::optional<unsigned> mode) {
    llvm::cantFail(
        writeFileAtomically(path("x"), [](llvm::raw_ostream &out) { out << "1"; }, mode));
    return *modeOf(path("x"));
  };
  EXPECT_EQ(write(0640), 0640u);
  EXPECT_EQ(write(std::nullopt), 0640u);
  EXPECT_EQ(write(0600), 0600u);
  EXPECT_FALSE(modeOf(path("none")));
}

} // namespace
} // namespace ds
