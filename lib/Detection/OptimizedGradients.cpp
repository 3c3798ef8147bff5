//===- OptimizedGradients.cpp - Gradients that an optimizer reshapes ------===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// An optimizer may update a matrix by values of other sizes: singular vectors of the gradient, or
// moments of its projection. No path of the parameter's size leads to the gradient then, and it
// looks like a coefficient of a later one. But backpropagation is linear in the gradients that it
// passes on, with factors that depend on parameters. What is made of a value in another way, and of
// no parameter, is made by an optimizer: the value is the gradient.
//
// A parameter that meets samples as it is has such a gradient whatever it is multiplied by: no
// function of the parameter stands between, whose derivative would be passed.
//
//===----------------------------------------------------------------------===//
#include "Detector.h"

#include "llvm/ADT/StringMap.h"

using namespace mlir;

namespace ds {
namespace {

/// What follows from a combined value.
class Following {
public:
  Following(const StepFlow &flow, const llvm::DenseSet<Value> &fromParameters, int64_t elements)
      : flow(flow), fromParameters(fromParameters), elements(elements) {}

  /// Whether an optimizer makes `updated` of what is read at these uses: with nothing of a
  /// parameter, or `withParameters`.
  bool isOptimized(ArrayRef<OpOperand *> uses, Value updated, bool withParameters) {
    first.insert(uses.begin(), uses.end());
    for (bool changed = true; changed;) {
      changed = false;
      for (Operation *op : flow.operations())
        changed |= visit(op);
    }
    llvm::DenseSet<Value> origins = {updated};
    flow.addOrigins(origins);
    auto reaches = [&](Value value) { return origins.contains(value); };
    return llvm::any_of(nonlinear, reaches) &&
           (withParameters || llvm::none_of(ofParameters, reaches));
  }

private:
  bool follows(OpOperand *use) const {
    return first.contains(use) || following.contains(use->get());
  }
  bool isLinear(Value value) const { return !nonlinear.contains(value); }

  bool visit(Operation *op) {
    bool changed = false;
    for (OpOperand &operand : op->getOpOperands())
      if (follows(&operand))
        for (Value target : flow.targets(operand))
          changed |= add(target, isLinear(operand.get()), mixed.contains(operand.get()));
    bool reads = false, readsLinear = true, isMixed = false, meetsParameters = false;
    for (OpOperand *use : flow.reads(op)) {
      bool isBehind = follows(use);
      reads |= isBehind;
      readsLinear &= !isBehind || isLinear(use->get());
      isMixed |= isBehind && mixed.contains(use->get());
      meetsParameters |= !isBehind && fromParameters.contains(use->get());
    }
    if (!reads)
      return changed;
    bool keeps = readsLinear && isLinearIn(flow, op, [&](Value value) {
                   return llvm::any_of(flow.reads(op), [&](OpOperand *use) {
                     return use->get() == value && follows(use);
                   });
                 });
    for (Value result : op->getResults()) {
      // Weight decay is added to a gradient element by element.
      bool isDecayed = keeps && elementCountOf(result) == elements;
      bool mixes = isMixed || (meetsParameters && !isDecayed);
      changed |= add(result, keeps, keeps && mixes);
      if (!keeps && readsLinear && mixes)
        ofParameters.insert(result);
    }
    return changed;
  }

  bool add(Value value, bool linear, bool mixes) {
    bool changed = following.insert(value).second;
    if (!linear)
      changed |= nonlinear.insert(value).second;
    if (mixes)
      changed |= mixed.insert(value).second;
    return changed;
  }

  const StepFlow &flow;
  const llvm::DenseSet<Value> &fromParameters;
  int64_t elements; // of the parameter
  llvm::DenseSet<OpOperand *> first;
  llvm::DenseSet<Value> following, nonlinear;
  llvm::DenseSet<Value> mixed;        // linear, with factors or addends made of parameters
  llvm::DenseSet<Value> ofParameters; // the first that are not linear, made of those
};

} // namespace

/// The values of the parameter's number of elements that the reduction is linear in, itself first.
static SmallVector<Value> findOfSize(const llvm::DenseMap<Value, SmallVector<Value, 2>> &sources,
                                     Value reduced, int64_t elements) {
  llvm::SetVector<Value> front;
  front.insert(reduced);
  for (unsigned at = 0; at < front.size(); ++at)
    for (Value source : sources.lookup(front[at]))
      front.insert(source);
  return llvm::filter_to_vector(front,
                                [&](Value value) { return elementCountOf(value) == elements; });
}

/// Keeps values of other sizes that are linear in these from being combined.
bool Detector::keepUncut(ArrayRef<Value> values, const ReductionPlan &plan) {
  llvm::DenseMap<Value, SmallVector<Value, 2>> linearIn;
  for (auto [operand, result] : plan.placement.kept)
    linearIn[operand->get()].push_back(result);
  llvm::SetVector<Value> behind(values.begin(), values.end());
  bool changed = false;
  for (unsigned at = 0; at < behind.size(); ++at) {
    if (elementCountOf(behind[at]) != elementCountOf(values.front()))
      changed |= uncut.insert(behind[at]).second;
    for (Value result : linearIn.lookup(behind[at]))
      behind.insert(result);
  }
  return changed;
}

/// Whether samples meet the parameter as it is, up to its shape and linear operations.
bool Detector::meetsSamples(Value parameter) const {
  llvm::SetVector<Value> forms;
  forms.insert(parameter);
  for (unsigned at = 0; at < forms.size(); ++at) {
    Value form = forms[at];
    for (OpOperand &use : form.getUses()) {
      for (Value target : flow.targets(use))
        forms.insert(target);
      Operation *op = flow.unitOf(use.getOwner());
      if (llvm::any_of(flow.reads(op),
                       [&](OpOperand *other) { return holdsSamples(other->get()); }))
        return true;
      if (llvm::all_of(
              op->getResults(),
              [&](Value result) { return elementCountOf(result) == elementCountOf(parameter); }) &&
          isLinearIn(flow, op, [&](Value value) { return value == form; }))
        forms.insert(op->result_begin(), op->result_end());
    }
  }
  return false;
}

/// Operations between the new value of a parameter and what it is computed from.
static llvm::DenseMap<Value, unsigned> findDistances(const StepFlow &flow, Value updated) {
  llvm::DenseMap<Value, unsigned> distances = {{updated, 0}};
  SmallVector<Value> level = {updated};
  for (unsigned distance = 1; !level.empty(); ++distance) {
    SmallVector<Value> next;
    for (Value value : level)
      for (OpOperand *input : flow.inputs(value))
        if (distances.insert({input->get(), distance}).second)
          next.push_back(input->get());
    level = std::move(next);
  }
  return distances;
}

/// Names the gradients that optimizers reshape. Returns whether the plan has to be made again,
/// since it combines what is made of one.
bool Detector::nameOptimized(ReductionPlan &plan) {
  struct Candidate {
    unsigned distance;
    Reduction *reduction;
    StringRef parameter;
  };
  SmallVector<Candidate> candidates;
  SmallVector<StepResult> unnamed = findUnnamed(plan);
  if (unnamed.empty())
    return false;
  llvm::DenseMap<Value, SmallVector<Value, 2>> sources = plan.findPartialSources();
  llvm::DenseSet<Value> fromParameters;
  for (const StepResult &result : getStepResults(step))
    if (result.parameter)
      fromParameters.insert(result.parameter);
  flow.addDependents(fromParameters);
  for (const StepResult &result : unnamed) {
    int64_t elements = elementCountOf(result.parameter);
    if (elements == 1)
      continue;
    Value updated = result.operand->get();
    bool isDirect = meetsSamples(result.parameter);
    llvm::DenseMap<Value, unsigned> distances = findDistances(flow, updated);
    for (Reduction &reduction : plan.reductions) {
      Value value = reduction.value;
      if (!reduction.names.empty() || !reduction.reducedUses.empty() ||
          reduction.kind != ReductionKind::Sum || !distances.contains(value) ||
          !fromParameters.contains(value) || !isa<FloatType>(getElementTypeOrSelf(value.getType())))
        continue;
      SmallVector<Value> ofSize = findOfSize(sources, value, elements);
      if (ofSize.empty() || !Following(flow, fromParameters, elements)
                                 .isOptimized(plan.findCombinedUses(reduction), updated, isDirect))
        continue;
      if (ofSize.front() != value && keepUncut(ofSize, plan))
        return true;
      candidates.push_back({distances.lookup(value), &reduction, result.updates});
    }
  }
  // All gradients reach all parameters through their norm: the nearest is the parameter's own.
  llvm::stable_sort(candidates,
                    [](const Candidate &x, const Candidate &y) { return x.distance < y.distance; });
  llvm::StringMap<unsigned> named;
  for (bool mayShare : {false, true})
    for (auto [distance, reduction, parameter] : candidates) {
      auto known = named.find(parameter);
      bool isTaken = known != named.end() && known->second != distance;
      if (isTaken || (!mayShare && !reduction->names.empty()) ||
          llvm::is_contained(reduction->names, parameter))
        continue;
      if (mayShare && known != named.end())
        continue;
      named.insert({parameter, distance});
      reduction->names.push_back(parameter.str());
    }
  return false;
}

/// How a step says what detection cannot know.
static LogicalResult askForMark(InFlightDiagnostic &&diagnostic, StringRef parameter) {
  return diagnostic << "; mark the gradient that it is made of: %g = ds.gradient %dw of \""
                    << parameter << "\"";
}

/// A state that parameters are updated by, and that no sample meets, is an optimizer's, and one of
/// all ranks. If the plan takes it for the rank's own, a gradient was not recognised.
LogicalResult Detector::refuseUnrecognised(const DetectedPlan &plan) const {
  SmallVector<StepResult> results = getStepResults(step);
  auto findUpdated = [&](Value value) {
    llvm::DenseSet<Value> behind = {value};
    flow.addDependents(behind);
    auto *updated = llvm::find_if(results, [&](const StepResult &result) {
      return result.parameter && behind.contains(result.operand->get());
    });
    bool meetsSamples = llvm::any_of(behind, [&](Value each) { return holdsSamples(each); });
    return std::pair(updated == results.end() ? StringRef() : updated->updates, meetsSamples);
  };
  for (const StepResult &result : results) {
    Value value = result.operand->get();
    if (!llvm::is_contained(plan.statistics, result.index) || shareOf(value) != Share::Varying)
      continue;
    if (auto [parameter, meetsSamples] = findUpdated(value); !parameter.empty() && !meetsSamples)
      return askForMark(emitError(value.getLoc())
                            << "parameter '" << parameter << "' is updated by this new value of '"
                            << result.updates << "', which differs from rank to rank",
                        parameter);
  }
  return success();
}

} // namespace ds
