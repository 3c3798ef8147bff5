//===- FakeMessages.cpp - Sends and receives of a fake as one operation -*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "FakeWire.h"

#include <algorithm>

namespace fake {

void Operation::makeExchange(int32_t ranks) {
  sendTo.resize(ranks);
  recvFrom.resize(ranks);
  sendTo[root] = send;
  recvFrom[root] = recv;
  root = 0;
}

template <typename T> static bool merge(std::vector<T> &all, const std::vector<T> &more, bool now) {
  bool fits = true;
  for (size_t m = 0; m < all.size(); ++m) {
    fits &= !all[m] || !more[m];
    if (now && more[m])
      all[m] = more[m];
  }
  return fits;
}

bool Operation::take(const Operation &message) {
  const bool fits = kind == Kind::allToAll && message.kind == kind && message.element == element &&
                    message.count == count && merge(sendTo, message.sendTo, false) &&
                    merge(recvFrom, message.recvFrom, false);
  return fits && merge(sendTo, message.sendTo, true) && merge(recvFrom, message.recvFrom, true);
}

bool Operation::complete(int32_t rank) {
  const auto ranks = static_cast<int64_t>(sendTo.size());
  const int64_t sent = ranks - std::count(sendTo.begin(), sendTo.end(), nullptr);
  const int64_t received = ranks - std::count(recvFrom.begin(), recvFrom.end(), nullptr);
  if (sent == ranks && received == ranks)
    return true;
  kind = ranks > 0 ? Kind::permute : kind;
  return sent <= 1 && received <= 1 && (ranks == 0 || !sendTo[rank] == !recvFrom[rank]);
}

} // namespace fake
