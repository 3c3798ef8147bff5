//===- AutoParallel.cpp - The fastest mesh that fits in memory ------------===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tries every mesh that the ranks can form on a copy of the step, with and without a sharded
// optimizer, and takes over the fastest plan. Where memory is limited, each byte that a rank holds
// gets a price: the lowest at which the plan fits.
//
//===----------------------------------------------------------------------===//
#include "RecursiveMesh.h"
#include "ShardAxes.h"

#include "ds/Analysis/StepRoles.h"
#include "ds/Dialect/IR/PlanAttrs.h"
#include "ds/Dialect/IR/Roles.h"

#include <map>

using namespace mlir;

namespace ds {
namespace {

using Mesh = std::vector<MeshAxis>;

/// The inputs of one search beside the step.
struct Attempt {
  Mesh mesh;
  StringRef level; // of a parallel optimizer: a value of the key, "whole", or "" for as configured
  int64_t heldByte = 0;
  bool quickly = false;        // search as recursive_programming does
  bool mayUpdateWhole = false; // drop the sharded optimizer where that is faster
};

struct Candidate {
  Attempt attempt;
  OwningOpRef<ModuleOp> module;
  std::vector<Diagnostic> said;
  int64_t time = 0;
  int64_t held = 0;             // bytes of arguments
  int64_t live = 0;             // estimated, of values within the step
  std::optional<int64_t> bound; // none where several axes were searched
};

class PlanChooser {
public:
  PlanChooser(ModuleOp module, StringRef entry, const Config &config)
      : module(module), entry(entry), config(config), limit(config.memoryLimit()),
        measured(getPlanMemory(module)) {}

  LogicalResult run() {
    SmallVector<Mesh> meshes = getMeshes();
    if (meshes.empty())
      return failure();
    for (const Mesh &mesh : meshes)
      for (Attempt &attempt : getAttempts(mesh)) {
        offer(tryPlans(attempt));
        // The best plan of one axis may leave a worse step to the next one, so the quick search is
        // tried, too.
        if (mesh.size() > 2 && config.searchMode() == SearchMode::DynamicProgramming) {
          attempt.quickly = true;
          offer(tryPlans(std::move(attempt)));
        }
      }
    if (!best)
      best = std::move(smallest); // its memory will be measured
    if (!best)
      return refuse();
    for (Diagnostic &diagnostic : best->said)
      module.getContext()->getDiagEngine().emit(std::move(diagnostic));
    takeOver(meshes.size());
    return success();
  }

private:
  /// Returns the meshes to try: the configured one, the one that recursive_programming grows, or
  /// all meshes of a batch axis and a second axis.
  SmallVector<Mesh> getMeshes() {
    SmallVector<Mesh> meshes;
    func::FuncOp step = getStep(module, entry);
    if (config.isSet("mesh")) {
      meshes.push_back(config.mesh());
    } else if (config.batch() == BatchSemantics::Local) {
      step.emitError("'parallel_mode = auto_parallel' with 'batch = local' needs 'mesh': how many "
                     "ranks have samples of their own is part of what the step means; set it, or "
                     "batch = global");
    } else if (config.searchMode() == SearchMode::RecursiveProgramming) {
      Mesh grown = growMesh(*config.deviceNum(), [&](const Mesh &mesh) {
        std::optional<int64_t> least;
        for (Attempt &attempt : getAttempts(mesh))
          if (std::optional<Candidate> found = tryPlans(std::move(attempt)))
            least = std::min(least.value_or(INT64_MAX), found->time);
        return least;
      });
      meshes.push_back(grown.empty() ? Mesh{{"dp", *config.deviceNum()}} : std::move(grown));
    } else {
      for (int64_t other = 1, n = *config.deviceNum(); other <= n; ++other)
        if (n % other == 0)
          meshes.push_back({{"dp", n / other}, {"tp", other}});
    }
    return meshes;
  }

  /// Returns the levels of a parallel optimizer to try: only the configured one if the key is set.
  /// Level 3 saves nothing but memory, since it gathers twice, so it is tried only under a limit.
  SmallVector<StringRef> getLevels(const Mesh &mesh) const {
    if (config.isSet("enable_parallel_optimizer") || mesh.front().size == 1)
      return {""};
    return limit ? SmallVector<StringRef>{"whole", "level1", "level3"}
                 : SmallVector<StringRef>{"whole", "level1"};
  }

  /// Returns an attempt for each level. recursive_programming searches with level 1 alone, and
  /// drops it where the plan is faster without.
  SmallVector<Attempt> getAttempts(const Mesh &mesh) const {
    SmallVector<StringRef> levels = getLevels(mesh);
    if (config.searchMode() == SearchMode::RecursiveProgramming && !limit && levels.size() > 1)
      return {{mesh, "level1", 0, /*quickly=*/false, /*mayUpdateWhole=*/true}};
    return llvm::map_to_vector(levels, [&](StringRef level) { return Attempt{mesh, level}; });
  }

  Config withLevel(const Attempt &attempt) const {
    Config settings = config;
    llvm::cantFail(settings.set("mesh", toText(attempt.mesh)));
    int64_t ranks = 1; // fewer than configured while recursive_programming grows the mesh
    for (const MeshAxis &axis : attempt.mesh)
      ranks *= axis.size;
    if (config.isSet("device_num"))
      llvm::cantFail(settings.set("device_num", ranks));
    if (attempt.level.empty())
      return settings;
    llvm::cantFail(settings.set("enable_parallel_optimizer", attempt.level != "whole"));
    if (attempt.level != "whole")
      llvm::cantFail(settings.set("optimizer_level", attempt.level.str()));
    return settings;
  }

  /// Returns null if the step cannot be sharded over this mesh.
  std::optional<Candidate> measure(const Attempt &attempt) {
    Candidate candidate{attempt, module.clone(), {}, 0, 0, 0, std::nullopt};
    Config settings = withLevel(attempt);
    setConfig(*candidate.module, settings);
    if (attempt.quickly)
      llvm::cantFail(settings.set("search_mode", std::string("recursive_programming")));
    func::FuncOp step = getStep(*candidate.module, entry);
    if (config.batch() == BatchSemantics::Global && !dividesBatch(step, attempt.mesh.front().size))
      return std::nullopt;
    ShardingSearch search(step, settings, attempt.heldByte);
    LogicalResult done = success();
    {
      ScopedDiagnosticHandler quiet(module.getContext(), [&](Diagnostic &diagnostic) {
        candidate.said.push_back(std::move(diagnostic));
        return success();
      });
      done = shardAxes(step, attempt.mesh, &search);
    }
    if (failed(done)) {
      refusals = std::move(candidate.said);
      return std::nullopt;
    }
    candidate.time = search.time();
    if (int64_t whole = attempt.mayUpdateWhole ? search.timeUpdatedWhole() : candidate.time;
        whole < candidate.time) {
      candidate.time = whole;
      candidate.attempt.level = "whole";
      settings = withLevel(candidate.attempt);
    }
    candidate.bound = search.bound();
    if (limit && candidate.bound) // the bound is a Lagrange relaxation: it contains the price
      *candidate.bound -= static_cast<int64_t>(__int128(*limit) * attempt.heldByte / 1000);
    divideUpdate(step, settings, candidate);
    return candidate;
  }

  /// Returns the bytes of the arguments of one rank.
  int64_t getHeldBytes(func::FuncOp step, const BatchSharding &division) const {
    int64_t held = 0;
    for (BlockArgument argument : step.getArguments()) {
      bool samples = config.batch() == BatchSemantics::Global && !config.fullBatch() &&
                     step.getArgAttr(argument.getArgNumber(), role::batch);
      bool sharded = samples || division.arguments.contains(argument);
      held += getStoredBytes(argument) / (sharded ? division.task.batchRanks : 1);
    }
    return held;
  }

  /// Measures the memory of the sharded step, and annotates the arguments that a sharded optimizer
  /// divides.
  void divideUpdate(func::FuncOp step, const Config &settings, Candidate &candidate) {
    StepFlow flow(step);
    BatchSharding division = shardByBatch(flow, settings);
    candidate.held = getHeldBytes(step, division);
    candidate.live =
        estimateLiveBytes(step, division.task, settings.optimizerLevel() == OptimizerLevel::Level3);
    if (candidate.attempt.level.empty())
      return; // ds-shard-optimizer reads the key itself
    for (const auto &[argument, how] : division.arguments)
      markSharded(step, argument, how.sharding.dim);
    Config written = withLevel(candidate.attempt);
    llvm::cantFail(written.reset("enable_parallel_optimizer"));
    setConfig(*candidate.module, written);
  }

  /// Returns the fastest plan of a mesh and level that fits into memory. Null if none fits, or if
  /// its lower bound is no faster than the best plan so far.
  std::optional<Candidate> tryPlans(Attempt attempt) {
    std::optional<Candidate> found = measure(attempt);
    hasBound &= attempt.quickly || !found || found->bound.has_value();
    if (!found)
      return std::nullopt;
    noteBound(*found);
    if (fits(*found))
      return found;
    if ((best && found->bound && *found->bound >= best->time) || liveOf(*found) > *limit)
      return std::nullopt;
    // Raises the price by factors of 16 until the plan fits, then bisects between the last two
    // prices.
    int64_t tooLow = 0, price = 16;
    std::optional<Candidate> fitting;
    auto tryPrice = [&](int64_t heldByte) {
      attempt.heldByte = heldByte;
      found = measure(attempt);
      if (found)
        noteBound(*found);
      return found && fits(*found);
    };
    for (; price < (int64_t(1) << 32); tooLow = price, price *= 16)
      if (tryPrice(price)) {
        fitting = std::move(found);
        break;
      }
    for (int i = 0; fitting && i < 6; ++i) {
      int64_t between = tooLow + (price - tooLow) / 2;
      if (!tryPrice(between)) {
        tooLow = between;
        continue;
      }
      price = between;
      if (found->time <= fitting->time)
        fitting = std::move(found);
    }
    return fitting;
  }

  /// Keeps the highest bound of each mesh and level: each of its bounds holds. The bound over all
  /// meshes and levels is the lowest of these.
  void noteBound(const Candidate &candidate) {
    if (!candidate.bound)
      return;
    auto key = std::pair(toText(candidate.attempt.mesh), candidate.attempt.level);
    auto [it, isNew] = bounds.try_emplace(key, *candidate.bound);
    it->second = std::max(it->second, *candidate.bound);
  }

  void offer(std::optional<Candidate> candidate) {
    if (candidate && (!best || candidate->time < best->time))
      best = std::move(candidate);
  }

  static int64_t levelOf(const Attempt &attempt) {
    return attempt.level == "level1" ? 1 : attempt.level == "level3" ? 3 : 0;
  }
  const PlanMemory *findMeasured(const Attempt &attempt) const {
    std::string mesh = attempt.mesh.size() > 1 ? toText(attempt.mesh) : "";
    const auto *it = llvm::find_if(measured, [&](const PlanMemory &plan) {
      return plan.mesh == mesh && plan.level == levelOf(attempt);
    });
    return it == measured.end() ? nullptr : it;
  }

  /// Returns the expected bytes of values within a step: the estimate, scaled as measured for a
  /// plan of the same mesh and level. For a mesh without a measurement, the lowest scale of any is
  /// taken, so that it is tried; 0 while there are no measurements.
  int64_t liveOf(const Candidate &candidate) const {
    auto scaled = [&](const PlanMemory &plan) {
      return static_cast<int64_t>(__int128(candidate.live) * plan.live / plan.estimated);
    };
    if (const PlanMemory *own = findMeasured(candidate.attempt))
      return scaled(*own);
    int64_t least = measured.empty() ? 0 : INT64_MAX;
    for (const PlanMemory &plan : measured)
      least = std::min(least, scaled(plan));
    return least;
  }

  /// True if the candidate fits into memory. Keeps the smallest candidate that has not been
  /// measured: it is tried if nothing fits.
  bool fits(Candidate &candidate) {
    int64_t taken = candidate.held + liveOf(candidate);
    leastTaken = std::min(leastTaken.value_or(INT64_MAX), taken);
    if (!limit || taken <= *limit)
      return true;
    if (!measured.empty() && candidate.held <= *limit && !findMeasured(candidate.attempt) &&
        (!smallest || taken < smallest->held + liveOf(*smallest)))
      smallest = Candidate{candidate.attempt,
                           candidate.module->clone(),
                           {},
                           candidate.time,
                           candidate.held,
                           candidate.live,
                           candidate.bound};
    return false;
  }

  LogicalResult refuse() {
    func::FuncOp step = getStep(module, entry);
    if (!leastTaken && refusals.empty())
      return step.emitError("no mesh of ")
             << *config.deviceNum() << " ranks shards the samples of this step";
    if (!leastTaken) {
      for (Diagnostic &diagnostic : refusals)
        module.getContext()->getDiagEngine().emit(std::move(diagnostic));
      return failure();
    }
    for (const PlanMemory &plan : measured)
      leastTaken = &plan == measured.begin() ? plan.taken : std::min(*leastTaken, plan.taken);
    int64_t mebibyte = 1 << 20;
    return step.emitError("'memory_limit' is ")
           << *limit / mebibyte << " MiB, but "
           << (measured.empty() ? "parameters, states and samples of a rank take "
                                : "a rank takes ")
           << (*leastTaken + mebibyte - 1) / mebibyte << " MiB at least";
  }

  void takeOver(size_t meshes) {
    Builder b(module.getContext());
    SmallVector<NamedAttribute> plan;
    auto add = [&](StringRef name, int64_t value) {
      plan.push_back(b.getNamedAttr(name, b.getI64IntegerAttr(value)));
    };
    add("meshes", meshes);
    add("time_ns", best->time);
    add("held_bytes", best->held);
    if (best->attempt.heldByte > 0) // the price with which the plan was found
      add("held_byte_ps", best->attempt.heldByte);
    add("live_bytes", best->live);
    if (int64_t level = levelOf(best->attempt))
      add("optimizer_level", level);
    if (hasBound) {
      int64_t bound = best->time;
      for (const auto &[of, each] : bounds)
        bound = std::min(bound, each);
      add("bound_ns", bound);
    }
    func::FuncOp step = getStep(module, entry);
    Mesh alone{{"dp", *config.deviceNum()}};
    if (config.batch() == BatchSemantics::Global && dividesBatch(step, alone.front().size)) {
      Config settings = withLevel({alone, getLevels(alone).front()});
      setConfig(module, settings);
      StepFlow flow(step);
      BatchSharding division = shardByBatch(flow, settings);
      add("data_parallel_ns", getTimeUnsharded(flow, settings, division.task));
      add("data_parallel_bytes", getHeldBytes(step, division));
    }
    module.getBodyRegion().takeBody(best->module->getBodyRegion());
    module->setAttrs((*best->module)->getAttrDictionary());
    removePlanMemory(module);
    module->setAttr(planAttrName, b.getDictionaryAttr(plan));
  }

  ModuleOp module;
  StringRef entry;
  const Config &config;
  std::optional<int64_t> limit, leastTaken;
  SmallVector<PlanMemory> measured;
  std::optional<Candidate> best, smallest;
  std::map<std::pair<std::string, StringRef>, int64_t> bounds;
  bool hasBound = true;
  std::vector<Diagnostic> refusals;
};

} // namespace

LogicalResult shardBySearch(ModuleOp module, StringRef entry, const Config &config) {
  return PlanChooser(module, entry, config).run();
}

} // namespace ds
