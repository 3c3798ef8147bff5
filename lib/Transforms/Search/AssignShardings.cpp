//===- AssignShardings.cpp - Search how to shard over one axis ------------===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The search (Analysis/StepStrategy.h) chooses the placement in which each value is computed and
// the one in which each use takes it. Where the two differ, the value gets a sharding constraint:
// the plan is readable in the IR, and propagating these constraints reproduces it.
//
//===----------------------------------------------------------------------===//
#include "AssignShardings.h"

#include "ds/Analysis/Cut/ReductionNetwork.h"
#include "ds/Dialect/IR/Roles.h"
#include "ds/Transforms/Passes.h"

#include "Utils/StepPlan.h"

#include "mlir/IR/Remarks.h"

using namespace mlir;

namespace ds {

//===----------------------------------------------------------------------===//
// The task of the search
//===----------------------------------------------------------------------===//

bool dividesBatch(func::FuncOp step, int64_t ranks) {
  SmallVector<BatchArgument> batch = getBatchArguments(step);
  return batch.empty() || getSampleSize(batch) % ranks == 0;
}

/// `global`: reads from the plan which values hold samples, which are reduced, and which differ
/// between ranks before their reduction.
static void readGlobal(const StepFlow &flow, const ReplicaGroup &ranks, StrategyTask &task,
                       llvm::DenseSet<Value> &varying) {
  ReductionPlan plan;
  plan.placement = shardStep(flow, ranks).placement;
  for (auto [value, placement] : plan.placement.placements)
    if (placement.isSharded())
      task.ofSamples.insert(value);
  cutNetwork(flow, {}, plan);
  for (const Reduction &reduction : plan.reductions)
    task.combinedOverBatch.insert(reduction.value);
  for (const auto *values : {&task.ofSamples, &plan.partialValues, &task.combinedOverBatch})
    varying.insert(values->begin(), values->end());
}

/// `local`: the samples are those of one replica, and annotations mark what is reduced.
static void readLocal(const StepFlow &flow, StrategyTask &task, llvm::DenseSet<Value> &varying) {
  func::FuncOp step = flow.step();
  for (const BatchArgument &batch : getBatchArguments(step))
    varying.insert(batch.argument);
  flow.addDependents(varying, llvm::IsaPred<GradientOp, CombineOp>);
  step.walk([&](Operation *op) {
    if (isa<GradientOp, CombineOp>(op))
      task.combinedOverBatch.insert(op->getResult(0));
  });
  varying.insert(task.combinedOverBatch.begin(), task.combinedOverBatch.end());
}

BatchSharding shardByBatch(const StepFlow &flow, const Config &config) {
  func::FuncOp step = flow.step();
  BatchSharding division;
  StrategyTask &task = division.task;
  std::optional<ReplicaGroup> ranks = getBatchRanks(step.getContext(), config);
  task.batchRanks = ranks ? ranks->size : 1;
  if (!ranks)
    return division;
  llvm::DenseSet<Value> varying;
  if (config.batch() == BatchSemantics::Local)
    readLocal(flow, task, varying);
  else if (!getBatchArguments(step).empty() && dividesBatch(step, task.batchRanks))
    readGlobal(flow, *ranks, task, varying);
  else
    return division; // refused when the batch is sharded
  if (!config.enableParallelOptimizer() || task.batchRanks == 1)
    return division;
  UpdateShards update = findUpdateShards(flow, *ranks, config, varying, task.combinedOverBatch);
  task.ofUpdate = std::move(update.values);
  task.gathered = std::move(update.gathered);
  division.arguments = std::move(update.arguments);
  return division;
}

/// Returns the dimensions along which an argument may be sharded in blocks.
static SmallVector<Sharding> getChoices(func::FuncOp step, BlockArgument argument, int64_t n,
                                        const Config &config) {
  unsigned number = argument.getArgNumber();
  auto type = dyn_cast<RankedTensorType>(argument.getType());
  auto samples = step.getArgAttrOfType<IntegerAttr>(number, role::batch);
  bool isStored = !paramOrState(step, number).empty();
  SmallVector<Sharding> choices;
  if (!type || (!samples && !isStored) || step.getArgAttr(number, role::layerwiseParallel))
    return choices;
  for (int64_t dim = 0; dim < type.getRank(); ++dim) {
    int64_t major = 1;
    if (samples && config.fullBatch())
      break; // every rank holds all samples
    if (samples && samples.getInt() == dim) {
      if (config.batch() == BatchSemantics::Local)
        continue; // each replica holds its own samples
      major = config.mesh().front().size;
    }
    if (int64_t size = type.getDimSize(dim); size % (major * n) == 0 && size > 0)
      choices.push_back({dim, major, size / (major * n)});
  }
  return choices;
}

static CostRates getRates(const Config &config) {
  CostRates rates = config.costRates();
  if (config.searchMode() == SearchMode::ShardingPropagation)
    rates.flop = rates.byte = 0;
  return rates;
}

/// Returns the parameter of the state's type that is computed from the new state, if there is
/// exactly one. Few values depend on a state, so this visits the users of each value instead of the
/// whole step (addDependents).
static BlockArgument findUpdated(const StepFlow &flow, const StepResult &state,
                                 const llvm::DenseMap<OpOperand *, BlockArgument> &parameters) {
  BlockArgument found;
  llvm::SetVector<Value> following;
  following.insert(state.operand->get());
  for (size_t i = 0; i < following.size(); ++i)
    for (OpOperand &use : following[i].getUses()) {
      BlockArgument parameter = parameters.lookup(&use);
      if (parameter && parameter.getType() == state.state.getType()) {
        if (found && found != parameter)
          return {};
        found = parameter;
      }
      following.insert_range(flow.targets(use));
      if (Operation *unit = flow.unitOf(use.getOwner()); unit && !flow.isControl(unit))
        following.insert_range(unit->getResults());
    }
  return found;
}

static SmallVector<std::pair<Value, Value>> findUpdatedTogether(const StepFlow &flow) {
  SmallVector<StepResult> results = getStepResults(flow.step());
  llvm::DenseMap<OpOperand *, BlockArgument> parameters;
  for (const StepResult &result : results)
    if (result.parameter)
      parameters[result.operand] = result.parameter;
  SmallVector<std::pair<Value, Value>> found;
  for (const StepResult &result : results)
    if (result.state)
      if (BlockArgument parameter = findUpdated(flow, result, parameters))
        found.push_back({result.state, parameter});
  return found;
}

static StrategyTask getTask(const StepFlow &flow, const ReplicaGroup &ranks, const Config &config,
                            const llvm::DenseSet<unsigned> &marked) {
  StrategyTask task = shardByBatch(flow, config).task;
  task.costs.rates = getRates(config);
  task.quickly = config.searchMode() == SearchMode::RecursiveProgramming;
  func::FuncOp step = flow.step();
  if (!task.ofUpdate.empty())
    task.updatedTogether = findUpdatedTogether(flow);
  for (BlockArgument argument : step.getArguments()) {
    unsigned number = argument.getArgNumber();
    if (!marked.contains(number)) {
      task.shards[argument] = getChoices(step, argument, ranks.size, config);
      continue;
    }
    auto mark = step.getArgAttrOfType<ShardingAttr>(number, role::sharding);
    std::optional<Sharding> named = getSharding(mark, argument, ranks);
    SmallVector<Sharding> &shards = task.shards[argument];
    shards = named ? SmallVector<Sharding>{*named} : getOpenShardings(mark, argument, ranks);
    if (named || shards.empty())
      task.pinned.insert(argument);
  }
  return task;
}

//===----------------------------------------------------------------------===//
// The plan as annotations
//===----------------------------------------------------------------------===//

namespace {
class Writer {
public:
  Writer(const StepFlow &flow, const ReplicaGroup &ranks, const StepStrategy &strategy)
      : flow(flow), step(flow.step()), axis(cast<StringAttr>(ranks.axes[0])), strategy(strategy) {}

  SmallVector<ShardingConstraintOp> run() {
    // Collected here and set once: setting one argument's attributes rewrites those of all
    // arguments.
    step.getAllArgAttrs(attributes);
    attributes.resize(step.getNumArguments(), DictionaryAttr::get(step.getContext()));
    for (BlockArgument argument : step.getArguments())
      if (Placement made = strategy.made.lookup(argument); made.isSharded())
        markArgument(argument, made.sharding);
    step.setAllArgAttrs(attributes);
    SmallVector<Value> values;
    for (Operation *op : flow.operations())
      for (OpOperand *operand : flow.operands(op))
        if (strategy.taken.contains(operand) && known.insert(operand->get()).second)
          values.push_back(operand->get());
    for (Value value : values)
      markUses(value);
    return std::move(written);
  }

private:
  /// A later axis shards within the blocks that earlier axes have left.
  void markArgument(BlockArgument argument, const Sharding &sharding) {
    unsigned number = argument.getArgNumber();
    auto old = step.getArgAttrOfType<ShardingAttr>(number, role::sharding);
    SmallVector<ArrayAttr> dims;
    for (int64_t dim = 0; dim < cast<RankedTensorType>(argument.getType()).getRank(); ++dim) {
      SmallVector<Attribute> axes;
      if (old)
        llvm::append_range(axes, old.getDims()[dim]);
      if (llvm::is_contained(axes, axis))
        return; // annotated already
      if (dim == sharding.dim) {
        if (sharding.a > 1 && axes.empty())
          axes.push_back(StringAttr::get(step.getContext(), getBatchAxis(step)));
        axes.push_back(axis);
      }
      dims.push_back(ArrayAttr::get(step.getContext(), axes));
    }
    NamedAttrList marked(attributes[number]);
    ArrayRef<int64_t> open = old ? old.getOpen() : ArrayRef<int64_t>();
    marked.set(role::sharding, ShardingAttr::get(step.getContext(), dims, open));
    attributes[number] = marked.getDictionary(step.getContext());
  }

  Value mark(Value value, const Placement &to) {
    OpBuilder b(value.getContext());
    SmallVector<ArrayAttr> dims(cast<RankedTensorType>(value.getType()).getRank(),
                                b.getArrayAttr({}));
    if (to.isSharded() && to.sharding.a > 1)
      dims[to.sharding.dim] = b.getArrayAttr({b.getStringAttr(getBatchAxis(step)), axis});
    else if (to.isSharded())
      dims[to.sharding.dim] = b.getArrayAttr(axis);
    b.setInsertionPointAfterValue(value);
    written.push_back(ShardingConstraintOp::create(b, value.getLoc(), value,
                                                   ShardingAttr::get(b.getContext(), dims)));
    return written.back();
  }

  /// True if another operand is a shard already: the rule of the operation then slices a replicated
  /// operand by itself.
  bool followsFromOthers(OpOperand &use) const {
    if (flow.isControl(use.getOwner()))
      return false;
    return llvm::any_of(use.getOwner()->getOpOperands(), [&](OpOperand &other) {
      auto taken = strategy.taken.find(&other);
      return taken != strategy.taken.end() && taken->second.isSharded() &&
             strategy.made.lookup(other.get()) == taken->second;
    });
  }

  void markUses(Value value) {
    Placement made = strategy.made.lookup(value);
    SmallVector<OpOperand *> uses;
    for (OpOperand &use : value.getUses()) {
      auto taken = strategy.taken.find(&use);
      // How a result leaves the step is in its attributes.
      if (taken == strategy.taken.end() || isa<func::ReturnOp>(use.getOwner()) ||
          taken->second.isPartial())
        continue;
      bool slices = made.isReplicated() && taken->second.isSharded();
      if (!slices || strategy.onDemand.contains(value) || !followsFromOthers(use))
        uses.push_back(&use);
    }
    if (!isa<RankedTensorType>(value.getType()))
      return; // a scalar is replicated, or is reduced where it is required
    Versions asMade{made, strategy.onDemand.contains(value) ? mark(value, made) : value, {}};
    Versions second;
    if (auto it = strategy.second.find(value); it != strategy.second.end())
      second = {it->second, mark(asMade.value, it->second), {}};
    for (OpOperand *use : uses)
      use->set(
          moved(strategy.fromSecond.contains(use) ? second : asMade, strategy.taken.lookup(use)));
  }

  /// A value in one placement, and its conversions to other placements so far.
  struct Versions {
    Placement made;
    Value value;
    SmallVector<std::pair<Placement, Value>> others;
  };

  Value moved(Versions &from, const Placement &to) {
    if (to == from.made)
      return from.value;
    auto *it = llvm::find_if(from.others, [&](auto &each) { return each.first == to; });
    if (it == from.others.end())
      it = from.others.insert(it, {to, mark(from.value, to)});
    return it->second;
  }

  const StepFlow &flow;
  func::FuncOp step;
  StringAttr axis;
  const StepStrategy &strategy;
  SmallVector<DictionaryAttr> attributes; // of all arguments
  llvm::DenseSet<Value> known;
  SmallVector<ShardingConstraintOp> written;
};
} // namespace

//===----------------------------------------------------------------------===//
// One axis
//===----------------------------------------------------------------------===//

ShardingSearch::ShardingSearch(func::FuncOp step, const Config &config, int64_t heldByte)
    : step(step), config(config), heldByte(heldByte) {
  for (unsigned i = 0; i < step.getNumArguments(); ++i)
    if (step.getArgAttr(i, role::sharding))
      marked.insert(i);
}

void ShardingSearch::assign(const ReplicaGroup &ranks) {
  StepFlow flow(step);
  task = getTask(flow, ranks, config, marked);
  task.heldByte = heldByte;
  ++axes;
  std::optional<StepStrategy> found = findStrategy(flow, ranks, task);
  assert(found && "to divide nothing but what is marked is a plan");
  strategy = std::move(*found);
  if (listener)
    listener(flow, ranks, task, strategy);
  // In program order: the operand of a constraint may be another constraint.
  for (ShardingConstraintOp mark : Writer(flow, ranks, strategy).run()) {
    if (task.ofSamples.contains(mark.getValue()))
      task.ofSamples.insert(mark);
    if (task.ofUpdate.contains(mark.getValue()) && !isa<BlockArgument>(mark.getValue()))
      task.ofUpdate.insert(mark);
  }
  remark::passed(step.getLoc(), remark::RemarkOpts::name("PlanFound").category("ds-shard-axes"))
      << "searched" << remark::metric("variables", strategy.variables)
      << remark::metric("cost", strategy.cost) << remark::metric("bound", strategy.bound);
}

/// All reductions over the first axis count as one message.
static int64_t messagesOfBatch(const StrategyTask &task) {
  return task.combinedOverBatch.empty() ? 0 : task.costs.ofMessages(2 * (task.batchRanks - 1), 0);
}

int64_t getTimeUnsharded(const StepFlow &flow, const Config &config, StrategyTask task) {
  task.costs.rates = getRates(config);
  return messagesOfBatch(task) + getCost(flow, placeStep(flow, 1, StepBoundary()), task);
}

static StrategyTask updatingWhole(StrategyTask task) {
  task.ofUpdate.clear();
  task.updatedTogether.clear();
  task.gathered.clear();
  return task;
}

int64_t ShardingSearch::time() const {
  if (axes > 0)
    return strategy.cost - strategy.holding + messagesOfBatch(task);
  StepFlow flow(step);
  return getTimeUnsharded(flow, config, shardByBatch(flow, config).task);
}

int64_t ShardingSearch::timeUpdatedWhole() const {
  if (axes > 0)
    return costUpdatedWhole + messagesOfBatch(task);
  StepFlow flow(step);
  return getTimeUnsharded(flow, config, updatingWhole(shardByBatch(flow, config).task));
}

std::optional<int64_t> ShardingSearch::bound() const {
  if (config.searchMode() == SearchMode::RecursiveProgramming)
    return std::nullopt;
  if (axes == 0)
    return time();
  return axes == 1 ? std::optional(strategy.bound + messagesOfBatch(task)) : std::nullopt;
}

void ShardingSearch::check(const StepFlow &flow, const StepPlacement &placement) {
  strategy.cost = getCost(flow, placement, task);
  strategy.bound = std::min(strategy.bound, strategy.cost);
  if (!task.quickly)
    return;
  StrategyTask whole = updatingWhole(task);
  whole.heldByte = 0;
  costUpdatedWhole = getCost(flow, placement, whole);
}

} // namespace ds
