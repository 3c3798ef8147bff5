//===- Batch.cpp - How many rows a step takes -------------------*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// In `global` a batch argument with a layout holds 1/n of the step's rows, one without holds them
// all; in `local` every rank holds rows of its own.
//
//===----------------------------------------------------------------------===//
#include "ds/Run/Batch.h"

#include "ds/Data/Sampler.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/Twine.h"

#include <cstring>

namespace ds {

using llvm::Expected;
using llvm::Twine;

Expected<BatchFacts> batchFacts(const Manifest &manifest, int64_t numRanks) {
  BatchFacts facts;
  const ArgumentSpec *first = nullptr;
  for (const ArgumentSpec &argument : manifest.arguments) {
    if (argument.role != ArgumentRole::batch)
      continue;
    int64_t rows = argument.shape[*argument.batchDim];
    if (rows < 1)
      return llvm::createStringError(llvm::inconvertibleErrorCode(),
                                     "batch argument '" + argument.name +
                                         "' takes no samples per step, expected 1 or more");
    int64_t total = manifest.global && !argument.layout ? rows : rows * numRanks;
    if (!first) {
      first = &argument;
      facts = {rows, total};
    } else if (facts.rowsPerStep != total) {
      return llvm::createStringError(llvm::inconvertibleErrorCode(),
                                     "batch argument '" + argument.name + "' takes " +
                                         Twine(total) + " samples per step, but '" + first->name +
                                         "' takes " + Twine(facts.rowsPerStep));
    }
    if (argument.layout)
      facts.rowsPerRank = rows;
  }
  if (!first)
    return llvm::createStringError(llvm::inconvertibleErrorCode(),
                                   "the step has no batch argument (ds.batch), so no data can be "
                                   "fed to it");
  return facts;
}

llvm::Error checkUpdates(const Manifest &manifest) {
  for (unsigned slot = 0; slot < manifest.arguments.size(); ++slot)
    if (manifest.arguments[slot].role == ArgumentRole::parameter &&
        llvm::none_of(manifest.results,
                      [&](const ResultSpec &result) { return result.updates == slot; }))
      return llvm::createStringError(llvm::inconvertibleErrorCode(),
                                     "no result updates parameter '" +
                                         manifest.arguments[slot].name +
                                         "'; expected a result with ds.updates");
  return llvm::Error::success();
}

std::vector<int64_t> rowsOf(const Manifest &manifest, const std::optional<ShardLayout> &layout,
                            int64_t rank, int64_t numRanks, int64_t total) {
  if (manifest.global)
    return rowsOfRank(layout, rank, numRanks, total);
  return rowsOfRank(ShardLayout{0, 1, total / numRanks}, rank, numRanks, total);
}

/// `spec` is of an argument or a result; only what counts samples has a batch dimension.
template <typename Spec>
static std::vector<int64_t> wholeShapeOf(const Manifest &manifest, const Spec &spec,
                                         int64_t numRanks) {
  std::vector<int64_t> shape = spec.shape;
  if (spec.layout)
    shape[spec.layout->dim] *= numRanks;
  else if (spec.batchDim && !manifest.global)
    shape[*spec.batchDim] *= numRanks;
  return shape;
}

std::vector<int64_t> wholeShape(const Manifest &manifest, const ArgumentSpec &argument,
                                int64_t numRanks) {
  return wholeShapeOf(manifest, argument, numRanks);
}

std::vector<int64_t> wholeShape(const Manifest &manifest, const ResultSpec &result,
                                int64_t numRanks) {
  return wholeShapeOf(manifest, result, numRanks);
}

std::string describeRun(const Manifest &manifest, const BatchFacts &facts, int64_t numRanks) {
  std::string text = manifest.global ? "global: " : "local: ";
  text += std::to_string(numRanks) + (numRanks == 1 ? " rank x " : " ranks x ");
  text += std::to_string(facts.rowsPerRank) + " samples = " + std::to_string(facts.rowsPerStep) +
          " per step, ";
  if (manifest.global)
    return text + "the same function as on one device";
  return text + (manifest.gradientsMean ? "gradients averaged (gradients_mean=true)"
                                        : "gradients summed (gradients_mean=false)");
}

CarriedBytes carriedBytes(const Manifest &manifest, int64_t numRanks) {
  CarriedBytes bytes;
  for (const ArgumentSpec &argument : manifest.arguments)
    if (argument.isCarried()) {
      int64_t held = elementCount(argument.shape) * byteSize(argument.type);
      bytes.held += held;
      bytes.whole += argument.isDivided() ? held * numRanks : held;
    }
  return bytes;
}

/// Calls copy(offset of the row in the large array, offset in the small one, bytes) for each
/// contiguous piece.
template <typename Copy>
static void forEachPiece(const std::vector<int64_t> &shape, int64_t dim, int64_t elementSize,
                         const std::vector<int64_t> &rows, Copy copy) {
  int64_t outer = 1, inner = elementSize;
  for (int64_t i = 0; i < static_cast<int64_t>(shape.size()); ++i)
    if (i != dim)
      (i < dim ? outer : inner) *= shape[i];
  int64_t total = shape[dim], small = 0;
  for (int64_t i = 0; i < outer; ++i)
    for (int64_t row : rows) {
      copy((i * total + row) * inner, small, inner);
      small += inner;
    }
}

void takeRows(const std::vector<int64_t> &shape, int64_t dim, int64_t elementSize,
              const std::vector<int64_t> &rows, const void *source, void *target) {
  forEachPiece(shape, dim, elementSize, rows, [&](int64_t large, int64_t small, int64_t bytes) {
    memcpy(static_cast<char *>(target) + small, static_cast<const char *>(source) + large, bytes);
  });
}

void putRows(const std::vector<int64_t> &shape, int64_t dim, int64_t elementSize,
             const std::vector<int64_t> &rows, const void *source, void *target) {
  forEachPiece(shape, dim, elementSize, rows, [&](int64_t large, int64_t small, int64_t bytes) {
    memcpy(static_cast<char *>(target) + large, static_cast<const char *>(source) + small, bytes);
  });
}

} // namespace ds
