//===- Optimizer.cpp - What happens to a gradient ---------------*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Optimizer.h"

#include "Loops.h"

#include "mlir/Dialect/Math/IR/Math.h"

using namespace mlir;

namespace ds::fuzz {

OptimizerChoice pickOptimizer(const Model &model, Random &random) {
  OptimizerChoice choice;
  choice.rule = random.pick({Rule::descent, Rule::momentum, Rule::momentum, Rule::adam, Rule::adam,
                             Rule::trustRatio, Rule::factored});
  choice.clip = random.pick({Clip::none, Clip::none, Clip::norm, Clip::value});
  // A guard is a jump; with 16-bit noise the two sides could disagree about it.
  bool exact = model.compute.getIntOrFloatBitWidth() >= 32;
  choice.guard = !exact || random.chance(75)        ? Guard::none
                 : model.loops && random.chance(60) ? Guard::branch
                                                    : Guard::select;
  choice.decayLoss = random.chance(25);
  choice.decayStep = random.chance(25);
  choice.average = random.chance(20);
  choice.schedule = random.chance(40);
  choice.remember = random.chance(15);
  return choice;
}

static std::string stateOf(const Parameter &parameter, const char *what) {
  return parameter.name + "." + what;
}
static bool isFactored(const OptimizerChoice &choice, const Parameter &parameter) {
  return choice.rule == Rule::factored && parameter.shape.size() == 2;
}

void planOptimizer(Model &model, const OptimizerChoice &choice) {
  for (const Parameter &parameter : model.parameters) {
    auto add = [&](const char *what, const Shape &shape) {
      model.states.push_back({stateOf(parameter, what), shape, model.stored});
    };
    if (choice.rule != Rule::descent && choice.rule != Rule::factored)
      add("first", parameter.shape);
    if (choice.rule == Rule::adam || choice.rule == Rule::trustRatio)
      add("second", parameter.shape);
    if (isFactored(choice, parameter)) {
      add("rows", {parameter.shape[0]});
      add("columns", {parameter.shape[1]});
    }
    if (choice.average)
      add("average", parameter.shape);
    if (choice.remember) {
      add("before", parameter.shape);
      add("copy", parameter.shape);
    }
  }
  Type word = IntegerType::get(model.stored.getContext(), 32);
  if (choice.schedule)
    model.states.push_back({"step", {}, word});
  if (choice.guard != Guard::none)
    model.states.push_back({"loss_scale", {}, model.stored});
}

Value lossScale(Build &build, const OptimizerChoice &choice) {
  return choice.guard == Guard::none ? Value() : build.states.at("loss_scale");
}

namespace {
class Updater {
public:
  Updater(Build &build, const Model &model, const OptimizerChoice &choice, Value rate)
      : build(build), e(build.e), model(model), choice(choice), rate(rate) {}

  Value norm(const std::map<std::string, Value> &gradients) {
    Value total;
    for (const auto &[name, gradient] : gradients) {
      Value square = e.each(gradient, [](Scalars &s, ValueRange v) { return s.mul(v[0], v[0]); });
      Value sum = e.reduce(square, allDims(Emitter::shapeOf(gradient).size()), Combiner::sum);
      total =
          !total ? sum
                 : e.each({total, sum}, [](Scalars &s, ValueRange v) { return s.add(v[0], v[1]); });
    }
    return e.each(total, [](Scalars &s, ValueRange v) { return s.sqrt(v[0]); });
  }

  Value clip(Value gradient, Value norm) {
    if (choice.clip == Clip::norm)
      return e.each({gradient, norm}, [](Scalars &s, ValueRange v) {
        Value bound = s.constant(v[0].getType(), 0.5);
        return s.mul(v[0], s.div(bound, s.max(v[1], bound)));
      });
    return e.each(gradient, [](Scalars &s, ValueRange v) {
      Type type = v[0].getType();
      return s.max(s.min(v[0], s.constant(type, 0.0625)), s.constant(type, -0.0625));
    });
  }

  /// old * keep + fresh * (1 - keep), written to the state and given back.
  Value moment(const std::string &name, Value fresh, double keep) {
    Value next = e.each({build.states.at(name), fresh}, [&](Scalars &s, ValueRange v) {
      return s.add(s.scale(v[0], keep), s.scale(v[1], 1 - keep));
    });
    return build.newStates[name] = next;
  }
  Value squareOf(Value x) {
    return e.each(x, [](Scalars &s, ValueRange v) { return s.mul(v[0], v[0]); });
  }

  Value direction(const Parameter &parameter, Value gradient) {
    switch (choice.rule) {
    case Rule::descent:
      return gradient;
    case Rule::momentum: {
      std::string name = stateOf(parameter, "first");
      Value trace = e.each({build.states.at(name), gradient}, [](Scalars &s, ValueRange v) {
        return s.add(s.scale(v[0], 0.5), v[1]);
      });
      return build.newStates[name] = trace;
    }
    case Rule::adam:
    case Rule::trustRatio: {
      Value first = moment(stateOf(parameter, "first"), gradient, 0.75);
      Value second = moment(stateOf(parameter, "second"), squareOf(gradient), 0.875);
      Value step = e.each({first, second}, [](Scalars &s, ValueRange v) {
        return s.div(v[0], s.shift(s.sqrt(v[1]), 0.125));
      });
      return choice.rule == Rule::adam ? step : scaledByTrust(parameter, step);
    }
    case Rule::factored:
      return factoredDirection(parameter, gradient);
    }
    llvm_unreachable("all rules are covered");
  }

  Value newParameter(const Parameter &parameter, Value old, Value step) {
    bool decay = choice.decayStep;
    return e.each({old, step, rate}, [decay](Scalars &s, ValueRange v) {
      Value kept = decay ? s.sub(v[0], s.scale(s.mul(v[0], v[2]), 0.125)) : v[0];
      return s.sub(kept, s.mul(v[2], v[1]));
    });
  }

private:
  Value normOf(Value x) {
    Value sum = e.reduce(squareOf(x), allDims(Emitter::shapeOf(x).size()), Combiner::sum);
    return e.each(sum, [](Scalars &s, ValueRange v) { return s.sqrt(v[0]); });
  }

  Value scaledByTrust(const Parameter &parameter, Value step) {
    Value weight = normOf(build.parameters.at(parameter.name)->value);
    return e.each({step, weight, normOf(step)}, [](Scalars &s, ValueRange v) {
      return s.mul(v[0], s.div(v[1], s.shift(v[2], 0.25)));
    });
  }

  Value factoredDirection(const Parameter &parameter, Value gradient) {
    if (!isFactored(choice, parameter))
      return gradient;
    Shape shape = parameter.shape;
    auto mean = [&](int64_t dim) {
      Value sum = e.reduce(squareOf(gradient), dim, Combiner::sum);
      return e.each(sum, [&](Scalars &s, ValueRange v) { return s.scale(v[0], 1.0 / shape[dim]); });
    };
    Value rows = moment(stateOf(parameter, "rows"), mean(1), 0.75);
    Value columns = moment(stateOf(parameter, "columns"), mean(0), 0.75);
    return e.map({gradient, rows, columns}, {{0, 1}, {0}, {1}}, shape, model.stored,
                 [](Scalars &s, ValueRange v) {
                   return s.div(v[0], s.shift(s.sqrt(s.mul(v[1], v[2])), 0.25));
                 });
  }

  Build &build;
  Emitter &e;
  const Model &model;
  const OptimizerChoice &choice;
  Value rate;
};
} // namespace

/// The old values where a gradient was too large.
static void guard(Build &build, const OptimizerChoice &choice, Value norm,
                  const std::map<std::string, Value> &old, std::map<std::string, Value> &fresh) {
  Emitter &e = build.e;
  Value size = tensor::ExtractOp::create(e.b, e.loc, norm, ValueRange());
  Value bound = Scalars{e.b, e.loc}.constant(size.getType(), 1.5);
  Value fits = arith::CmpFOp::create(e.b, e.loc, arith::CmpFPredicate::OLT, size, bound);
  Values olds, news;
  SmallVector<Type> types;
  for (auto &[name, value] : fresh) {
    olds.push_back(old.at(name));
    news.push_back(value);
    types.push_back(value.getType());
  }
  Values chosen;
  if (choice.guard == Guard::branch)
    chosen =
        branch(e, fits, types, [&](Emitter &) { return news; }, [&](Emitter &) { return olds; });
  else
    for (auto [before, after] : llvm::zip_equal(olds, news))
      chosen.push_back(e.each({after, before}, [&](Scalars &s, ValueRange v) -> Value {
        return arith::SelectOp::create(s.b, s.loc, fits, v[0], v[1]);
      }));
  for (auto [entry, value] : llvm::zip_equal(fresh, chosen))
    entry.second = value;
}

Update applyOptimizer(Build &build, const Model &model, const OptimizerChoice &choice,
                      const std::map<std::string, Value> &scaled, Value rate) {
  Emitter &e = build.e;
  if (choice.schedule) {
    Value count = build.states.at("step");
    build.newStates["step"] = e.each(count, [](Scalars &s, ValueRange v) -> Value {
      Value one = arith::ConstantOp::create(s.b, s.loc, s.b.getIntegerAttr(v[0].getType(), 1));
      return arith::AddIOp::create(s.b, s.loc, v[0], one);
    });
    Type element = Emitter::elementOf(rate);
    rate = e.each({rate, count}, [&](Scalars &s, ValueRange v) -> Value {
      Value steps = arith::SIToFPOp::create(s.b, s.loc, element, v[1]);
      return s.div(v[0], s.shift(s.scale(steps, 0.125), 1));
    });
  }
  std::map<std::string, Value> gradients = scaled;
  for (auto &[name, gradient] : gradients) {
    if (Value scale = lossScale(build, choice))
      gradient =
          e.each({gradient, scale}, [](Scalars &s, ValueRange v) { return s.div(v[0], v[1]); });
    if (choice.decayLoss)
      gradient = e.each({gradient, build.parameters.at(name)->value}, [](Scalars &s, ValueRange v) {
        return s.add(v[0], s.scale(v[1], 0.0625));
      });
  }
  Update result;
  Updater step(build, model, choice, rate);
  if (choice.clip == Clip::norm || choice.guard != Guard::none)
    result.gradientNorm = step.norm(gradients);
  std::map<std::string, Value> states = std::exchange(build.newStates, {}), old;
  for (const Parameter &parameter : model.parameters) {
    old[parameter.name] = build.parameters.at(parameter.name)->value;
    auto found = gradients.find(parameter.name);
    if (found == gradients.end())
      continue;
    Value gradient = found->second;
    if (choice.clip != Clip::none)
      gradient = step.clip(gradient, result.gradientNorm);
    result.parameters[parameter.name] =
        step.newParameter(parameter, old[parameter.name], step.direction(parameter, gradient));
  }
  if (choice.guard != Guard::none) {
    guard(build, choice, result.gradientNorm, build.states, build.newStates);
    guard(build, choice, result.gradientNorm, old, result.parameters);
    Value fits = result.gradientNorm;
    states["loss_scale"] =
        e.each({fits, build.states.at("loss_scale")}, [](Scalars &s, ValueRange v) {
          Value bound = s.constant(v[0].getType(), 1.5);
          Value ok = arith::CmpFOp::create(s.b, s.loc, arith::CmpFPredicate::OLT, v[0], bound);
          return Value(
              arith::SelectOp::create(s.b, s.loc, ok, s.scale(v[1], 1.25), s.scale(v[1], 0.5)));
        });
  }
  build.newStates.merge(states);
  if (choice.average)
    for (auto &[name, value] : result.parameters) {
      std::string state = name + ".average";
      build.newStates[state] =
          e.each({build.states.at(state), value}, [](Scalars &s, ValueRange v) {
            return s.add(s.scale(v[0], 0.75), s.scale(v[1], 0.25));
          });
    }
  if (choice.remember)
    for (auto &[name, value] : result.parameters) {
      build.newStates[name + ".before"] = old.at(name);
      build.newStates[name + ".copy"] = value;
    }
  return result;
}

} // namespace ds::fuzz
