//===- CutStep.cpp - Cut a step in two at its gradients -------------------===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// New values that read one gradient, or each other's old values, form a class and are updated
// together. The largest class is assigned first, to the shard with the fewest bytes.
//
//===----------------------------------------------------------------------===//
#include "ds/Transforms/CutStep.h"

#include "PendingStates.h"

#include "ds/Analysis/StepFlow.h"
#include "ds/Analysis/StepRoles.h"
#include "ds/Dialect/IR/Ds.h"
#include "ds/Dialect/IR/Roles.h"
#include "ds/Rewrite/EraseMarks.h"

#include "mlir/IR/IRMapping.h"
#include "llvm/ADT/BitVector.h"
#include "llvm/ADT/EquivalenceClasses.h"

#include <map>
#include <set>

using namespace mlir;

namespace ds {
namespace {

/// Erases operations and arguments that do not affect the results.
void simplify(func::FuncOp step) {
  Block &body = step.getBody().front();
  SmallVector<Operation *> operations;
  for (Operation &op : body.without_terminator())
    operations.push_back(&op);
  for (Operation *op : llvm::reverse(operations)) // users first
    if (isOpTriviallyDead(op))
      op->erase();
  llvm::BitVector unused(step.getNumArguments());
  for (BlockArgument argument : step.getArguments())
    unused[argument.getArgNumber()] = argument.use_empty();
  LogicalResult erased = step.eraseArguments(unused);
  assert(succeeded(erased) && "arguments without uses");
  (void)erased;
}

/// Drops the results for which `stays` does not hold.
void keepResults(func::FuncOp step, llvm::function_ref<bool(unsigned)> stays) {
  llvm::BitVector dropped(step.getNumResults());
  for (unsigned i = 0; i < step.getNumResults(); ++i)
    dropped[i] = !stays(i);
  step.getBody().front().getTerminator()->eraseOperands(dropped);
  LogicalResult erased = step.eraseResults(dropped);
  assert(succeeded(erased) && "results without values");
  (void)erased;
}

class Cut {
public:
  Cut(ModuleOp module, func::FuncOp step, StringRef entry, int64_t numShards)
      : module(module), step(step), entry(entry), numShards(numShards), flow(step),
        results(getStepResults(step)) {}

  FailureOr<CutStep> run() {
    if (failed(findGradients()) || failed(checkUpdates()))
      return failure();
    CutStep cut;
    cut.gradients = makeGradients();
    for (const std::set<unsigned> &shard : assignShards())
      cut.updates.push_back(makeUpdate(shard));
    return cut;
  }

private:
  LogicalResult findGradients() {
    auto collected = collectGradients(step, "update=asynchronous cannot push");
    if (failed(collected))
      return failure();
    marks = std::move(*collected);
    for (BlockArgument argument : step.getArguments())
      if (isOfEachRank(step, argument.getArgNumber()))
        return step.emitError("update=asynchronous: each rank has its own '")
               << paramOrState(step, argument.getArgNumber())
               << "', but ranks that run free share parameters and states";
    return checkStatesOfGradients(flow, marks, "asynchronous");
  }

  static bool isGradient(Operation *op) { return isa<GradientOp>(op); }

  /// Checks that new values depend on samples and random keys only through gradients.
  LogicalResult checkUpdates() {
    llvm::DenseSet<Value> ofSamples;
    for (BlockArgument argument : step.getArguments())
      if (step.getArgAttr(argument.getArgNumber(), role::batch) ||
          step.getArgAttr(argument.getArgNumber(), role::seed))
        ofSamples.insert(argument);
    flow.addDependents(ofSamples, isGradient);
    for (const StepResult &result : results)
      if (!result.updates.empty() && ofSamples.contains(result.operand->get()))
        return step.emitError("update=asynchronous: the new value of '")
               << result.updates
               << "' needs samples or random keys beside gradients, and ranks that run free have "
                  "no "
                  "mean of it";
    return success();
  }

  OwningOpRef<ModuleOp> makeGradients() {
    IRMapping copies;
    OwningOpRef<ModuleOp> copy(cast<ModuleOp>(module->clone(copies)));
    func::FuncOp function = getStep(*copy, entry);
    keepResults(function, [&](unsigned i) { return results[i].updates.empty(); });
    MLIRContext *ctx = step.getContext();
    for (auto [i, mark] : llvm::enumerate(marks)) {
      Value gradient = copies.lookup(mark.getValue());
      unsigned number = function.getNumResults();
      auto attrs = DictionaryAttr::get(ctx, {NamedAttribute(role::name, gradientName(i))});
      LogicalResult added = function.insertResult(number, gradient.getType(), attrs);
      assert(succeeded(added) && "a step returns any value");
      (void)added;
      function.getBody().front().getTerminator()->insertOperands(number, gradient);
    }
    countAll(function);
    simplify(function);
    return copy;
  }

  StringAttr gradientName(size_t number) {
    return StringAttr::get(step.getContext(), "gradient." + std::to_string(number));
  }

  /// A rank that updates alone reduces nothing, and counts every addend.
  static void countAll(func::FuncOp function) {
    eraseMarks(function);
    function.walk([](ReplicatedToPartialOp once) {
      once.getResult().replaceAllUsesWith(once.getValue());
      once.erase();
    });
  }

  OwningOpRef<ModuleOp> makeUpdate(const std::set<unsigned> &shard) {
    IRMapping copies;
    OwningOpRef<ModuleOp> copy(cast<ModuleOp>(module->clone(copies)));
    func::FuncOp function = getStep(*copy, entry);
    keepResults(function, [&](unsigned i) { return shard.count(i) > 0; });
    MLIRContext *ctx = step.getContext();
    for (auto [i, mark] : llvm::enumerate(marks)) {
      unsigned number = function.getNumArguments();
      auto attrs = DictionaryAttr::get(ctx, {NamedAttribute(role::name, gradientName(i))});
      LogicalResult added = function.insertArgument(number, mark.getType(), attrs, mark.getLoc());
      assert(succeeded(added) && "a step takes any argument");
      (void)added;
      copies.lookup(mark.getResult()).replaceAllUsesWith(function.getArgument(number));
    }
    countAll(function);
    simplify(function);
    return copy;
  }

  /// Returns the values that a new value is computed from, back to the gradients.
  llvm::DenseSet<Value> originsOf(const StepResult &result) {
    llvm::DenseSet<Value> origins = {result.operand->get()};
    flow.addOrigins(origins, [](Value value) { return value.getDefiningOp<GradientOp>(); });
    return origins;
  }

  static int64_t bytesOf(Value value) {
    auto type = cast<RankedTensorType>(value.getType());
    return type.getNumElements() * std::max<int64_t>(1, type.getElementTypeBitWidth() / 8);
  }

  /// Assigns the results to shards.
  std::vector<std::set<unsigned>> assignShards() {
    std::map<unsigned, llvm::DenseSet<Value>> origins;
    llvm::DenseMap<Value, unsigned> writer;  // the result that writes a parameter or state
    llvm::DenseMap<Value, unsigned> readers; // the first result that reads a gradient
    llvm::EquivalenceClasses<unsigned> classes;
    std::set<unsigned> byThemselves; // states that no gradient changes
    for (const StepResult &result : results)
      if (Value argument = result.parameter ? result.parameter : result.state) {
        origins[result.index] = originsOf(result);
        writer[argument] = result.index;
        bool readsGradient = llvm::any_of(origins[result.index], [](Value value) {
          return value.getDefiningOp<GradientOp>() != nullptr;
        });
        if (readsGradient || result.parameter)
          classes.insert(result.index);
        else
          byThemselves.insert(result.index);
      }
    for (const auto &[index, values] : origins) {
      if (byThemselves.count(index))
        continue;
      for (Value value : values)
        if (value.getDefiningOp<GradientOp>())
          classes.unionSets(index, readers.try_emplace(value, index).first->second);
        else if (auto found = writer.find(value);
                 found != writer.end() && !byThemselves.count(found->second))
          classes.unionSets(index, found->second);
    }
    std::vector<std::set<unsigned>> together;
    std::map<unsigned, size_t> numberOf; // of a class by its leader, in the order of results
    for (const auto &[index, values] : origins)
      if (!byThemselves.count(index)) {
        auto [at, isNew] = numberOf.try_emplace(classes.getLeaderValue(index), together.size());
        if (isNew)
          together.emplace_back();
        together[at->second].insert(index);
      }
    return balance(together, origins, writer, byThemselves);
  }

  std::vector<std::set<unsigned>> balance(std::vector<std::set<unsigned>> together,
                                          const std::map<unsigned, llvm::DenseSet<Value>> &origins,
                                          const llvm::DenseMap<Value, unsigned> &writer,
                                          std::set<unsigned> byThemselves) {
    auto bytes = [&](const std::set<unsigned> &indices) {
      int64_t sum = 0;
      for (unsigned index : indices)
        sum += bytesOf(results[index].operand->get());
      return sum;
    };
    llvm::stable_sort(together, [&](const auto &x, const auto &y) { return bytes(x) > bytes(y); });
    std::vector<std::set<unsigned>> shards(std::clamp<int64_t>(together.size(), 1, numShards));
    for (const std::set<unsigned> &indices : together) {
      auto least =
          std::min_element(shards.begin(), shards.end(),
                           [&](const auto &x, const auto &y) { return bytes(x) < bytes(y); });
      least->insert(indices.begin(), indices.end());
    }
    // Adds to each shard the states that change by themselves and that it reads, directly or
    // through others.
    std::set<unsigned> unread = byThemselves;
    for (std::set<unsigned> &shard : shards)
      for (bool changed = true; changed;) {
        changed = false;
        for (unsigned index : std::set<unsigned>(shard))
          for (Value value : origins.at(index))
            if (auto found = writer.find(value); found != writer.end())
              changed |= byThemselves.count(found->second) && shard.insert(found->second).second;
      }
    for (const std::set<unsigned> &shard : shards)
      for (unsigned index : shard)
        unread.erase(index);
    shards.front().insert(unread.begin(), unread.end());
    return shards;
  }

  ModuleOp module;
  func::FuncOp step;
  StringRef entry;
  int64_t numShards;
  StepFlow flow;
  SmallVector<StepResult> results;
  SmallVector<GradientOp> marks;
};

} // namespace

FailureOr<CutStep> cutAtGradients(ModuleOp marked, StringRef entry, int64_t numShards) {
  func::FuncOp step = getStep(marked, entry);
  if (!step)
    return failure();
  return Cut(marked, step, entry, numShards).run();
}

} // namespace ds
