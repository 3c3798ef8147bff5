//===- Snapshot.cpp - A copy of the values that a process writes ----------===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "ds/Run/Train/Snapshot.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/Path.h"

namespace ds {

using llvm::Error;
using llvm::Expected;

Expected<std::unique_ptr<Snapshot>> Snapshot::create(const RunOptions &options,
                                                     const Manifest &manifest, World &world,
                                                     const SaveLock *lock, CheckpointWriter &writer,
                                                     CarriedFacts &carried) {
  auto plan = planShares(world, options, manifest, lock);
  if (!plan)
    return plan.takeError();
  if (!*plan)
    return nullptr;
  if (Error error = carried.shareNames(world))
    return error;
  return std::make_unique<Snapshot>(std::move(**plan), manifest, options.save, world, writer);
}

Snapshot::Snapshot(SavePlan plan, const Manifest &manifest, std::string save, const World &world,
                   CheckpointWriter &writer)
    : plan(std::move(plan)), manifest(manifest), save(std::move(save)), first(world.firstRank()),
      numLocal(world.numLocalRanks()), writer(writer) {}

Error Snapshot::add(Rank &rank, int64_t step,
                    llvm::function_ref<Error(const std::string &, const Array &)> check) {
  NamedArrays copies;
  for (const SavedPart &part : plan.parts()) {
    if (part.rank != rank.rank())
      continue;
    Array copy = rank.copyOfArgument(part.slot);
    if (Error error = contextError(rank.context())) // if a device cannot copy
      return error;
    if (Error error = check(manifest.arguments[part.slot].name, copy))
      return error;
    copies[part.name] = std::move(copy);
  }
  std::lock_guard guard(mutex);
  contents.tensors.merge(std::move(copies));
  if (++added < numLocal)
    return Error::success();
  added = 0;
  return writer.startShare(step, plan.shareOf(first), plan.numShares(),
                           std::exchange(contents, Safetensors()));
}

Error Snapshot::finish(int64_t rank) { return rank == first ? writer.finish() : Error::success(); }

Expected<bool> Snapshot::complete(int64_t rank, int64_t step, llvm::ArrayRef<double> doneSteps) {
  if (llvm::any_of(plan.firsts(),
                   [&](int64_t first) { return doneSteps[first] < static_cast<double>(step); }))
    return false;
  if (rank > 0) {
    if (rank == first)
      writer.noteNewest(step);
    return true;
  }
  std::vector<std::string> files, names;
  for (int64_t share = 0; share < plan.numShares(); ++share) {
    files.push_back(sharePath(save, step, share, plan.numShares()));
    names.push_back(llvm::sys::path::filename(files.back()).str());
  }
  SafetensorsIndex index = plan.index(manifest, names);
  index.metadata = std::move(described);
  if (Error error = writer.startIndex(step, std::move(files), std::move(index), plan.bytes()))
    return error;
  return true;
}

} // namespace ds
