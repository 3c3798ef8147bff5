//===- Generator.cpp - A random training step from a seed -------*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Choices come first (sizes, layers, loss, optimizer, configuration), then the step is emitted in
// the order of a training step: forward, gradients, marks, update.
//
//===----------------------------------------------------------------------===//
#include "Generator.h"

#include "Loops.h"
#include "Optimizer.h"
#include "StepPlan.h"
#include "ds/Dialect/IR/Ds.h"
#include "ds/Dialect/IR/Roles.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

using namespace mlir;

namespace ds::fuzz {
namespace {

class StepEmitter {
public:
  StepEmitter(MLIRContext &context, StepPlan &plan, Random &forms)
      : plan(plan), builder(&context), forms(forms) {}

  OwningOpRef<ModuleOp> emit();

private:
  struct Gradients {
    std::map<std::string, Value> of;
    Value loss, perSample;
  };

  void addArgument(const Shape &shape, Type element, StringRef role, Attribute value,
                   StringRef name = "");
  func::FuncOp createFunction(ModuleOp module);
  Value argument(StringRef name) { return step.getArgument(slots.at(name.str())); }

  Gradients differentiate(Build &build, Value x, Value scale);
  Gradients wholeBatch(Emitter &e, Build &outer, Value scale);
  Gradients microbatches(Emitter &e, Build &outer, Value scale);
  Gradients microbatchLoop(Emitter &e, Build &outer, Value scale);
  Value part(Emitter &e, Value whole, OpFoldResult round);
  Value decayOf(Emitter &e, StringRef parameter);
  Value inputOf(Emitter &e, Value x);
  void skipByLoss(Emitter &e, Value loss, Update &update);
  void returnResults(Emitter &e, Build &build, const Gradients &gradients, const Update &update);

  StepPlan &plan;
  OpBuilder builder;
  Random &forms;
  func::FuncOp step;
  Value transposed; // a gradient
  std::vector<Type> types;
  std::vector<NamedAttrList> attributes;
  std::map<std::string, unsigned> slots;
};

void StepEmitter::addArgument(const Shape &shape, Type element, StringRef role, Attribute value,
                              StringRef name) {
  NamedAttrList list;
  if (!role.empty())
    list.append(role, value);
  if (!name.empty())
    list.append(role::name, builder.getStringAttr(name));
  slots[(name.empty() ? cast<StringAttr>(value).getValue() : name).str()] = types.size();
  types.push_back(RankedTensorType::get(shape, element));
  attributes.push_back(list);
}

static std::string batchName(const StepPlan &plan) {
  return plan.model.vocabulary ? "ids." + std::to_string(plan.model.vocabulary) : "x";
}
static std::string targetName(const StepPlan &plan) {
  return plan.usesLabels() ? "labels." + std::to_string(plan.loss.classes) : "y";
}
/// Its values are numbers of samples of one microbatch.
static std::string orderName(const StepPlan &plan) {
  return "order." + std::to_string(plan.rows / plan.microbatches);
}

func::FuncOp StepEmitter::createFunction(ModuleOp module) {
  Type word = builder.getI32Type();
  Attribute first = builder.getI64IntegerAttr(0);
  auto text = [&](StringRef name) { return builder.getStringAttr(name); };
  for (const Parameter &parameter : plan.model.parameters)
    addArgument(parameter.shape, plan.model.stored, role::param, text(parameter.name));
  for (const State &state : plan.model.states)
    addArgument(state.shape, state.element, role::state, text(state.name));
  Shape in = plan.input;
  in[0] = plan.rows;
  if (plan.batchSecond) {
    std::swap(in[0], in[1]);
    addArgument(in, plan.model.stored, role::batch, builder.getI64IntegerAttr(1), "x");
  } else if (plan.model.vocabulary) {
    addArgument(in, word, role::batch, first, "ids." + std::to_string(plan.model.vocabulary));
  } else {
    addArgument(in, plan.model.stored, role::batch, first, "x");
  }
  int64_t classes = plan.loss.classes;
  if (plan.usesLabels())
    addArgument({plan.rows}, word, role::batch, first, "labels." + std::to_string(classes));
  else
    addArgument({plan.rows, classes}, plan.model.stored, role::batch, first, "y");
  if (plan.ordered)
    addArgument({plan.rows}, word, role::batch, first, orderName(plan));
  addArgument({2}, word, role::seed, builder.getUnitAttr(), "key");
  addArgument({}, plan.model.stored, "", {}, "rate");
  builder.setInsertionPointToEnd(module.getBody());
  auto function = func::FuncOp::create(builder, builder.getUnknownLoc(), "step",
                                       builder.getFunctionType(types, {}));
  function.addEntryBlock();
  for (auto [i, list] : llvm::enumerate(attributes))
    function.setArgAttrs(i, list.getDictionary(builder.getContext()));
  return function;
}

/// The batch dimension of the activation comes first.
Value StepEmitter::inputOf(Emitter &e, Value x) {
  if (plan.model.vocabulary)
    return x;
  if (plan.batchSecond)
    x = e.transpose(x, {1, 0, 2});
  return e.cast(x, plan.model.compute);
}

StepEmitter::Gradients StepEmitter::differentiate(Build &build, Value x, Value scale) {
  Tape &tape = build.tape;
  Var activation;
  if (plan.model.vocabulary) {
    build.ids = x;
    activation = tape.lookUp(plan.model.read(build, "table"), x);
  } else {
    activation = tape.constant(inputOf(build.e, x));
  }
  Var logits = plan.model.emit(build, activation);
  if (plan.tiedOutput)
    logits = tape.einsum("bd,vd->bv", logits, plan.model.read(build, "table"));
  Var perSample = perSampleLoss(build, plan.loss, logits);
  Var total = tape.cast(totalLoss(build, plan.loss, perSample), plan.model.stored);
  for (Var penalty : build.penalties)
    total = tape.binary(Binary::add, total, tape.cast(penalty, plan.model.stored));
  Value seed = scale ? scale : build.e.filled({}, plan.model.stored, 1);
  tape.backward(total, seed);
  Gradients result;
  for (const Parameter &parameter : plan.model.parameters)
    if (!plan.frozen.count(parameter.name))
      result.of[parameter.name] = tape.gradientOf(build.parameters.at(parameter.name));
  result.loss = total->value;
  result.perSample = perSample->value;
  return result;
}

StepEmitter::Gradients StepEmitter::wholeBatch(Emitter &e, Build &outer, Value scale) {
  (plan.usesLabels() ? outer.labels : outer.targets) = argument(targetName(plan));
  if (plan.ordered)
    outer.order = argument(orderName(plan));
  return differentiate(outer, argument(batchName(plan)), scale);
}

/// Rows of one microbatch: every k-th, or a block of neighbours.
Value StepEmitter::part(Emitter &e, Value whole, OpFoldResult round) {
  Shape shape = Emitter::shapeOf(whole);
  int64_t dim = whole == argument(batchName(plan)) && plan.batchSecond ? 1 : 0;
  int64_t k = plan.microbatches;
  Groups groups;
  for (int64_t i = 0, next = 0; i < int64_t(shape.size()); ++i) {
    groups.push_back({next++});
    if (i == dim)
      groups.back().push_back(next++);
  }
  Shape split = shape;
  split[dim] = plan.neighbours ? k : shape[dim] / k;
  split.insert(split.begin() + dim + 1, plan.neighbours ? shape[dim] / k : k);
  return e.sliceAt(e.expand(whole, groups, split), plan.neighbours ? dim : dim + 1, round);
}

Value StepEmitter::decayOf(Emitter &e, StringRef parameter) {
  return e.each(argument(parameter),
                [](Scalars &s, ValueRange v) { return s.scale(v[0], 0.0625); });
}

StepEmitter::Gradients StepEmitter::microbatches(Emitter &e, Build &outer, Value scale) {
  Gradients sum;
  auto add = [&](Value &total, Value term) {
    total = !total
                ? term
                : e.each({total, term}, [](Scalars &s, ValueRange v) { return s.add(v[0], v[1]); });
  };
  std::deque<Tape> tapes;
  for (int64_t round = 0; round < plan.microbatches; ++round) {
    Tape &tape = tapes.emplace_back(e);
    Build build{e, tape, {}, outer.states, {}, outer.seedWord, {}, {}, {}, {}, {}};
    for (auto &[name, var] : outer.parameters)
      build.parameters[name] = tape.input(var->value);
    for (auto &[name, value] : outer.newStates)
      build.states[name] = value;
    (plan.usesLabels() ? build.labels : build.targets) =
        part(e, argument(targetName(plan)), builder.getIndexAttr(round));
    if (plan.ordered)
      build.order = part(e, argument(orderName(plan)), builder.getIndexAttr(round));
    Gradients one = differentiate(
        build, part(e, argument(batchName(plan)), builder.getIndexAttr(round)), scale);
    for (auto &[name, gradient] : one.of) {
      add(sum.of[name], gradient);
      if (plan.earlyDecay && round == 0)
        add(sum.of[name], decayOf(e, name));
    }
    add(sum.loss, one.loss);
    for (auto &[name, value] : build.newStates)
      outer.newStates[name] = value;
  }
  return sum;
}

StepEmitter::Gradients StepEmitter::microbatchLoop(Emitter &e, Build &outer, Value scale) {
  Gradients sum;
  Values inits;
  std::vector<std::string> names;
  for (const Parameter &parameter : plan.model.parameters)
    if (!plan.frozen.count(parameter.name)) {
      names.push_back(parameter.name);
      inits.push_back(plan.earlyDecay ? decayOf(e, parameter.name)
                                      : e.filled(parameter.shape, plan.model.stored, 0));
    }
  inits.push_back(e.filled({}, plan.model.stored, 0));
  auto body = [&](Emitter &in, Value round, ValueRange carried) {
    Tape tape(in);
    Build build{in, tape, {}, {}, {}, outer.seedWord, {}, {}, {}, {}, {}};
    for (auto &[name, var] : outer.parameters)
      build.parameters[name] = tape.input(var->value);
    (plan.usesLabels() ? build.labels : build.targets) =
        part(in, argument(targetName(plan)), round);
    if (plan.ordered)
      build.order = part(in, argument(orderName(plan)), round);
    Gradients one = differentiate(build, part(in, argument(batchName(plan)), round), scale);
    Values next;
    for (auto [i, name] : llvm::enumerate(names))
      next.push_back(in.each({carried[i], one.of[name]},
                             [](Scalars &s, ValueRange v) { return s.add(v[0], v[1]); }));
    next.push_back(in.each({carried.back(), one.loss},
                           [](Scalars &s, ValueRange v) { return s.add(v[0], v[1]); }));
    return next;
  };
  Values ends = forLoop(e, plan.microbatches, inits, body);
  for (auto [i, name] : llvm::enumerate(names))
    sum.of[name] = ends[i];
  sum.loss = ends.back();
  return sum;
}

/// Ranks decide by what they report as well.
void StepEmitter::skipByLoss(Emitter &e, Value loss, Update &update) {
  Value size = tensor::ExtractOp::create(e.b, e.loc, loss, ValueRange());
  Value bound = Scalars{e.b, e.loc}.constant(size.getType(), 2);
  Value fits = arith::CmpFOp::create(e.b, e.loc, arith::CmpFPredicate::OLT, size, bound);
  Values olds, news;
  for (auto &[name, value] : update.parameters) {
    olds.push_back(argument(name));
    news.push_back(value);
  }
  Values chosen = branch(
      e, fits, ValueRange(news).getTypes(), [&](Emitter &) { return news; },
      [&](Emitter &) { return olds; });
  for (auto [entry, value] : llvm::zip_equal(update.parameters, chosen))
    entry.second = value;
}

void StepEmitter::returnResults(Emitter &e, Build &build, const Gradients &gradients,
                                const Update &update) {
  struct Result {
    Value value;
    NamedAttrList attributes;
  };
  std::vector<Result> results;
  auto add = [&](Value value, StringRef role, StringRef name) -> NamedAttrList & {
    results.push_back({value, {}});
    results.back().attributes.append(role, builder.getStringAttr(name));
    return results.back().attributes;
  };
  for (const Parameter &parameter : plan.model.parameters) {
    auto found = update.parameters.find(parameter.name);
    add(found == update.parameters.end() ? argument(parameter.name) : found->second, role::updates,
        parameter.name);
  }
  for (auto &[name, value] : build.newStates)
    add(value, role::updates, name);
  StringRef sumOrMean = plan.loss.mean ? "mean" : "sum";
  add(gradients.loss, role::metric, "loss").append(role::reduce, builder.getStringAttr(sumOrMean));
  if (gradients.perSample && plan.reportSamples) {
    results.push_back({gradients.perSample, {}});
    results.back().attributes.append(role::batch, builder.getI64IntegerAttr(0));
    results.back().attributes.append(role::name, builder.getStringAttr("per_sample"));
  }
  if (gradients.perSample && plan.reportLargest)
    add(e.reduce(gradients.perSample, {0}, Combiner::max), role::metric, "largest_loss")
        .append(role::reduce, builder.getStringAttr("max"));
  if (gradients.perSample && plan.reportPenalty) {
    // The penalty is where the sum over samples starts.
    Value weight = argument(plan.model.parameters[0].name);
    Value square = e.each(weight, [](Scalars &s, ValueRange v) { return s.mul(v[0], v[0]); });
    Value penalty = e.reduce(square, allDims(Emitter::shapeOf(weight).size()), Combiner::sum);
    Value start = e.cast(penalty, Emitter::elementOf(gradients.perSample));
    add(e.reduce(gradients.perSample, {0}, Combiner::sum, start), role::metric, "penalised")
        .append(role::reduce, builder.getStringAttr("sum"));
  }
  auto square = [](Scalars &s, ValueRange v) { return s.mul(v[0], v[0]); };
  auto addSquares = [&](Value x, StringRef name) {
    Value total = e.reduce(e.each(x, square), allDims(Emitter::shapeOf(x).size()), Combiner::sum);
    add(total, role::metric, name).append(role::reduce, builder.getStringAttr("mean"));
  };
  // The square is smaller than the sum it is made of.
  if (plan.reportMeanSquare && plan.microbatches == 1 && !plan.model.vocabulary)
    addSquares(e.reduce(inputOf(e, argument(batchName(plan))), {0}, Combiner::sum), "mean_square");
  if (transposed)
    addSquares(transposed, "slope");
  for (size_t i = results.size(); i > 1; --i)
    std::swap(results[i - 1], results[forms.below(i)]);
  SmallVector<Value> values;
  for (Result &result : results)
    values.push_back(result.value);
  func::ReturnOp::create(e.b, e.loc, values);
  step.setFunctionType(builder.getFunctionType(types, ValueRange(values).getTypes()));
  for (auto [i, result] : llvm::enumerate(results))
    step.setResultAttrs(i, result.attributes.getDictionary(builder.getContext()));
}

OwningOpRef<ModuleOp> StepEmitter::emit() {
  OwningOpRef<ModuleOp> module = ModuleOp::create(builder.getUnknownLoc());
  setConfig(*module, plan.config);
  step = createFunction(*module);
  Emitter e(OpBuilder::atBlockBegin(&step.getBody().front()), forms);
  Tape tape(e);
  Build build{e, tape, {}, {}, {}, {}, {}, {}, {}, {}, {}};
  for (const Parameter &parameter : plan.model.parameters) {
    Value value = argument(parameter.name);
    bool frozen = plan.frozen.count(parameter.name);
    build.parameters[parameter.name] = frozen ? tape.constant(value) : tape.input(value);
  }
  for (const State &state : plan.model.states)
    build.states[state.name] = argument(state.name);
  build.seedWord = e.sliceAt(argument("key"), 0, builder.getIndexAttr(forms.below(2)));
  Value scale = lossScale(build, plan.optimizer);
  Gradients gradients = plan.microbatches == 1 ? wholeBatch(e, build, scale)
                        : plan.loop            ? microbatchLoop(e, build, scale)
                                               : microbatches(e, build, scale);
  for (auto &[name, gradient] : gradients.of)
    gradient = GradientOp::create(e.b, e.loc, gradient.getType(), gradient,
                                  builder.getStringAttr(name), /*pinned=*/nullptr);
  if (plan.microbatches > 1) {
    auto average = [&](Value &value) {
      value = e.each(
          value, [&](Scalars &s, ValueRange v) { return s.scale(v[0], 1.0 / plan.microbatches); });
    };
    for (auto &[name, gradient] : gradients.of)
      average(gradient);
    average(gradients.loss);
  }
  // A gradient is read as it is by the update, and transposed, before or after it.
  auto matrix = llvm::find_if(
      gradients.of, [](auto &entry) { return Emitter::shapeOf(entry.second).size() == 2; });
  bool reads = plan.reportSlope && matrix != gradients.of.end();
  bool first = plan.numRanks % 2 == 0;
  if (reads && first)
    transposed = e.transpose(matrix->second, {1, 0});
  Update update = applyOptimizer(build, plan.model, plan.optimizer, gradients.of, argument("rate"));
  if (plan.skipsByLoss)
    skipByLoss(e, gradients.loss, update);
  if (reads && !first)
    transposed = e.transpose(matrix->second, {1, 0});
  // A state that nothing renews stays as it is.
  for (const State &state : plan.model.states)
    build.newStates.try_emplace(state.name, argument(state.name));
  returnResults(e, build, gradients, update);
  return module;
}
} // namespace

Step generateStep(MLIRContext &context, uint64_t seed, const GeneratorOptions &options) {
  Random random(seed), forms(seed ^ 0x5eed5eed5eed5eed);
  StepPlan plan(context, seed, random, options);
  Step step;
  step.marked = StepEmitter(context, plan, forms).emit();
  step.variant = plan.variant;
  step.numRanks = plan.numRanks;
  step.summary = plan.summary();
  return step;
}

} // namespace ds::fuzz
