//===- Launch.h - A process's rank, from its environment --------*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Launchers give a process its rank in variables of their own. The first source below that names a
// rank or a size decides; docs/Launching.md has the table. Launchers nest (torchrun in a Slurm
// step), so a later source may describe another world; but two sources with the same number of
// processes must give this one the same rank.
//
//===----------------------------------------------------------------------===//
#ifndef DSRT_SRC_BOOTSTRAP_LAUNCH_H
#define DSRT_SRC_BOOTSTRAP_LAUNCH_H

#include "Store.h"

#include <functional>
#include <string>
#include <utility>
#include <vector>

namespace dsrt::bootstrap {

/// Ranks of a world, and members of a roster.
constexpr int32_t mostRanks = 4096;

/// The value of a variable, or null.
using Environment = std::function<const char *(const char *)>;
Environment processEnvironment();

struct Launch {
  std::string source; // "DS_*", "torchrun", ...; "" if no launcher started this process
  int32_t rank = 0, numRanks = 1;
  int32_t localRank = -1, localSize = -1; // -1: not given
  std::string address;                    // of rank 0; "" if not given
  int32_t port = 0;                       // 0: not given
  std::string secret;                     // "" if not given
  std::string job;                        // its name; "" if not given
  bool byMpi = false;                     // the launcher starts MPI programs
  // The size in every source that is set, this one included.
  std::vector<std::pair<std::string, int32_t>> sizes;
};

/// Reads the launcher's variables. A value that is no number, out of range, missing or
/// contradictory is DSRT_INVALID_ARGUMENT; the text names the variable and its value.
dsrt_status readLaunch(const Environment &environment, Launch &out, dsrt_error *error);

/// The rank table of MindSpore (RANK_TABLE_FILE, version 1.0).
struct RankTable {
  struct Device {
    int32_t server = 0; // index of its machine
    int32_t device = 0; // number on the machine
  };
  std::vector<std::string> servers; // addresses
  std::vector<Device> ranks;
};
bool readRankTable(const std::string &json, RankTable &out, std::string &why);

/// Returns the first host of Slurm's list: "node[03-07,9],login" is node03. "" if it is malformed.
std::string firstHost(const std::string &list);

/// True for an address or name of the loopback interface.
bool isThisMachine(const std::string &address);

/// Joins the store of a launched job, and counts the ranks of this machine if the launcher has not.
dsrt_status joinLaunched(Launch &launch, int64_t timeoutMs, std::shared_ptr<Store> &outStore,
                         dsrt_error *error);

/// The ranks of a store meet, so that a rank that never came is named before anything else begins.
/// Counts the ranks of this machine if the launcher has not.
dsrt_status meetHosts(Launch &launch, Store &store, int64_t timeoutMs, dsrt_error *error);

} // namespace dsrt::bootstrap

#endif // DSRT_SRC_BOOTSTRAP_LAUNCH_H
