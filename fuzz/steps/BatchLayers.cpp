//===- BatchLayers.cpp - Layers that look at the whole batch ----*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// States that follow from the batch alone, losses with a second path beside that of the samples,
// and samples mixed in an order that the batch brings with it. All for activations of rank 2.
//
//===----------------------------------------------------------------------===//
#include "Model.h"

using namespace mlir;

namespace ds::fuzz {

namespace {
/// What an observer keeps of the batch. None of these is linear in a sum over the samples, but for
/// the mean.
enum class Observed { largest, smallest, root, capped, chosen, inverse, mean };
} // namespace

static Value observe(Emitter &e, Observed kind, Value x, Value old) {
  Type element = Emitter::elementOf(old);
  double share = 1.0 / Emitter::shapeOf(x)[0];
  auto square = [](Scalars &s, ValueRange v) { return s.mul(v[0], v[0]); };
  auto meanOf = [&](Value of) {
    Value mean = e.each(e.reduce(of, {0}, Combiner::sum),
                        [&](Scalars &s, ValueRange v) { return s.scale(v[0], share); });
    return e.cast(mean, element);
  };
  auto join = [&](Value fresh, Body body) { return e.each({old, fresh}, body); };
  switch (kind) {
  case Observed::largest:
    return join(e.cast(e.reduce(x, {0}, Combiner::max), element),
                [](Scalars &s, ValueRange v) { return s.max(s.scale(v[0], 0.5), v[1]); });
  case Observed::smallest:
    return join(e.cast(e.reduce(x, {0}, Combiner::min), element),
                [](Scalars &s, ValueRange v) { return s.min(v[0], v[1]); });
  case Observed::root:
    return join(meanOf(e.each(x, square)), [](Scalars &s, ValueRange v) {
      return s.add(s.scale(v[0], 0.5), s.sqrt(s.shift(v[1], 0.125)));
    });
  case Observed::capped:
    return join(meanOf(x), [](Scalars &s, ValueRange v) {
      return s.add(s.scale(v[0], 0.25), s.min(v[1], s.constant(v[1].getType(), 0.125)));
    });
  case Observed::chosen:
    return join(meanOf(x), [](Scalars &s, ValueRange v) -> Value {
      Value above = arith::CmpFOp::create(s.b, s.loc, arith::CmpFPredicate::OGT, v[1],
                                          s.constant(v[1].getType(), 0.125));
      Value other = s.constant(v[1].getType(), 0.125);
      return arith::SelectOp::create(s.b, s.loc, above, v[1], other);
    });
  case Observed::inverse:
    return join(meanOf(e.each(x, square)),
                [](Scalars &s, ValueRange v) { return s.div(v[0], s.shift(v[1], 1)); });
  case Observed::mean:
    return join(meanOf(x),
                [](Scalars &s, ValueRange v) { return s.add(s.scale(v[0], 0.5), v[1]); });
  }
  llvm_unreachable("all kinds are covered");
}

void planObservers(Model &model, Random &random, const Shape &shape) {
  for (int64_t i = random.between(1, 2); i > 0; --i) {
    Observed kind =
        random.pick({Observed::largest, Observed::smallest, Observed::root, Observed::capped,
                     Observed::chosen, Observed::inverse, Observed::mean});
    std::string name = model.state("observed", {shape[1]}, model.stored);
    model.layers.push_back([=](Build &build, Var x) {
      if (build.states.count(name))
        build.newStates[name] = observe(build.e, kind, x->value, build.states[name]);
      return x;
    });
  }
}

/// The mean of the samples meets them, and by another way a parameter that they meet as well: its
/// gradient adds what is whole to two sums over samples.
static void planStatisticPath(Model &model, Random &random, const Shape &shape) {
  model.statistics = true;
  std::string v = model.parameter("mix", {shape[1]});
  std::string w = model.parameter("path", {shape[1], shape[1]});
  bool squared = random.chance(40);
  model.layers.push_back([=, &model](Build &build, Var x) {
    Tape &tape = build.tape;
    Var mean = meanOver(tape, x, {0});
    Var centred = tape.binaryLast(Binary::sub, x, tape.affine(mean, 0.5, 0));
    Var factor = model.read(build, v);
    Var y = tape.binaryLast(Binary::mul, centred, factor);
    Var seen = squared ? tape.apply(Function::square, mean) : mean;
    Var moved = tape.einsum("i,ij->j", seen, model.read(build, w));
    build.penalties.push_back(
        tape.affine(tape.sum(tape.binary(Binary::mul, moved, factor), {0}), 0.25, 0));
    return tape.binaryLast(Binary::add, tape.binary(Binary::add, x, y), factor);
  });
}

void planSecondPath(Model &model, Random &random, const Shape &shape) {
  int64_t kind = random.below(4);
  // In 16 bits a statistic that is multiplied again is mostly rounding.
  bool rounds = model.compute.getIntOrFloatBitWidth() < 32;
  if (kind <= 1 && (rounds || !model.mayUseStatistics))
    kind = 2;
  if (kind == 2 && model.parameters.empty())
    kind = 3;
  if (kind == 0)
    return planStatisticPath(model, random, shape);
  if (kind == 1) { // balance, as mixtures of experts ask for
    model.statistics = true;
    model.layers.push_back([](Build &build, Var x) {
      Var load = meanOver(build.tape, softmax(build.tape, x), {0});
      Var square = build.tape.apply(Function::square, load);
      build.penalties.push_back(build.tape.affine(build.tape.sum(square, {0}), 0.5, 0));
      return x;
    });
    return;
  }
  if (kind == 2) { // the size of a parameter
    std::string of = model.parameters[random.below(model.parameters.size())].name;
    model.layers.push_back([=, &model](Build &build, Var x) {
      Var weight = model.read(build, of);
      Shape dims = allDims(build.tape.shapeOf(weight).size());
      Var size = build.tape.sum(build.tape.apply(Function::square, weight), dims);
      build.penalties.push_back(build.tape.affine(size, 0.03125, 0));
      return x;
    });
    return;
  }
  std::string w = model.parameter("second", {shape[1]});
  model.layers.push_back([=, &model](Build &build, Var x) {
    Tape &tape = build.tape;
    Var score = tape.apply(Function::tanh, tape.einsum("bi,i->b", x, model.read(build, w)));
    build.penalties.push_back(tape.affine(meanOver(tape, score, {0}), 0.5, 0));
    return x;
  });
}

void planOrder(Model &model) {
  model.layers.push_back([](Build &build, Var x) {
    if (!build.order)
      return x;
    Var others = build.tape.lookUp(x, build.order);
    return build.tape.binary(Binary::add, build.tape.affine(x, 0.75, 0),
                             build.tape.affine(others, 0.25, 0));
  });
}

} // namespace ds::fuzz
