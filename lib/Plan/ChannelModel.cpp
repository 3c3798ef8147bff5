//===- ChannelModel.cpp - the time of a message on a channel --------------===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "ds/Plan/ChannelModel.h"

#include <algorithm>

namespace ds {
namespace {

struct Point {
  int64_t bytes;
  Ticks time;
};

/// Returns the quotient rounded towards minus infinity; the divisor is positive.
Ticks floorDivide(Ticks dividend, Ticks divisor) {
  Ticks quotient = dividend / divisor;
  return dividend % divisor < 0 ? quotient - 1 : quotient;
}

} // namespace

ChannelModel ChannelModel::affine(int64_t start, int64_t rate) {
  ChannelModel model;
  model.parts.push_back({0, CostPiece::unbounded, start, rate});
  return model;
}

ChannelModel ChannelModel::fromPieces(std::vector<CostPiece> pieces, std::string &why) {
  auto fail = [&](std::string text) {
    why = std::move(text);
    return ChannelModel();
  };
  if (pieces.empty() || pieces.front().low != 0 || pieces.back().high != CostPiece::unbounded)
    return fail("the pieces of a channel begin at 0 bytes and the last has no end");
  for (size_t i = 0; i < pieces.size(); ++i) {
    const CostPiece &piece = pieces[i];
    std::string at = "the piece from " + std::to_string(piece.low) + " bytes on ";
    if (piece.low >= piece.high)
      return fail(at + "ends before it begins");
    if (piece.rate < 0 || piece.at(piece.low) < 0)
      return fail(at + "has a rate or a time below 0");
    if (i == 0)
      continue;
    if (piece.low != pieces[i - 1].high)
      return fail(at + "begins where the one before it does not end");
    if (piece.at(piece.low) < pieces[i - 1].at(piece.low - 1))
      return fail(at + "takes less time than a shorter message");
  }
  ChannelModel model;
  model.parts = std::move(pieces);
  return model;
}

Ticks ChannelModel::time(int64_t bytes) const {
  for (const CostPiece &piece : parts)
    if (bytes < piece.high)
      return piece.at(bytes);
  return parts.back().at(bytes);
}

std::vector<CostPiece> ChannelModel::linesBelow(int64_t least, int64_t most) const {
  std::vector<Point> hull;
  auto add = [&](Point point) {
    while (hull.size() > 1) {
      const Point &a = hull[hull.size() - 2], &b = hull.back();
      // True if b lies on or above the line from a to the new point.
      if ((b.time - a.time) * (point.bytes - a.bytes) < (point.time - a.time) * (b.bytes - a.bytes))
        break;
      hull.pop_back();
    }
    hull.push_back(point);
  };
  for (const CostPiece &piece : parts) {
    int64_t from = std::max(piece.low, least), to = std::min(piece.high - 1, most);
    if (from > to)
      continue;
    add({from, piece.at(from)});
    if (to > from)
      add({to, piece.at(to)});
  }
  std::vector<CostPiece> lines;
  auto addLine = [&](int64_t rate) {
    // As high as all points allow; the start in whole ps, rounded down.
    Ticks start = hull.front().time - Ticks(hull.front().bytes) * rate;
    for (const Point &point : hull)
      start = std::min(start, point.time - Ticks(point.bytes) * rate);
    int64_t picoseconds = static_cast<int64_t>(floorDivide(start, ticksPerPicosecond));
    if (picoseconds >= 0)
      lines.push_back({0, CostPiece::unbounded, picoseconds, rate});
  };
  for (size_t i = 1; i < hull.size(); ++i)
    addLine(static_cast<int64_t>(
        floorDivide(hull[i].time - hull[i - 1].time, hull[i].bytes - hull[i - 1].bytes)));
  if (hull.size() == 1)
    addLine(0);
  return lines;
}

int64_t ChannelModel::leastRate(int64_t least, int64_t most) const {
  Ticks smallest = -1;
  for (const CostPiece &piece : parts) {
    int64_t from = std::max({piece.low, least, int64_t(1)}), to = std::min(piece.high - 1, most);
    if (from > to)
      continue;
    for (int64_t bytes : {from, to}) {
      Ticks rate = floorDivide(piece.at(bytes), bytes);
      smallest = smallest < 0 ? rate : std::min(smallest, rate);
    }
  }
  return static_cast<int64_t>(std::max<Ticks>(smallest, 0));
}

} // namespace ds
