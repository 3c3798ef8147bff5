//===- BuildManifest.cpp - Roles of a step as plain data --------*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A dimension with `ds.layout` in a `global` step is sharded: the attribute gives the rows that a
// rank holds, and the number of ranks gives the total.
//
//===----------------------------------------------------------------------===//
#include "ds/Compiler/BuildManifest.h"

#include "ds/Dialect/IR/Ds.h"
#include "ds/Dialect/IR/PlanAttrs.h"
#include "ds/Dialect/IR/Roles.h"

#include "llvm/ADT/StringMap.h"

using namespace mlir;

static std::optional<ds::ElementType> elementTypeOf(Type type) {
  if (type.isF64())
    return ds::ElementType::f64;
  if (type.isF32())
    return ds::ElementType::f32;
  if (type.isF16())
    return ds::ElementType::f16;
  if (type.isBF16())
    return ds::ElementType::bf16;
  if (!type.isSignlessInteger())
    return std::nullopt;
  switch (type.getIntOrFloatBitWidth()) {
  case 64:
    return ds::ElementType::i64;
  case 32:
    return ds::ElementType::i32;
  case 16:
    return ds::ElementType::i16;
  case 8:
    return ds::ElementType::i8;
  case 1:
    return ds::ElementType::i1;
  }
  return std::nullopt;
}

/// Fills `type` and `shape` of a slot.
template <typename Spec>
static LogicalResult readType(func::FuncOp step, StringRef slot, unsigned index, Type type,
                              Spec &spec) {
  auto tensor = dyn_cast<RankedTensorType>(type);
  if (!tensor || !tensor.hasStaticShape())
    return step.emitError() << slot << " #" << index << " has type " << type
                            << ", expected a tensor with a static shape";
  std::optional<ds::ElementType> element = elementTypeOf(tensor.getElementType());
  if (!element)
    return step.emitError()
           << slot << " #" << index << " has elements of type " << tensor.getElementType()
           << ", expected f64, f32, f16, bf16 or a signless integer of 64, 32, 16, 8 or 1 bits";
  spec.type = *element;
  spec.shape.assign(tensor.getShape().begin(), tensor.getShape().end());
  return success();
}

/// Returns the dimension of `ds.layout`: that of samples, or the one that the first axis shards.
static int64_t shardedDim(DictionaryAttr attrs, StringRef batchAxis) {
  if (auto batch = attrs.getAs<IntegerAttr>("ds.batch"))
    return batch.getInt();
  auto sharding = attrs.getAs<ds::ShardingAttr>("ds.sharding");
  auto divides = [&](ArrayAttr axes) {
    return llvm::any_of(axes.getAsRange<StringAttr>(),
                        [&](StringAttr axis) { return axis.getValue() == batchAxis; });
  };
  return sharding ? llvm::find_if(sharding.getDims(), divides) - sharding.getDims().begin() : 0;
}

/// Returns the shards along the axes, the last axis first, in the order of `ds-shard-axes`. Along
/// the first one `ds.layout` gives the form: "block", "cyclic" or "block_cyclic(N)".
static ds::AxisShards shardsOf(DictionaryAttr attrs, ArrayRef<int64_t> shape, func::FuncOp step) {
  ds::AxisShards shards;
  std::vector<ds::MeshAxis> mesh = ds::getMesh(step);
  std::string batchAxis = ds::getBatchAxis(step);
  auto positionOf = [&](StringAttr name) {
    return llvm::find_if(mesh, [&](auto &axis) { return axis.name == name.getValue(); }) -
           mesh.begin();
  };
  auto layout = attrs.getAs<StringAttr>("ds.layout");
  int64_t layoutDim = layout ? shardedDim(attrs, batchAxis) : -1;
  auto sharding = attrs.getAs<ds::ShardingAttr>("ds.sharding");
  for (size_t i = sharding ? mesh.size() : 0; i-- > 1;)
    for (auto [dim, axes] : llvm::enumerate(sharding.getDims())) {
      // In the end a rank holds shape[dim]; the axes that follow have not sharded it yet.
      int64_t major = 1, minor = shape[dim];
      bool isFound = false;
      if (layoutDim == int64_t(dim) &&
          llvm::none_of(axes.getAsRange<StringAttr>(),
                        [&](StringAttr axis) { return axis.getValue() == batchAxis; }))
        minor *= mesh.front().size; // samples are sharded implicitly
      for (auto axis : axes.getAsRange<StringAttr>()) {
        int64_t at = positionOf(axis);
        if (at == static_cast<int64_t>(i))
          isFound = true;
        else if (at < static_cast<int64_t>(i))
          (isFound ? minor : major) *= mesh[at].size;
      }
      if (isFound && mesh[i].size > 1)
        shards.push_back({int64_t(i), {int64_t(dim), major, minor}});
    }
  if (layout) {
    int64_t rows = layoutDim < static_cast<int64_t>(shape.size()) ? shape[layoutDim] : 1;
    int64_t b = layout.getValue() == "cyclic" ? 1 : ds::blockOfLayout(layout).value_or(rows);
    shards.push_back({0, {layoutDim, rows / b, b}});
  }
  return shards;
}

static std::string nameOf(DictionaryAttr attrs, ArrayRef<StringRef> keys, std::string otherwise) {
  for (StringRef key : keys)
    if (auto name = attrs.getAs<StringAttr>(key))
      return name.str();
  return otherwise;
}

static LogicalResult readArgument(func::FuncOp step, unsigned i, int64_t numRanks,
                                  ds::ArgumentSpec &spec) {
  auto attrs = step.getArgAttrDict(i);
  if (!attrs)
    attrs = DictionaryAttr::get(step.getContext());
  spec.name = nameOf(attrs, {"ds.param", "ds.state", "ds.name"}, "arg" + std::to_string(i));
  if (failed(readType(step, "argument", i, step.getArgumentTypes()[i], spec)))
    return failure();
  if (ds::isOfEachRank(step, i))
    spec.localState = "per_rank";
  if (attrs.contains("ds.param"))
    spec.role = ds::ArgumentRole::parameter;
  else if (attrs.contains("ds.state"))
    spec.role = ds::ArgumentRole::state;
  else if (attrs.contains("ds.seed"))
    spec.role = ds::ArgumentRole::seed;
  else if (attrs.contains("ds.batch")) {
    spec.role = ds::ArgumentRole::batch;
    spec.isWeight = attrs.contains("ds.weight");
    spec.isUnsigned = attrs.contains("ds.unsigned");
    if (auto range = attrs.getAs<DenseI64ArrayAttr>("ds.index_range")) {
      ArrayRef<int64_t> others = range.asArrayRef().drop_front(2);
      spec.indexRange = ds::IntegerRange{range[0], range[1], {others.begin(), others.end()}};
    }
  }
  if (auto batch = attrs.getAs<IntegerAttr>("ds.batch"))
    spec.batchDim = batch.getInt();
  spec.apart = attrs.contains("ds.apart");
  spec.shards = shardsOf(attrs, spec.shape, step);
  if (numRanks > 1 && attrs.contains(ds::role::perRank))
    spec.shards.push_back({0, {0, 1, spec.shape[0]}});
  if (auto init = attrs.getAs<StringAttr>("ds.init"))
    spec.init = init.str();
  return success();
}

static LogicalResult readResult(func::FuncOp step, unsigned i,
                                const llvm::StringMap<unsigned> &slots, ds::ResultSpec &spec) {
  auto attrs = step.getResultAttrDict(i);
  if (!attrs)
    attrs = DictionaryAttr::get(step.getContext());
  spec.name = nameOf(attrs, {"ds.updates", "ds.metric", "ds.name"}, "result" + std::to_string(i));
  if (failed(readType(step, "result", i, step.getResultTypes()[i], spec)))
    return failure();
  if (auto updates = attrs.getAs<StringAttr>("ds.updates")) {
    auto slot = slots.find(updates.getValue());
    if (slot == slots.end())
      return step.emitError() << "result #" << i << " updates '" << updates.getValue()
                              << "', which is no parameter or state of the step";
    spec.updates = slot->second;
  }
  spec.isMetric = attrs.contains("ds.metric");
  if (spec.isMetric) {
    auto reduce = attrs.getAs<StringAttr>("ds.reduce");
    spec.reduce = reduce ? reduce.str() : "mean";
  }
  if (auto batch = attrs.getAs<IntegerAttr>("ds.batch"))
    spec.batchDim = batch.getInt();
  spec.shards = shardsOf(attrs, spec.shape, step);
  return success();
}

/// True if `value` depends on an argument that differs between ranks, other than through a
/// collective.
static bool differsByRank(Value value, const llvm::SmallDenseSet<Value> &varying,
                          llvm::SmallDenseSet<Value> &seen) {
  if (varying.contains(value))
    return true;
  Operation *op = value.getDefiningOp();
  if (!seen.insert(value).second || !op || ds::isCollective(op))
    return false;
  auto anyDiffers = [&](ValueRange values) {
    return llvm::any_of(values, [&](Value v) { return differsByRank(v, varying, seen); });
  };
  bool differs = isa<ds::RankOp>(op) || anyDiffers(op->getOperands());
  op->walk([&](Operation *inner) { differs |= inner != op && anyDiffers(inner->getOperands()); });
  return differs;
}

/// With local_state = per_rank, marks the states that a rank computes from its own samples or from
/// such states.
static void markStatesPerRank(func::FuncOp step, ds::Manifest &manifest) {
  llvm::SmallDenseSet<Value> varying;
  for (auto [i, spec] : llvm::enumerate(manifest.arguments))
    if (spec.batchDim)
      varying.insert(step.getArgument(i));
  Operation *terminator = step.front().getTerminator();
  for (bool changed = true; changed;) {
    changed = false;
    for (auto [i, spec] : llvm::enumerate(manifest.results)) {
      llvm::SmallDenseSet<Value> seen;
      if (!spec.updates || manifest.arguments[*spec.updates].role != ds::ArgumentRole::state ||
          !manifest.arguments[*spec.updates].localState.empty() ||
          manifest.arguments[*spec.updates].batchDim ||
          step.getArgAttr(*spec.updates, ds::role::perRank) ||
          !differsByRank(terminator->getOperand(i), varying, seen))
        continue;
      manifest.arguments[*spec.updates].localState = "per_rank";
      varying.insert(step.getArgument(*spec.updates));
      changed = true;
    }
  }
}

/// Returns the size along the dimension of samples after joining the parts of the ranks of all
/// axes; in `local`, of the ranks of one replica.
static int64_t wholeSamples(const ds::Manifest &manifest, const ds::ArgumentSpec &spec) {
  int64_t size = spec.shape[*spec.batchDim];
  for (const ds::AxisShard &shard : spec.shards)
    if (shard.layout.dim == *spec.batchDim)
      size *= shard.axis == 0 ? manifest.numRanks / manifest.otherRanks()
                              : manifest.axes[shard.axis].size;
  return size;
}

/// Computes the number of entries per sample of each argument. In `local` a state that holds
/// samples is the block of the rank.
static void countEntries(ds::Manifest &manifest) {
  SmallVector<int64_t> sizes;
  std::optional<int64_t> weights;
  for (const ds::ArgumentSpec &spec : manifest.arguments)
    if (spec.batchDim) {
      sizes.push_back(wholeSamples(manifest, spec));
      if (spec.isWeight)
        weights = sizes.back();
    }
  int64_t samples = std::max<int64_t>(1, ds::countSamples(sizes, weights));
  for (ds::ArgumentSpec &spec : manifest.arguments) {
    if (!spec.batchDim)
      continue;
    int64_t size = wholeSamples(manifest, spec);
    spec.entries = size % samples == 0 ? size / samples : 0;
    if (spec.role == ds::ArgumentRole::state && !manifest.global && manifest.numRanks > 1 &&
        !ds::alongFirstAxis(spec.shards))
      spec.shards.push_back({0, ds::sampleLayout(spec)});
  }
}

static std::optional<ds::PlanFigures> readPlan(ModuleOp module) {
  auto attr = module->getAttrOfType<DictionaryAttr>(ds::planAttrName);
  if (!attr)
    return std::nullopt;
  auto find = [&](StringRef name) {
    auto value = attr.getAs<IntegerAttr>(name);
    return value ? std::optional(value.getInt()) : std::nullopt;
  };
  ds::PlanFigures plan;
  plan.meshes = find("meshes").value_or(1);
  plan.timeNs = find("time_ns").value_or(0);
  plan.heldBytes = find("held_bytes").value_or(0);
  plan.liveBytes = find("live_bytes").value_or(0);
  plan.optimizerLevel = find("optimizer_level").value_or(0);
  plan.boundNs = find("bound_ns");
  plan.dataParallelNs = find("data_parallel_ns");
  plan.dataParallelBytes = find("data_parallel_bytes");
  return plan;
}

static std::optional<ds::BucketFigures> readBucketPlan(ModuleOp module) {
  auto attr = module->getAttrOfType<DictionaryAttr>(ds::bucketPlanAttrName);
  if (!attr)
    return std::nullopt;
  auto find = [&](StringRef name) {
    auto value = attr.getAs<IntegerAttr>(name);
    return value ? value.getInt() : 0;
  };
  ds::BucketFigures plan;
  if (auto hash = attr.getAs<StringAttr>("hash"))
    plan.hash = hash.str();
  plan.gradients = find("gradients");
  plan.bytes = find("bytes");
  plan.buckets = find("buckets");
  plan.computePs = find("compute_ps");
  plan.exposedPs = find("exposed_ps");
  plan.boundPs = find("bound_ps");
  plan.gapPpm = find("gap_ppm");
  auto presets = attr.getAs<DictionaryAttr>("presets");
  for (NamedAttribute preset : presets ? presets.getValue() : ArrayRef<NamedAttribute>())
    if (auto value = dyn_cast<IntegerAttr>(preset.getValue()))
      plan.presets.emplace_back(preset.getName().str(), value.getInt());
  return plan;
}

llvm::FailureOr<ds::Manifest> ds::buildManifest(func::FuncOp step) {
  Manifest manifest;
  manifest.entry = step.getName().str();
  FailureOr<Config> config = getConfig(step->getParentOfType<ModuleOp>());
  if (failed(config))
    return failure();
  manifest.numRanks = config->deviceNum().value_or(1);
  if (std::vector<MeshAxis> mesh = config->mesh(); mesh.size() > 1)
    for (const MeshAxis &axis : mesh)
      manifest.axes.push_back({axis.name, axis.size});
  manifest.plan = readPlan(step->getParentOfType<ModuleOp>());
  manifest.bucketPlan = readBucketPlan(step->getParentOfType<ModuleOp>());
  manifest.global = config->batch() == BatchSemantics::Global;
  manifest.fullBatch = config->fullBatch() && manifest.numRanks > 1;
  manifest.gradientsMean = config->gradientsMean();
  if (UpdateMode mode = config->updateMode(); mode.kind != UpdateMode::Kind::Gradient)
    manifest.update = toText(mode);
  llvm::StringMap<unsigned> slots;
  for (unsigned i = 0; i < step.getNumArguments(); ++i) {
    ArgumentSpec spec;
    if (failed(readArgument(step, i, manifest.numRanks, spec)))
      return failure();
    if (spec.role == ArgumentRole::parameter || spec.role == ArgumentRole::state)
      slots[spec.name] = i;
    manifest.arguments.push_back(std::move(spec));
  }
  countEntries(manifest);
  for (unsigned i = 0; i < step.getNumResults(); ++i) {
    ResultSpec spec;
    if (failed(readResult(step, i, slots, spec)))
      return failure();
    if (spec.updates)
      spec.shards = manifest.arguments[*spec.updates].shards;
    manifest.results.push_back(std::move(spec));
  }
  if (!manifest.global && config->localState() == LocalState::PerRank)
    markStatesPerRank(step, manifest);
  return manifest;
}

std::vector<ds::StartSpec> ds::readStarts(func::FuncOp step) {
  std::vector<StartSpec> starts;
  for (auto op : step.front().getOps<CollectiveOpInterface>()) {
    if (!op.isStart())
      continue;
    StartSpec &start = starts.emplace_back();
    for (auto names : op.getNames().getAsRange<ArrayAttr>())
      for (auto name : names.getAsRange<StringAttr>())
        start.names += (start.names.empty() ? "" : ",") + name.str();
    for (Value input : op.getWholes()) {
      auto type = cast<ShapedType>(input.getType());
      start.bytes += type.getNumElements() * llvm::divideCeil(type.getElementTypeBitWidth(), 8);
    }
    start.isGradient = op.getPurpose() == Purpose::Gradient;
  }
  return starts;
}
