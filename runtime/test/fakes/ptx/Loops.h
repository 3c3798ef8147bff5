//===- Loops.h - Loops over the threads of a block --------------*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef DSRT_TEST_FAKES_PTX_LOOPS_H
#define DSRT_TEST_FAKES_PTX_LOOPS_H

#include "Block.h"
#include "Statement.h"

namespace fake::ptx {

template <typename Op, typename To, typename A = To>
void unary(Block &block, const Instruction &instruction, const Lanes &lanes) {
  To *to = block.cells<To>(instruction.targets[0]);
  const A *a = block.cells<A>(instruction.sources[0]);
  lanes.each([=](unsigned lane) { to[lane] = Op::of(a[lane]); });
}

template <typename Op, typename To, typename A = To, typename B = A>
void binary(Block &block, const Instruction &instruction, const Lanes &lanes) {
  To *to = block.cells<To>(instruction.targets[0]);
  const A *a = block.cells<A>(instruction.sources[0]);
  const B *b = block.cells<B>(instruction.sources[1]);
  lanes.each([=](unsigned lane) { to[lane] = Op::of(a[lane], b[lane]); });
}

template <typename Op, typename To, typename A = To, typename B = A, typename C = To>
void ternary(Block &block, const Instruction &instruction, const Lanes &lanes) {
  To *to = block.cells<To>(instruction.targets[0]);
  const A *a = block.cells<A>(instruction.sources[0]);
  const B *b = block.cells<B>(instruction.sources[1]);
  const C *c = block.cells<C>(instruction.sources[2]);
  lanes.each([=](unsigned lane) { to[lane] = Op::of(a[lane], b[lane], c[lane]); });
}

} // namespace fake::ptx

#endif // DSRT_TEST_FAKES_PTX_LOOPS_H
