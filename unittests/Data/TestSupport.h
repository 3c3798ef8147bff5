//===- TestSupport.h - What the tests of readers and writers share --*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A directory that disappears, raw bytes to files, and errors as text.
//
//===----------------------------------------------------------------------===//
#ifndef DS_UNITTESTS_DATA_TESTSUPPORT_H
#define DS_UNITTESTS_DATA_TESTSUPPORT_H

#include "ds/Data/Array.h"

#include "llvm/Support/Error.h"
#include "gtest/gtest.h"

#include <cstring>
#include <filesystem>
#include <fstream>
#include <string>
#include <unistd.h>

namespace ds {

class TemporaryDirectory : public testing::Test {
protected:
  TemporaryDirectory() {
    std::string pattern = (std::filesystem::temp_directory_path() / "ds-data-XXXXXX").string();
    directory = mkdtemp(pattern.data());
  }
  ~TemporaryDirectory() override { std::filesystem::remove_all(directory); }

  std::string path(const std::string &name) const { return directory + "/" + name; }
  std::string write(const std::string &name, const std::string &bytes) const {
    // Truncating a file makes some file systems flush it; a new one costs nothing.
    std::filesystem::remove(path(name));
    std::ofstream(path(name), std::ios::binary) << bytes;
    return path(name);
  }
  std::string contents(const std::string &name) const {
    std::ifstream stream(path(name), std::ios::binary);
    return {std::istreambuf_iterator<char>(stream), {}};
  }
  std::vector<std::string> files() const {
    std::vector<std::string> names;
    for (const auto &entry : std::filesystem::directory_iterator(directory))
      names.push_back(entry.path().filename().string());
    return names;
  }

  std::string directory;
};

template <typename T> std::string errorOf(llvm::Expected<T> value) {
  return value ? "(no error)" : llvm::toString(value.takeError());
}
inline std::string errorOf(llvm::Error error) {
  return error ? llvm::toString(std::move(error)) : "(no error)";
}

/// The message says all of it, in one sentence.
inline void expectSentence(const std::string &message, const std::vector<std::string> &parts) {
  for (const std::string &part : parts)
    EXPECT_NE(message.find(part), std::string::npos)
        << "'" << part << "' is missing in: " << message;
  EXPECT_EQ(message.find('\n'), std::string::npos) << message;
}

template <typename T> std::vector<T> valuesOf(const Array &array) {
  std::vector<T> values(array.elements());
  EXPECT_EQ(sizeof(T), static_cast<size_t>(byteSize(array.type)));
  if (!values.empty())
    memcpy(values.data(), array.data, array.bytes());
  return values;
}

template <typename T>
Array arrayOf(DataType type, const std::vector<int64_t> &shape, const std::vector<T> &values) {
  EXPECT_EQ(sizeof(T), static_cast<size_t>(byteSize(type)));
  EXPECT_EQ(elementCount(shape), static_cast<int64_t>(values.size()));
  return Array::copy(type, shape, values.data());
}

} // namespace ds

#endif // DS_UNITTESTS_DATA_TESTSUPPORT_H
