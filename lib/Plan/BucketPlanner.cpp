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
// f never falls, since T does not: without its last gradient a plan ends no later. So the largest i
// with f(i) <= r_j, k, only moves on. For i <= k a bucket starts at r_j, and the shortest one is
// best. For i > k it starts at f(i), and within one piece of T the least f(i) - rate * P_i is best,
// for which a deque keeps the candidates of a window (the minimum of a sliding window).
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

/// Bytes of the first i gradients.
std::vector<int64_t> prefixBytes(const Gradients &gradients) {
  std::vector<int64_t> prefix{0};
  for (const ReadyGradient &gradient : gradients)
    prefix.push_back(prefix.back() + gradient.bytes);
  return prefix;
}

/// What buckets may hold: those of gradients first + 1 .. last.
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
  std::vector<size_t> sameKey; // for each end, the first start of a bucket of its key
};

/// How a prefix of the gradients arrives first.
struct Arrival {
  Ticks finish = 0;
  size_t buckets = 0, from = 0; // where its last bucket begins

  bool operator<(const Arrival &other) const {
    return finish != other.finish ? finish < other.finish : buckets < other.buckets;
  }
};

/// The starts behind k of one piece's buckets, the best one in front.
class Window {
public:
  explicit Window(const CostPiece &piece) : piece(piece) {}

  /// Lets in the starts whose bucket up to `last` is long enough for the piece.
  void admit(const Legality &legal, const std::vector<Arrival> &arrivals, size_t last) {
    for (; next < last && legal.bytes(next, last) >= piece.low; ++next) {
      Candidate candidate{arrivals[next].finish - Ticks(legal.prefix[next]) * piece.rate,
                          arrivals[next].buckets, next};
      while (!best.empty() && !(best.back() < candidate))
        best.pop_back();
      best.push_back(candidate);
    }
  }
  /// Drops starts that no later bucket can have either.
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
  /// The shortest bucket that waits for its last gradient, not for the channel.
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

/// The ends of the buckets that lead to the last of `arrivals`.
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

BucketSchedule simulateTiers(const Gradients &gradients, const ChannelModel &first,
                             const ChannelModel &second, std::vector<size_t> ends) {
  std::vector<int64_t> prefix = prefixBytes(gradients);
  Ticks inside = 0, between = 0;
  size_t start = 0;
  for (size_t last : ends) {
    int64_t bytes = prefix[last] - prefix[start];
    inside = std::max(inside, toTicks(gradients[last - 1].ready)) + first.time(bytes);
    between = std::max(between, inside) + second.time(bytes);
    start = last;
  }
  return {std::move(ends), roundUp(between)};
}

BucketSchedule planFirstArrival(const Gradients &gradients, const ChannelModel &channel,
                                const PlannerOptions &options) {
  std::vector<Arrival> arrivals = arriveFirst(gradients, channel, options);
  return {endsOf(arrivals), roundUp(arrivals.back().finish)};
}

/// A model with one piece that is nowhere dearer than the channel bounds every plan by its own best
/// one, and so do all bytes from some gradient on at the rate of the cheapest message.
int64_t arrivalBound(const Gradients &gradients, const ChannelModel &channel) {
  if (gradients.empty())
    return 0;
  std::vector<int64_t> prefix = prefixBytes(gradients);
  int64_t all = prefix.back(), least = all;
  Gradients free = gradients;
  for (ReadyGradient &gradient : free) {
    gradient.key = 0;
    least = std::min(least, gradient.bytes);
  }
  Ticks bound = 0;
  for (const CostPiece &line : channel.linesBelow(least, all))
    bound = std::max(
        bound, arriveFirst(free, ChannelModel::affine(line.start, line.rate), {}).back().finish);
  int64_t rate = channel.leastRate(least, all);
  for (size_t i = 0; i < gradients.size(); ++i)
    bound = std::max(bound, toTicks(gradients[i].ready) + Ticks(all - prefix[i]) * rate);
  return static_cast<int64_t>(bound / ticksPerPicosecond);
}

/// States (channel free, thread free) of which none is better in both, for each prefix.
UpdatePlan planWithUpdates(const Gradients &gradients, const ChannelModel &channel,
                           const ChannelModel &update, int64_t computeEnds,
                           const PlannerOptions &options) {
  struct State {
    Ticks arrived, updated;
    size_t from = 0, fromState = 0;
  };
  Legality legal(gradients, options);
  std::vector<std::vector<State>> fronts{{{0, toTicks(computeEnds)}}};
  for (size_t last = 1; last <= gradients.size(); ++last) {
    Ticks ready = toTicks(gradients[last - 1].ready);
    std::vector<State> states, front;
    for (size_t first = last; first-- > 0;) {
      if (!legal.mayShare(first, last))
        break; // nor may a longer one
      int64_t bytes = legal.bytes(first, last);
      Ticks takes = channel.time(bytes), updates = update.time(bytes);
      for (size_t i = 0; i < fronts[first].size(); ++i) {
        const State &before = fronts[first][i];
        Ticks arrived = std::max(before.arrived, ready) + takes;
        states.push_back({arrived, std::max(before.updated, arrived) + updates, first, i});
      }
    }
    std::stable_sort(states.begin(), states.end(), [](const State &a, const State &b) {
      return a.arrived != b.arrived ? a.arrived < b.arrived : a.updated < b.updated;
    });
    for (const State &state : states)
      if (front.empty() || state.updated < front.back().updated)
        front.push_back(state);
    fronts.push_back(std::move(front));
  }
  UpdatePlan plan;
  const State *best = &fronts.back().back(); // the last of a front is updated first
  plan.finish = roundUp(best->updated);
  plan.buckets.finish = roundUp(best->arrived);
  for (size_t at = gradients.size(); at > 0;) {
    plan.buckets.ends.push_back(at);
    at = best->from;
    best = &fronts[at][best->fromState];
  }
  std::reverse(plan.buckets.ends.begin(), plan.buckets.ends.end());
  return plan;
}

/// The recurrence once for each number of buckets, which is known to delay what comes behind. As
/// soon as the starts alone take longer than the best plan, more buckets cannot help.
BucketSchedule planWithLaunches(const Gradients &gradients, const ChannelModel &channel,
                                int64_t launch, int64_t computeEnds,
                                const PlannerOptions &options) {
  Legality legal(gradients, options);
  size_t count = gradients.size();
  if (count == 0)
    return {{}, computeEnds};
  std::vector<std::vector<Arrival>> byBuckets{std::vector<Arrival>(1)};
  Ticks best = -1;
  size_t bestBuckets = 0;
  for (size_t buckets = 1; buckets <= count; ++buckets) {
    Ticks threadEnds = toTicks(computeEnds) + Ticks(buckets) * toTicks(launch);
    if (best >= 0 && threadEnds >= best)
      break;
    // Exactly so many: entry i is of the first i gradients, of which there are at least as many.
    const std::vector<Arrival> &before = byBuckets.back();
    std::vector<Arrival> now(count + 1);
    for (size_t last = buckets; last <= count; ++last) {
      Ticks ready = toTicks(gradients[last - 1].ready) + Ticks(buckets) * toTicks(launch);
      for (size_t first = last; first-- > buckets - 1;) {
        if (!legal.mayShare(first, last))
          break;
        if (first >= before.size() || (first > 0 && before[first].buckets == 0))
          continue; // not possible with so many
        Arrival arrival{std::max(before[first].finish, ready) +
                            channel.time(legal.bytes(first, last)),
                        buckets, first};
        if (now[last].buckets == 0 || arrival < now[last])
          now[last] = arrival;
      }
    }
    if (now[count].buckets != 0) {
      Ticks finish = std::max(now[count].finish, threadEnds);
      if (best < 0 || finish < best) {
        best = finish;
        bestBuckets = buckets;
      }
    }
    byBuckets.push_back(std::move(now));
  }
  BucketSchedule schedule;
  schedule.finish = roundUp(best);
  for (size_t at = count, buckets = bestBuckets; at > 0; at = byBuckets[buckets--][at].from)
    schedule.ends.push_back(at);
  std::reverse(schedule.ends.begin(), schedule.ends.end());
  return schedule;
}

BucketSchedule planGathers(const Gradients &uses, const ChannelModel &channel, int64_t computeEnds,
                           const PlannerOptions &options) {
  if (uses.empty())
    return {{}, computeEnds};
  Gradients mirrored(uses.rbegin(), uses.rend());
  for (ReadyGradient &use : mirrored)
    use.ready = std::max<int64_t>(0, computeEnds - use.ready);
  BucketSchedule schedule = planFirstArrival(mirrored, channel, options);
  BucketSchedule inOrder;
  inOrder.finish = std::max(schedule.finish, computeEnds);
  for (size_t i = schedule.ends.size() - 1; i-- > 0;)
    inOrder.ends.push_back(uses.size() - schedule.ends[i]);
  inOrder.ends.push_back(uses.size());
  return inOrder;
}

} // namespace ds
