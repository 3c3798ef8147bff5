//===- Parts.h - A part of an array and its place in the whole --*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A part holds the elements at all combinations of some positions along each dimension, in
// ascending order: a shard of a rank, which may lie in blocks.
//
//===----------------------------------------------------------------------===//
#ifndef DS_DATA_PARTS_H
#define DS_DATA_PARTS_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/STLFunctionalExtras.h"

#include <cstdint>
#include <vector>

namespace ds {

/// The place of a part in the whole array: along each dimension the positions that it holds, in
/// ascending order.
using Positions = std::vector<std::vector<int64_t>>;

/// Neighbouring positions, from `begin` to before `end`.
struct PositionRun {
  int64_t begin, end;
};
/// The same as Positions, in as few numbers as their blocks need.
using PositionRuns = std::vector<std::vector<PositionRun>>;

PositionRuns runsOf(const Positions &positions);
Positions positionsOf(const PositionRuns &runs);
/// Returns the number of positions along a dimension.
int64_t countOf(llvm::ArrayRef<PositionRun> runs);
/// True if the two parts have an element in common.
bool overlap(const PositionRuns &a, const PositionRuns &b);

/// Calls copy(offset in the whole array, offset in the part, bytes) for each contiguous piece at
/// `positions` of an array of shape `whole`; pieces are in the order of the part.
void forEachPiece(const std::vector<int64_t> &whole, const Positions &positions,
                  int64_t elementSize,
                  llvm::function_ref<void(int64_t large, int64_t small, int64_t bytes)> copy);

/// Copies the elements at `positions` of `source`, of shape `whole`, to `target`.
void takePart(const std::vector<int64_t> &whole, const Positions &positions, int64_t elementSize,
              const void *source, void *target);
/// Does the inverse: `target` has the shape `whole`.
void putPart(const std::vector<int64_t> &whole, const Positions &positions, int64_t elementSize,
             const void *source, void *target);

} // namespace ds

#endif // DS_DATA_PARTS_H
