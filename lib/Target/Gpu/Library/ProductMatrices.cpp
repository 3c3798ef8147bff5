//===- ProductMatrices.cpp - A contraction as products of matrices -*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The loop of each class that goes into the product decides whether there is a unit stride, so all
// choices are tried.
//
//===----------------------------------------------------------------------===//
#include "ProductMatrices.h"

#include "../../Cpu/Library/ContractionLoops.h"

#include <algorithm>

using namespace ds;
using namespace ds::gpu;

/// Returns the matrix of an operand whose element (row, column) of our product lies at row *
/// rowStride + column * columnStride; none if neither stride is 1. By columns it is the transpose.
static std::optional<Matrix> layOut(int64_t rows, int64_t rowStride, int64_t columns,
                                    int64_t columnStride) {
  Matrix matrix;
  if (columnStride == 1 || columns == 1) {
    matrix.rows = columns;
    matrix.columns = rows;
    matrix.leading = rows == 1 ? columns : rowStride;
  } else if (rowStride == 1 || rows == 1) {
    matrix.rows = rows;
    matrix.columns = columns;
    matrix.leading = columnStride;
    matrix.transposed = true;
  } else {
    return std::nullopt;
  }
  if (matrix.leading < matrix.rows)
    return std::nullopt;
  return matrix;
}

/// Takes the loop that moves `operand` by one element, or else the largest one, out of `loops`.
static Loop take(std::vector<Loop> &loops, int64_t Loop::*operand) {
  if (loops.empty())
    return {};
  auto best = std::max_element(loops.begin(), loops.end(), [&](const Loop &a, const Loop &b) {
    return std::pair((a.*operand) == 1, a.size) < std::pair((b.*operand) == 1, b.size);
  });
  Loop loop = *best;
  loops.erase(best);
  return loop;
}

/// Returns the class of the loops that walk along the bias; none without one.
static std::optional<LoopClass> classOfBias(const StridedContraction &contraction) {
  for (size_t i = 0; i < contraction.bias.size(); ++i)
    if (contraction.sizes[i] > 1 && contraction.bias[i] != 0)
      return classOf(
          {contraction.sizes[i], contraction.lhs[i], contraction.rhs[i], contraction.out[i]});
  return std::nullopt;
}

/// Returns every combination of iterations of the loops.
static std::vector<ProductOffsets> unroll(std::vector<ProductOffsets> starts,
                                          const std::vector<Loop> &loops,
                                          std::optional<LoopClass> biased) {
  for (const Loop &loop : loops) {
    const int64_t bias = biased && classOf(loop) == *biased ? loop.out : 0;
    std::vector<ProductOffsets> more;
    for (const ProductOffsets &at : starts)
      for (int64_t i = 0; i < loop.size; ++i)
        more.push_back({at.lhs + i * loop.lhs, at.rhs + i * loop.rhs, at.out + i * loop.out,
                        at.bias + i * bias});
    starts = std::move(more);
  }
  return starts;
}

namespace {

struct Chooser {
  const StridedContraction &contraction;
  const bool byAddresses;
  const std::optional<LoopClass> biased = classOfBias(contraction);

  std::optional<ProductMatrices> choose(bool swapped, int64_t Loop::*rowsBy,
                                        int64_t Loop::*columnsBy, int64_t Loop::*depthBy) const {
    ProductMatrices made;
    made.isSwapped = swapped;
    ClassedLoops loops = classify(contraction);
    const Loop n = take(loops[columns], columnsBy), m = take(loops[rows], rowsBy),
               k = take(loops[depth], depthBy);
    std::optional<Matrix> a, b, d;
    if (swapped) {
      a = layOut(m.size, m.lhs, k.size, k.lhs);
      b = layOut(k.size, k.rhs, n.size, n.rhs);
      d = layOut(n.size, n.out, m.size, m.out);
      for (auto *factor : {&a, &b})
        if (*factor)
          (*factor)->transposed = !(*factor)->transposed;
    } else {
      a = layOut(k.size, k.rhs, n.size, n.rhs);
      b = layOut(m.size, m.lhs, k.size, k.lhs);
      d = layOut(m.size, m.out, n.size, n.out);
    }
    if (!a || !b || !d || d->transposed)
      return std::nullopt;
    if (biased && *biased != (swapped ? rows : columns))
      return std::nullopt; // the library adds it to each column of D
    made.a = *a;
    made.b = *b;
    made.d = *d;
    std::vector<Loop> outer; // the loops other than depth
    for (LoopClass kind : {batch, rows, columns})
      outer.insert(outer.end(), loops[kind].begin(), loops[kind].end());
    makeBatch(made, outer);
    makeCalls(made, outer, loops[depth]);
    return made;
  }

private:
  /// Makes the largest of the loops a batch by strides, or all of them one by addresses.
  void makeBatch(ProductMatrices &made, std::vector<Loop> &outer) const {
    const bool hasEpilogue = biased || contraction.relu; // which a batch by addresses cannot have
    if (outer.size() > 1 && byAddresses && !hasEpilogue) {
      made.isByAddresses = true;
      return;
    }
    auto largest = outer.end();
    for (auto loop = outer.begin(); loop != outer.end(); ++loop)
      if ((!biased || classOf(*loop) != *biased) &&
          (largest == outer.end() || loop->size > largest->size))
        largest = loop;
    if (largest == outer.end())
      return;
    made.batches = largest->size;
    made.a.batch = made.isSwapped ? largest->lhs : largest->rhs;
    made.b.batch = made.isSwapped ? largest->rhs : largest->lhs;
    made.d.batch = largest->out;
    outer.erase(largest);
  }

  void makeCalls(ProductMatrices &made, const std::vector<Loop> &outer,
                 const std::vector<Loop> &depths) const {
    const ProductOffsets start = {contraction.lhsOffset, contraction.rhsOffset,
                                  contraction.outOffset, contraction.biasOffset};
    std::vector<ProductOffsets> steps = unroll({start}, depths, biased);
    for (const ProductOffsets &step : steps) {
      const bool isFirst = &step == &steps.front(), isLast = &step == &steps.back();
      std::vector<ProductOffsets> members = unroll({step}, outer, biased);
      if (made.isByAddresses) {
        made.batches = members.size();
        made.calls.push_back({std::move(members), isFirst, isLast});
        continue;
      }
      for (const ProductOffsets &member : members)
        made.calls.push_back({{member}, isFirst, isLast});
    }
  }
};

} // namespace

std::optional<ProductMatrices> ds::gpu::chooseMatrices(const StridedContraction &contraction,
                                                       bool byAddresses) {
  const Chooser chooser = {contraction, byAddresses};
  for (bool swapped : {false, true})
    for (int64_t Loop::*depthBy : {&Loop::rhs, &Loop::lhs})
      for (int64_t Loop::*columnsBy : {&Loop::out, &Loop::rhs})
        for (int64_t Loop::*rowsBy : {&Loop::lhs, &Loop::out})
          if (auto made = chooser.choose(swapped, swapped ? &Loop::out : rowsBy,
                                         swapped ? &Loop::rhs : columnsBy, depthBy))
            return made;
  return std::nullopt;
}
