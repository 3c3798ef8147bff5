//===- ProcessChain.cpp - Reductions from process to process ----*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "ProcessChain.h"
#include "base/Kernels.h"

#include <algorithm>
#include <cstring>

namespace dsrt::hybrid {

/// Bytes of a piece. The chain fills and empties in three pieces a process, so that few bytes go in
/// short ones.
constexpr int64_t leastPieceBytes = 4096, mostPieceBytes = int64_t(1) << 18;
constexpr int64_t piecesPerProcess = 8;

ProcessChain::ProcessChain(Exchange &exchange)
    : exchange(exchange), call(exchange.call), carrier(carrierOf(call.dtype)),
      size(dsrt_dtype_size(call.dtype)), carried(dsrt_dtype_size(carrier)),
      processes(exchange.layout.number()), p(exchange.layout.me) {
  const bool scatters = call.op == DSRT_OP_REDUCE_SCATTER;
  for (int32_t i = 0; i < exchange.here(); ++i) {
    const dsrt_call &of = exchange.callOf(i);
    Sequence &sequence = values.emplace_back(size);
    for (int64_t b = 0; b < of.n_buffers; ++b)
      sequence.append(scatters ? static_cast<char *>(const_cast<void *>(of.inputs[b]))
                               : static_cast<char *>(of.outputs[b]),
                      of.elements[b] * (scatters ? exchange.layout.members() : 1));
  }
  total = values[0].elements();
  const int64_t chunk = exchange.group.process->chunkBytes;
  piece = chunk > 0 ? std::max<int64_t>(1, chunk / size)
                    : std::clamp(total * size / (piecesPerProcess * processes), leastPieceBytes,
                                 mostPieceBytes) /
                          size;
  pieces = (total + piece - 1) / piece;
}

dsrt_status ProcessChain::run() {
  std::vector<char> &memory = exchange.group.sent;
  if (exchange.leads()) {
    reserve(memory, 2 * rooms * piece * carried);
    sequence = exchange.group.sequence;
  }
  exchange.meet();
  base = memory.data();
  const int64_t phases = pieces + 3 * processes - 2;
  for (int64_t phase = 0; phase < phases; ++phase) {
    if (!meetsNext(phase) && !meetsPrevious(phase) && !isPiece(computed(phase)) && !delivers(phase))
      continue;
    const dsrt_status status =
        exchange.phase([&] { return pass(phase); },
                       [&](int32_t share, int32_t shares) { work(phase, share, shares); });
    if (status != DSRT_OK)
      return status;
  }
  if (exchange.leads())
    exchange.group.sequence = sequence + 2 * static_cast<uint64_t>(phases);
  return DSRT_OK;
}

/// First processes 0 and 1, 2 and 3, .. exchange, then 1 and 2, 3 and 4, ..
dsrt_status ProcessChain::pass(int64_t phase) {
  const bool isEven = p % 2 == 0;
  const dsrt_status status = isEven ? passNext(phase) : passPrevious(phase);
  if (status != DSRT_OK)
    return status;
  return isEven ? passPrevious(phase) : passNext(phase);
}

dsrt_status ProcessChain::passNext(int64_t phase) {
  return meetsNext(phase) ? exchange.talkWith(p + 1, room(after, phase - 1), room(result, phase),
                                              piece * carried, numberOf(phase, p))
                          : DSRT_OK;
}

dsrt_status ProcessChain::passPrevious(int64_t phase) {
  return meetsPrevious(phase)
             ? exchange.talkWith(p - 1, room(result, phase - 1), room(before, phase),
                                 piece * carried, numberOf(phase, p - 1))
             : DSRT_OK;
}

static Range shareOf(Range range, int32_t share, int32_t shares) {
  constexpr int64_t line = 64;
  const int64_t elements = ((range.elements() + shares - 1) / shares + line - 1) / line * line;
  return range.piece(share, elements);
}

void ProcessChain::work(int64_t phase, int32_t share, int32_t shares) {
  const bool isLast = p == processes - 1;
  if (const int64_t i = computed(phase); isPiece(i)) {
    const Range range = pieceOf(i), own = shareOf(range, share, shares);
    const int64_t at = own.from - range.from;
    char *sum = room(after, phase) + at * carried;
    reduce(own, p > 0 ? room(before, phase - 1) + at * carried : nullptr, sum);
    if (isLast) {
      char *ended = room(result, phase) + at * size;
      endReduction(call.dtype, call.reduction, exchange.layout.members(), sum, own.elements(),
                   ended);
      deliver(own, ended);
    }
  }
  if (delivers(phase)) {
    const Range range = pieceOf(returned(phase - 1, p)), own = shareOf(range, share, shares);
    deliver(own, room(result, phase - 1) + (own.from - range.from) * size);
  }
}

void ProcessChain::reduce(Range range, const char *beforeIt, char *afterIt) {
  constexpr int64_t block = 4096; // stays in the cache while all members' values are added
  const dsrt_reduction reduction = call.reduction == DSRT_MEAN ? DSRT_SUM : call.reduction;
  for (int64_t from = range.from; from < range.to; from += block) {
    const Range part = {from, std::min(from + block, range.to)};
    const int64_t begin = (from - range.from) * carried;
    for (size_t i = 0; i < values.size(); ++i)
      values[i].each(part, [&](char *memory, int64_t elements, int64_t at) {
        char *to = afterIt + begin + at * carried;
        const char *so = i > 0 ? to : beforeIt ? beforeIt + begin + at * carried : nullptr;
        const void *source = memory;
        continueReduction(call.dtype, reduction, so, 1, &source, elements, to);
      });
  }
}

/// Copies results of a range to the members of this process that want them.
void ProcessChain::deliver(Range range, const char *results) const {
  if (call.op == DSRT_OP_ALL_REDUCE) {
    for (const Sequence &each : values)
      each.each(range, [&](char *memory, int64_t elements, int64_t at) {
        std::memcpy(memory, results + at * size, static_cast<size_t>(elements * size));
      });
    return;
  }
  for (int32_t i = 0; i < exchange.here(); ++i) {
    const int64_t m = exchange.layout.first[p] + i;
    int64_t first = 0; // of the buffer, in the elements of the call
    for (int64_t b = 0; b < call.n_buffers; ++b) {
      const int64_t elements = call.elements[b], part = first + m * elements;
      const int64_t from = std::max(range.from, part), to = std::min(range.to, part + elements);
      if (from < to)
        std::memcpy(static_cast<char *>(exchange.callOf(i).outputs[b]) + (from - part) * size,
                    results + (from - range.from) * size, static_cast<size_t>((to - from) * size));
      first += elements * exchange.layout.members();
    }
  }
}

} // namespace dsrt::hybrid
