//===- Order.cpp - Which rank updates when --------------------------------===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "ds/Run/Asynchronous/Order.h"

#include "ds/Support/File.h"
#include "ds/Support/Seal.h"
#include "ds/Support/UserError.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/raw_ostream.h"

namespace ds {

using llvm::Error;
using llvm::Expected;
using llvm::StringRef;
using llvm::Twine;

static constexpr const char *kind = "order";

Order::Turn &Order::change(int64_t step, int64_t rank, int64_t shard) {
  size_t needed = index(step + 1, 0, 0);
  if (turns.size() < needed)
    turns.resize(needed);
  return turns[index(step, rank, shard)];
}

void Order::shorten(int64_t steps) { turns.resize(std::min(turns.size(), index(steps, 0, 0))); }

bool Order::meetsAt(int64_t steps) const {
  // Each rank updates a shard once in a step.
  auto isBehind = [&](const Turn &turn) { return turn.pulled >= steps * numRanks; };
  return steps <= this->steps() && all_of(llvm::drop_begin(turns, index(steps, 0, 0)), isBehind);
}

/// Returns the first line. Version 1, written by earlier releases or by hand, has no seal.
static std::string headOf(int64_t numRanks, int64_t numShards, int version = 2) {
  return llvm::formatv("ds-order version={2} ranks={0} shards={1}", numRanks, numShards, version);
}

Error Order::check(const std::string &path) const {
  const int64_t updates = steps() * numRanks;
  for (int64_t shard = 0; shard < numShards; ++shard) {
    std::vector<bool> seen(updates);
    for (int64_t i = 0; i < updates; ++i) {
      int64_t step = i / numRanks, rank = i % numRanks;
      Turn turn = at(step, rank, shard);
      auto wrong = [&](const Twine &what) {
        return userError("'" + path + "': in step " + Twine(step) + " rank " + Twine(rank) +
                         " cannot " + what + " shard " + Twine(shard));
      };
      if (turn.pushed < 0 || turn.pushed >= updates || seen[turn.pushed])
        return wrong("make update " + Twine(turn.pushed) + " of");
      seen[turn.pushed] = true;
      int64_t earlier = step == 0 ? -1 : at(step - 1, rank, shard).pushed;
      if (turn.pulled > turn.pushed || turn.pulled <= earlier)
        return wrong("make update " + Twine(turn.pushed) + " having pulled update " +
                     Twine(turn.pulled) + " of");
    }
  }
  return Error::success();
}

Expected<Order> Order::read(const std::string &path, int64_t numRanks, int64_t numShards) {
  auto text = openText(path);
  if (!text)
    return text.takeError();
  StringRef lines = (*text)->getBuffer();
  auto unsealed = unseal(kind, "", lines);
  if (!unsealed)
    return userError("'" + path + "' " + llvm::toString(unsealed.takeError()));
  const std::string expected = headOf(numRanks, numShards),
                    unversioned = headOf(numRanks, numShards, /*version=*/1);
  if (!*unsealed && lines.starts_with(expected))
    return userError("'" + path + "' does not end with its seal, so it was cut short or changed");
  Order order(numRanks, numShards);
  int64_t number = 0;
  for (StringRef rest = unsealed->value_or(lines); !rest.empty(); ++number) {
    StringRef line;
    std::tie(line, rest) = rest.split('\n');
    if (number == 0 && line != expected && line != unversioned)
      return userError("'" + path + "' is no order of this training: it begins with '" +
                       line.take_front(60) + "', expected '" + expected + "'");
    if (number == 0)
      continue;
    int64_t step = (number - 1) / numRanks, rank = (number - 1) % numRanks;
    StringRef left = line;
    int64_t saidStep = -1, saidRank = -1;
    bool good = !left.consumeInteger(10, saidStep) && left.consume_front(" ") &&
                !left.consumeInteger(10, saidRank) && saidStep == step && saidRank == rank;
    for (int64_t shard = 0; good && shard < numShards; ++shard) {
      Turn &turn = order.change(step, rank, shard);
      good = left.consume_front(" ") && !left.consumeInteger(10, turn.pulled) &&
             left.consume_front(":") && !left.consumeInteger(10, turn.pushed);
    }
    if (!good || !left.empty())
      return userError("'" + path + "', line " + Twine(number + 1) + ": expected step " +
                       Twine(step) + " of rank " + Twine(rank) +
                       " and PULLED:PUSHED of each shard, got '" + line.take_front(60) + "'");
  }
  if (number == 0 || (number - 1) % numRanks != 0)
    return userError("'" + path + "' ends within a step");
  if (Error error = order.check(path))
    return error;
  return order;
}

Error Order::write(const std::string &path, int64_t steps) const {
  std::string text;
  llvm::raw_string_ostream stream(text);
  stream << headOf(numRanks, numShards) << "\n";
  for (int64_t step = 0; step < steps; ++step)
    for (int64_t rank = 0; rank < numRanks; ++rank) {
      stream << step << " " << rank;
      for (int64_t shard = 0; shard < numShards; ++shard) {
        Turn turn = at(step, rank, shard);
        stream << " " << turn.pulled << ":" << turn.pushed;
      }
      stream << "\n";
    }
  return writeFileAtomically(
      path, [&](llvm::raw_ostream &out) { out << text << sealOf(kind, "", text); });
}

} // namespace ds
