//===- WorldOfOptions.cpp - The options of a world --------------*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "ds/Run/Program/WorldOfOptions.h"

#include "ds/Run/Program/Ranks.h"
#include "ds/Support/UserError.h"

#include "llvm/ADT/Twine.h"

namespace ds {

WorldOptions worldOptionsOf(const Config &config, const RunOptions &options) {
  WorldOptions result;
  result.timeoutMs = config.timeoutMs();
  result.deterministic = config.deterministic();
  result.link = Link::parse(options.link);
  return result;
}

llvm::Expected<int64_t> countRanks(const Config &config, const RunOptions &options,
                                   const World *joined) {
  auto ranks = resolveRanks(config, options.ranks,
                            joined ? std::optional(joined->numRanks()) : std::nullopt);
  if (ranks && joined && *ranks != joined->numRanks() && options.device != "cpu")
    return userError("--device takes a process for each rank, got " + llvm::Twine(*ranks) +
                     " ranks in " + llvm::Twine(joined->numRanks()) + " processes");
  return ranks;
}

llvm::Error makeRanks(const Config &config, const RunOptions &options, int64_t numRanks,
                      std::unique_ptr<World> &world) {
  if (world)
    return world->divide(numRanks);
  // A member without others is a process of threads.
  const llvm::StringRef backend = options.minProcesses ? "local" : llvm::StringRef(options.backend);
  return World::create(numRanks, backend, worldOptionsOf(config, options)).moveInto(world);
}

} // namespace ds
