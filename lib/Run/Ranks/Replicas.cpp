//===- Replicas.cpp - Whether all ranks hold the same values ----*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// All hashes, 16 digits per value, travel in one all-gather.
//
//===----------------------------------------------------------------------===//
#include "ds/Run/Ranks/Replicas.h"

#include "ds/Run/Ranks/Agreement.h"

#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/Twine.h"

namespace ds {

using llvm::Error;
using llvm::Twine;

/// Returns "1a.. on rank 0, 2b.. on ranks 1 and 2".
static std::string describe(llvm::ArrayRef<std::string> byRank) {
  llvm::MapVector<llvm::StringRef, std::vector<int64_t>> holders;
  for (size_t rank = 0; rank < byRank.size(); ++rank)
    holders[byRank[rank]].push_back(rank);
  std::string text;
  for (const auto &[hash, ranks] : holders)
    text += (text.empty() ? "" : ", ") + hash.str() + " on " + ranksText(ranks);
  return text;
}

Error compareReplicas(Rank &rank, const Manifest &manifest, int64_t numRanks, int64_t steps) {
  std::string mine;
  std::vector<const ArgumentSpec *> compared;
  for (unsigned slot = 0; slot < manifest.arguments.size(); ++slot) {
    const ArgumentSpec &argument = manifest.arguments[slot];
    if (!argument.isReplicated())
      continue;
    size_t bytes = elementCount(argument.shape) * byteSize(argument.type);
    HostView view = rank.instance().readArgument(slot);
    mine += contentHash(llvm::ArrayRef(static_cast<const uint8_t *>(view.get()), bytes));
    compared.push_back(&argument);
  }
  if (numRanks == 1 || compared.empty())
    return Error::success();
  std::string all(mine.size() * numRanks, '\0');
  const void *input = mine.data();
  void *output = all.data();
  int64_t bytes = mine.size();
  dsrt_all_gather(rank.context(), 1, &input, &output, &bytes, DSRT_U8, DSRT_WORLD);
  if (Error error = contextError(rank.context()))
    return error;
  if (rank.rank() != 0)
    return Error::success();
  const size_t width = mine.size() / compared.size();
  for (size_t i = 0; i < compared.size(); ++i) {
    std::vector<std::string> byRank(numRanks);
    for (int64_t r = 0; r < numRanks; ++r)
      byRank[r] = all.substr(r * mine.size() + i * width, width);
    if (llvm::all_equal(byRank))
      continue;
    bool parameter = compared[i]->role == ArgumentRole::parameter;
    return llvm::createStringError("after step " + Twine(steps) + " the ranks hold different " +
                                   "values of " + (parameter ? "parameter" : "state") + " '" +
                                   compared[i]->name + "': " + describe(byRank));
  }
  return Error::success();
}

} // namespace ds
