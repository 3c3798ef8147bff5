//===- FitChannel.cpp - costs of a channel from measured messages ---------===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "ds/Plan/FitChannel.h"

#include <algorithm>

namespace ds {

static Ticks divideUp(Ticks dividend, Ticks divisor) {
  return dividend / divisor + (dividend % divisor > 0 ? 1 : 0);
}

/// Returns the line from one message to a longer one, in integers, not below the first.
static CostPiece lineBetween(const MeasuredMessage &from, const MeasuredMessage &to) {
  CostPiece line;
  line.low = from.bytes;
  line.rate =
      static_cast<int64_t>(Ticks(to.ps - from.ps) * ticksPerPicosecond / (to.bytes - from.bytes));
  line.start = static_cast<int64_t>(
      divideUp(from.ps * ticksPerPicosecond - Ticks(from.bytes) * line.rate, ticksPerPicosecond));
  return line;
}

ChannelModel fitChannel(std::vector<MeasuredMessage> messages, int64_t tolerancePercent) {
  messages.insert(messages.begin(), {0, messages.front().ps});
  for (size_t i = 1; i < messages.size(); ++i)
    messages[i].ps = std::max(messages[i].ps, messages[i - 1].ps);
  auto fits = [&](const CostPiece &line, size_t first, size_t last) {
    for (size_t i = first; i <= last; ++i) {
      Ticks measured = messages[i].ps * ticksPerPicosecond;
      Ticks error = line.at(messages[i].bytes) - measured;
      if ((error < 0 ? -error : error) * 100 > measured * tolerancePercent)
        return false;
    }
    return true;
  };
  std::vector<CostPiece> pieces;
  for (size_t first = 0; first + 1 < messages.size();) {
    size_t last = first + 1;
    CostPiece line = lineBetween(messages[first], messages[last]);
    for (size_t next = last + 1; next < messages.size(); ++next)
      if (CostPiece longer = lineBetween(messages[first], messages[next]);
          fits(longer, first, next)) {
        line = longer;
        last = next;
      }
    if (!pieces.empty()) {
      // Rounding must not make a longer message faster.
      CostPiece &before = pieces.back();
      before.high = line.low;
      Ticks missing = before.at(line.low - 1) - line.at(line.low);
      line.start += static_cast<int64_t>(std::max<Ticks>(0, divideUp(missing, ticksPerPicosecond)));
    }
    pieces.push_back(line);
    first = last;
  }
  std::string why;
  return ChannelModel::fromPieces(std::move(pieces), why);
}

} // namespace ds
