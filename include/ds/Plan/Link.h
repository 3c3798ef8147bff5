//===- Link.h - a link between ranks, as users write it ---------*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef DS_PLAN_LINK_H
#define DS_PLAN_LINK_H

#include "ds/Plan/ChannelModel.h"

#include "llvm/ADT/StringRef.h"

#include <optional>

namespace ds {

struct Link {
  int64_t latencyNs = 0;
  int64_t bytesPerSecond = 1;

  /// Parses LATENCY:RATE, such as 50us:2.5Gbit or 1ms:100MB; none if the text has another form.
  static std::optional<Link> parse(llvm::StringRef text);
  /// Returns the cost of a ring all-reduce over n ranks.
  ChannelModel allReduce(int64_t numRanks) const;
};

/// The syntax that Link::parse expects, for errors.
inline constexpr const char *linkSyntax = "LATENCY:RATE such as 50us:2.5Gbit or 1ms:100MB (ns, us, "
                                          "ms, s; kbit, Mbit, Gbit, kB, MB, GB per "
                                          "second)";

} // namespace ds

#endif // DS_PLAN_LINK_H
