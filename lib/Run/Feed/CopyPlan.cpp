//===- CopyPlan.cpp - Which process keeps whose shards --------------------===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "ds/Run/Feed/CopyPlan.h"

#include "ds/Support/Nesting.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/Sequence.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/JSON.h"

#include <algorithm>
#include <numeric>

namespace ds {

/// Returns by how many places each copy travels.
static std::vector<int64_t> distancesOf(llvm::ArrayRef<std::string> hosts, int64_t copies) {
  const auto count = static_cast<int64_t>(hosts.size());
  std::vector<int64_t> distances(count - 1), atHome(count);
  std::iota(distances.begin(), distances.end(), 1);
  for (int64_t distance : distances)
    for (int64_t process = 0; process < count; ++process)
      atHome[distance] += hosts[process] == hosts[(process + distance) % count];
  llvm::stable_sort(distances, [&](int64_t a, int64_t b) { return atHome[a] < atHome[b]; });
  distances.resize(std::min(copies, count - 1));
  return distances;
}

std::vector<std::vector<int64_t>> planCopies(llvm::ArrayRef<int64_t> firsts, int64_t numRanks,
                                             llvm::ArrayRef<std::string> hosts, int64_t copies) {
  const auto count = static_cast<int64_t>(firsts.size());
  std::vector<std::vector<int64_t>> exchanges;
  if (count < 2)
    return exchanges;
  auto sizeOf = [&](int64_t process) {
    return (process + 1 < count ? firsts[process + 1] : numRanks) - firsts[process];
  };
  for (int64_t distance : distancesOf(hosts, copies)) {
    // A process may get the shards of more ranks than it holds: a rank gets one in each exchange.
    const size_t begin = exchanges.size();
    for (int64_t process = 0; process < count; ++process) {
      const int64_t to = (process + distance) % count;
      for (int64_t i = 0; i < sizeOf(process); ++i) {
        const size_t exchange = begin + i / sizeOf(to);
        if (exchange >= exchanges.size())
          exchanges.emplace_back(numRanks, -1);
        exchanges[exchange][firsts[to] + i % sizeOf(to)] = firsts[process] + i;
      }
    }
  }
  return exchanges;
}

std::string KeptList::toText() const {
  llvm::json::Object values, ranks;
  for (const auto &[step, metadata] : facts) {
    llvm::json::Object object;
    for (const auto &[key, value] : metadata)
      object[key] = value;
    values[std::to_string(step)] = std::move(object);
  }
  for (const auto &[step, all] : shards)
    ranks[std::to_string(step)] = llvm::json::Array(all);
  llvm::json::Object list{{"host", llvm::json::fixUTF8(host)},
                          {"copies", copies},
                          {"facts", std::move(values)},
                          {"shards", std::move(ranks)}};
  return llvm::formatv("{0}", llvm::json::Value(std::move(list)));
}

static int64_t stepIn(llvm::StringRef text) {
  int64_t step = -1;
  (void)text.getAsInteger(10, step);
  return step;
}

KeptList KeptList::fromText(llvm::StringRef text) {
  KeptList list;
  auto parsed = parseJson(text);
  const llvm::json::Object *object = parsed ? parsed->getAsObject() : nullptr;
  if (!parsed)
    llvm::consumeError(parsed.takeError());
  if (!object)
    return list;
  list.host = object->getString("host").value_or("").str();
  list.copies = object->getInteger("copies").value_or(1);
  if (const llvm::json::Object *facts = object->getObject("facts"))
    for (const auto &[step, metadata] : *facts) {
      auto &all = list.facts[stepIn(step)];
      for (const auto &[key, value] : *metadata.getAsObject())
        all[key.str()] = value.getAsString().value_or("").str();
    }
  if (const llvm::json::Object *shards = object->getObject("shards"))
    for (const auto &[step, ranks] : *shards)
      for (const llvm::json::Value &rank : *ranks.getAsArray())
        list.shards[stepIn(step)].insert(rank.getAsInteger().value_or(-1));
  return list;
}

template <typename Has>
static std::optional<size_t> firstOf(llvm::ArrayRef<KeptList> lists, Has has) {
  const auto *found = llvm::find_if(lists, has);
  return found == lists.end() ? std::nullopt : std::optional<size_t>(found - lists.begin());
}

std::optional<size_t> holderOf(llvm::ArrayRef<KeptList> lists, int64_t step) {
  return firstOf(lists, [&](const KeptList &list) { return list.facts.count(step) > 0; });
}

std::optional<size_t> holderOf(llvm::ArrayRef<KeptList> lists, int64_t step, int64_t rank) {
  return firstOf(lists, [&](const KeptList &list) {
    const auto found = list.shards.find(step);
    return found != list.shards.end() && found->second.count(rank) > 0;
  });
}

int64_t newestWhole(llvm::ArrayRef<KeptList> lists, int64_t numShards) {
  std::set<int64_t> steps;
  for (const KeptList &list : lists)
    for (const auto &item : list.facts)
      steps.insert(item.first);
  for (int64_t step : llvm::reverse(steps))
    if (llvm::all_of(llvm::seq<int64_t>(0, numShards),
                     [&](int64_t rank) { return holderOf(lists, step, rank).has_value(); }))
      return step;
  return -1;
}

int64_t newestOf(llvm::ArrayRef<KeptList> lists) {
  int64_t newest = -1;
  for (const KeptList &list : lists) {
    if (!list.facts.empty())
      newest = std::max(newest, list.facts.rbegin()->first);
    if (!list.shards.empty())
      newest = std::max(newest, list.shards.rbegin()->first);
  }
  return newest;
}

} // namespace ds
