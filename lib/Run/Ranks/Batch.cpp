//===- Batch.cpp - How many rows a step takes -------------------*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// In `global` semantics a batch argument with a layout holds 1/n of the step's rows, one without a
// layout holds all of them; in `local` every rank holds rows of its own. Ranks that differ only
// along other axes of the mesh than the first hold the same rows.
//
//===----------------------------------------------------------------------===//
#include "ds/Run/Ranks/Batch.h"

#include "ds/Data/Sampler.h"
#include "ds/Support/Memory.h"
#include "ds/Support/UserError.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/Twine.h"
#include "llvm/Support/FormatVariadic.h"

#include <numeric>

namespace ds {

using llvm::Expected;
using llvm::Twine;

Expected<BatchFacts> batchFacts(const Manifest &manifest, int64_t numRanks) {
  BatchFacts facts;
  const ArgumentSpec *first = nullptr;
  for (const ArgumentSpec &argument : manifest.arguments) {
    if (argument.role != ArgumentRole::batch)
      continue;
    if (argument.entries == 0)
      continue;
    int64_t rows = argument.shape[*argument.batchDim] / argument.entries;
    int64_t total = wholeShape(manifest, argument, numRanks)[*argument.batchDim] / argument.entries;
    if (!first) {
      first = &argument;
      facts = {rows, total};
    } else if (facts.rowsPerStep != total) {
      return llvm::createStringError(llvm::inconvertibleErrorCode(),
                                     "batch argument '" + argument.name + "' takes " +
                                         Twine(total) + " samples per step, but '" + first->name +
                                         "' takes " + Twine(facts.rowsPerStep));
    }
    if (alongFirstAxis(argument.shards))
      facts.rowsPerRank = rows;
  }
  if (!first)
    return llvm::createStringError(llvm::inconvertibleErrorCode(),
                                   "the step has no batch argument (ds.batch), so no data can be "
                                   "fed to it");
  return facts;
}

llvm::Error checkUpdates(const Manifest &manifest) {
  for (unsigned slot = 0; slot < manifest.arguments.size(); ++slot)
    if (manifest.arguments[slot].role == ArgumentRole::parameter &&
        llvm::none_of(manifest.results,
                      [&](const ResultSpec &result) { return result.updates == slot; }))
      return llvm::createStringError(llvm::inconvertibleErrorCode(),
                                     "no result updates parameter '" +
                                         manifest.arguments[slot].name +
                                         "'; expected a result with ds.updates");
  return llvm::Error::success();
}

llvm::Error checkSharedSamples(const Manifest &manifest, int64_t numShards) {
  if (numShards == 0 || !manifest.fullBatch)
    return llvm::Error::success();
  return userError("with full_batch every rank takes the whole batch, so all of them need the same "
                   "files; leave out num_shards, shard_id and {rank}");
}

static ShardLayout ownSamples(const ArgumentSpec &argument) { return sampleLayout(argument); }
static ShardLayout ownSamples(const ResultSpec &result) {
  return {*result.batchDim, 1, result.shape[*result.batchDim]};
}

/// Returns the shards of an argument or result. In `local` semantics each rank of the first axis
/// has samples of its own, unless shards along that axis are given.
template <typename Spec> static AxisShards shardsOf(const Manifest &manifest, const Spec &spec) {
  AxisShards shards = spec.shards;
  if (!alongFirstAxis(shards) && spec.batchDim && !manifest.global)
    shards.push_back({0, ownSamples(spec)});
  return shards;
}

static int64_t sizeOf(const Manifest &manifest, const AxisShard &shard, int64_t numRanks) {
  return shard.axis == 0 ? numRanks / manifest.otherRanks() : manifest.axes[shard.axis].size;
}

int64_t coordinateOf(const Manifest &manifest, const AxisShard &shard, int64_t rank,
                     int64_t numRanks) {
  return rank / manifest.ranksBehind(shard.axis) % sizeOf(manifest, shard, numRanks);
}

/// `spec` is an argument or a result; only values with samples have a batch dimension.
template <typename Spec>
static std::vector<int64_t> wholeShapeOf(const Manifest &manifest, const Spec &spec,
                                         int64_t numRanks) {
  std::vector<int64_t> shape = spec.shape;
  for (const AxisShard &shard : shardsOf(manifest, spec))
    shape[shard.layout.dim] *= sizeOf(manifest, shard, numRanks);
  return shape;
}

/// Keeps those of the remaining positions that have an index in `rows`.
static void keep(std::vector<int64_t> &positions, const std::vector<int64_t> &rows) {
  std::vector<int64_t> kept;
  for (int64_t row : rows)
    kept.push_back(positions[row]);
  positions = std::move(kept);
}

template <typename Spec>
static Positions positionsOfSpec(const Manifest &manifest, const Spec &spec, int64_t rank,
                                 int64_t numRanks, const std::vector<int64_t> &whole) {
  Positions positions(whole.size());
  for (auto [dim, size] : llvm::enumerate(whole)) {
    positions[dim].resize(size);
    std::iota(positions[dim].begin(), positions[dim].end(), 0);
  }
  for (const AxisShard &shard : shardsOf(manifest, spec)) {
    std::vector<int64_t> &at = positions[shard.layout.dim];
    int64_t size = sizeOf(manifest, shard, numRanks);
    keep(at,
         rowsOfRank(shard.layout, coordinateOf(manifest, shard, rank, numRanks), size, at.size()));
  }
  return positions;
}

Positions positionsOf(const Manifest &manifest, const ArgumentSpec &argument, int64_t rank,
                      int64_t numRanks, const std::vector<int64_t> &whole) {
  return positionsOfSpec(manifest, argument, rank, numRanks, whole);
}

Positions positionsOf(const Manifest &manifest, const ResultSpec &result, int64_t rank,
                      int64_t numRanks, const std::vector<int64_t> &whole) {
  return positionsOfSpec(manifest, result, rank, numRanks, whole);
}

std::vector<int64_t> wholeShape(const Manifest &manifest, const ArgumentSpec &argument,
                                int64_t numRanks) {
  return wholeShapeOf(manifest, argument, numRanks);
}

std::vector<int64_t> wholeShape(const Manifest &manifest, const ResultSpec &result,
                                int64_t numRanks) {
  return wholeShapeOf(manifest, result, numRanks);
}

std::string describeRun(const Manifest &manifest, const BatchFacts &facts, int64_t numRanks) {
  std::string text = manifest.global ? "global: " : "local: ";
  text += std::to_string(numRanks) + (numRanks == 1 ? " rank x " : " ranks x ");
  if (manifest.fullBatch)
    return "global: " + (manifest.axes.empty() ? std::to_string(numRanks) : manifest.mesh()) +
           " ranks, whole batch on every rank, " + std::to_string(facts.rowsPerStep) +
           " samples per step, the same function as on one device";
  if (manifest.otherRanks() > 1)
    text = (manifest.global ? "global: " : "local: ") + manifest.mesh() + " ranks, " +
           std::to_string(numRanks / manifest.otherRanks()) + " x ";
  text += std::to_string(facts.rowsPerRank) + " samples = " + std::to_string(facts.rowsPerStep) +
          " per step, ";
  std::string mode = manifest.update.empty() ? "" : ", update=" + manifest.update;
  if (manifest.global)
    return text + "the same function as on one device" + mode;
  if (llvm::StringRef(manifest.update).starts_with("average_parameters"))
    return text + "parameters averaged" + mode;
  if (llvm::StringRef(manifest.update).starts_with("asynchronous"))
    return text + "each rank updates by its own gradients" + mode;
  return text +
         (manifest.gradientsMean ? "gradients averaged (gradients_mean=true)"
                                 : "gradients summed (gradients_mean=false)") +
         mode;
}

std::string meshKey(const Manifest &manifest) {
  return llvm::join(llvm::split(manifest.mesh(), " x "), ",");
}

std::string describeLevel(const PlanFigures &plan) {
  return plan.optimizerLevel > 0
             ? ", optimizer sharded (level" + std::to_string(plan.optimizerLevel) + ")"
             : "";
}

std::string describePlan(const Manifest &manifest, std::optional<int64_t> rankBytes) {
  const PlanFigures &plan = *manifest.plan;
  auto ms = [](int64_t ns) { return llvm::formatv("{0:F2}", ns / 1e6).str(); };
  std::string text = "auto: mesh " + manifest.mesh();
  if (plan.meshes > 1)
    text += " (of " + std::to_string(plan.meshes) + ")";
  text += describeLevel(plan);
  text += ", estimated " + ms(plan.timeNs) + " ms per step";
  if (plan.boundNs)
    text += ", lower bound " + ms(*plan.boundNs) +
            llvm::formatv(" (gap {0:F2} %)",
                          100.0 * (plan.timeNs - *plan.boundNs) / std::max<int64_t>(1, plan.timeNs))
                .str();
  else
    text += ", no lower bound";
  if (plan.dataParallelNs)
    text += ", data parallel " + ms(*plan.dataParallelNs);
  text += "; a rank holds " + bytesToString(plan.heldBytes) + " of arguments";
  if (plan.dataParallelBytes)
    text += ", " + bytesToString(*plan.dataParallelBytes) + " in data parallel";
  return rankBytes ? text + ", and takes " + bytesToString(*rankBytes) + " in all" : text;
}

llvm::json::Object planToJson(const PlanFigures &plan, std::optional<int64_t> rankBytes) {
  llvm::json::Object object{
      {"meshes", plan.meshes}, {"time_ns", plan.timeNs}, {"held_bytes", plan.heldBytes}};
  if (rankBytes)
    object["rank_bytes"] = *rankBytes;
  if (plan.optimizerLevel > 0)
    object["optimizer_level"] = plan.optimizerLevel;
  if (plan.boundNs)
    object["bound_ns"] = *plan.boundNs;
  if (plan.dataParallelNs)
    object["data_parallel_ns"] = *plan.dataParallelNs;
  if (plan.dataParallelBytes)
    object["data_parallel_bytes"] = *plan.dataParallelBytes;
  return object;
}

CarriedBytes carriedBytes(const Manifest &manifest, int64_t numRanks) {
  CarriedBytes bytes;
  for (const ArgumentSpec &argument : manifest.arguments)
    if (argument.isCarried()) {
      int64_t held = elementCount(argument.shape) * byteSize(argument.type);
      bytes.held += held;
      bytes.whole +=
          elementCount(wholeShape(manifest, argument, numRanks)) * byteSize(argument.type);
    }
  return bytes;
}

} // namespace ds
