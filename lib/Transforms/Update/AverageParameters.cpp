//===- AverageParameters.cpp - Ranks train apart between averages ---------===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A parameter stays replicated: it is the last average. Beside it each rank keeps its own value,
// trained from that average. A replicated counter decides whether a step ends with an average, so
// that either all ranks or none reach the collectives.
//
//===----------------------------------------------------------------------===//
#include "UpdateModes.h"

#include "PendingStates.h"

#include "ds/Analysis/PlacementAnalysis.h"
#include "ds/Analysis/StepFlow.h"
#include "ds/Analysis/StepRoles.h"
#include "ds/Dialect/IR/Ds.h"
#include "ds/Dialect/IR/Roles.h"
#include "ds/Rewrite/EraseMarks.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;

namespace ds {
namespace {

class Averages {
public:
  Averages(func::FuncOp step, const Config &config)
      : step(step), config(config), mode(config.updateMode()) {}

  LogicalResult run() {
    if (failed(classify()))
      return failure();
    dropMarks();
    OpBuilder b = OpBuilder::atBlockBegin(&step.getBody().front());
    StepCount count = countSteps(step, b);
    // True if ranks start the step from the replicated value: after an average. Elastic ranks do so
    // only in the first step.
    Value start = mode.elastic ? isZero(b, count.before) : isAverage(b, count.before);
    Value due = isAverage(b, count.now);
    for (Averaged &each : averaged)
      readLocal(b, start, each);
    for (Apart &each : apart)
      keepApart(b, each);
    b.setInsertionPoint(terminator());
    writeAverages(b, due);
    return success();
  }

private:
  /// A parameter, or a state of the forward pass: the mean over ranks after each window.
  struct Averaged {
    BlockArgument argument;
    unsigned result;
    bool isParameter;
    BlockArgument local, momentum; // momentum: of the outer optimizer, or null
  };
  /// An optimizer state: each rank keeps its own.
  struct Apart {
    BlockArgument argument;
    unsigned result;
  };

  Operation *terminator() { return step.getBody().front().getTerminator(); }
  static bool isFloat(Value value) { return isa<FloatType>(getElementTypeOrSelf(value.getType())); }

  /// Finds the parameters and states that differ between ranks that train apart: those that depend
  /// on samples, directly or through earlier steps.
  LogicalResult classify() {
    StepFlow flow(step);
    llvm::DenseSet<Value> gradients, updates, differing;
    for (const BatchArgument &argument : getBatchArguments(step))
      differing.insert(argument.argument);
    for (BlockArgument argument : step.getArguments()) {
      unsigned number = argument.getArgNumber();
      if (step.getArgAttr(number, role::layerwiseParallel))
        return refuse(number, "is ds.layerwise_parallel and has no mean over ranks");
      if ((config.decorrelateSeeds() && step.getArgAttr(number, role::seed)) ||
          step.getArgAttr(number, role::perRank))
        differing.insert(argument);
    }
    for (Operation *op : flow.operations())
      if (isa<GradientOp>(op)) {
        gradients.insert(op->getOperand(0));
        updates.insert(op->getResult(0));
      }
    flow.addOrigins(gradients);
    flow.addDependents(updates);
    llvm::SetVector<unsigned> carried; // results
    SmallVector<StepResult> results = getStepResults(step);
    for (bool changed = true; changed;) {
      changed = false;
      flow.addDependents(differing);
      for (const StepResult &result : results) {
        Value argument = result.parameter ? result.parameter : result.state;
        if (argument && !result.perSample && differing.contains(result.operand->get()) &&
            differing.insert(argument).second)
          changed |= carried.insert(result.index);
      }
    }
    for (unsigned index : carried.takeVector()) {
      const StepResult &result = results[index];
      BlockArgument argument = result.parameter ? result.parameter : result.state;
      // A state that the update changes and that no gradient depends on is one of the optimizer.
      bool isOfOptimizer = updates.contains(result.operand->get()) && !gradients.contains(argument);
      if (result.parameter || !isOfOptimizer) {
        if (!isFloat(argument))
          return refuse(argument.getArgNumber(),
                        "is a state of the forward pass, differs from rank "
                        "to rank and is not a float, so it has no mean");
        averaged.push_back({argument, index, result.parameter != nullptr, {}, {}});
        continue;
      }
      if (mode.states != UpdateMode::States::Keep && !isFloat(argument))
        return refuse(argument.getArgNumber(), "is not a float, so an average cannot reset it or "
                                               "take its mean; leave out 'states'");
      apart.push_back({argument, index});
    }
    return success();
  }

  LogicalResult refuse(unsigned argument, StringRef why) {
    return step.emitError("update=average_parameters: '")
           << paramOrState(step, argument) << "' " << why;
  }

  /// A rank that trains alone reduces nothing, and counts every addend.
  void dropMarks() {
    eraseMarks(step);
    step.walk([](ReplicatedToPartialOp once) {
      once.getResult().replaceAllUsesWith(once.getValue());
      once.erase();
    });
  }

  /// Returns whether the ranks average after step number `count`, from 1; true for 0.
  Value isAverage(OpBuilder &b, Value count) {
    Location loc = step.getLoc();
    Value warmup = integerConstant(b, loc, mode.warmup);
    auto compare = [&](arith::CmpIPredicate predicate, Value x, Value y) {
      return arith::CmpIOp::create(b, loc, predicate, x, y).getResult();
    };
    Value behind = arith::SubIOp::create(b, loc, count, warmup);
    Value rest = arith::RemUIOp::create(b, loc, behind, integerConstant(b, loc, mode.steps));
    return arith::OrIOp::create(
        b, loc, compare(arith::CmpIPredicate::sle, count, warmup),
        compare(arith::CmpIPredicate::eq, rest, integerConstant(b, loc, 0)));
  }

  Value isZero(OpBuilder &b, Value count) {
    Location loc = step.getLoc();
    return arith::CmpIOp::create(b, loc, arith::CmpIPredicate::eq, count,
                                 integerConstant(b, loc, 0));
  }

  /// Makes the step start from the average, or from the rank's own value.
  void readLocal(OpBuilder &b, Value start, Averaged &each) {
    StringRef name = paramOrState(step, each.argument.getArgNumber());
    RankedTensorType type = entryType(each.argument.getType());
    each.local = addState(step, name + ".local", type, /*perRank=*/true);
    if (each.isParameter && mode.outer)
      each.momentum = addState(step, name + ".outer_momentum",
                               cast<RankedTensorType>(each.argument.getType()), /*perRank=*/false);
    Location loc = each.argument.getLoc();
    Value own = readEntry(b, each.local);
    Value chosen =
        zipElements(b, loc, {each.argument, own},
                    [&](OpBuilder &in, Location at, ValueRange elements) -> Value {
                      return arith::SelectOp::create(in, at, start, elements[0], elements[1]);
                    });
    each.argument.replaceAllUsesExcept(chosen, chosen.getDefiningOp());
  }

  void keepApart(OpBuilder &b, Apart &each) {
    unsigned number = each.argument.getArgNumber();
    each.argument.setType(entryType(each.argument.getType()));
    Value own = readEntry(b, each.argument);
    each.argument.replaceAllUsesExcept(own, own.getDefiningOp());
    step.setArgAttr(number, role::perRank, b.getUnitAttr());
  }

  Value combineMean(OpBuilder &b, Value value) {
    return CombineOp::create(b, value.getLoc(), value.getType(), ReductionKind::Mean, value);
  }

  Value constantLike(OpBuilder &b, Location loc, Value element, double value) {
    return arith::ConstantOp::create(b, loc,
                                     b.getFloatAttr(cast<FloatType>(element.getType()), value));
  }

  /// Updates the parameter and the momentum by the outer optimizer after an average.
  void updateOutside(OpBuilder &b, Averaged &each, Value mean, SmallVectorImpl<Value> &yielded) {
    const UpdateMode::Outer &outer = *mode.outer;
    Location loc = mean.getLoc();
    Value momentum = zipElements(
        b, loc, {each.momentum, each.argument, mean},
        [&](OpBuilder &in, Location at, ValueRange x) -> Value {
          Value kept =
              arith::MulFOp::create(in, at, x[0], constantLike(in, at, x[0], outer.momentum));
          return arith::AddFOp::create(in, at, kept, arith::SubFOp::create(in, at, x[1], x[2]));
        });
    Value parameter = zipElements(
        b, loc, {each.argument, mean, momentum},
        [&](OpBuilder &in, Location at, ValueRange x) -> Value {
          Value direction = x[2];
          if (outer.nesterov) {
            Value ahead =
                arith::MulFOp::create(in, at, x[2], constantLike(in, at, x[2], outer.momentum));
            direction =
                arith::AddFOp::create(in, at, arith::SubFOp::create(in, at, x[0], x[1]), ahead);
          }
          Value change = arith::MulFOp::create(in, at, direction,
                                               constantLike(in, at, direction, outer.learningRate));
          return arith::SubFOp::create(in, at, x[0], change);
        });
    yielded.append({parameter, momentum});
  }

  /// Elastic averaging SGD (https://arxiv.org/abs/1412.6651): the shared value moves towards each
  /// rank's, and each rank's towards it, by the fraction `elastic` of their difference.
  std::pair<Value, Value> pull(OpBuilder &b, Averaged &each, Value own) {
    Location loc = own.getLoc();
    Value part = zipElements(
        b, loc, {own, each.argument}, [&](OpBuilder &in, Location at, ValueRange x) -> Value {
          Value apart = arith::SubFOp::create(in, at, x[0], x[1]);
          return arith::MulFOp::create(in, at, apart, constantLike(in, at, apart, mode.elastic));
        });
    Value parts = CombineOp::create(b, loc, part.getType(), ReductionKind::Sum, part);
    Value shared = zipElements(b, loc, {each.argument, parts},
                               [](OpBuilder &in, Location at, ValueRange x) -> Value {
                                 return arith::AddFOp::create(in, at, x[0], x[1]);
                               });
    Value rest =
        zipElements(b, loc, {own, part}, [](OpBuilder &in, Location at, ValueRange x) -> Value {
          return arith::SubFOp::create(in, at, x[0], x[1]);
        });
    return {shared, rest};
  }

  /// Returns the rank's own state after an average: the mean, or zeros.
  Value averageState(OpBuilder &b, Value value) {
    if (mode.states == UpdateMode::States::Mean)
      return combineMean(b, value);
    auto type = cast<RankedTensorType>(value.getType());
    return arith::ConstantOp::create(
        b, value.getLoc(),
        SplatElementsAttr::get(type, Attribute(b.getFloatAttr(type.getElementType(), 0))));
  }

  void writeAverages(OpBuilder &b, Value due) {
    bool changesStates = mode.states != UpdateMode::States::Keep;
    auto newValue = [&](unsigned result) { return terminator()->getOperand(result); };
    SmallVector<Value> average, otherwise;
    auto fill = [&](bool meets, ArrayRef<Value> means, OpBuilder &in,
                    SmallVectorImpl<Value> &yielded) {
      for (auto [i, each] : llvm::enumerate(averaged)) {
        if (meets && each.momentum)
          updateOutside(in, each, means[i], yielded);
        else {
          yielded.push_back(meets ? means[i] : Value(each.argument));
          if (each.momentum)
            yielded.push_back(each.momentum);
        }
      }
      for (auto [i, each] : llvm::enumerate(apart))
        if (changesStates)
          yielded.push_back(meets ? means[averaged.size() + i] : newValue(each.result));
    };
    auto ifDue = scf::IfOp::create(
        b, step.getLoc(), due,
        [&](OpBuilder &in, Location at) {
          SmallVector<Value> means, own;
          for (Averaged &each : averaged) {
            Value value = newValue(each.result);
            auto [shared, rest] = mode.elastic && each.isParameter
                                      ? pull(in, each, value)
                                      : std::pair(combineMean(in, value), Value());
            means.push_back(shared);
            own.push_back(rest ? rest : shared);
          }
          for (Apart &each : apart)
            if (changesStates)
              means.push_back(averageState(in, newValue(each.result)));
          fill(/*meets=*/true, means, in, average);
          if (mode.elastic)
            average.append(own);
          scf::YieldOp::create(in, at, average);
        },
        [&](OpBuilder &in, Location at) {
          fill(/*meets=*/false, {}, in, otherwise);
          if (mode.elastic)
            for (Averaged &each : averaged)
              otherwise.push_back(newValue(each.result));
          scf::YieldOp::create(in, at, otherwise);
        });
    unsigned next = 0;
    auto take = [&] { return ifDue.getResult(next++); };
    // Elastic ranks continue from their own values after the pull, which are the last results.
    const unsigned firstOwn = ifDue.getNumResults() - averaged.size();
    for (auto [i, each] : llvm::enumerate(averaged)) {
      Value local = mode.elastic ? Value(ifDue.getResult(firstOwn + i)) : newValue(each.result);
      terminator()->setOperand(each.result, take());
      if (each.momentum)
        setNewValue(step, each.momentum, take());
      setNewValue(step, each.local, makeEntry(b, local));
    }
    for (Apart &each : apart) {
      Value value = changesStates ? Value(take()) : newValue(each.result);
      terminator()->setOperand(each.result, makeEntry(b, value));
    }
    step.setFunctionType(b.getFunctionType(step.getBody().front().getArgumentTypes(),
                                           terminator()->getOperandTypes()));
  }

  func::FuncOp step;
  const Config &config;
  UpdateMode mode;
  SmallVector<Averaged> averaged;
  SmallVector<Apart> apart;
};

} // namespace

LogicalResult averageParameters(func::FuncOp step, const Config &config) {
  return Averages(step, config).run();
}

} // namespace ds
