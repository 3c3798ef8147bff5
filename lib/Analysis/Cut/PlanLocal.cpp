//===- PlanLocal.cpp - Reductions of an annotated `local` step ------------===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// `local`: one function that every rank runs on its own samples, as `vmap` over the ranks would. A
// value is replicated or varying; a value computed from a varying one varies. Ranks meet at
// annotations (`ds.gradient`, `ds.combine`): the operand varies, the result is partial, and from
// there the rules and the cut of `global` decide how far it stays partial. A partial value that
// meets a varying one is reduced. A parameter must not vary at the end.
//
//===----------------------------------------------------------------------===//
#include "ds/Analysis/Cut/ReductionNetwork.h"
#include "ds/Analysis/Marks.h"
#include "ds/Analysis/Reshard.h"
#include "ds/Dialect/IR/Roles.h"

#include "llvm/ADT/StringSet.h"

using namespace mlir;

namespace ds {

namespace {

class LocalPlanner {
public:
  LocalPlanner(const StepFlow &flow, const Config &config, ArrayAttr axes)
      : step(flow.step()), flow(flow), config(config), placement(plan.placement) {
    placement.ranks = {1, axes}; // in `local` nothing depends on the number of ranks
  }

  FailureOr<ReductionPlan> run();

private:
  Placement view(OpOperand &operand) const { return placement.of(operand.get()); }
  bool varies(Value value) const { return placement.of(value).isVarying(); }
  bool variesAt(ArrayRef<OpOperand *> operands) const {
    return llvm::any_of(operands, [&](OpOperand *operand) { return varies(operand->get()); });
  }
  ReductionKind ofGradients() const {
    return config.gradientsMean() ? ReductionKind::Mean : ReductionKind::Sum;
  }
  bool isLayerwise(unsigned argument) const {
    func::FuncOp function = step; // its accessors are not const
    return isOfEachRank(function, argument);
  }

  LogicalResult findSources();
  void sweep();
  void wantWhole(ArrayRef<OpOperand *> operands);
  bool runsApart(Operation *op) const;
  LogicalResult checkLayerwise();
  void placeMark(Operation *mark);
  void placeOther(Operation *op);
  bool addVaryingStates();
  void addInPlace();
  LogicalResult placeResults();
  LogicalResult explain(const StepResult &result) const;

  func::FuncOp step;
  const StepFlow &flow;
  const Config &config;
  ReductionPlan plan;
  StepPlacement &placement;
  llvm::StringSet<> layerwise;    // parameters that differ between ranks
  SmallVector<Reduction> inPlace; // annotations whose reduction cannot move
  Operation *apart = nullptr;     // an annotation that not all ranks may reach
};

/// Places rank-local samples, keys and parameters.
LogicalResult LocalPlanner::findSources() {
  if (failed(checkBatchArguments(step)))
    return failure();
  for (const BatchArgument &argument : getBatchArguments(step))
    placement.placements[argument.argument] = Placement::varying();
  for (BlockArgument argument : step.getArguments()) {
    unsigned number = argument.getArgNumber();
    bool isOwnKey = config.decorrelateSeeds() && step.getArgAttr(number, role::seed);
    if (isOwnKey || isLayerwise(number) || step.getArgAttr(number, role::perRank))
      placement.placements[argument] = Placement::varying();
    if (auto name = step.getArgAttrOfType<StringAttr>(number, role::param);
        name && isLayerwise(number))
      layerwise.insert(name.getValue());
  }
  return success();
}

void LocalPlanner::wantWhole(ArrayRef<OpOperand *> operands) {
  for (OpOperand *operand : operands)
    if (view(*operand).isPartial())
      placement.required[operand] = Placement::replicated();
}

/// True if ranks may decide differently whether, or how often, they run the operation.
bool LocalPlanner::runsApart(Operation *op) const {
  for (Operation *holder = op->getParentOp(); flow.holdsOperations(holder);
       holder = holder->getParentOp())
    if (holder->getNumResults() > 0 && variesAt(flow.decisions(holder->getResult(0))))
      return true;
  return false;
}

/// A replicated value is reduced only by an explicit sum, which counts it n times. A reduction
/// moves on from its annotation only if it is the one that gradients have, since the mean and the
/// sum of two partial values have no reduction in common.
void LocalPlanner::placeMark(Operation *mark) {
  Value result = mark->getResult(0);
  auto gradient = dyn_cast<GradientOp>(mark);
  if (!variesAt(flow.reads(mark))) {
    if (gradient || cast<CombineOp>(mark).getKind() != ReductionKind::Sum)
      return placeOther(mark);
    wantWhole(flow.operands(mark));
  }
  if (gradient && layerwise.contains(gradient.getParam())) {
    placement.placements[result] = Placement::varying();
    return;
  }
  if (runsApart(mark))
    apart = mark;
  bool isFloat = isa<FloatType>(getElementTypeOrSelf(result.getType()));
  ReductionKind kind = gradient ? ofGradients() : cast<CombineOp>(mark).getKind();
  bool moves = gradient ? !gradient.getPinned() : kind == ofGradients();
  if (moves && (isFloat || kind == ReductionKind::Sum)) {
    placement.placements[result] = Placement::partial(ReductionKind::Sum);
    placement.partialSources.insert(result);
    return;
  }
  placement.placements[result] = Placement::replicated();
  inPlace.push_back({result, kind, Purpose::Gradient, {}, {}});
}

void LocalPlanner::placeOther(Operation *op) {
  ArrayRef<OpOperand *> operands = flow.operands(op);
  auto setResults = [&](Placement at) {
    wantWhole(operands);
    for (Value result : op->getResults())
      placement.placements[result] = at;
  };
  if (variesAt(operands) || (isa<RankOp>(op) && placement.ranks.meets(op)) || holdsOnce(op))
    return setResults(Placement::varying());
  if (runsApart(op))
    return setResults(Placement::replicated());
  PlacementRule rule(op, operands, placement.ranks,
                     [&](OpOperand &operand) { return view(operand); });
  placeOperation(op, rule);
  if (rule.reason)
    return setResults(Placement::replicated());
  placement.record(rule);
}

void LocalPlanner::sweep() {
  for (bool changed = true; changed;) {
    changed = false;
    placement.forgetOperations();
    inPlace.clear();
    apart = nullptr;
    for (Operation *op : flow.operations()) {
      for (OpOperand &operand : op->getOpOperands())
        for (Value target : flow.targets(operand)) {
          bool decided = variesAt(flow.decisions(target));
          changed |= joinTarget(operand, target, decided ? Placement::varying() : view(operand),
                                placement);
        }
      if (flow.isControl(op))
        wantWhole(flow.reads(op));
      else if (isMark(op))
        placeMark(op);
      else if (!op->hasTrait<OpTrait::IsTerminator>())
        placeOther(op);
    }
  }
  for (auto [operand, target] : flow.edges())
    recordSource(*operand, target, view(*operand), placement);
}

/// With local_state = per_rank, the next step starts from the rank's own state.
bool LocalPlanner::addVaryingStates() {
  bool changed = false;
  if (config.localState() == LocalState::PerRank)
    for (const StepResult &result : getStepResults(step))
      if (result.state && varies(result.operand->get()) && !varies(result.state)) {
        placement.placements[result.state] = Placement::varying();
        changed = true;
      }
  return changed;
}

/// Points at the place where a rank-local value enters the new value, through tensors of its size.
LogicalResult LocalPlanner::explain(const StepResult &result) const {
  Value value = result.operand->get();
  int64_t elements = elementCountOf(value);
  llvm::DenseSet<Value> seen;
  for (;;) {
    SmallVector<Value> varying;
    for (OpOperand *input : flow.inputs(value))
      if (varies(input->get()) && !llvm::is_contained(varying, input->get()))
        varying.push_back(input->get());
    if (varying.size() != 1 || elementCountOf(varying[0]) != elements ||
        isa<BlockArgument>(varying[0]) || !seen.insert(varying[0]).second)
      break;
    value = varying[0];
  }
  return emitError(value.getLoc())
         << "parameter '" << result.updates
         << "' is updated from this value, which differs from rank to rank; mark its gradient with "
            "ds.gradient, or what decides about it with ds.combine";
}

LogicalResult LocalPlanner::placeResults() {
  if (apart)
    return apart->emitError("ranks decide apart whether they come here, so they cannot combine a "
                            "value; combine what they decide by with ds.combine");
  for (const StepResult &result : getStepResults(step)) {
    Placement at = view(*result.operand);
    if (at.isPartial())
      placement.required[result.operand] = Placement::replicated();
    if (at.isVarying() && result.parameter && !isLayerwise(result.parameter.getArgNumber()))
      return explain(result);
    if (result.state && step.getArgAttr(result.state.getArgNumber(), role::perRank))
      continue; // each rank has its own
    if (at.isVarying() && result.state && !result.perSample)
      plan.statistics.push_back(result.index);
    if (!result.metric.empty())
      (at.isVarying() ? plan.varyingMetrics : plan.commonMetrics).push_back(result.index);
  }
  return success();
}

/// Adds the annotations whose reduction cannot move, in program order.
void LocalPlanner::addInPlace() {
  for (Reduction &reduction : inPlace) {
    int64_t bytes =
        getPrice(flow, reduction.value, Move::AllReduce, plan.placement.ranks.size).bytes;
    for (int64_t *total : {&plan.bytes, &plan.bytesAtDefinition, &plan.bytesAtUse})
      *total += bytes;
    plan.reductions.push_back(std::move(reduction));
  }
  llvm::stable_sort(plan.reductions, [&](const Reduction &x, const Reduction &y) {
    return flow.position(x.value) < flow.position(y.value);
  });
}

/// Gradients of ds.layerwise_parallel parameters are rank-local, as is usual in hybrid training.
LogicalResult LocalPlanner::checkLayerwise() {
  for (GradientOp mark : collectUnits<GradientOp>(step)) {
    auto inner = mark.getValue().getDefiningOp<GradientOp>();
    if (!inner || layerwise.contains(inner.getParam()) == layerwise.contains(mark.getParam()))
      continue;
    StringRef own = layerwise.contains(mark.getParam()) ? mark.getParam() : inner.getParam();
    return step.emitError("parameter '")
           << own
           << "' is ds.layerwise_parallel but shares its gradient with a parameter that is not";
  }
  return success();
}

FailureOr<ReductionPlan> LocalPlanner::run() {
  if (failed(findSources()) || failed(checkLayerwise()))
    return failure();
  do
    sweep();
  while (addVaryingStates());
  if (failed(placeResults()))
    return failure();
  cutNetwork(flow, {}, plan);
  for (Reduction &reduction : plan.reductions)
    reduction.kind = ofGradients();
  addInPlace();
  findFusedSums(flow, plan);
  nameGradients(flow, plan);
  // Varying values that lead to an annotation are the forward and backward pass over samples.
  llvm::DenseSet<Value> beforeMarks;
  for (Operation *op : flow.operations())
    if (isMark(op))
      beforeMarks.insert(op->getOperand(0));
  flow.addOrigins(beforeMarks);
  assignPurposes(
      flow, [&](Value value) { return varies(value) && beforeMarks.contains(value); }, plan);
  return std::move(plan);
}

} // namespace

FailureOr<ReductionPlan> planLocal(const StepFlow &flow, const Config &config, ArrayAttr axes) {
  return LocalPlanner(flow, config, axes).run();
}

} // namespace ds
