//===- BucketPlanner.cpp - the buckets that end first ---------------------===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// With f(j) the earliest arrival of the first j gradients, P their bytes and r their ready times,
//
//   f(j) = min over i < j of  max(f(i), r_j) + T(P_j - P_i).
//
// f never decreases, since T does not: without its last gradient a plan ends no later. So k, the
// largest i with f(i) <= r_j, only grows. For i <= k a bucket starts at r_j, and the shortest one
// is best. For i > k it starts at f(i), and within one piece of T the least f(i) - rate * P_i is
// best; a deque keeps the candidates of a window (the minimum of a sliding window).
//
//===----------------------------------------------------------------------===//
#include "ds/Plan/BucketPlanner.h"

#include <algorithm>
#include <deque>

namespace ds {
namespace {

using Gradients = std::vector<ReadyGradient>;

int64_t roundUp(Ticks ticks) {
  return static_cast<int64_t>((ticks + ticksPerPicosecond - 1) / ticksPerPicosecond);
}

Ticks toTicks(int64_t picoseconds) { return Ticks(picoseconds) * ticksPerPicosecond; }

/// Returns the bytes of the first i gradients.
std::vector<int64_t> prefixBytes(const Gradients &gradients) {
  std::vector<int64_t> prefix{0};
  for (const ReadyGradient &gradient : gradients)
    prefix.push_back(prefix.back() + gradient.bytes);
  return prefix;
}

/// Decides which buckets are allowed: those of gradients first + 1 .. last.
class Legality {
public:
  Legality(const Gradients &gradients, const PlannerOptions &options)
      : prefix(prefixBytes(gradients)), largest(options.largestBucket), sameKey{0} {
    for (size_t i = 0; i < gradients.size(); ++i)
      sameKey.push_back(i > 0 && gradients[i].key == gradients[i - 1].key ? sameKey.back() : i);
  }
  int64_t bytes(size_t first, size_t last) const { return prefix[last] - prefix[first]; }
  bool mayShare(size_t first, size_t last) const {
    return first + 1 == last || (first >= sameKey[last] && bytes(first, last) <= largest);
  }

  std::vector<int64_t> prefix;
  int64_t largest;
  std::vector<size_t> sameKey; // for each end, the first start of a bucket with the same key
};

/// The earliest arrival of a prefix of the gradients.
struct Arrival {
  Ticks finish = 0;
  size_t buckets = 0, from = 0; // the start of its last bucket

  bool operator<(const Arrival &other) const {
    return finish != other.finish ? finish < other.finish : buckets < other.buckets;
  }
};

/// The starts after k of the buckets of one piece, the best one first.
class Window {
public:
  explicit Window(const CostPiece &piece) : piece(piece) {}

  /// Admits the starts whose bucket up to `last` is long enough for the piece.
  void admit(const Legality &legal, const std::vector<Arrival> &arrivals, size_t last) {
    for (; next < last && legal.bytes(next, last) >= piece.low; ++next) {
      Candidate candidate{arrivals[next].finish - Ticks(legal.prefix[next]) * piece.rate,
                          arrivals[next].buckets, next};
      while (!best.empty() && !(best.back() < candidate))
        best.pop_back();
      best.push_back(candidate);
    }
  }
  /// Drops starts that are too early for every later bucket.
  void expire(const Legality &legal, size_t k, size_t last) {
    auto isOut = [&](size_t first) {
      int64_t bytes = legal.bytes(first, last);
      return first <= k || bytes >= piece.high || bytes > legal.largest ||
             first < legal.sameKey[last];
    };
    while (!best.empty() && isOut(best.front().start))
      best.pop_front();
  }
  bool empty() const { return best.empty(); }
  size_t front() const { return best.front().start; }
  /// Returns the start of the shortest bucket that waits for its last gradient, not for the
  /// channel.
  size_t shortest(size_t k) const { return std::min(k, next - 1); }
  bool hasAdmitted() const { return next > 0; }

  const CostPiece piece;

private:
  struct Candidate {
    Ticks key;
    size_t buckets, start;
    bool operator<(const Candidate &other) const {
      return key != other.key ? key < other.key : buckets < other.buckets;
    }
  };
  std::deque<Candidate> best;
  size_t next = 0;
};

std::vector<Arrival> arriveFirst(const Gradients &gradients, const ChannelModel &channel,
                                 const PlannerOptions &options) {
  Legality legal(gradients, options);
  std::vector<Arrival> arrivals(1);
  std::vector<Window> windows(channel.pieces().begin(), channel.pieces().end());
  size_t k = 0;
  for (size_t last = 1; last <= gradients.size(); ++last) {
    Ticks ready = toTicks(gradients[last - 1].ready);
    while (k + 1 < last && arrivals[k + 1].finish <= ready)
      ++k;
    Arrival best;
    bool isFirst = true;
    auto consider = [&](size_t first, Ticks start, Ticks takes) {
      Arrival arrival{start + takes, arrivals[first].buckets + 1, first};
      if (isFirst || arrival < best)
        best = arrival;
      isFirst = false;
    };
    for (Window &window : windows) {
      window.admit(legal, arrivals, last);
      window.expire(legal, k, last);
      if (!window.empty())
        consider(window.front(), arrivals[window.front()].finish,
                 window.piece.at(legal.bytes(window.front(), last)));
      if (!window.hasAdmitted())
        continue;
      size_t first = window.shortest(k);
      int64_t bytes = legal.bytes(first, last);
      if (window.piece.holds(bytes) && legal.mayShare(first, last))
        consider(first, ready, window.piece.at(bytes));
    }
    if (gradients[last - 1].bytes > options.largestBucket)
      consider(last - 1, std::max(arrivals[last - 1].finish, ready),
               channel.time(gradients[last - 1].bytes));
    arrivals.push_back(best);
  }
  return arrivals;
}

/// Returns the ends of the buckets that lead to the last of `arrivals`.
template <typename State> std::vector<size_t> endsOf(const std::vector<State> &arrivals) {
  std::vector<size_t> ends;
  for (size_t at = arrivals.size() - 1; at > 0; at = arrivals[at].from)
    ends.push_back(at);
  std::reverse(ends.begin(), ends.end());
  return ends;
}

} // namespace

BucketSchedule simulateBuckets(const Gradients &gradients, const ChannelModel &channel,
                               std::vector<size_t> ends) {
  std::vector<int64_t> prefix = prefixBytes(gradients);
  Ticks finish = 0;
  size_t first = 0;
  for (size_t last : ends) {
    finish = std::max(finish, toTicks(gradients[last - 1].ready)) +
             channel.time(prefix[last] - prefix[first]);
    first = last;
  }
  return {std::move(ends), roundUp(finish)};
}

BucketSchedule planFirstArrival(const Gradients &gradients, const ChannelModel &channel,
                                const PlannerOptions &options) {
  std::vector<Arrival> arrivals = arriveFirst(gradients, channel, options);
  return {endsOf(arrivals), roundUp(arrivals.back().finish)};
}

/// Lower bounds: a model with one piece that costs nowhere more than the channel bounds every plan
/// by its own best one, and so do all bytes from some gradient on at the rate of the cheapest
/// message.
std::vector<int64_t> arrivalBounds(const Gradients &gradients, const ChannelModel &channel) {
  if (gradients.empty())
    return {};
  int64_t all = 0, least = INT64_MAX;
  Gradients free = gradients;
  for (ReadyGradient &gradient : free) {
    gradient.key = 0;
    all += gradient.bytes;
    least = std::min(least, gradient.bytes);
  }
  std::vector<Ticks> bounds;
  Ticks finish = 0;
  int64_t rate = channel.leastRate(least, all);
  for (const ReadyGradient &gradient : gradients)
    bounds.push_back(finish =
                         std::max(finish, toTicks(gradient.ready)) + Ticks(gradient.bytes) * rate);
  for (const CostPiece &line : channel.linesBelow(least, all)) {
    std::vector<Arrival> arrivals =
        arriveFirst(free, ChannelModel::affine(line.start, line.rate), {});
    for (size_t i = 0; i < bounds.size(); ++i)
      bounds[i] = std::max(bounds[i], arrivals[i + 1].finish);
  }
  std::vector<int64_t> rounded;
  for (Ticks bound : bounds)
    rounded.push_back(static_cast<int64_t>(bound / ticksPerPicosecond));
  return rounded;
}

} // namespace ds
