//===- Placement.h - Which ranks a process holds ----------------*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Processes hold consecutive ranks. Launchers fill hosts one after the other, so hosts do, too.
//
//===----------------------------------------------------------------------===//
#ifndef DSRT_SRC_BACKENDS_HYBRID_PLACEMENT_H
#define DSRT_SRC_BACKENDS_HYBRID_PLACEMENT_H

#include <algorithm>
#include <cstdint>
#include <vector>

namespace dsrt::hybrid {

/// Each of the first `ranks` mod `processes` processes holds one rank more than the others.
struct Placement {
  int32_t ranks = 1, processes = 1;

  int32_t first(int32_t process) const {
    return process * (ranks / processes) + std::min(process, ranks % processes);
  }
  int32_t count(int32_t process) const { return first(process + 1) - first(process); }
  int32_t processOf(int32_t rank) const {
    int32_t process = std::min(processes - 1, rank / (ranks / processes));
    while (first(process) > rank)
      --process;
    return process;
  }
};

/// How the members of a group lie on processes.
struct Layout {
  Layout(const Placement &placement, const std::vector<int32_t> &members, int32_t process) {
    for (size_t m = 0; m < members.size(); ++m) {
      const int32_t holder = placement.processOf(members[m]);
      if (processes.empty() || processes.back() != holder) {
        processes.push_back(holder);
        first.push_back(static_cast<int32_t>(m));
      }
    }
    first.push_back(static_cast<int32_t>(members.size()));
    me = static_cast<int32_t>(std::find(processes.begin(), processes.end(), process) -
                              processes.begin());
    for (int32_t k = 0; k < number(); ++k)
      most = std::max(most, count(k));
  }

  int32_t number() const { return static_cast<int32_t>(processes.size()); }
  int32_t members() const { return first.back(); }
  int32_t count(int32_t k) const { return first[k + 1] - first[k]; }
  /// Returns the index in `processes` of the one that holds a member.
  int32_t placeOf(int32_t member) const {
    return static_cast<int32_t>(std::upper_bound(first.begin(), first.end(), member) -
                                first.begin()) -
           1;
  }

  std::vector<int32_t> processes; // ascending
  std::vector<int32_t> first;     // member of each process, and the number of members
  int32_t me = 0;                 // index of this process
  int32_t most = 0;               // members of one process
};

} // namespace dsrt::hybrid

#endif // DSRT_SRC_BACKENDS_HYBRID_PLACEMENT_H
