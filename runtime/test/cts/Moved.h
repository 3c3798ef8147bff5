//===- Moved.h - Buffers that one call moves ---------------------*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef DSRT_TEST_CTS_MOVED_H
#define DSRT_TEST_CTS_MOVED_H

#include <cstdint>
#include <vector>

namespace dsrt::cts {

/// What a rank sends and what it must receive, buffer by buffer, for calls whose two sides are of
/// one length. What nobody writes stays -1.
struct Moved {
  void add(std::vector<int32_t> in, std::vector<int32_t> out) {
    received.emplace_back(in.size(), -1);
    sent.push_back(std::move(in));
    expected.push_back(std::move(out));
    inputs.push_back(sent.back().data());
    outputs.push_back(received.back().data());
  }

  std::vector<std::vector<int32_t>> sent, received, expected;
  std::vector<const void *> inputs;
  std::vector<void *> outputs;
};

} // namespace dsrt::cts

#endif // DSRT_TEST_CTS_MOVED_H
