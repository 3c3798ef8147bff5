//===- FakeRegistrations.h - Memory that communicators know -----*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef DSRT_TEST_FAKES_FAKEREGISTRATIONS_H
#define DSRT_TEST_FAKES_FAKEREGISTRATIONS_H

#include <cstddef>
#include <cstdint>
#include <mutex>
#include <vector>

namespace fake {

/// Of all communicators of the process.
class Registrations {
public:
  static Registrations &all();

  void add(void *communicator, const void *data, size_t bytes);
  /// False if it is not registered.
  bool remove(void *communicator, const void *data);
  /// The communicator has ended.
  void drop(void *communicator);
  /// Where it lies in what the communicator knows; -1: not whole in any of it.
  int64_t offsetOf(void *communicator, const void *data, size_t bytes);
  /// Whether any communicator knows memory that begins there.
  bool has(const void *data);

private:
  struct Span {
    void *communicator;
    const char *data;
    size_t bytes;
  };
  std::mutex mutex;
  std::vector<Span> spans;
};

/// Says what the documentation forbids and ends the process.
[[noreturn]] void forbid(const char *what);

} // namespace fake

#endif // DSRT_TEST_FAKES_FAKEREGISTRATIONS_H
