//===- Parts.cpp - A part of an array and its place in the whole ----------===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "ds/Data/Parts.h"

#include "llvm/ADT/STLExtras.h"

#include <cstring>
#include <functional>
#include <numeric>

namespace ds {

PositionRuns runsOf(const Positions &positions) {
  PositionRuns all;
  for (const std::vector<int64_t> &at : positions) {
    std::vector<PositionRun> &runs = all.emplace_back();
    for (int64_t position : at) {
      if (!runs.empty() && runs.back().end == position)
        ++runs.back().end;
      else
        runs.push_back({position, position + 1});
    }
  }
  return all;
}

Positions positionsOf(const PositionRuns &runs) {
  Positions all;
  for (const std::vector<PositionRun> &dim : runs) {
    std::vector<int64_t> &at = all.emplace_back();
    for (const PositionRun &run : dim)
      for (int64_t position = run.begin; position < run.end; ++position)
        at.push_back(position);
  }
  return all;
}

int64_t countOf(llvm::ArrayRef<PositionRun> runs) {
  return std::accumulate(
      runs.begin(), runs.end(), int64_t(0),
      [](int64_t count, const PositionRun &run) { return count + (run.end - run.begin); });
}

bool overlap(const PositionRuns &a, const PositionRuns &b) {
  return llvm::all_of(llvm::zip(a, b), [](const auto &dim) {
    const auto &[left, right] = dim;
    for (size_t i = 0, j = 0; i < left.size() && j < right.size();) {
      if (left[i].begin < right[j].end && right[j].begin < left[i].end)
        return true;
      left[i].end <= right[j].begin ? ++i : ++j;
    }
    return false;
  });
}

void forEachPiece(const std::vector<int64_t> &whole, const Positions &positions,
                  int64_t elementSize,
                  llvm::function_ref<void(int64_t large, int64_t small, int64_t bytes)> copy) {
  size_t split = whole.size(); // the part has all elements of later dimensions
  while (split > 0 && static_cast<int64_t>(positions[split - 1].size()) == whole[split - 1])
    --split;
  std::vector<int64_t> strides(whole.size() + 1, elementSize);
  for (size_t dim = whole.size(); dim > 0; --dim)
    strides[dim - 1] = strides[dim] * whole[dim - 1];
  if (strides[0] == 0)
    return;
  if (split == 0)
    return copy(0, 0, strides[0]);
  int64_t small = 0;
  std::function<void(size_t, int64_t)> visit = [&](size_t dim, int64_t large) {
    const std::vector<int64_t> &at = positions[dim];
    for (size_t i = 0, end; i < at.size(); i = end) {
      end = i + 1;
      if (dim + 1 < split) {
        visit(dim + 1, large + at[i] * strides[dim + 1]);
        continue;
      }
      while (end < at.size() && at[end] == at[end - 1] + 1)
        ++end;
      int64_t bytes = (end - i) * strides[split];
      copy(large + at[i] * strides[split], small, bytes);
      small += bytes;
    }
  };
  visit(0, 0);
}

void takePart(const std::vector<int64_t> &whole, const Positions &positions, int64_t elementSize,
              const void *source, void *target) {
  forEachPiece(whole, positions, elementSize, [&](int64_t large, int64_t small, int64_t bytes) {
    memcpy(static_cast<char *>(target) + small, static_cast<const char *>(source) + large, bytes);
  });
}

void putPart(const std::vector<int64_t> &whole, const Positions &positions, int64_t elementSize,
             const void *source, void *target) {
  forEachPiece(whole, positions, elementSize, [&](int64_t large, int64_t small, int64_t bytes) {
    memcpy(static_cast<char *>(target) + large, static_cast<const char *>(source) + small, bytes);
  });
}

} // namespace ds
