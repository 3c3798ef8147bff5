//===- Agreement.cpp - Ranks prove that they start equal --------*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Hashes of the records are compared first. Where they differ, the records travel as JSON: all
// ranks receive all of them, so each finds the same first difference; rank 0 reports it.
//
//===----------------------------------------------------------------------===//
#include "ds/Run/Ranks/Agreement.h"
#include "ds/Support/Nesting.h"
#include "ds/Support/UserError.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/BLAKE3.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/JSON.h"

#include <cstring>

namespace ds {

using llvm::Error;
using llvm::Expected;

static std::string digits(llvm::BLAKE3 &hasher) {
  return llvm::toHex(hasher.final<8>(), /*LowerCase=*/true);
}

std::string contentHash(llvm::ArrayRef<uint8_t> bytes) {
  llvm::BLAKE3 hasher;
  hasher.update(bytes);
  return digits(hasher);
}

std::string contentHash(const Array &array) {
  return contentHash(llvm::ArrayRef(array.data, static_cast<size_t>(array.bytes())));
}

std::string contentHash(const NamedArrays &arrays) {
  llvm::BLAKE3 hasher;
  for (const auto &[name, array] : arrays) {
    hasher.update(name + " " + shapeToString(array.shape) + " " + toString(array.type) + "\n");
    hasher.update(llvm::ArrayRef(array.data, static_cast<size_t>(array.bytes())));
  }
  return digits(hasher);
}

void addInitialValues(const Manifest &manifest, const InitialValues &initial, StartRecord &record) {
  record.emplace_back("the step to begin with", std::to_string(initial.firstStep));
  for (size_t slot = 0; slot < manifest.arguments.size(); ++slot)
    if (const ArgumentSpec &argument = manifest.arguments[slot];
        argument.isShared() && initial.values[slot])
      record.emplace_back("the initial value of '" + argument.name + "'",
                          "one with hash " + contentHash(*initial.values[slot]));
}

//===----------------------------------------------------------------------===//
// Comparing
//===----------------------------------------------------------------------===//

std::string ranksText(llvm::ArrayRef<int64_t> ranks) {
  if (ranks.size() == 1)
    return "rank " + std::to_string(ranks[0]);
  std::string text = "ranks ";
  for (size_t i = 0; i < ranks.size(); ++i)
    text += (i == 0 ? "" : i + 1 == ranks.size() ? " and " : ", ") + std::to_string(ranks[i]);
  return text;
}

static std::string valueIn(const StartRecord &record, llvm::StringRef name) {
  for (const auto &item : record)
    if (item.first == name)
      return item.second;
  return "not there";
}

/// Returns an item that differs between rank 0 and another rank, or none.
static const std::string *firstDifference(llvm::ArrayRef<StartRecord> byRank) {
  for (const auto &item : byRank[0])
    for (const StartRecord &record : byRank)
      if (valueIn(record, item.first) != item.second)
        return &item.first;
  for (const StartRecord &record : byRank) // items that rank 0 lacks
    for (const auto &item : record)
      if (valueIn(byRank[0], item.first) != item.second)
        return &item.first;
  return nullptr;
}

Error compareRecords(llvm::ArrayRef<StartRecord> byRank) {
  const std::string *item = firstDifference(byRank);
  if (!item)
    return Error::success();
  std::string mine = valueIn(byRank[0], *item);
  std::string other;
  std::vector<int64_t> ranks;
  for (size_t rank = 1; rank < byRank.size(); ++rank) {
    std::string value = valueIn(byRank[rank], *item);
    if (value == mine || (!ranks.empty() && value != other))
      continue;
    other = value;
    ranks.push_back(rank);
  }
  return userError("the ranks do not start alike: " + *item + " is " + other + " on " +
                   ranksText(ranks) + ", but " + mine + " on rank 0");
}

static std::string toJson(const StartRecord &record) {
  llvm::json::Array items;
  for (const auto &[name, value] : record) {
    items.push_back(llvm::json::fixUTF8(name));
    items.push_back(llvm::json::fixUTF8(value));
  }
  return llvm::formatv("{0}", llvm::json::Value(std::move(items)));
}

static StartRecord fromJson(llvm::StringRef text) {
  StartRecord record;
  Expected<llvm::json::Value> value = parseJson(text);
  if (!value) {
    llvm::consumeError(value.takeError());
    return record;
  }
  if (const llvm::json::Array *items = value->getAsArray())
    for (size_t i = 0; i + 1 < items->size(); i += 2)
      record.emplace_back((*items)[i].getAsString().value_or("").str(),
                          (*items)[i + 1].getAsString().value_or("").str());
  return record;
}

Error agreeOnStart(World &world, const StartRecord &record) {
  const std::string mine = toJson(record);
  llvm::BLAKE3 hasher;
  hasher.update(mine);
  auto hashes = world.gatherOfProcesses(digits(hasher));
  if (!hashes || llvm::all_equal(*hashes))
    return hashes.takeError();
  auto texts = world.gather(mine);
  if (!texts)
    return texts.takeError();
  std::vector<StartRecord> records;
  for (const std::string &text : *texts)
    records.push_back(fromJson(text));
  Error error = compareRecords(records);
  if (!error || world.hasRoot())
    return error;
  return llvm::make_error<OtherRankError>(llvm::toString(std::move(error)));
}

//===----------------------------------------------------------------------===//
// Rank 0's values for all
//===----------------------------------------------------------------------===//

Error broadcastInitialValues(World &world, const Manifest &manifest, InitialValues &initial) {
  std::vector<void *> buffers = {&initial.firstStep};
  std::vector<int64_t> bytes = {sizeof initial.firstStep};
  for (size_t slot = 0; slot < manifest.arguments.size(); ++slot) {
    std::optional<Array> &value = initial.values[slot];
    if (!manifest.arguments[slot].isShared() || !value)
      continue;
    uint8_t *own = nullptr;
    Array array = Array::allocate(value->type, value->shape, &own);
    if (array.bytes())
      memcpy(own, value->data, array.bytes());
    value = std::move(array);
    buffers.push_back(own);
    bytes.push_back(value->bytes());
  }
  return world.broadcast(buffers, bytes);
}

} // namespace ds
