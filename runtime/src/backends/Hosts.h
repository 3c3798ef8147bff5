//===- Hosts.h - How the members of a group lie on hosts --------*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef DSRT_SRC_BACKENDS_HOSTS_H
#define DSRT_SRC_BACKENDS_HOSTS_H

#include <cstdint>
#include <vector>

namespace dsrt {

/// `number` hosts of `ranks` members each, which are neighbours in the group's order. Members that
/// lie in any other way count as on one host.
struct Hosts {
  int32_t number = 1, ranks = 1;

  /// True if an exchange gains by going through a host's memory first.
  bool haveTiers() const { return number > 1 && ranks > 1; }
};

/// Groups members by host. `hostOf`: for each member, any number that is unique to its host.
inline Hosts hostsOf(const std::vector<int32_t> &hostOf) {
  const auto members = static_cast<int32_t>(hostOf.size());
  int32_t ranks = 1;
  while (ranks < members && hostOf[ranks] == hostOf[0])
    ++ranks;
  const Hosts all = {1, members};
  if (members % ranks != 0)
    return all;
  std::vector<int32_t> seen;
  for (int32_t m = 0; m < members; ++m) {
    if (m % ranks != 0 && hostOf[m] != seen.back())
      return all;
    if (m % ranks != 0)
      continue;
    for (int32_t host : seen)
      if (host == hostOf[m])
        return all;
    seen.push_back(hostOf[m]);
  }
  return {members / ranks, ranks};
}

/// Does the same for a group of these ranks; `hostOf` is of all ranks of the world.
inline Hosts hostsOf(const std::vector<int32_t> &ranks, const std::vector<int32_t> &hostOf) {
  std::vector<int32_t> ofMembers;
  for (int32_t rank : ranks)
    ofMembers.push_back(hostOf[rank]);
  return hostsOf(ofMembers);
}

} // namespace dsrt

#endif // DSRT_SRC_BACKENDS_HOSTS_H
