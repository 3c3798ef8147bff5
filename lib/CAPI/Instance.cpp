//===- Instance.cpp - Values of arguments, and steps -----------*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Instance.h"

#include "ds/Data/IndexCheck.h"
#include "ds/Run/Ranks/Agreement.h"
#include "ds/Support/UserError.h"

#include "llvm/ADT/ScopeExit.h"

#include <chrono>
#include <cstring>

using namespace ds;
using llvm::Error;
using llvm::Twine;

template <typename Spec> ds_instance::Division ds_instance::divide(const Spec &spec) const {
  Division division;
  division.elementBytes = byteSize(spec.type);
  division.strides.assign(spec.shape.size(), 1);
  for (size_t dim = spec.shape.size(); dim > 1; --dim)
    division.strides[dim - 2] = division.strides[dim - 1] * spec.shape[dim - 1];
  division.rankBytes = elementCount(spec.shape) * division.elementBytes;
  auto among = [&](int64_t count, int64_t first) {
    Together all;
    all.shape = wholeShape(*manifest, spec, count);
    all.bytes = elementCount(all.shape) * division.elementBytes;
    if (all.shape != spec.shape)
      for (size_t i = 0; i < ranks.size(); ++i)
        all.ofRank.push_back(positionsOf(*manifest, spec, first + i, count, all.shape));
    return all;
  };
  division.whole = among(numRanks(), ranks[0]->rank());
  if (hasAllRanks())
    division.local = division.whole;
  else if (ranks.size() > 1 && manifest->otherRanks() == 1)
    division.local = among(ranks.size(), 0);
  else
    division.local = {spec.shape, division.rankBytes, {}};
  return division;
}

/// Some ranks of a mesh hold a value together along one of its axes only.
Error ds_instance::checkLocalParts() const {
  if (hasAllRanks() || ranks.size() == 1 || manifest->otherRanks() == 1)
    return Error::success();
  return userError("DS_LOCAL is what the ranks of a process hold together, but " +
                   Twine(ranks.size()) + " of the mesh " + manifest->mesh() +
                   " hold no part of their own; expected DS_WHOLE, or one rank in each process");
}

Error ds_instance::create(const ds_step &step) {
  manifest = &step.step->manifest();
  stepHash = step.hash;
  World &all = *world->world;
  if (manifest->numRanks != all.numRanks())
    return userError("the step is compiled for " + Twine(manifest->numRanks) +
                     " ranks, the world "
                     "has " +
                     Twine(all.numRanks()));
  const int64_t sharedBytes = step.step->sharedBytes();
  memoryBytes = step.step->memoryBytes() + sharedBytes / all.numLocalRanks();
  exchanges = step.exchanges;
  Error tooLarge = checkStepMemory(*manifest, step.step->hostMemoryBytes(), sharedBytes,
                                   all.numLocalRanks(), /*keepsInitial=*/false);
  if (Error error = exchanges ? std::move(tooLarge) : all.agree(std::move(tooLarge)))
    return error;
  if (!exchanges)
    if (Error error = agreeOnStart(all, {{"the step", "one with hash " + step.hash}}))
      return error;
  if (!manifest->axes.empty())
    if (Error error = all.nameAxes(manifest->axes))
      return error;
  metrics.emplace(*manifest, all.numRanks(), step.combinesMetrics);
  ranks.resize(all.numLocalRanks());
  ahead.resize(ranks.size());
  auto shared = options.num_borrowed ? borrow(step) : step.step->makeShared();
  if (!shared)
    return shared.takeError();
  // Each rank's own thread touches the rank's memory first.
  if (Error error = world->run([&](int64_t rank, dsrt_context *runtime) {
        ranks[rank - all.firstRank()] =
            std::make_unique<Rank>(*step.step, rank, all.numRanks(), runtime, *shared);
        return Error::success();
      }))
    return error;
  if (Error error = checkDevices())
    return error;
  if (options.batches == DS_LOCAL)
    if (Error error = checkLocalParts())
      return error;
  for (const ArgumentSpec &argument : manifest->arguments)
    arguments.push_back(divide(argument));
  for (const ResultSpec &result : manifest->results)
    results.push_back(divide(result));
  return Error::success();
}

Error ds_instance::checkBytes(const std::string &name, const Division &division, ds_part part,
                              int64_t bytes) const {
  const int64_t expected = division.of(part).bytes;
  if (bytes == expected)
    return Error::success();
  return ds::capi::misuse("'" + name + "' has " + Twine(expected) + " bytes, got " + Twine(bytes));
}

Error ds_instance::checkIndices(unsigned slot, ds_part part, const void *data) {
  const ArgumentSpec &argument = manifest->arguments[slot];
  if (!argument.indexRange || options.on_index == DS_INDEX_OFF)
    return Error::success();
  Array array;
  array.type = toDataType(argument.type);
  array.shape = arguments[slot].of(part).shape;
  array.data = static_cast<const uint8_t *>(data);
  auto values = Converter::create(array, argument.type);
  if (!values)
    return values.takeError();
  auto found = findOutOfRange(*values, 0, array.elements(), argument);
  if (!found)
    return Error::success();
  const std::string index = describeOutOfRange(*found, array.elements(), *argument.indexRange);
  const std::string sentence = "'" + argument.name + "' holds " + index;
  const ErrorKind kind = indexRange(argument.name, index);
  if (options.on_index == DS_INDEX_STOP)
    return codedError(kind, sentence);
  context->tell(DS_WARNING, sentence, kind);
  return Error::success();
}

void ds_instance::fill(size_t local, unsigned slot, ds_part part, const void *data,
                       char *bytes) const {
  const Division &division = arguments[slot];
  const Together &all = division.of(part);
  if (all.ofRank.empty())
    memcpy(bytes, data, division.rankBytes);
  else
    takePart(all.shape, all.ofRank[local], division.elementBytes, data, bytes);
}

/// True if `fill` would write the bytes that are there already.
bool ds_instance::isSame(size_t local, unsigned slot, ds_part part, const void *data,
                         const char *bytes) const {
  const Division &division = arguments[slot];
  const Together &all = division.of(part);
  if (all.ofRank.empty())
    return memcmp(bytes, data, division.rankBytes) == 0;
  bool same = true;
  forEachPiece(all.shape, all.ofRank[local], division.elementBytes,
               [&](int64_t large, int64_t small, int64_t size) {
                 const char *whole = static_cast<const char *>(data);
                 same = same && memcmp(bytes + small, whole + large, size) == 0;
               });
  return same;
}

void ds_instance::take(size_t local, unsigned slot, ds_part part, const void *data) {
  StepInstance &memory = ranks[local]->instance();
  if (!options.compares || !memory.holds(slot, [&](const char *bytes) {
        return isSame(local, slot, part, data, bytes);
      }))
    memory.write(slot, [&](char *bytes) { fill(local, slot, part, data, bytes); });
}

Error ds_instance::checkPart(unsigned slot, ds_part part, int64_t bytes) const {
  if (part != DS_WHOLE && part != DS_LOCAL)
    return ds::capi::misuse("a part is DS_WHOLE or DS_LOCAL, got " + Twine(static_cast<int>(part)));
  if (part == DS_LOCAL)
    if (Error error = checkLocalParts())
      return error;
  return checkBytes(manifest->arguments[slot].name, arguments[slot], part, bytes);
}

Error ds_instance::write(unsigned slot, ds_part part, const void *data, int64_t bytes) {
  if (Error error = checkPart(slot, part, bytes))
    return error;
  if (Error error = checkIndices(slot, part, data))
    return error;
  for (size_t local = 0; local < ranks.size(); ++local)
    take(local, slot, part, data);
  return Error::success();
}

Error ds_instance::broadcast() {
  if (hasAllRanks())
    return Error::success();
  std::vector<unsigned> slots;
  std::vector<std::vector<char>> values;
  std::vector<void *> buffers;
  std::vector<int64_t> bytes;
  for (unsigned slot = 0; slot < numArguments(); ++slot)
    if (manifest->arguments[slot].isReplicated()) {
      const auto *held = static_cast<const char *>(ranks[0]->instance().readArgument(slot).get());
      slots.push_back(slot);
      bytes.push_back(arguments[slot].rankBytes);
      buffers.push_back(values.emplace_back(held, held + bytes.back()).data());
    }
  if (Error error = world->run([&](int64_t rank, dsrt_context *) {
        return rank == ranks[0]->rank() ? world->world->broadcast(buffers, bytes)
                                        : Error::success();
      }))
    return error;
  for (size_t local = 0; local < ranks.size(); ++local)
    for (auto [slot, value] : llvm::zip(slots, values))
      take(local, slot, DS_WHOLE, value.data());
  return Error::success();
}

void ds_instance::put(const Division &division, ds_part part,
                      llvm::function_ref<HostView(Rank &)> memory, void *data) const {
  const Together &all = division.of(part);
  if (all.ofRank.empty())
    memcpy(data, memory(*ranks[0]).get(), all.bytes);
  for (size_t local = 0; local < all.ofRank.size(); ++local)
    putPart(all.shape, all.ofRank[local], division.elementBytes, memory(*ranks[local]).get(), data);
}

Error ds_instance::firstFailure() const {
  for (const std::unique_ptr<Rank> &rank : ranks)
    if (Error error = contextError(rank->context()))
      return error;
  return Error::success();
}

Error ds_instance::readArgument(unsigned slot, void *data, int64_t bytes) {
  const Division &division = arguments[slot];
  if (Error error = checkBytes(manifest->arguments[slot].name, division, DS_WHOLE, bytes))
    return error;
  if (hasAllRanks() || division.whole.ofRank.empty()) {
    put(division, DS_WHOLE, [&](Rank &rank) { return rank.instance().readArgument(slot); }, data);
    return firstFailure();
  }
  return world->run([&](int64_t rank, dsrt_context *) -> Error {
    auto whole = ranks[rank - ranks[0]->rank()]->gatherArgument(slot);
    if (!whole)
      return whole.takeError();
    if (rank == ranks[0]->rank())
      memcpy(data, whole->data, division.whole.bytes);
    return Error::success();
  });
}

Error ds_instance::timed(llvm::function_ref<Error(Rank &)> body) {
  const auto begin = std::chrono::steady_clock::now();
  Error error = world->run([&](int64_t rank, dsrt_context *runtime) {
    dsrt_set_step(runtime, exchanges);
    auto reset = llvm::make_scope_exit([&] { dsrt_set_step(runtime, 0); });
    return body(*ranks[rank - world->world->firstRank()]);
  });
  stepNs += std::chrono::nanoseconds(std::chrono::steady_clock::now() - begin).count();
  ++steps;
  return error;
}

ds_part ds_instance::partOf(unsigned slot) const {
  bool isBatch = manifest->arguments[slot].role == ArgumentRole::batch;
  return isBatch ? static_cast<ds_part>(options.batches) : DS_WHOLE;
}

/// Returns the slots of the next step that may be sent during this one. A faulty value is reported
/// in its own step.
std::vector<unsigned> ds_instance::sentAhead(const void *const *next) {
  std::vector<unsigned> slots;
  if (!next || openData || !ranks[0]->instance().onDevice() || options.on_index == DS_INDEX_WARN)
    return slots;
  for (unsigned slot = 0; slot < numArguments(); ++slot) {
    if (!next[slot] || manifest->arguments[slot].role != ArgumentRole::batch)
      continue;
    if (Error unusable = checkIndices(slot, partOf(slot), next[slot]))
      llvm::consumeError(std::move(unusable));
    else
      slots.push_back(slot);
  }
  return slots;
}

/// Checks in the first step that processes which pass whole batches pass the same: of a process
/// that passes its own samples, those at the places of other ranks would be lost.
Error ds_instance::agreeOnBatch(const void *const *inputs) {
  if (steps > 0 || exchanges || hasAllRanks() || options.batches == DS_LOCAL)
    return Error::success();
  ds::StartRecord record;
  for (unsigned slot = 0; inputs && slot < numArguments(); ++slot)
    if (inputs[slot] && manifest->arguments[slot].role == ArgumentRole::batch)
      record.emplace_back("the batch '" + manifest->arguments[slot].name +
                              "', which each process passes whole (or with batch=local its samples "
                              "alone),",
                          "one with hash " + ds::contentHash(llvm::ArrayRef(
                                                 static_cast<const uint8_t *>(inputs[slot]),
                                                 arguments[slot].whole.bytes)));
  return agreeOnStart(*world->world, record);
}

Error ds_instance::run(const void *const *inputs, const void *const *next) {
  Error unusable = Error::success();
  for (size_t slot = 0; inputs && !unusable && slot < numArguments(); ++slot)
    if (inputs[slot])
      unusable = checkIndices(slot, partOf(slot), inputs[slot]);
  if (unusable)
    return unusable;
  if (Error error = agreeOnBatch(inputs))
    return error;
  const std::vector<unsigned> sent = sentAhead(next);
  return timed([&](Rank &rank) {
    size_t local = rank.rank() - world->world->firstRank();
    StepInstance &memory = rank.instance();
    const auto arrived = std::exchange(ahead[local], {});
    for (const auto &[slot, from] : arrived)
      memory.swapSpare(slot);
    for (unsigned slot = 0; inputs && slot < numArguments(); ++slot)
      if (auto found = arrived.find(slot);
          inputs[slot] && (found == arrived.end() || found->second != inputs[slot]))
        take(local, slot, partOf(slot), inputs[slot]);
    auto way = sharesMemory ? &StepInstance::runBeside : &StepInstance::runAhead;
    (memory.*way)(rank.context(), [&] {
      for (unsigned slot : sent)
        if (char *spare = memory.spareMemory(slot)) {
          fill(local, slot, partOf(slot), next[slot], spare);
          memory.sendSpare(slot);
          ahead[local][slot] = next[slot];
        }
    });
    return contextError(rank.context());
  });
}
