//===- LayeredStep.h - A training step of any number of layers --*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef DS_BENCH_LAYEREDSTEP_H
#define DS_BENCH_LAYEREDSTEP_H

#include <cstdint>
#include <string>

namespace ds::bench {

/// The text of a step, and how many operations it holds (those in bodies count too).
struct LayeredStep {
  std::string text;
  int64_t ops = 0;
};

/// A network of `blocks` blocks with its gradients and its update, as a front end exports it: one
/// operation per array primitive, empty tensors and fills shared by all of their uses.
LayeredStep makeLayeredStep(int64_t blocks);

/// The number of blocks that comes closest to `ops` operations; at least one.
int64_t blocksForOps(int64_t ops);

} // namespace ds::bench

#endif // DS_BENCH_LAYEREDSTEP_H
