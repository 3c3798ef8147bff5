//===- AutoParallel.cpp - The best mesh, and what fits into memory --------===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Every mesh that the ranks may form is tried on a copy of the step, and the fastest one is taken
// over. Where memory is limited, what a rank holds gets a price, the lowest at which it fits.
//
//===----------------------------------------------------------------------===//
#include "RecursiveMesh.h"
#include "ShardAxes.h"

#include "ds/Analysis/ReductionPlan.h"
#include "ds/Dialect/IR/Roles.h"

using namespace mlir;

namespace ds {
namespace {

using Mesh = std::vector<MeshAxis>;

struct Candidate {
  Mesh mesh;
  OwningOpRef<ModuleOp> module;
  std::vector<Diagnostic> said;
  int64_t time = 0, held = 0, heldByte = 0;
  std::optional<int64_t> bound; // none where several axes were searched
};

class PlanChooser {
public:
  PlanChooser(ModuleOp module, StringRef entry, const Config &config)
      : module(module), entry(entry), config(config), limit(config.memoryLimit()) {}

  LogicalResult run() {
    std::optional<Candidate> best;
    SmallVector<Mesh> meshes = getMeshes();
    if (meshes.empty())
      return failure();
    for (const Mesh &mesh : meshes) {
      std::optional<Candidate> found = tryMesh(mesh);
      if (mesh.size() > 2 && config.searchMode() == SearchMode::DynamicProgramming) {
        // The best for one axis need not be the best for those before it.
        quickly = true;
        if (std::optional<Candidate> other = tryMesh(mesh);
            other && (!found || other->time < found->time))
          found = std::move(other);
        quickly = false;
      }
      if (found && found->bound && (!leastBound || *found->bound < *leastBound))
        leastBound = found->bound;
      hasBound &= !found || found->bound.has_value();
      if (found && (!best || found->time < best->time))
        best = std::move(found);
    }
    if (!best)
      return refuse();
    for (Diagnostic &diagnostic : best->said)
      module.getContext()->getDiagEngine().emit(std::move(diagnostic));
    takeOver(*best, meshes.size());
    return success();
  }

private:
  /// The one that is set, or a first axis for the batch beside a second one.
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
        std::optional<Candidate> found = tryMesh(mesh);
        return found ? std::optional(found->time) : std::nullopt;
      });
      meshes.push_back(grown.empty() ? Mesh{{"dp", *config.deviceNum()}} : std::move(grown));
    } else {
      for (int64_t other = 1, n = *config.deviceNum(); other <= n; ++other)
        if (n % other == 0)
          meshes.push_back({{"dp", n / other}, {"tp", other}});
    }
    return meshes;
  }

  /// Null if the step cannot be divided over this mesh.
  std::optional<Candidate> measure(const Mesh &mesh, int64_t heldByte, bool searches = true) {
    Candidate candidate{mesh, module.clone(), {}, 0, 0, heldByte, std::nullopt};
    Config settings = config;
    llvm::cantFail(settings.set("mesh", toText(mesh)));
    int64_t ranks = 1; // of a mesh that grows fewer than all
    for (const MeshAxis &axis : mesh)
      ranks *= axis.size;
    if (config.isSet("device_num"))
      llvm::cantFail(settings.set("device_num", ranks));
    setConfig(*candidate.module, settings);
    if (quickly)
      llvm::cantFail(settings.set("search_mode", std::string("recursive_programming")));
    func::FuncOp step = getStep(*candidate.module, entry);
    if (config.batch() == BatchSemantics::Global && !dividesBatch(step, mesh.front().size))
      return std::nullopt;
    ShardingSearch search(step, settings, heldByte);
    LogicalResult done = success();
    {
      ScopedDiagnosticHandler quiet(module.getContext(), [&](Diagnostic &diagnostic) {
        candidate.said.push_back(std::move(diagnostic));
        return success();
      });
      if (searches)
        done = shardAxes(step, mesh, &search);
    }
    if (failed(done)) {
      refusals = std::move(candidate.said);
      return std::nullopt;
    }
    candidate.time = search.time();
    candidate.held = heldBytes(step, mesh.front().size);
    candidate.bound = search.bound();
    if (limit && candidate.bound) // a price is no time (Lagrange)
      *candidate.bound -= static_cast<int64_t>(__int128(*limit) * heldByte / 1000);
    return candidate;
  }

  int64_t heldBytes(func::FuncOp step, int64_t batchRanks) const {
    int64_t bytes = 0;
    for (BlockArgument argument : step.getArguments()) {
      bool divided = config.batch() == BatchSemantics::Global && !config.fullBatch() &&
                     step.getArgAttr(argument.getArgNumber(), role::batch);
      bytes += getStoredBytes(argument) / (divided ? batchRanks : 1);
    }
    return bytes;
  }

  std::optional<Candidate> tryMesh(const Mesh &mesh) {
    std::optional<Candidate> found = measure(mesh, 0);
    if (!found || fits(*found))
      return found;
    // Prices sixteen times as high each, and then halves of what lies between the last two.
    int64_t tooLow = 0, price = 16;
    std::optional<Candidate> fitting;
    for (; price < (int64_t(1) << 32); tooLow = price, price *= 16)
      if ((found = measure(mesh, price)) && fits(*found)) {
        fitting = std::move(found);
        break;
      }
    for (int i = 0; fitting && i < 6; ++i) {
      int64_t between = tooLow + (price - tooLow) / 2;
      found = measure(mesh, between);
      if (!found || !fits(*found)) {
        tooLow = between;
        continue;
      }
      price = between;
      if (found->time <= fitting->time)
        fitting = std::move(found);
    }
    return fitting;
  }

  bool fits(const Candidate &candidate) {
    if (!leastHeld || candidate.held < *leastHeld)
      leastHeld = candidate.held;
    return !limit || candidate.held <= *limit;
  }

  LogicalResult refuse() {
    func::FuncOp step = getStep(module, entry);
    if (!leastHeld && refusals.empty())
      return step.emitError("no mesh of ")
             << *config.deviceNum() << " ranks divides the samples of this step";
    if (!leastHeld) {
      for (Diagnostic &diagnostic : refusals)
        module.getContext()->getDiagEngine().emit(std::move(diagnostic));
      return failure();
    }
    int64_t mebibyte = 1 << 20;
    return step.emitError("'memory_limit' is ")
           << *limit / mebibyte << " MiB, but parameters, states and samples of a rank take "
           << (*leastHeld + mebibyte - 1) / mebibyte << " MiB at least";
  }

  void takeOver(Candidate &best, size_t meshes) {
    Builder b(module.getContext());
    SmallVector<NamedAttribute> plan;
    auto add = [&](StringRef name, int64_t value) {
      plan.push_back(b.getNamedAttr(name, b.getI64IntegerAttr(value)));
    };
    add("meshes", meshes);
    add("time_ns", best.time);
    add("held_bytes", best.held);
    if (best.heldByte > 0) // the price that it was found with
      add("held_byte_ps", best.heldByte);
    if (hasBound && leastBound)
      add("bound_ns", std::min(*leastBound, best.time));
    int64_t ranks = *config.deviceNum();
    if (config.batch() == BatchSemantics::Global)
      if (std::optional<Candidate> alone = measure({{"dp", ranks}}, 0, /*searches=*/false)) {
        add("data_parallel_ns", alone->time);
        add("data_parallel_bytes", alone->held);
      }
    module.getBodyRegion().takeBody(best.module->getBodyRegion());
    module->setAttrs((*best.module)->getAttrDictionary());
    module->setAttr("ds.plan", b.getDictionaryAttr(plan));
  }

  ModuleOp module;
  StringRef entry;
  const Config &config;
  std::optional<int64_t> limit, leastHeld, leastBound;
  bool hasBound = true, quickly = false;
  std::vector<Diagnostic> refusals;
};

} // namespace

LogicalResult shardBySearch(ModuleOp module, StringRef entry, const Config &config) {
  return PlanChooser(module, entry, config).run();
}

} // namespace ds
