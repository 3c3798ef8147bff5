//===- HybridCollectives.cpp - A collective between processes ---*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// First the processes show each other their calls, with the values of a small reduction. Then the
// data moves through buffers of the process, which its members fill and empty together; the first
// one exchanges them. Large reductions go along a chain (ProcessChain.h). A broadcast and a permute
// go straight from and to the members' own buffers.
//
//===----------------------------------------------------------------------===//
#include "HybridGroup.h"
#include "ProcessChain.h"
#include "base/Kernels.h"
#include "base/Threads.h"

#include <algorithm>
#include <cstring>

namespace dsrt::hybrid {

/// All members' values of a reduction that are gathered and reduced by each: one exchange.
constexpr int64_t wholeBytes = int64_t(1) << 17;
/// Bytes that a process receives at once, unless the options say so.
constexpr int64_t receivedBytes = int64_t(1) << 22;

void Exchange::meet() {
  (void)group.shared->rendezvous.arrive(index, /*timeoutMs=*/0, /*interrupted=*/nullptr, [] {});
}

dsrt_status Exchange::talk(const Talk &talk) {
  dsrt_call between = {};
  uint64_t waited = 0, latest = 0;
  void *done = nullptr;
  const Process &process = *group.process;
  between.op = talk.op;
  between.dtype = talk.dtype;
  between.root = talk.root;
  between.n_buffers = talk.numBuffers;
  between.inputs = talk.inputs;
  between.outputs = talk.outputs;
  between.elements = talk.elements;
  between.sequence = talk.partner < 0 ? ++group.sequence : talk.sequence;
  between.step = call.step;
  // A rank that is late is named by the ranks of its own process, which wait no longer than this.
  between.timeout_ms =
      call.timeout_ms + (talk.first ? std::clamp<int64_t>(call.timeout_ms / 4, 200, 2000) : 0);
  between.waiting_ns = &waited;
  between.latest_ns = &latest;
  between.done = &done;
  if (talk.sources) {
    const int64_t *end = talk.sources + layout.number();
    const int64_t *to = std::find(talk.sources, end, layout.me);
    between.sources = talk.sources;
    between.n_sources = layout.number();
    between.source = static_cast<int32_t>(talk.sources[layout.me]);
    between.destination = to == end ? -1 : static_cast<int32_t>(to - talk.sources);
  }
  if (talk.partner >= 0)
    between.source = between.destination = talk.partner;
  dsrt_error &failure = group.outcomes[(phases - 1) % 2].error;
  failure = {};
  const dsrt_status status =
      process.between->collective(process.state, group.between, &between, &failure);
  if (talk.first)
    group.waited = waited;
  if (status != DSRT_OK)
    namePlaces(process.placement, status, between.timeout_ms, &failure);
  return status;
}

dsrt_status Exchange::talkBytes(dsrt_op op, const void *input, void *output, int64_t bytes,
                                bool first) {
  return talk({op, 1, &input, &output, &bytes, DSRT_U8, 0, nullptr, first});
}

dsrt_status Exchange::talkWith(int32_t partner, const void *input, void *output, int64_t bytes,
                               uint64_t sequence) {
  return talk({DSRT_OP_COLLECTIVE_PERMUTE, 1, &input, &output, &bytes, DSRT_U8, 0, nullptr, false,
               partner, sequence});
}

//===----------------------------------------------------------------------===//
// Calls are compared.
//===----------------------------------------------------------------------===//

/// Returns the bytes that a member brings to a reduction.
int64_t Exchange::contribution() const {
  return payloadBytes(call) * (call.op == DSRT_OP_REDUCE_SCATTER ? layout.members() : 1);
}

bool Exchange::isInline() const {
  const bool reduces = call.op == DSRT_OP_ALL_REDUCE || call.op == DSRT_OP_REDUCE_SCATTER;
  return reduces && contribution() <= Card::inlineBytes / layout.most;
}

/// Packs the values of all members of this process, one member after the other.
void Exchange::packValues(char *to) const {
  const int64_t parts = call.op == DSRT_OP_REDUCE_SCATTER ? layout.members() : 1;
  for (int32_t i = 0; i < here(); ++i) {
    const dsrt_call &of = callOf(i);
    for (int64_t b = 0; b < of.n_buffers; ++b) {
      const auto bytes = static_cast<size_t>(of.elements[b] * parts * size);
      if (bytes > 0)
        std::memcpy(to, of.op == DSRT_OP_ALL_REDUCE ? of.outputs[b] : of.inputs[b], bytes);
      to += bytes;
    }
  }
}

dsrt_status Exchange::showCards() {
  group.card.signature = signatureOf(call);
  if (isInline())
    packValues(group.card.data);
  group.cards.resize(static_cast<size_t>(layout.number()));
  dsrt_status status = talkBytes(DSRT_OP_ALL_GATHER, &group.card, group.cards.data(), sizeof(Card),
                                 /*first=*/true);
  for (int32_t k = 1; k < layout.number() && status == DSRT_OK; ++k) {
    const std::vector<int32_t> &ranks = group.shared->everyone;
    if (!agree(ranks[0], group.cards[0].signature, nullptr, ranks[layout.first[k]],
               group.cards[k].signature, nullptr, &group.outcomes[(phases - 1) % 2].error))
      status = DSRT_MISMATCH;
  }
  return status;
}

dsrt_status Exchange::run(local::SharedGroup &, int32_t ownIndex, dsrt_error *ownError) {
  index = ownIndex;
  error = ownError;
  const dsrt_status status = phase([&] { return showCards(); });
  *call.waiting_ns += group.waited;
  if (status != DSRT_OK)
    return status;
  switch (call.op) {
  case DSRT_OP_ALL_REDUCE:
  case DSRT_OP_REDUCE_SCATTER:
    return reduce();
  case DSRT_OP_ALL_GATHER:
    return allGather();
  case DSRT_OP_ALL_TO_ALL:
    return allToAll();
  case DSRT_OP_COLLECTIVE_PERMUTE:
    return permute();
  case DSRT_OP_BROADCAST:
    return broadcast();
  case DSRT_OP_BARRIER:
    return DSRT_OK; // the cards are the whole barrier
  }
  return DSRT_OK;
}

//===----------------------------------------------------------------------===//
// Reductions.
//===----------------------------------------------------------------------===//

dsrt_status Exchange::reduce() {
  const int64_t bytes = contribution();
  if (bytes == 0)
    return DSRT_OK;
  if (isInline()) {
    reduceGathered(group.cards[0].data, sizeof(Card));
    return DSRT_OK;
  }
  const int64_t ofProcess = bytes * layout.most;
  if (group.process->chunkBytes > 0 || ofProcess * layout.number() > wholeBytes)
    return ProcessChain(*this).run();
  const dsrt_status status = phase([&] {
    reserve(group.sent, ofProcess);
    reserve(group.received, ofProcess * layout.number());
    packValues(group.sent.data());
    return talkBytes(DSRT_OP_ALL_GATHER, group.sent.data(), group.received.data(), ofProcess);
  });
  if (status == DSRT_OK)
    reduceGathered(group.received.data(), ofProcess);
  return status;
}

/// Reduces the values of all members into this one's outputs. `stride`: from process to process.
void Exchange::reduceGathered(const char *values, int64_t stride) {
  const int64_t bytes = contribution();
  const bool scatters = call.op == DSRT_OP_REDUCE_SCATTER;
  std::vector<const void *> sources(static_cast<size_t>(layout.members()));
  int64_t before = 0; // bytes of the buffers before
  for (int64_t b = 0; b < call.n_buffers; ++b) {
    const int64_t elements = call.elements[b];
    const int64_t at = before + (scatters ? member() * elements * size : 0);
    for (int32_t k = 0; k < layout.number(); ++k)
      for (int32_t i = 0; i < layout.count(k); ++i)
        sources[layout.first[k] + i] = values + k * stride + i * bytes + at;
    if (elements > 0)
      reduceInRankOrder(call.dtype, call.reduction, layout.members(), sources.data(), elements, 1,
                        &call.outputs[b]);
    before += elements * (scatters ? layout.members() : 1) * size;
  }
}

//===----------------------------------------------------------------------===//
// Moves.
//===----------------------------------------------------------------------===//

/// Visits the call's buffers as one row of bytes: `visit(buffer, begin, bytes, at)` for each part
/// of a buffer that lies in [from, to) of the row.
template <typename Visit>
static void eachPart(const dsrt_call &call, int64_t size, int64_t from, int64_t to, Visit visit) {
  int64_t first = 0;
  for (int64_t b = 0; b < call.n_buffers; ++b) {
    const int64_t bytes = call.elements[b] * size;
    const int64_t begin = std::max(from, first), end = std::min(to, first + bytes);
    if (begin < end)
      visit(b, begin - first, static_cast<size_t>(end - begin), begin - from);
    first += bytes;
  }
}

static const char *inputOf(const dsrt_call &call, int64_t buffer, int64_t at) {
  return static_cast<const char *>(call.inputs[buffer]) + at;
}
static char *outputOf(const dsrt_call &call, int64_t buffer, int64_t at) {
  return static_cast<char *>(call.outputs[buffer]) + at;
}

/// `parts`: of this size, that come from each process.
int64_t Exchange::pieceBytes(int64_t parts) const {
  const int64_t chunk = group.process->chunkBytes;
  return std::max<int64_t>(64, (chunk > 0 ? chunk : receivedBytes) / (layout.number() * parts));
}

dsrt_status Exchange::allGather() {
  const int64_t total = payloadBytes(call);
  const int64_t piece = pieceBytes(layout.most);
  for (int64_t from = 0; from < total; from += piece) {
    const int64_t to = std::min(total, from + piece), bytes = to - from;
    const int64_t ofProcess = bytes * layout.most;
    const dsrt_status status = phase([&] {
      reserve(group.sent, ofProcess);
      reserve(group.received, ofProcess * layout.number());
      for (int32_t i = 0; i < here(); ++i)
        eachPart(callOf(i), size, from, to, [&](int64_t b, int64_t begin, size_t n, int64_t at) {
          std::memcpy(group.sent.data() + i * bytes + at, inputOf(callOf(i), b, begin), n);
        });
      return talkBytes(DSRT_OP_ALL_GATHER, group.sent.data(), group.received.data(), ofProcess);
    });
    if (status != DSRT_OK)
      return status;
    eachPart(call, size, from, to, [&](int64_t b, int64_t begin, size_t n, int64_t at) {
      const int64_t part = call.elements[b] * size;
      for (int32_t k = 0; k < layout.number(); ++k)
        for (int32_t i = 0; i < layout.count(k); ++i) {
          char *to = outputOf(call, b, (layout.first[k] + i) * part + begin);
          if (layout.first[k] + i != member() || to != inputOf(call, b, begin))
            std::memcpy(to, group.received.data() + k * ofProcess + i * bytes + at, n);
        }
    });
    meet(); // before the next piece comes
  }
  return DSRT_OK;
}

dsrt_status Exchange::allToAll() {
  const int64_t total = payloadBytes(call), most = layout.most;
  const int64_t piece = pieceBytes(most * most);
  for (int64_t from = 0; from < total; from += piece) {
    const int64_t to = std::min(total, from + piece), bytes = to - from;
    const int64_t ofProcess = bytes * most * most;
    auto place = [&](int32_t k, int64_t sender, int64_t receiver) {
      return k * ofProcess + (sender * most + receiver) * bytes;
    };
    const dsrt_status status = phase([&] {
      reserve(group.sent, ofProcess * layout.number());
      reserve(group.received, ofProcess * layout.number());
      for (int32_t i = 0; i < here(); ++i)
        eachPart(callOf(i), size, from, to, [&](int64_t b, int64_t begin, size_t n, int64_t at) {
          const int64_t part = call.elements[b] * size;
          for (int32_t k = 0; k < layout.number(); ++k)
            for (int32_t j = 0; j < layout.count(k); ++j)
              std::memcpy(group.sent.data() + place(k, i, j) + at,
                          inputOf(callOf(i), b, (layout.first[k] + j) * part + begin), n);
        });
      return talkBytes(DSRT_OP_ALL_TO_ALL, group.sent.data(), group.received.data(), ofProcess);
    });
    if (status != DSRT_OK)
      return status;
    eachPart(call, size, from, to, [&](int64_t b, int64_t begin, size_t n, int64_t at) {
      const int64_t part = call.elements[b] * size;
      for (int32_t k = 0; k < layout.number(); ++k)
        for (int32_t i = 0; i < layout.count(k); ++i)
          std::memcpy(outputOf(call, b, (layout.first[k] + i) * part + begin),
                      group.received.data() + place(k, i, index) + at, n);
    });
    meet(); // before the next piece comes
  }
  return DSRT_OK;
}

/// The data comes to the first member of each process, from which the others take it.
dsrt_status Exchange::broadcast() {
  const int32_t from = layout.placeOf(call.root);
  const bool isSource = from == layout.me;
  const dsrt_call &holder = callOf(isSource ? call.root - layout.first[from] : 0);
  const dsrt_status status = phase([&] {
    return talk({DSRT_OP_BROADCAST, call.n_buffers, const_cast<const void *const *>(holder.outputs),
                 holder.outputs, call.elements, call.dtype, from});
  });
  if (status != DSRT_OK || &holder == &call)
    return status;
  for (int64_t b = 0; b < call.n_buffers; ++b)
    if (call.elements[b] > 0)
      std::memcpy(call.outputs[b], holder.outputs[b], static_cast<size_t>(call.elements[b] * size));
  return DSRT_OK;
}

/// In turns: in each a process sends the data of one member at most, and receives that of one.
dsrt_status Exchange::permute() {
  const int64_t bytes = payloadBytes(call);
  if (bytes == 0)
    return DSRT_OK;
  std::vector<int32_t> waiting; // members whose source is in another process
  for (int32_t m = 0; m < layout.members(); ++m)
    if (call.sources[m] >= 0 &&
        layout.placeOf(m) != layout.placeOf(static_cast<int32_t>(call.sources[m])))
      waiting.push_back(m);
  while (!waiting.empty()) {
    std::vector<int64_t> sources(static_cast<size_t>(layout.number()), -1);
    std::vector<bool> sends(static_cast<size_t>(layout.number()), false);
    std::vector<int32_t> later;
    int32_t sender = -1, receiver = -1; // of this process
    for (int32_t m : waiting) {
      const auto source = static_cast<int32_t>(call.sources[m]);
      const int32_t to = layout.placeOf(m), from = layout.placeOf(source);
      if (sources[to] >= 0 || sends[from]) {
        later.push_back(m);
        continue;
      }
      sources[to] = from;
      sends[from] = true;
      if (from == layout.me)
        sender = source - layout.first[from];
      if (to == layout.me)
        receiver = m - layout.first[to];
    }
    const dsrt_status status = phase([&] {
      const dsrt_call &of = callOf(sender < 0 ? 0 : sender);
      std::vector<void *> outputs(static_cast<size_t>(call.n_buffers));
      reserve(group.received, bytes);
      int64_t before = 0;
      for (int64_t b = 0; b < call.n_buffers; ++b) {
        outputs[b] = receiver < 0 ? group.received.data() + before : callOf(receiver).outputs[b];
        before += call.elements[b] * size;
      }
      return talk({DSRT_OP_COLLECTIVE_PERMUTE, call.n_buffers, of.inputs, outputs.data(),
                   call.elements, call.dtype, 0, sources.data()});
    });
    if (status != DSRT_OK)
      return status;
    waiting = std::move(later);
  }
  if (call.source >= 0 && layout.placeOf(call.source) != layout.me)
    return DSRT_OK;
  for (int64_t b = 0; b < call.n_buffers; ++b) {
    const auto n = static_cast<size_t>(call.elements[b] * size);
    if (n > 0 && call.source < 0)
      std::memset(call.outputs[b], 0, n);
    else if (n > 0)
      std::memcpy(call.outputs[b], callOf(call.source - layout.first[layout.me]).inputs[b], n);
  }
  return DSRT_OK;
}

} // namespace dsrt::hybrid
