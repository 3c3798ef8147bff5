//===- AnnotateStep.cpp - roles for an unmodified step ----------*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Donated arguments are parameters and states, paired with their new values by dataflow. The batch
// is the leading dimension of every other ranked argument; following it through the step separates
// the parameters, which reach a value that holds samples, from the states, which do not. The
// remaining results are per sample, if they hold samples, or metrics.
//
//===----------------------------------------------------------------------===//

#include "CheckShardings.h"
#include "PairDonated.h"
#include "ds/Analysis/Cut/ReductionPlan.h"
#include "ds/Analysis/PlacementAnalysis.h"
#include "ds/Dialect/IR/Roles.h"
#include "ds/Transforms/Passes.h"

#include "mlir/IR/Remarks.h"
#include "llvm/ADT/StringSet.h"

namespace ds {
#define GEN_PASS_DEF_ANNOTATESTEPPASS
#include "ds/Transforms/Passes.h.inc"
} // namespace ds

using namespace mlir;
using namespace ds;

static constexpr StringLiteral category = "ds-annotate-step";

namespace {

class Annotator {
public:
  explicit Annotator(func::FuncOp step) : step(step), builder(step.getContext()) {}

  LogicalResult run(ArrayRef<std::string> pairTexts) {
    DonatedPairs given;
    if (failed(checkCalls()) || failed(readPairs(pairTexts, given)))
      return failure();
    if (donatedArguments(step).empty())
      return step.emitError("the step has no roles and donates no argument (tf.aliasing_output, or "
                            "jax.buffer_donor and a result of its type); mark its arguments, or "
                            "export it with donated parameters and state");
    FailureOr<DonatedPairs> found = pairDonated(step, given);
    if (failed(found))
      return failure();
    pairs = std::move(*found);
    if (failed(findBatch()) || failed(findSamples()))
      return failure();
    nameArguments();
    nameResults();
    eraseDonation(step); // ds.updates replaces it
    return verifyRoles(step);
  }

private:
  LogicalResult checkCalls() {
    WalkResult result = step.walk([](func::CallOp call) {
      call.emitError("expected a step without calls; inline '") << call.getCallee() << "' first";
      return WalkResult::interrupt();
    });
    return failure(result.wasInterrupted());
  }

  /// Parses the pairs: "3:5" means that result 5 is the new value of argument 3.
  LogicalResult readPairs(ArrayRef<std::string> texts, DonatedPairs &given) {
    for (StringRef text : texts) {
      auto [left, right] = text.split(':');
      unsigned argument, result;
      if (left.getAsInteger(10, argument) || right.getAsInteger(10, result))
        return step.emitError("expected pairs=argument:result, got '") << text << "'";
      if (argument >= step.getNumArguments() || result >= step.getNumResults())
        return step.emitError("expected pairs of arguments below ")
               << step.getNumArguments() << " and results below " << step.getNumResults()
               << ", got '" << text << "'";
      if (step.getArgumentTypes()[argument] != step.getResultTypes()[result])
        return step.emitError("expected a pair of equal types, got '")
               << text << "' of " << step.getArgumentTypes()[argument] << " and "
               << step.getResultTypes()[result];
      bool twice = llvm::any_of(given, [&](auto &pair) { return pair.second == result; });
      if (twice || !given.insert({argument, result}).second)
        return step.emitError("expected every argument and result in one pair, got '")
               << text << "' beside another";
    }
    return success();
  }

  bool isDonated(unsigned argument) const { return pairs.contains(argument); }

  /// Returns the arguments whose leading dimension may be the batch: ranked, not stored, without
  /// another annotation.
  SmallVector<unsigned> sampleArguments() {
    SmallVector<unsigned> arguments;
    for (unsigned i = 0; i < step.getNumArguments(); ++i) {
      auto type = dyn_cast<RankedTensorType>(step.getArgumentTypes()[i]);
      if (type && type.getRank() > 0 && !isDonated(i) && !step.getArgAttr(i, role::seed))
        arguments.push_back(i);
    }
    return arguments;
  }

  /// True if the type may be a random key of JAX: two or four integers.
  static bool maybeKey(RankedTensorType type) {
    return type.getRank() == 1 && type.getElementType().isInteger(32) &&
           (type.getDimSize(0) == 2 || type.getDimSize(0) == 4);
  }

  /// Keeps the annotations of samples if there are any; otherwise all candidates must have the same
  /// batch size. An annotation that only marks the weights of samples does not count: the other
  /// arguments are still to be found.
  LogicalResult findBatch() {
    if (llvm::any_of(getBatchArguments(step), [&](const BatchArgument &batch) {
          return !step.getArgAttr(batch.argument.getArgNumber(), role::weight);
        }))
      return success();
    SmallVector<unsigned> arguments = sampleArguments();
    if (arguments.empty())
      return step.emitError("no argument can hold samples: every ranked one is donated");
    auto typeOf = [&](unsigned i) { return cast<RankedTensorType>(step.getArgumentTypes()[i]); };
    for (unsigned i : arguments)
      if (maybeKey(typeOf(i)))
        return step.emitError("argument ")
               << i << " of type " << typeOf(i)
               << " can be a random key or samples; mark it with ds.seed or ds.batch";
    int64_t size = typeOf(arguments[0]).getDimSize(0);
    for (unsigned i : arguments)
      if (typeOf(i).getDimSize(0) != size)
        return step.emitError("cannot find the batch: argument ")
               << arguments[0] << " has leading size " << size << ", argument " << i << " has "
               << typeOf(i).getDimSize(0) << "; mark the batch arguments with ds.batch";
    if (size < 2)
      return step.emitError("cannot distinguish one sample from other dimensions; mark the batch "
                            "arguments with ds.batch");
    for (unsigned i : arguments) {
      step.setArgAttr(i, role::batch, builder.getI64IntegerAttr(0));
      remark::passed(step.getLoc(), remark::RemarkOpts::name("Batch").category(category))
          << ("argument " + Twine(i) + " holds samples").str() << remark::metric("rows", size);
    }
    return success();
  }

  /// Shards the samples as for several ranks, to find the values that hold samples.
  LogicalResult findSamples() {
    StepFlow flow(step);
    samples = followSamples(flow);
    // The result of an operation without a rule may hold samples or not, and roles depend on that.
    SmallVector<PlacementConflict> lost = samples.conflicts;
    llvm::copy_if(samples.unsharded, std::back_inserter(lost),
                  [](const PlacementConflict &conflict) { return !hasPlacementRule(conflict.op); });
    if (!lost.empty())
      return lost.front().op->emitError("cannot follow the samples here: ") << lost.front().reason;
    for (auto [value, placement] : samples.placements)
      if (placement.isSharded())
        reachesSamples.insert(value);
    flow.addOrigins(reachesSamples);
    return success();
  }

  /// Returns `required`, with a number appended if another argument or result has that name.
  std::string uniqueName(StringRef required) {
    std::string name = required.str();
    for (unsigned i = 1; !names.insert(name).second; ++i)
      name = required.str() + "." + std::to_string(i);
    return name;
  }

  std::string nameOf(BlockArgument argument) {
    if (auto name = dyn_cast<NameLoc>(argument.getLoc()); name && !name.getName().empty())
      return uniqueName(name.getName());
    return uniqueName("arg" + std::to_string(argument.getArgNumber()));
  }

  void nameArguments() {
    for (BlockArgument argument : step.getArguments()) {
      unsigned i = argument.getArgNumber();
      std::string name = nameOf(argument);
      if (!isDonated(i)) {
        if (!step.getArgAttr(i, role::name))
          step.setArgAttr(i, role::name, builder.getStringAttr(name));
        continue;
      }
      bool isFloat = isa<FloatType>(getElementTypeOrSelf(argument.getType()));
      bool isParam =
          isFloat && isa<ShapedType>(argument.getType()) && reachesSamples.contains(argument);
      step.setArgAttr(i, isParam ? role::param : role::state, builder.getStringAttr(name));
      unsigned result = pairs.lookup(i);
      step.setResultAttr(result, role::updates, builder.getStringAttr(name));
      sayPair(i, isParam ? "parameter" : "state", name, result);
    }
  }

  void sayPair(unsigned argument, StringRef role, StringRef name, unsigned result) {
    auto donatedTo = step.getArgAttrOfType<IntegerAttr>(argument, aliasingOutputAttrName);
    bool crossed = donatedTo && donatedTo.getInt() != result;
    std::string text = ("argument " + Twine(argument) + " is " + role + " '" + name +
                        "', updated by result " + Twine(result))
                           .str();
    if (crossed)
      text += " although donated to result " + std::to_string(donatedTo.getInt());
    remark::passed(step.getLoc(),
                   remark::RemarkOpts::name(crossed ? "CrossedPair" : "Pair").category(category))
        << text;
  }

  void nameResults() {
    Operation *terminator = step.getBody().front().getTerminator();
    for (OpOperand &operand : terminator->getOpOperands()) {
      unsigned i = operand.getOperandNumber();
      if (step.getResultAttr(i, role::updates))
        continue;
      auto info = step.getResultAttrOfType<StringAttr>(i, "jax.result_info");
      std::string name = info && !info.empty() ? info.str() : "result" + std::to_string(i);
      Placement placement = samples.of(operand.get());
      if (placement.isSharded()) {
        step.setResultAttr(i, role::batch, builder.getI64IntegerAttr(placement.sharding.dim));
        step.setResultAttr(i, role::name, builder.getStringAttr(uniqueName(name)));
      } else {
        step.setResultAttr(i, role::metric, builder.getStringAttr(uniqueName(name)));
      }
      remark::passed(step.getLoc(), remark::RemarkOpts::name("Result").category(category))
          << ("result " + Twine(i) + (placement.isSharded() ? " is per sample" : " is a metric"))
                 .str();
    }
  }

  func::FuncOp step;
  Builder builder;
  DonatedPairs pairs;
  StepPlacement samples;
  // Values that hold samples and all values they depend on: an argument among them is read by the
  // forward or backward pass.
  llvm::DenseSet<Value> reachesSamples;
  llvm::StringSet<> names;
};

struct AnnotateStep final : ds::impl::AnnotateStepPassBase<AnnotateStep> {
  using AnnotateStepPassBase::AnnotateStepPassBase;

  void runOnOperation() final {
    func::FuncOp step = getStep(getOperation(), entry);
    if (!step)
      return signalPassFailure();
    LogicalResult result = hasRoles(step)
                               ? verifyRoles(step)
                               : Annotator(step).run(llvm::to_vector_of<std::string>(pairs));
    if (failed(result) || failed(takeMarksOfResults(step)))
      signalPassFailure();
  }
};

} // namespace
