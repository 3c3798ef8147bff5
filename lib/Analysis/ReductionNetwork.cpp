//===- ReductionNetwork.cpp - From placements to a cut --------------------===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Vertices are partial values, their capacity is what they cost on the wire; an edge says that an
// operation keeps its operand partial. Births are sources, uses that need the whole are sinks.
// Maxima, minima, products and the like are combined where they are born: they cost the same later.
//
//===----------------------------------------------------------------------===//
#include "ReductionNetwork.h"

#include "ds/Analysis/MinimumCut.h"

#include "llvm/ADT/BitVector.h"
#include "llvm/ADT/MapVector.h"

using namespace mlir;

namespace ds {

int64_t getWireBytes(Value value) {
  Type type = value.getType();
  int64_t elements = 1;
  if (auto shaped = dyn_cast<ShapedType>(type)) {
    elements = shaped.getNumElements();
    type = shaped.getElementType();
  }
  int64_t bits = type.isIndex() ? 64 : type.getIntOrFloatBitWidth();
  if (isa<FloatType>(type))
    bits = std::max<int64_t>(bits, 32);
  return elements * std::max<int64_t>(1, bits / 8);
}

//===----------------------------------------------------------------------===//
// The cut
//===----------------------------------------------------------------------===//

void cutNetwork(func::FuncOp step, const EntryUses &entries, ReductionPlan &plan) {
  StepPlacement &placement = plan.placement;
  MinimumCut network;
  llvm::MapVector<Value, unsigned> vertices;
  auto vertexOf = [&](Value value) {
    auto [it, isNew] = vertices.insert({value, 0});
    if (isNew)
      it->second = network.addVertex(getWireBytes(value));
    return it->second;
  };
  auto isEntryUse = [&](OpOperand *use) {
    auto it = entries.find(use->get());
    return it != entries.end() && llvm::is_contained(it->second, use);
  };
  auto isPartialUse = [&](OpOperand *use) {
    return placement.of(use->get()).isPartial() || isEntryUse(use);
  };

  for (Value birth : placement.births) {
    Placement born = placement.of(birth);
    if (born.reduction != ReductionKind::Sum) {
      plan.reductions.push_back({birth, born.reduction, Zone::Gradient, {}, {}});
      continue;
    }
    network.addSource(vertexOf(birth));
    plan.bytesAtBirth += getWireBytes(birth);
  }
  for (auto &[value, uses] : entries) {
    network.addSource(vertexOf(value));
    plan.bytesAtBirth += getWireBytes(value);
  }
  for (auto [operand, result] : placement.kept)
    network.addEdge(vertexOf(operand->get()), vertexOf(result));
  for (auto [operand, use] : placement.uses)
    if (use.kind == OperandUse::Need && isPartialUse(operand) &&
        placement.of(operand->get()).reduction == ReductionKind::Sum)
      network.addSink(vertexOf(operand->get()));
  network.solve();

  llvm::BitVector isCut(vertices.size());
  for (unsigned vertex : network.cut())
    isCut.set(vertex);
  for (auto &[value, vertex] : vertices) {
    if (isCut.test(vertex)) {
      Reduction reduction{value, ReductionKind::Sum, Zone::Gradient, {}, {}};
      if (auto it = entries.find(value); it != entries.end())
        reduction.entryUses = it->second;
      plan.reductions.push_back(std::move(reduction));
      plan.bytes += getWireBytes(value);
    }
    if (network.isBeforeCut(vertex) && !entries.contains(value))
      plan.partialValues.insert(value);
  }
  for (auto [operand, result] : placement.kept)
    if (auto it = vertices.find(result); network.isBeforeCut(it->second))
      plan.partialUses.insert(operand);

  // In the order of the program: it is the order in which the values become ready.
  llvm::DenseMap<Operation *, unsigned> order;
  for (Operation &op : step.getBody().front())
    order[&op] = order.size();
  llvm::stable_sort(plan.reductions, [&](const Reduction &x, const Reduction &y) {
    auto position = [&](Value value) {
      Operation *op = value.getDefiningOp();
      return op ? std::pair(order.lookup(op), cast<OpResult>(value).getResultNumber())
                : std::pair(0u, 0u);
    };
    return position(x.value) < position(y.value);
  });
}

//===----------------------------------------------------------------------===//
// Names
//===----------------------------------------------------------------------===//

static int64_t elementCountOf(Value value) {
  auto type = dyn_cast<ShapedType>(value.getType());
  return type ? type.getNumElements() : 1;
}

/// The operation of the step's body that holds `op`.
static Operation *topLevel(func::FuncOp step, Operation *op) {
  return step.getBody().front().findAncestorOpInBlock(*op);
}

namespace {
/// Finds reductions behind a value.
class Ancestry {
public:
  explicit Ancestry(const ReductionPlan &plan) : plan(plan) {
    for (auto [i, reduction] : llvm::enumerate(plan.reductions))
      byValue[reduction.value] = i;
  }

  /// The reduction that a use reads combined, if any.
  std::optional<unsigned> combinedAt(OpOperand &use) const {
    auto it = byValue.find(use.get());
    if (it == byValue.end() || plan.partialUses.contains(&use))
      return std::nullopt;
    const Reduction &reduction = plan.reductions[it->second];
    if (!reduction.entryUses.empty() && !llvm::is_contained(reduction.entryUses, &use))
      return std::nullopt;
    return it->second;
  }

  /// Reductions from which values of `elements` elements lead to the use.
  SmallVector<unsigned> candidates(OpOperand &use, int64_t elements) const {
    llvm::SetVector<unsigned> found;
    llvm::DenseSet<Value> seen;
    SmallVector<OpOperand *> work = {&use};
    while (!work.empty()) {
      OpOperand *at = work.pop_back_val();
      Value value = at->get();
      if (elementCountOf(value) != elements)
        continue;
      if (auto reduction = combinedAt(*at)) {
        found.insert(*reduction);
        continue;
      }
      Operation *op = value.getDefiningOp();
      if (!op || plan.placement.of(value).isSharded() || !seen.insert(value).second)
        continue;
      llvm::append_range(work, getReadOperands(op));
    }
    return found.takeVector();
  }

  /// Whether reduction `ancestor` reaches the value of reduction `of` through anything.
  bool reaches(unsigned ancestor, unsigned of) const {
    llvm::DenseSet<Operation *> seen;
    SmallVector<Operation *> work;
    auto visit = [&](Operation *op) {
      if (op && seen.insert(op).second)
        work.push_back(op);
    };
    Value target = plan.reductions[ancestor].value;
    visit(plan.reductions[of].value.getDefiningOp());
    while (!work.empty())
      for (OpOperand *operand : getReadOperands(work.pop_back_val())) {
        if (operand->get() == target)
          return true;
        visit(operand->get().getDefiningOp());
      }
    return false;
  }

private:
  const ReductionPlan &plan;
  llvm::DenseMap<Value, unsigned> byValue;
};
} // namespace

/// Marks that stand on a reduction decide for their parameter.
static llvm::StringMap<SmallVector<unsigned>> findMarked(ReductionPlan &plan) {
  llvm::StringMap<SmallVector<unsigned>> marked;
  for (auto [i, reduction] : llvm::enumerate(plan.reductions)) {
    for (Operation *user : reduction.value.getUsers())
      if (auto mark = dyn_cast<GradientOp>(user))
        marked[mark.getParam()].push_back(i);
    for (auto mark = reduction.value.getDefiningOp<GradientOp>(); mark;
         mark = mark.getValue().getDefiningOp<GradientOp>())
      marked[mark.getParam()].push_back(i);
  }
  return marked;
}

void nameGradients(func::FuncOp step, ReductionPlan &plan) {
  Ancestry ancestry(plan);
  llvm::StringMap<SmallVector<unsigned>> marked = findMarked(plan);
  for (const StepResult &result : getStepResults(step)) {
    BlockArgument parameter = findArgument(step, "ds.param", result.updates);
    if (!parameter)
      continue;
    SmallVector<unsigned> found;
    if (auto it = marked.find(result.updates); it != marked.end())
      found = it->second;
    else
      found = ancestry.candidates(*result.operand, elementCountOf(parameter));
    for (unsigned candidate : found) {
      if (llvm::any_of(found, [&](unsigned other) {
            return other != candidate && ancestry.reaches(candidate, other);
          }))
        continue;
      auto &names = plan.reductions[candidate].names;
      if (!llvm::is_contained(names, result.updates))
        names.push_back(result.updates.str());
    }
  }
}

void assignZones(func::FuncOp step, llvm::function_ref<bool(Value)> isActivation,
                 ReductionPlan &plan) {
  // Backward over the program: what each value reaches.
  struct Reach {
    bool activation = false, update = false;
    llvm::SmallSetVector<unsigned, 2> metrics;
    void join(const Reach &other) {
      activation |= other.activation;
      update |= other.update;
      metrics.insert(other.metrics.begin(), other.metrics.end());
    }
  };
  llvm::DenseMap<Operation *, Reach> reach;
  llvm::DenseMap<Value, Reach> returned;
  auto results = getStepResults(step);
  for (const StepResult &result : results) {
    Reach &at = returned[result.operand->get()];
    at.update |= !result.updates.empty();
    if (!result.metric.empty())
      at.metrics.insert(result.index);
  }
  auto reachOf = [&](Value value, ArrayRef<OpOperand *> only) {
    Reach total = returned.lookup(value);
    for (OpOperand &use : value.getUses()) {
      if (!only.empty() && !llvm::is_contained(only, &use))
        continue;
      Operation *user = topLevel(step, use.getOwner());
      if (user->hasTrait<OpTrait::IsTerminator>())
        continue;
      total.join(reach.lookup(user));
      total.activation |= llvm::any_of(user->getResults(), isActivation);
    }
    return total;
  };
  for (Operation &op : llvm::reverse(step.getBody().front())) {
    Reach total;
    for (Value result : op.getResults())
      total.join(reachOf(result, {}));
    reach[&op] = std::move(total);
  }
  for (Reduction &reduction : plan.reductions) {
    Reach at = reachOf(reduction.value, reduction.entryUses);
    if (reduction.entryUses.empty() && at.activation)
      reduction.zone = Zone::Inline;
    else if (!reduction.names.empty())
      reduction.zone = Zone::Gradient;
    else
      reduction.zone = at.update ? Zone::State : Zone::Metric;
    if (reduction.zone == Zone::Metric)
      for (unsigned index : at.metrics)
        for (const StepResult &result : results)
          if (result.index == index)
            reduction.names.push_back(result.metric.str());
  }
}

} // namespace ds
