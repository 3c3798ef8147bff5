//===- Processes.cpp - What the processes of a world exchange ---*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Beside the steps of their ranks: how many ranks there are, failures, texts, and values of one
// process for all.
//
//===----------------------------------------------------------------------===//
#include "ds/Run/Ranks/World.h"

#include "ds/Support/CodedError.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/Twine.h"

#include <unistd.h>

namespace ds {

using llvm::Error;
using llvm::Expected;
using llvm::StringRef;
using llvm::Twine;

std::string World::hostName() {
  char name[256] = {};
  gethostname(name, sizeof name - 1);
  return name;
}

bool World::isOneProcess() const { return !processes || dsrt_num_ranks(processes) == 1; }

Error World::divide(int64_t numRanks) {
  auto wanted = gatherOfProcesses(std::to_string(numRanks));
  if (!wanted)
    return wanted.takeError();
  for (auto [process, text] : llvm::enumerate(*wanted))
    if (text != wanted->front()) {
      Error error = llvm::createStringError("the processes do not start alike: there are " + text +
                                            " ranks on process " + Twine(process) + ", but " +
                                            wanted->front() + " on process 0");
      return hasRoot() ? std::move(error)
                       : llvm::make_error<OtherRankError>(llvm::toString(std::move(error)));
    }
  if (numRanks == ranks)
    return Error::success();
  std::vector<dsrt_context *> made(numRanks);
  int32_t count = 0;
  if (dsrt_ranks_create(processes, numRanks, made.size(), made.data(), &count) != DSRT_OK) {
    const std::string why = std::string("the ranks cannot be created: ") + dsrt_last_error(nullptr);
    return hasRoot() ? llvm::createStringError(why) : llvm::make_error<OtherRankError>(why);
  }
  made.resize(count);
  contexts = std::move(made);
  ranks = numRanks;
  first = dsrt_rank(contexts.front());
  int64_t one = 1;
  const void *mine = &first;
  void *all = firstRanks.data();
  dsrt_all_gather(processes, 1, &mine, &all, &one, DSRT_I64, DSRT_WORLD);
  return contextError(processes);
}

bool World::isHybrid() const { return processes && ranks > dsrt_num_ranks(processes); }

Expected<bool> World::isOverNetwork() {
  if (overNetwork)
    return *overNetwork;
  if (!describeStaging().empty())
    return *(overNetwork = true);
  auto hosts = gatherOfProcesses(hostName());
  if (!hosts)
    return hosts.takeError();
  return *(overNetwork = !llvm::all_equal(*hosts));
}

/// Sends the error message of process `root` to all; `mine` is the message on that process.
Expected<std::string> World::shareFailure(std::string mine, int32_t root) {
  int64_t length = mine.size();
  if (Error error = broadcast({&length}, {sizeof length}, root))
    return error;
  mine.resize(length);
  if (Error error = broadcast({mine.data()}, {length}, root))
    return error;
  return mine;
}

std::string World::placeName() const {
  const std::string host = ", host " + hostName();
  std::string name = "rank " + std::to_string(first);
  if (numLocalRanks() > 1)
    name = (Twine("ranks ") + Twine(first) + " to " + Twine(first + numLocalRanks() - 1)).str();
  if (isHybrid())
    name += ", process " + std::to_string(dsrt_rank(processes));
  return name + host;
}

Error World::agree(Error error) {
  if (isOneProcess())
    return error;
  // The maximum belongs to the lowest failing process.
  const int32_t count = dsrt_num_ranks(processes);
  int32_t mine = error ? count - dsrt_rank(processes) : 0, worst = mine;
  void *buffer = &worst;
  int64_t one = 1;
  if (dsrt_all_reduce(processes, 1, &buffer, &one, DSRT_I32, DSRT_MAX, DSRT_WORLD) != DSRT_OK)
    return error ? std::move(error) : contextError(processes);
  if (worst == 0)
    return error;
  const int32_t failing = count - worst;
  const bool ofOther = error.isA<OtherRankError>();
  const ErrorKind kind = kindOf(error);
  std::string text = llvm::toString(std::move(error));
  if (worst == mine) {
    // A mistake that rank 0 lacks belongs to that rank's host, so the message names both. An empty
    // text means that a diagnostic has reported the error.
    const std::string who = failing == 0 ? "rank 0" : placeName();
    const std::string placed = text + " (" + who + ")";
    auto told =
        shareFailure(text.empty() ? who + " has failed, and has printed why" : placed, failing);
    llvm::consumeError(told.takeError()); // this rank reports its own failure
    return codedError(kind, failing == 0 || text.empty() ? text : placed);
  }
  auto shared = shareFailure("", failing);
  if (!shared)
    return shared.takeError();
  return llvm::make_error<OtherRankError>(ofOther ? text : std::move(*shared));
}

Expected<std::vector<std::string>> World::gather(StringRef mine) {
  auto texts = gatherOfProcesses(mine);
  if (!texts || !processes)
    return texts;
  std::vector<std::string> byRank;
  for (auto [process, text] : llvm::enumerate(*texts)) {
    const int64_t end = process + 1 < texts->size() ? firstRanks[process + 1] : ranks;
    byRank.insert(byRank.end(), end - firstRanks[process], text);
  }
  return byRank;
}

Expected<std::vector<std::string>> World::gatherOfProcesses(StringRef mine) {
  if (isOneProcess())
    return std::vector<std::string>{mine.str()};
  // Lengths first: texts are padded to the longest.
  int64_t length = mine.size(), one = 1;
  std::vector<int64_t> lengths(dsrt_num_ranks(processes));
  const void *input = &length;
  void *output = lengths.data();
  dsrt_all_gather(processes, 1, &input, &output, &one, DSRT_I64, DSRT_WORLD);
  if (Error error = contextError(processes))
    return error;
  int64_t longest = *llvm::max_element(lengths);
  std::string padded = mine.str(), all(longest * lengths.size(), '\0');
  padded.resize(longest);
  input = padded.data();
  output = all.data();
  dsrt_all_gather(processes, 1, &input, &output, &longest, DSRT_U8, DSRT_WORLD);
  if (Error error = contextError(processes))
    return error;
  std::vector<std::string> texts;
  for (auto [process, bytes] : llvm::enumerate(lengths))
    texts.push_back(all.substr(process * longest, bytes));
  return texts;
}

Error World::broadcast(llvm::ArrayRef<void *> buffers, llvm::ArrayRef<int64_t> bytes,
                       int32_t root) {
  if (isOneProcess())
    return Error::success();
  dsrt_broadcast(processes, buffers.size(), buffers.data(), bytes.data(), DSRT_U8, root,
                 DSRT_WORLD);
  return contextError(processes);
}

} // namespace ds
