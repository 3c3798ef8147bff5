//===- Roster.cpp - Processes that come and go ------------------*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Roster.h"

#include <algorithm>

namespace dsrt::bootstrap {

/// For members that have been late, and may have found the end of their world just now.
constexpr int64_t lateMs = 300;

void Roster::arrive(int32_t member, Arrival arrival) {
  if (places.count(member))
    return;
  broken |= current.count(member) > 0; // its world has ended for it
  arrived[member] = std::move(arrival);
}

void Roster::leave(int32_t member) {
  if (generation == 0) // it is not awaited any more
    --expected;
  arrived.erase(member);
  places.erase(member);
  broken |= current.erase(member) > 0;
}

bool Roster::isMeeting() const {
  return !arrived.empty() &&
         (current.empty() || std::any_of(current.begin(), current.end(), [&](int32_t member) {
            return arrived.count(member) > 0;
          }));
}

bool Roster::isLate(int32_t member) const {
  const auto rank = std::find(byRank.begin(), byRank.end(), member) - byRank.begin();
  return std::any_of(arrived.begin(), arrived.end(), [&](const auto &item) {
    const std::vector<int32_t> &late = item.second.late;
    return current.count(item.first) > 0 && std::find(late.begin(), late.end(), rank) != late.end();
  });
}

bool Roster::isComplete(bool withLate) const {
  const auto enough = static_cast<size_t>(
      generation == 0 ? std::max(rules.least, std::min(expected, rules.most)) : rules.least);
  return arrived.size() >= enough &&
         std::all_of(current.begin(), current.end(), [&](int32_t member) {
           return arrived.count(member) > 0 || (!withLate && isLate(member));
         });
}

bool Roster::decide() {
  if (refused || !isMeeting()) {
    deadline.reset();
    lateDeadline.reset();
    return false;
  }
  if (!deadline)
    deadline = Deadline::in(rules.maxWaitMs);
  if (!isComplete(/*withLate=*/false))
    lateDeadline.reset();
  else if (!lateDeadline)
    lateDeadline = Deadline::in(std::min(lateMs, rules.maxWaitMs));
  const bool isOver = deadline->passed() || (lateDeadline && lateDeadline->passed());
  if (!isComplete(/*withLate=*/true) && !isOver)
    return false;
  deadline.reset();
  lateDeadline.reset();
  if (arrived.size() < static_cast<size_t>(rules.least)) {
    refused = true;
    refusedCount = arrived.size();
    return true;
  }
  place();
  return true;
}

/// Members of the last world go first: they hold its values, and report what rank 0 reports.
void Roster::place() {
  std::vector<int32_t> members;
  for (const bool isOld : {true, false})
    for (const auto &[member, arrival] : arrived)
      if (static_cast<int32_t>(members.size()) < rules.most && (current.count(member) > 0) == isOld)
        members.push_back(member);
  std::map<std::string, size_t> hosts; // by the place of their first member
  std::map<int32_t, std::pair<size_t, size_t>> keys;
  for (size_t i = 0; i < members.size(); ++i)
    keys[members[i]] = {hosts.emplace(arrived[members[i]].host, i).first->second, i};
  std::sort(members.begin(), members.end(),
            [&](int32_t a, int32_t b) { return keys[a] < keys[b]; });
  ++generation;
  const Arrival first = arrived[members.front()];
  for (size_t rank = 0; rank < members.size(); ++rank)
    places[members[rank]] = {generation, static_cast<int32_t>(rank),
                             static_cast<int32_t>(members.size()), first.address, first.port};
  for (int32_t member : members)
    arrived.erase(member);
  current = std::set<int32_t>(members.begin(), members.end());
  byRank = std::move(members);
  broken = false;
}

std::optional<RosterPlace> Roster::takePlace(int32_t member) {
  const auto found = places.find(member);
  if (found == places.end())
    return std::nullopt;
  RosterPlace place = std::move(found->second);
  places.erase(found);
  return place;
}

std::string Roster::whyRefused() const {
  return std::to_string(refusedCount) + (refusedCount == 1 ? " process is" : " processes are") +
         " there, expected at least " + std::to_string(rules.least) +
         ", and no other has come for " + std::to_string(rules.maxWaitMs) + " ms";
}

bool Roster::isAwaited() const {
  return static_cast<int32_t>(current.size()) < rules.most &&
         std::any_of(
             arrived.begin(), arrived.end(),
             [&](const auto &item) { return current.count(item.first) == 0; });
}

} // namespace dsrt::bootstrap
