//===- ReductionNetwork.cpp - From placements to a cut --------------------===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Vertices are partial values; their capacity is the cost on the wire each time the step computes
// them. An edge means that an operation keeps its operand partial, or that control flow forwards
// it. Sources are the operations that make partial values, sinks are the uses that need the reduced
// value. Maxima, minima, products and the like are reduced where they are made: later they cost the
// same.
//
//===----------------------------------------------------------------------===//
#include "ds/Analysis/Cut/ReductionNetwork.h"

#include "ds/Analysis/Cut/MinimumCut.h"
#include "ds/Analysis/Reshard.h"

#include "llvm/ADT/BitVector.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SmallBitVector.h"

#include <set>

using namespace mlir;

namespace ds {

//===----------------------------------------------------------------------===//
// The cut
//===----------------------------------------------------------------------===//

void cutNetwork(const StepFlow &flow, const ReducedUses &entries, ReductionPlan &plan,
                const llvm::DenseSet<Value> &uncut) {
  StepPlacement &placement = plan.placement;
  MinimumCut network;
  llvm::MapVector<Value, unsigned> vertices;
  auto priceOf = [&](Value value) {
    return getPrice(flow, value, Move::AllReduce, placement.ranks.size);
  };
  // Of two cuts of equal bytes, the one with fewer collectives in loops.
  auto capacityOf = [&](Value value) {
    MovePrice price = priceOf(value);
    return price.bytes + price.calls - 1;
  };
  constexpr int64_t dear = int64_t(1) << 60; // more than all others together
  auto vertexOf = [&](Value value) {
    auto [it, isNew] = vertices.insert({value, 0});
    if (isNew)
      it->second = network.addVertex(uncut.contains(value) ? dear : capacityOf(value));
    return it->second;
  };
  auto isReducedUse = [&](OpOperand *use) {
    auto it = entries.find(use->get());
    return it != entries.end() && llvm::is_contained(it->second, use);
  };
  auto isPartialUse = [&](OpOperand *use) {
    return placement.of(use->get()).isPartial() || isReducedUse(use);
  };

  for (Value source : placement.partialSources) {
    Placement made = placement.of(source);
    if (made.reduction != ReductionKind::Sum) {
      plan.reductions.push_back({source, made.reduction, Purpose::Gradient, {}, {}});
      for (int64_t *bytes : {&plan.bytes, &plan.bytesAtDefinition, &plan.bytesAtUse})
        *bytes += priceOf(source).bytes;
      continue;
    }
    network.addSource(vertexOf(source));
    plan.bytesAtDefinition += priceOf(source).bytes;
  }
  for (auto &[value, uses] : entries) {
    network.addSource(vertexOf(value));
    plan.bytesAtDefinition += priceOf(value).bytes;
  }
  for (auto [operand, result] : placement.kept)
    network.addEdge(vertexOf(operand->get()), vertexOf(result));
  llvm::DenseSet<Value> needed;
  for (auto [operand, required] : placement.required)
    if (required.isReplicated() && isPartialUse(operand) &&
        placement.of(operand->get()).reduction == ReductionKind::Sum) {
      network.addSink(vertexOf(operand->get()));
      if (needed.insert(operand->get()).second)
        plan.bytesAtUse += priceOf(operand->get()).bytes;
    }
  network.solve();

  llvm::BitVector isCut(vertices.size());
  for (unsigned vertex : network.cut())
    isCut.set(vertex);
  for (auto &[value, vertex] : vertices) {
    if (isCut.test(vertex)) {
      Reduction reduction{value, ReductionKind::Sum, Purpose::Gradient, {}, {}};
      if (auto it = entries.find(value); it != entries.end())
        reduction.reducedUses = it->second;
      plan.reductions.push_back(std::move(reduction));
      plan.bytes += priceOf(value).bytes;
    }
    if (network.isBeforeCut(vertex) && !entries.contains(value))
      plan.partialValues.insert(value);
  }
  // An operand after a cut of its own is reduced, even if other operands of the result are not.
  auto isBeforeCut = [&](Value value) { return network.isBeforeCut(vertices.lookup(value)); };
  for (auto [operand, result] : placement.kept)
    if (isBeforeCut(operand->get()) && isBeforeCut(result))
      plan.partialUses.insert(operand);

  // Program order is the order in which the values become ready.
  llvm::stable_sort(plan.reductions, [&](const Reduction &x, const Reduction &y) {
    return flow.position(x.value) < flow.position(y.value);
  });
}

SmallVector<OpOperand *> ReductionPlan::findCombinedUses(const Reduction &reduction) const {
  SmallVector<OpOperand *> uses = reduction.reducedUses;
  if (uses.empty())
    for (OpOperand &use : reduction.value.getUses())
      if (!partialUses.contains(&use))
        uses.push_back(&use);
  return uses;
}

llvm::DenseMap<Value, SmallVector<Value, 2>> ReductionPlan::findPartialSources() const {
  llvm::DenseMap<Value, SmallVector<Value, 2>> sources;
  for (auto [operand, result] : placement.kept)
    if (partialUses.contains(operand))
      sources[result].push_back(operand->get());
  return sources;
}

//===----------------------------------------------------------------------===//
// Names
//===----------------------------------------------------------------------===//

int64_t elementCountOf(Value value) {
  auto type = dyn_cast<ShapedType>(value.getType());
  return type ? type.getNumElements() : 1;
}

bool isCondition(Value value) { return getElementTypeOrSelf(value.getType()).isInteger(1); }

namespace {
/// Reductions by number, each with its distance.
using Distances = llvm::MapVector<unsigned, unsigned>;

/// Finds the reductions that a value depends on.
class Ancestry {
public:
  Ancestry(const StepFlow &flow, const ReductionPlan &plan) : flow(flow), plan(plan) {
    for (auto [i, reduction] : llvm::enumerate(plan.reductions))
      byValue[reduction.value] = i;
  }

  /// Returns the reduction whose result the use reads, if any.
  std::optional<unsigned> combinedAt(OpOperand &use) const {
    auto it = byValue.find(use.get());
    if (it == byValue.end() || plan.partialUses.contains(&use))
      return std::nullopt;
    const Reduction &reduction = plan.reductions[it->second];
    if (!reduction.reducedUses.empty() && !llvm::is_contained(reduction.reducedUses, &use))
      return std::nullopt;
    return it->second;
  }

  /// Returns the reductions from which values of `elements` elements lead to the use, each with the
  /// number of operations in between.
  Distances candidates(OpOperand &use, int64_t elements) const {
    Distances found;
    llvm::DenseSet<Value> seen;
    SmallVector<OpOperand *> level = {&use};
    for (unsigned distance = 0; !level.empty(); ++distance) {
      SmallVector<OpOperand *> next;
      for (OpOperand *at : level) {
        Value value = at->get();
        // Comparisons compute signs of gradients, too. A one-element value that only chooses, such
        // as the loss by which a step is skipped, does not count.
        if (elementCountOf(value) != elements || (elements == 1 && onlyChooses(*at)))
          continue;
        auto reduction = combinedAt(*at);
        if (reduction && isa<FloatType>(getElementTypeOrSelf(value.getType())))
          found.insert({*reduction, distance});
        else if (!reduction && !plan.placement.of(value).isSharded() && seen.insert(value).second)
          llvm::append_range(next, flow.inputs(value));
      }
      level = std::move(next);
    }
    return found;
  }

  /// True if the value of reduction `of` depends on that of reduction `ancestor`, through any
  /// operation.
  bool reaches(unsigned ancestor, unsigned of) const {
    Value target = plan.reductions[ancestor].value;
    llvm::DenseSet<Value> origins = {plan.reductions[of].value};
    flow.addOrigins(origins, [&](Value) { return origins.contains(target); });
    return origins.contains(target);
  }

private:
  const StepFlow &flow;
  const ReductionPlan &plan;
  llvm::DenseMap<Value, unsigned> byValue;
};
} // namespace

/// Annotations on a reduction, or on its addends, decide the parameter of the reduction.
static llvm::StringMap<SmallVector<unsigned>> findMarked(const ReductionPlan &plan) {
  auto addends = plan.findPartialSources();
  llvm::StringMap<SmallVector<unsigned>> marked;
  for (auto [i, reduction] : llvm::enumerate(plan.reductions)) {
    auto add = [&, i = i, elements = elementCountOf(reduction.value)](GradientOp mark) {
      if (elementCountOf(mark.getResult()) != elements)
        return;
      auto &reductions = marked[mark.getParam()];
      if (!llvm::is_contained(reductions, i))
        reductions.push_back(i);
    };
    for (Operation *user : reduction.value.getUsers())
      if (auto mark = dyn_cast<GradientOp>(user))
        add(mark);
    llvm::SetVector<Value> behind;
    behind.insert(reduction.value);
    for (unsigned at = 0; at < behind.size(); ++at) {
      if (auto mark = behind[at].getDefiningOp<GradientOp>()) {
        add(mark);
        behind.insert(mark.getValue());
      }
      for (Value addend : addends.lookup(behind[at]))
        behind.insert(addend);
    }
  }
  return marked;
}

void nameGradients(const StepFlow &flow, ReductionPlan &plan) {
  Ancestry ancestry(flow, plan);
  llvm::StringMap<SmallVector<unsigned>> marked = findMarked(plan);
  llvm::MapVector<StringRef, Distances> behind;
  Distances nearest;
  for (const StepResult &result : getStepResults(flow.step())) {
    if (!result.parameter)
      continue;
    Distances &found = behind[result.updates];
    if (auto it = marked.find(result.updates); it != marked.end())
      for (unsigned reduction : it->second)
        found.insert({reduction, 0});
    else
      found = ancestry.candidates(*result.operand, elementCountOf(result.parameter));
    for (auto [reduction, distance] : found) {
      auto [it, isNew] = nearest.insert({reduction, distance});
      it->second = std::min(it->second, distance);
    }
  }
  std::set<std::pair<unsigned, std::string>> named; // each parameter comes once
  for (auto [number, reduction] : llvm::enumerate(plan.reductions))
    for (const auto &name : reduction.names)
      named.emplace(number, name);
  for (auto &[parameter, found] : behind) {
    // The norm of all gradients also links each of them to the parameters of one element.
    auto isOthers = [&](const auto &each) { return nearest[each.first] < each.second; };
    if (!llvm::all_of(found, isOthers))
      found.remove_if(isOthers);
    for (auto [candidate, distance] : found) {
      auto isBehind = [&, candidate = candidate](const auto &other) {
        return other.first != candidate && ancestry.reaches(candidate, other.first);
      };
      auto &names = plan.reductions[candidate].names;
      if (llvm::none_of(found, isBehind) && !named.count({candidate, parameter.str()}))
        names.push_back(parameter.str());
    }
  }
}

namespace {
/// The uses that a value reaches.
struct Reach {
  bool activation = false, update = false;
  llvm::SmallBitVector metrics; // by number among the metrics
  /// Returns true if anything was added.
  bool join(const Reach &other) {
    bool changed = (other.activation && !activation) || (other.update && !update) ||
                   other.metrics.test(metrics);
    activation |= other.activation;
    update |= other.update;
    metrics |= other.metrics;
    return changed;
  }
};
} // namespace

/// Walks the program backward, and again while a value that control flow carries reaches more.
static llvm::DenseMap<Value, Reach> findReach(const StepFlow &flow,
                                              llvm::function_ref<bool(Value)> isActivation) {
  llvm::DenseMap<Value, Reach> reach(flow.operations().size());
  llvm::DenseMap<Operation *, Reach> inside; // values inside operations with control flow
  unsigned numMetrics = 0;
  for (const StepResult &result : getStepResults(flow.step())) {
    Reach &at = reach[result.operand->get()];
    at.update |= !result.updates.empty();
    if (!result.metric.empty()) {
      at.metrics.resize(numMetrics + 1);
      at.metrics.set(numMetrics++);
    }
  }
  auto reachOf = [&](Value value) {
    Reach total = reach.lookup(value);
    total.activation |= isActivation(value);
    return total;
  };
  for (bool changed = true; changed;) {
    changed = false;
    for (Operation *op : llvm::reverse(flow.operations())) {
      Reach total;
      for (Value result : op->getResults())
        total.join(reachOf(result));
      Operation *holder = flow.holdsOperations(op) ? op
                          : flow.isControl(op)     ? op->getParentOp()
                                                   : nullptr;
      if (holder)
        total.join(inside.lookup(holder));
      for (OpOperand *operand : flow.reads(op))
        reach[operand->get()].join(total);
      for (OpOperand &operand : op->getOpOperands())
        for (Value target : flow.targets(operand)) {
          bool more = reach[operand.get()].join(reachOf(target));
          changed |= more && isa<BlockArgument>(target);
        }
      if (flow.holdsOperations(op->getParentOp()))
        changed |= inside[op->getParentOp()].join(total);
    }
  }
  return reach;
}

void assignPurposes(const StepFlow &flow, llvm::function_ref<bool(Value)> isActivation,
                    ReductionPlan &plan) {
  llvm::DenseMap<Value, Reach> reach = findReach(flow, isActivation);
  SmallVector<StringRef> metrics;
  for (const StepResult &result : getStepResults(flow.step()))
    if (!result.metric.empty())
      metrics.push_back(result.metric);
  auto reachOfUses = [&](const Reduction &reduction) {
    if (reduction.reducedUses.empty())
      return reach.lookup(reduction.value);
    Reach total;
    for (OpOperand *use : reduction.reducedUses) {
      for (Value target : flow.targets(*use))
        total.join(reach.lookup(target));
      for (Value result : flow.unitOf(use->getOwner())->getResults())
        total.join(reach.lookup(result));
    }
    return total;
  };
  for (Reduction &reduction : plan.reductions) {
    Reach at = reachOfUses(reduction);
    if (reduction.reducedUses.empty() && at.activation)
      reduction.purpose = Purpose::Activation;
    else if (!reduction.names.empty())
      reduction.purpose = Purpose::Gradient;
    else
      reduction.purpose = at.update ? Purpose::State : Purpose::Metric;
    if (reduction.purpose == Purpose::Metric)
      for (unsigned metric : at.metrics.set_bits())
        reduction.names.push_back(metrics[metric].str());
  }
}

} // namespace ds
