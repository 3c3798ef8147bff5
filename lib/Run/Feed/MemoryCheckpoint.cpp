//===- MemoryCheckpoint.cpp - The values after the last step --------------===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Ranks meet at the end of a step, so no process is more than one step ahead of another, and any
// copy of the newest one serves all.
//
//===----------------------------------------------------------------------===//
#include "ds/Run/Feed/MemoryCheckpoint.h"

#include "ds/Run/Ranks/Batch.h"
#include "ds/Support/Nesting.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/JSON.h"

#include <cstring>

namespace ds {

using llvm::Error;

void MemoryCheckpoint::makeRoom(const Manifest &manifest, int64_t numRanks) {
  if (!values.empty())
    return;
  for (auto [slot, argument] : llvm::enumerate(manifest.arguments))
    if (argument.isCarried()) {
      const int64_t count = elementCount(wholeShape(manifest, argument, numRanks));
      values.push_back({unsigned(slot), std::vector<uint8_t>(count * byteSize(argument.type))});
    }
}

void MemoryCheckpoint::keep(Rank &rank, const Manifest &manifest, int64_t step, Metadata metadata) {
  makeRoom(manifest, rank.numRanksOfWorld());
  for (Value &value : values)
    if (const Array whole = rank.whole(value.slot); !value.bytes.empty())
      memcpy(value.bytes.data(), whole.data, value.bytes.size());
  facts = std::move(metadata);
  doneSteps = step;
}

static std::string toText(int64_t step, const MemoryCheckpoint::Metadata &metadata) {
  llvm::json::Object object;
  for (const auto &[key, value] : metadata)
    object[key] = value;
  return std::to_string(step) + " " +
         llvm::formatv("{0}", llvm::json::Value(std::move(object))).str();
}

static int64_t stepIn(llvm::StringRef text) {
  int64_t step = -1;
  (void)text.split(' ').first.getAsInteger(10, step);
  return step;
}

static MemoryCheckpoint::Metadata metadataIn(llvm::StringRef text) {
  MemoryCheckpoint::Metadata metadata;
  auto parsed = parseJson(text.split(' ').second);
  if (!parsed)
    llvm::consumeError(parsed.takeError());
  else if (const llvm::json::Object *object = parsed->getAsObject())
    for (const auto &[key, value] : *object)
      metadata[key.str()] = value.getAsString().value_or("").str();
  return metadata;
}

Error MemoryCheckpoint::share(World &world, const Manifest &manifest) {
  auto texts = world.gatherOfProcesses(toText(doneSteps, facts));
  if (!texts)
    return texts.takeError();
  const auto newest = llvm::max_element(
      *texts, [](const std::string &a, const std::string &b) { return stepIn(a) < stepIn(b); });
  const int64_t step = stepIn(*newest);
  if (step < 0)
    return Error::success();
  const bool isHeldByAll =
      llvm::all_of(*texts, [&](const std::string &text) { return stepIn(text) == step; });
  makeRoom(manifest, world.numRanks());
  if (!isHeldByAll) {
    // A part of a copy is of no use: the older copy stays until all of the newer one is here.
    std::vector<Value> incoming = values;
    std::vector<void *> buffers;
    std::vector<int64_t> bytes;
    for (Value &value : incoming) {
      buffers.push_back(value.bytes.data());
      bytes.push_back(value.bytes.size());
    }
    if (Error error = world.broadcast(buffers, bytes, newest - texts->begin()))
      return error;
    values = std::move(incoming);
  }
  facts = metadataIn(*newest);
  doneSteps = step;
  return Error::success();
}

Safetensors MemoryCheckpoint::contents(const Manifest &manifest, int64_t numRanks) const {
  Safetensors contents;
  contents.metadata = facts;
  for (const Value &value : values) {
    const ArgumentSpec &argument = manifest.arguments[value.slot];
    contents.tensors[argument.name] =
        Array::view(toDataType(argument.type), wholeShape(manifest, argument, numRanks),
                    std::shared_ptr<const void>(std::shared_ptr<void>(), value.bytes.data()));
  }
  return contents;
}

} // namespace ds
