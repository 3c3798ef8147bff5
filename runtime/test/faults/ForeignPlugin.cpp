//===- ForeignPlugin.cpp - A plugin that nobody asked for -------*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Says so when it is loaded; foreign.py puts it where a plugin must not be found.
//
//===----------------------------------------------------------------------===//
#include <cstdio>

namespace {
struct Loaded {
  Loaded() {
    std::puts("foreign code runs");
    std::fflush(stdout);
  }
} loaded;
} // namespace
