//===- MemoryCheckpoint.cpp - The values after the last step --------------===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Ranks meet at the end of a step, so no process is more than one step ahead of another. A rank
// that has passed the barrier of `sendCopies` knows that all others have the copies, and replaces
// its values; one that has not keeps both, and the processes find out which they have together.
//
//===----------------------------------------------------------------------===//
#include "ds/Run/Feed/MemoryCheckpoint.h"

#include "ds/Run/Ranks/Batch.h"

#include "llvm/ADT/STLExtras.h"

#include <cstring>

namespace ds {

using llvm::Error;

static int64_t bytesOf(const ArgumentSpec &argument) {
  return elementCount(argument.shape) * byteSize(argument.type);
}

/// Returns the slots of what is kept: sharded values, or those that all ranks hold.
static std::vector<unsigned> slotsOf(const Manifest &manifest, bool areSharded) {
  std::vector<unsigned> slots;
  for (auto [slot, argument] : llvm::enumerate(manifest.arguments))
    if (argument.isCarried() && argument.isSharded() == areSharded)
      slots.push_back(slot);
  return slots;
}

/// Returns the bytes from one value to the next, which begin aligned.
static int64_t roomOf(const ArgumentSpec &argument) { return llvm::alignTo(bytesOf(argument), 16); }

static int64_t roomOf(const Manifest &manifest, llvm::ArrayRef<unsigned> slots) {
  int64_t bytes = 0;
  for (unsigned slot : slots)
    bytes += roomOf(manifest.arguments[slot]);
  return bytes;
}

MemoryCheckpoint::Kept *MemoryCheckpoint::Held::of(int64_t step) {
  return now.step == step ? &now : next.step == step ? &next : nullptr;
}

Error MemoryCheckpoint::keep(Rank &rank, const Manifest &manifest, int64_t step,
                             std::optional<Metadata> metadata) {
  Error error = sendCopies(rank, manifest, step);
  const bool isComplete = !error;
  auto copy = [&](Held &held, bool areSharded) {
    const std::vector<unsigned> slots = slotsOf(manifest, areSharded);
    Kept &kept = isComplete ? held.now : held.next;
    kept.step = -1;
    kept.bytes.resize(roomOf(manifest, slots));
    uint8_t *at = kept.bytes.data();
    for (unsigned slot : slots) {
      const ArgumentSpec &argument = manifest.arguments[slot];
      if (const int64_t bytes = bytesOf(argument); bytes > 0)
        memcpy(at, rank.instance().readArgument(slot).get(), bytes);
      at += roomOf(argument);
    }
    kept.step = step;
  };
  if (!slotsOf(manifest, /*areSharded=*/true).empty())
    copy(shards.at(rank.rank()), /*areSharded=*/true);
  if (!metadata)
    return error;
  if (wholeStep < step - 1) // all have kept the step before
    whole.clear();
  copy(replicated, /*areSharded=*/false);
  if (isComplete)
    facts.clear();
  facts[step] = std::move(*metadata);
  return error;
}

/// Sends the rank's shards to other processes, and waits until all have theirs.
Error MemoryCheckpoint::sendCopies(Rank &rank, const Manifest &manifest, int64_t step) {
  const std::vector<unsigned> slots = slotsOf(manifest, /*areSharded=*/true);
  if (slots.empty() || exchanges.empty())
    return Error::success();
  std::vector<HostView> views;
  std::vector<const void *> inputs;
  std::vector<int64_t> bytes, places;
  int64_t room = 0;
  for (unsigned slot : slots) {
    views.push_back(rank.instance().readArgument(slot));
    inputs.push_back(views.back().get());
    bytes.push_back(bytesOf(manifest.arguments[slot]));
    places.push_back(std::exchange(room, room + roomOf(manifest.arguments[slot])));
  }
  Kept unused;
  for (const std::vector<int64_t> &sources : exchanges) {
    const int64_t source = sources[rank.rank()];
    Kept &incoming = source < 0 ? unused : shards.at(source).next;
    incoming.step = -1;
    incoming.bytes.resize(room);
    std::vector<void *> outputs;
    for (int64_t place : places)
      outputs.push_back(incoming.bytes.data() + place);
    dsrt_collective_permute(rank.context(), slots.size(), inputs.data(), outputs.data(),
                            bytes.data(), DSRT_U8, sources.data(), DSRT_WORLD);
    if (Error error = contextError(rank.context()))
      return error;
    incoming.step = step;
  }
  dsrt_barrier(rank.context(), DSRT_WORLD);
  if (Error error = contextError(rank.context()))
    return error;
  for (const std::vector<int64_t> &sources : exchanges)
    if (const int64_t source = sources[rank.rank()]; source >= 0)
      std::swap(shards.at(source).now, shards.at(source).next);
  return Error::success();
}

KeptList MemoryCheckpoint::list(int64_t copies, int64_t numRanks) const {
  KeptList list;
  list.host = World::hostName();
  list.copies = copies;
  for (const Kept *kept : {&replicated.now, &replicated.next})
    if (const auto found = facts.find(kept->step); found != facts.end())
      list.facts.insert(*found);
  for (const auto &[rank, held] : shards)
    for (const Kept *kept : {&held.now, &held.next})
      if (kept->step >= 0)
        list.shards[kept->step].insert(rank);
  if (!whole.empty())
    for (int64_t rank = 0; rank < numRanks; ++rank)
      list.shards[wholeStep].insert(rank);
  return list;
}

Error MemoryCheckpoint::takeReplicated(World &world, llvm::ArrayRef<KeptList> lists, int64_t step,
                                       const Manifest &manifest, Kept &kept) {
  Kept *mine = replicated.of(step);
  if (llvm::all_of(lists, [&](const KeptList &list) { return list.facts.count(step) > 0; })) {
    kept = std::move(*mine);
    return Error::success();
  }
  kept.step = step;
  if (mine)
    kept.bytes = mine->bytes;
  kept.bytes.resize(roomOf(manifest, slotsOf(manifest, /*areSharded=*/false)));
  return world.broadcast({kept.bytes.data()}, {int64_t(kept.bytes.size())}, *holderOf(lists, step));
}

Error MemoryCheckpoint::takeShards(World &world, llvm::ArrayRef<KeptList> lists, int64_t step,
                                   const Manifest &manifest, std::vector<Whole> &values) {
  const std::vector<unsigned> slots = slotsOf(manifest, /*areSharded=*/true);
  const bool isWhole = wholeStep == step && !whole.empty();
  if (isWhole)
    values = whole;
  for (unsigned slot : slots)
    if (!isWhole) {
      const ArgumentSpec &argument = manifest.arguments[slot];
      const std::vector<int64_t> shape = wholeShape(manifest, argument, world.numRanks());
      values.push_back(
          {slot, shape,
           std::make_shared<std::vector<uint8_t>>(elementCount(shape) * byteSize(argument.type))});
    }
  std::vector<uint8_t> bytes(roomOf(manifest, slots));
  for (int64_t rank = 0; rank < world.numRanks(); ++rank) {
    // Calls visit(value, positions, the shard's bytes) for each value.
    auto visit = [&](auto visit) {
      uint8_t *at = bytes.data();
      for (Whole &value : values) {
        const ArgumentSpec &argument = manifest.arguments[value.slot];
        visit(value, positionsOf(manifest, argument, rank, world.numRanks(), value.shape),
              byteSize(argument.type), std::exchange(at, at + roomOf(argument)));
      }
    };
    const auto found = shards.find(rank);
    if (isWhole)
      visit([](const Whole &value, const Positions &positions, int64_t size, uint8_t *part) {
        takePart(value.shape, positions, size, value.bytes->data(), part);
      });
    else if (const Kept *mine = found == shards.end() ? nullptr : found->second.of(step))
      bytes = mine->bytes;
    const bool isHeldByAll = llvm::all_of(
        lists, [&](const KeptList &list) { return holderOf(list, step, rank).has_value(); });
    if (!isHeldByAll)
      if (Error error = world.broadcast({bytes.data()}, {int64_t(bytes.size())},
                                        *holderOf(lists, step, rank)))
        return error;
    if (!isWhole)
      visit([](Whole &value, const Positions &positions, int64_t size, const uint8_t *part) {
        putPart(value.shape, positions, size, part, value.bytes->data());
      });
  }
  return Error::success();
}

Error MemoryCheckpoint::share(World &world, const Manifest &manifest, int64_t copies) {
  const int64_t numRanks = world.numRanks();
  auto texts = world.gatherOfProcesses(list(copies, numRanks).toText());
  if (!texts)
    return texts.takeError();
  std::vector<KeptList> lists;
  for (const std::string &text : *texts)
    lists.push_back(KeptList::fromText(text));
  const bool hasShards = !slotsOf(manifest, /*areSharded=*/true).empty();
  const int64_t step = newestWhole(lists, hasShards ? numRanks : 0);
  lost = step < 0 ? newestOf(lists) : -1;
  // A part of a copy is of no use: what is here stays until all of the newer one is.
  Kept kept;
  std::vector<Whole> values;
  Metadata metadata;
  if (step >= 0) {
    if (hasShards)
      if (Error error = takeShards(world, lists, step, manifest, values))
        return error;
    if (Error error = takeReplicated(world, lists, step, manifest, kept))
      return error;
    metadata = lists[*holderOf(lists, step)].facts.at(step);
  }
  replicated = {std::move(kept), {}};
  facts.clear();
  if (step >= 0)
    facts[step] = std::move(metadata);
  whole = std::move(values);
  wholeStep = step;
  shards.clear();
  std::vector<std::string> hosts;
  for (const KeptList &list : lists)
    hosts.push_back(list.host);
  exchanges = hasShards ? planCopies(world.firstRankOfEach(), numRanks, hosts, lists.front().copies)
                        : std::vector<std::vector<int64_t>>();
  for (int64_t i = 0; i < world.numLocalRanks(); ++i) {
    const int64_t rank = world.firstRank() + i;
    shards[rank];
    for (const std::vector<int64_t> &sources : exchanges)
      if (sources[rank] >= 0)
        shards[sources[rank]];
  }
  return Error::success();
}

Safetensors MemoryCheckpoint::contents(const Manifest &manifest, int64_t numRanks) const {
  Safetensors contents;
  contents.metadata = facts.at(step());
  auto add = [&](unsigned slot, std::vector<int64_t> shape, std::shared_ptr<const void> bytes) {
    const ArgumentSpec &argument = manifest.arguments[slot];
    contents.tensors[argument.name] =
        Array::view(toDataType(argument.type), std::move(shape), std::move(bytes));
  };
  const uint8_t *at = replicated.now.bytes.data();
  for (unsigned slot : slotsOf(manifest, /*areSharded=*/false)) {
    const ArgumentSpec &argument = manifest.arguments[slot];
    const uint8_t *value = std::exchange(at, at + roomOf(argument));
    add(slot, wholeShape(manifest, argument, numRanks), {std::shared_ptr<const void>(), value});
  }
  for (const Whole &value : whole)
    add(value.slot, value.shape, {value.bytes, value.bytes->data()});
  return contents;
}

} // namespace ds
