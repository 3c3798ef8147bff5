//===- Roster.h - Processes that come and go --------------------*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which processes make the next world. A member arrives when its world has ended, or when it is
// new. Once all members of the last world that still live have arrived, those that are there make
// the next one, generation by generation; a member that does not arrive in time is left out, and is
// a new one if it arrives later. That time is short for one that the others have waited for in vain
// already. Members of a host stand together, those of the last world first.
//
// Plain data and time: TcpServer has the connections, and calls from one thread.
//
//===----------------------------------------------------------------------===//
#ifndef DSRT_SRC_BOOTSTRAP_ROSTER_H
#define DSRT_SRC_BOOTSTRAP_ROSTER_H

#include "base/Deadline.h"

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace dsrt::bootstrap {

/// A member's description of itself when it arrives.
struct Arrival {
  std::string host, address; // of its machine: its name, and where it is reached
  int32_t port = 0;          // that is free there
  std::vector<int32_t> late; // ranks of its last world that have not answered it in time
};

/// A member's place in a world, and where rank 0 of it listens.
struct RosterPlace {
  int64_t generation = 0;
  int32_t rank = 0, size = 0;
  std::string address;
  int32_t port = 0;
};

class Roster {
public:
  struct Rules {
    int32_t expected = 1; // processes that make the first world
    int32_t least = 1, most = 1;
    int64_t maxWaitMs = 60000;
  };

  explicit Roster(const Rules &rules) : rules(rules), expected(rules.expected) {}

  void arrive(int32_t member, Arrival arrival);
  /// The member's connection has ended.
  void leave(int32_t member);
  /// Makes the next world if it is time. True: places or a refusal are news.
  bool decide();
  /// Returns the place of a member that has arrived, once.
  std::optional<RosterPlace> takePlace(int32_t member);
  /// True if members that have arrived are too few, and no others have come in time. It stays.
  bool isRefused() const { return refused; }
  std::string whyRefused() const;

  /// True if a process waits for the end of the current world, which has room for it.
  bool isAwaited() const;
  /// True if a member of that world has been lost, or there is a later one.
  bool isBroken(int64_t ofGeneration) const { return ofGeneration != generation || broken; }
  /// When `decide` may say something else than before though no process comes or leaves.
  const std::optional<Deadline> &patience() const { return lateDeadline ? lateDeadline : deadline; }

private:
  /// True if the members that have arrived wait for a decision, and not for the end of a step.
  bool isMeeting() const;
  /// True if enough have arrived, and all of the last world, but for late ones if those need not
  /// be awaited.
  bool isComplete(bool withLate) const;
  /// True if a member that has arrived waited for this one in vain.
  bool isLate(int32_t member) const;
  void place();

  const Rules rules;
  int32_t expected; // in the first world, without those that were lost before
  int64_t generation = 0;
  std::set<int32_t> current;   // of the last world, those whose connections live
  std::vector<int32_t> byRank; // all of the last world
  std::map<int32_t, Arrival> arrived;
  std::map<int32_t, RosterPlace> places;
  std::optional<Deadline> deadline, lateDeadline;
  bool broken = false, refused = false;
  size_t refusedCount = 0;
};

} // namespace dsrt::bootstrap

#endif // DSRT_SRC_BOOTSTRAP_ROSTER_H
