//===- Ranks.cpp - How many ranks, and which one this is --------*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Two places may give the number of ranks. They must not contradict one another; without them each
// process of a launcher is one.
//
//===----------------------------------------------------------------------===//
#include "ds/Run/Program/Ranks.h"
#include "ds/Support/UserError.h"

#include "llvm/ADT/Twine.h"

namespace ds {

using llvm::Error;
using llvm::Expected;
using llvm::Twine;

Expected<int64_t> resolveRanks(const Config &config, std::optional<int64_t> ranksOption,
                               std::optional<int64_t> processes) {
  std::optional<int64_t> ranks;
  std::string source;
  for (auto [given, name] :
       {std::pair(config.deviceNum(), "device_num"), std::pair(ranksOption, "--ranks")}) {
    if (!given)
      continue;
    if (ranks && *ranks != *given)
      return userError(Twine(source) + " is " + Twine(*ranks) + ", but " + name + " is " +
                       Twine(*given));
    ranks = given;
    source = name;
  }
  if (ranks && processes && *ranks < *processes)
    return userError(Twine(source) + " is " + Twine(*ranks) + ", but the launcher has started " +
                     Twine(*processes) + " processes, expected a rank for each at least");
  if (!ranks && processes) {
    ranks = processes;
    source = "the launcher's world";
  }
  if (ranks.value_or(1) > 1 && config.isSet("parallel_mode") &&
      config.parallelMode() == ParallelMode::StandAlone)
    return userError("parallel_mode=stand_alone runs on 1 rank, got " + Twine(*ranks) + " from " +
                     source);
  return ranks.value_or(1);
}

Error checkGlobalRank(const Config &config, int64_t firstRank, int64_t numLocalRanks) {
  std::optional<int64_t> wanted = config.globalRank();
  if (!wanted || (numLocalRanks == 1 && *wanted == firstRank))
    return Error::success();
  if (numLocalRanks > 1)
    return userError("global_rank is " + Twine(*wanted) + ", but this process runs " +
                     Twine(numLocalRanks) + " ranks as threads");
  return userError("global_rank is " + Twine(*wanted) + ", but this process is rank " +
                   Twine(firstRank));
}

} // namespace ds
