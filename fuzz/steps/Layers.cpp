//===- Layers.cpp - Layers of any rank, and of rank 2 -----------*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Model.h"

#include "llvm/ADT/Twine.h"

using namespace mlir;

namespace ds::fuzz {

std::string Model::parameter(StringRef kind, const Shape &shape) {
  std::string name = (kind + llvm::Twine(parameters.size())).str();
  parameters.push_back({name, shape});
  return name;
}

std::string Model::state(StringRef kind, const Shape &shape, Type element) {
  std::string name = (kind + llvm::Twine(states.size())).str();
  states.push_back({name, shape, element});
  return name;
}

Var Model::read(Build &build, const std::string &name) const {
  return build.tape.cast(build.parameters.at(name), compute);
}

Function pickFunction(const Model &model, Random &random) {
  if (model.kinks && random.chance(30))
    return Function::relu;
  return random.pick({Function::tanh, Function::sigmoid, Function::softplus, Function::tanh});
}

Var meanOver(Tape &tape, Var x, const Shape &dims) {
  int64_t count = 1;
  for (int64_t dim : dims)
    count *= tape.shapeOf(x)[dim];
  return tape.affine(tape.sum(x, dims), 1.0 / count, 0);
}

Var softmax(Tape &tape, Var x) {
  int64_t last = tape.shapeOf(x).size() - 1;
  Shape all = allDims(last + 1), outer = allDims(last), shape = tape.shapeOf(x);
  Var top = tape.detach(tape.max(tape.detach(x), {last}));
  Var power = tape.apply(Function::exp, tape.binary(Binary::sub, x, all, top, outer, shape));
  return tape.binary(Binary::div, power, all, tape.sum(power, {last}), outer, shape);
}

void planDense(Model &model, Random &random, Shape &shape, int64_t features) {
  bool transposed = random.chance(30), bias = random.chance(70), activation = random.chance(70);
  bool sideways = random.chance(15);
  Function function = pickFunction(model, random);
  int64_t width = shape[1];
  std::string w =
      model.parameter("w", transposed ? Shape{features, width} : Shape{width, features});
  std::string c = bias ? model.parameter("b", {features}) : "";
  model.layers.push_back([=, &model](Build &build, Var x) {
    Tape &tape = build.tape;
    Var y;
    if (sideways) // samples in columns
      y = tape.transpose(tape.einsum(transposed ? "ji,ib->jb" : "ij,ib->jb", model.read(build, w),
                                     tape.transpose(x, {1, 0})),
                         {1, 0});
    else
      y = tape.einsum(transposed ? "bi,ji->bj" : "bi,ij->bj", x, model.read(build, w));
    if (bias)
      y = tape.binaryLast(Binary::add, y, model.read(build, c));
    return activation ? tape.apply(function, y) : y;
  });
  shape[1] = features;
}

/// The same square weight forwards and backwards.
static void planTied(Model &model, Random &random, Shape &shape) {
  std::string w = model.parameter("w", {shape[1], shape[1]});
  Function function = pickFunction(model, random);
  model.layers.push_back([=, &model](Build &build, Var x) {
    Var h = build.tape.apply(function, build.tape.einsum("bi,ij->bj", x, model.read(build, w)));
    return build.tape.einsum("bj,ij->bi", h, model.read(build, w));
  });
}

static void planLayerNorm(Model &model, Random &random, Shape &shape) {
  bool centred = random.chance(70);
  std::string scale = model.parameter("scale", {shape.back()});
  std::string shift = random.chance(50) ? model.parameter("shift", {shape.back()}) : "";
  model.layers.push_back([=, &model](Build &build, Var x) {
    Tape &tape = build.tape;
    Shape all = tape.shapeOf(x);
    int64_t last = all.size() - 1;
    Shape outer = allDims(last), every = allDims(last + 1);
    if (centred)
      x = tape.binary(Binary::sub, x, every, meanOver(tape, x, {last}), outer, all);
    Var variance = meanOver(tape, tape.apply(Function::square, x), {last});
    Var inverse = tape.apply(Function::rsqrt, tape.affine(variance, 1, 0.1));
    x = tape.binary(Binary::mul, x, every, inverse, outer, all);
    x = tape.binaryLast(Binary::mul, x, model.read(build, scale));
    return shift.empty() ? x : tape.binaryLast(Binary::add, x, model.read(build, shift));
  });
}

/// The gradient as libraries write it: the sums that are the gradients of scale and shift also feed
/// that of x.
static Var normaliseByHand(Tape &tape, Var x, Var centred, Var inverse, Var scale, Var shift) {
  Emitter &e = tape.e;
  Shape shape = tape.shapeOf(x), every = allDims(shape.size());
  Shape last = {int64_t(shape.size()) - 1}, summed = allDims(shape.size() - 1);
  Type element = Emitter::elementOf(x->value);
  double count = 1;
  for (int64_t dim : summed)
    count *= shape[dim];
  Value unit = e.map({centred->value, inverse->value}, {every, last}, shape, element,
                     [](Scalars &s, ValueRange v) { return s.mul(v[0], v[1]); });
  Value y = e.map({unit, scale->value, shift->value}, {every, last, last}, shape, element,
                  [](Scalars &s, ValueRange v) { return s.add(s.mul(v[0], v[1]), v[2]); });
  return tape.record(y, {x, scale, shift}, [=, &tape](Value dy) {
    Emitter &e = tape.e;
    Value products = e.each({dy, unit}, [](Scalars &s, ValueRange v) { return s.mul(v[0], v[1]); });
    Value dscale = e.reduce(products, summed, Combiner::sum);
    Value dshift = e.reduce(dy, summed, Combiner::sum);
    tape.accumulate(scale, dscale);
    tape.accumulate(shift, dshift);
    tape.accumulate(x, e.map({dy, unit, dscale, dshift, scale->value, inverse->value},
                             {every, every, last, last, last, last}, shape, element,
                             [&](Scalars &s, ValueRange v) {
                               Value mean = s.scale(s.add(s.mul(v[1], v[2]), v[3]), 1 / count);
                               return s.mul(s.mul(v[4], v[5]), s.sub(v[0], mean));
                             }));
  });
}

/// Statistics over the batch and all other dimensions but the last, with running copies.
static void planBatchNorm(Model &model, Random &random, Shape &shape) {
  model.statistics = true;
  bool running = random.chance(70), moments = random.chance(50), byHand = random.chance(50);
  int64_t channels = shape.back();
  std::string scale = model.parameter("scale", {channels});
  std::string shift = model.parameter("shift", {channels});
  std::string mean = running ? model.state("running_mean", {channels}, model.stored) : "";
  std::string var = running ? model.state("running_var", {channels}, model.stored) : "";
  model.layers.push_back([=, &model](Build &build, Var x) {
    Tape &tape = build.tape;
    Shape dims = allDims(tape.shapeOf(x).size() - 1);
    Var average = meanOver(tape, x, dims);
    Var centred = tape.binaryLast(Binary::sub, x, average);
    Var variance =
        moments ? tape.binary(Binary::sub, meanOver(tape, tape.apply(Function::square, x), dims),
                              tape.apply(Function::square, average))
                : meanOver(tape, tape.apply(Function::square, centred), dims);
    if (running)
      for (auto [name, value] : {std::pair(mean, average), std::pair(var, variance)})
        if (build.states.count(name)) {
          Value fresh = build.e.cast(value->value, model.stored);
          build.newStates[name] =
              build.e.each({build.states[name], fresh}, [](Scalars &s, ValueRange in) {
                return s.add(s.scale(in[0], 0.75), s.scale(in[1], 0.25));
              });
        }
    Var inverse = tape.apply(Function::rsqrt, tape.affine(variance, 1, 0.25));
    if (byHand)
      return normaliseByHand(tape, x, centred, inverse, model.read(build, scale),
                             model.read(build, shift));
    Var y = tape.binaryLast(Binary::mul, centred, inverse);
    y = tape.binaryLast(Binary::mul, y, model.read(build, scale));
    return tape.binaryLast(Binary::add, y, model.read(build, shift));
  });
}

static void planDropout(Model &model, Random &random) {
  int64_t number = ++model.layerNumber;
  int percent = random.between(2, 5) * 10;
  model.layers.push_back([=](Build &build, Var x) {
    Shape shape = build.tape.shapeOf(x);
    Value mask =
        build.e.dropoutMask(shape, Emitter::elementOf(x->value), build.seedWord, number, percent);
    return build.tape.binary(Binary::mul, x, build.tape.constant(mask));
  });
}

/// Divides by a norm that is taken over the batch.
static void planBatchScale(Model &model, Random &random) {
  model.statistics = true;
  int64_t kind = random.below(model.kinks ? 3 : 2);
  // Samples of the same words are alike but for rounding, which would choose the largest.
  if (kind == 2 && model.vocabulary)
    kind = 1;
  model.layers.push_back([=](Build &build, Var x) {
    Tape &tape = build.tape;
    Var norm;
    if (kind == 0)
      norm = tape.apply(Function::square, meanOver(tape, x, {0}));
    else if (kind == 1)
      norm = meanOver(tape, tape.apply(Function::square, x), {0});
    else
      norm = tape.max(tape.apply(Function::square, x), {0});
    return tape.binaryLast(Binary::mul, x, tape.apply(Function::rsqrt, tape.affine(norm, 0.5, 1)));
  });
}

/// Factors that depend on the position in the batch.
static void planPosition(Model &model, Random &random) {
  int64_t period = random.between(2, 7);
  bool table = random.chance(40);
  model.layers.push_back([=](Build &build, Var x) {
    Tape &tape = build.tape;
    Type element = Emitter::elementOf(x->value);
    Shape shape = tape.shapeOf(x);
    Value factors;
    if (table) {
      SmallVector<Attribute> values;
      for (int64_t i = 0; i < shape[0]; ++i)
        values.push_back(build.e.b.getFloatAttr(element, 0.5 + 0.25 * (i % period)));
      auto type = RankedTensorType::get({shape[0]}, element);
      factors =
          arith::ConstantOp::create(build.e.b, build.e.loc, DenseElementsAttr::get(type, values));
      return tape.binary(Binary::mul, x, allDims(shape.size()), tape.constant(factors), {0}, shape);
    }
    factors = build.e.map({}, {}, {build.batch(x)}, element, [&](Scalars &s, ValueRange) {
      Value position = linalg::IndexOp::create(s.b, s.loc, 0);
      Value modulus = arith::ConstantIndexOp::create(s.b, s.loc, period);
      Value rest = arith::RemUIOp::create(s.b, s.loc, position, modulus);
      Value word = arith::IndexCastOp::create(s.b, s.loc, s.b.getI32Type(), rest);
      Value number = arith::SIToFPOp::create(s.b, s.loc, element, word);
      return s.shift(s.scale(number, 0.25), 0.5);
    });
    return tape.binary(Binary::mul, x, allDims(shape.size()), tape.constant(factors), {0}, shape);
  });
}

/// The first half of the batch meets the second.
static void planHalves(Model &model, Random &random) {
  model.batchParts = 2;
  bool interleaved = random.chance(40);
  model.layers.push_back([=](Build &build, Var x) {
    Tape &tape = build.tape;
    int64_t half = build.batch(x) / 2;
    Shape shape = tape.shapeOf(x), split = shape;
    Var first, second;
    if (interleaved) {
      split[0] = 2;
      split.insert(split.begin() + 1, half);
      Groups groups = {{0, 1}};
      for (int64_t i = 1; i < int64_t(shape.size()); ++i)
        groups.push_back({i + 1});
      Var pairs = tape.expand(x, groups, split);
      first = tape.sliceAt(pairs, 0, 0);
      second = tape.sliceAt(pairs, 0, 1);
    } else {
      first = tape.slice(x, 0, 0, half);
      second = tape.slice(x, 0, half, half);
    }
    Var sum = tape.binary(Binary::add, first, tape.affine(second, 0.5, 0));
    Var difference = tape.binary(Binary::sub, tape.affine(second, 0.25, 0), first);
    return tape.concat({sum, difference}, 0);
  });
}

static void planFeatures(Model &model, Random &random, Shape &shape) {
  int64_t last = shape.size() - 1, width = shape[last];
  switch (random.below(3)) {
  case 0: {
    Function function = pickFunction(model, random);
    model.layers.push_back([=](Build &build, Var x) {
      return build.tape.concat({x, build.tape.apply(function, x)}, last);
    });
    shape[last] = 2 * width;
    return;
  }
  case 1: {
    int64_t size = std::max<int64_t>(1, width / 2), offset = random.below(width - size + 1);
    model.layers.push_back(
        [=](Build &build, Var x) { return build.tape.slice(x, last, offset, size); });
    shape[last] = size;
    return;
  }
  default: {
    int64_t low = random.below(3), high = random.below(3);
    size_t rank = shape.size();
    model.layers.push_back([=](Build &build, Var x) {
      Shape before(rank, 0), after(rank, 0);
      before[last] = low;
      after[last] = high;
      return build.tape.pad(x, before, after);
    });
    shape[last] = width + low + high;
  }
  }
}

/// Every sample takes in all others, weighed by how alike they are.
void planSimilarity(Model &model) {
  model.layers.push_back([](Build &build, Var x) {
    Tape &tape = build.tape;
    double scale = 1.0 / build.batch(x);
    Var alike = tape.apply(Function::tanh, tape.einsum("bi,ci->bc", x, x));
    Var taken = tape.affine(tape.einsum("bc,ci->bi", alike, x), scale, 0);
    return tape.binary(Binary::add, x, taken);
  });
}

void planAnyLayer(Model &model, Random &random, Shape &shape) {
  int64_t kind = random.below(9);
  if (!model.mayUseStatistics && (kind == 2 || kind == 3 || kind == 5))
    kind = 0;
  switch (kind) {
  case 0:
  case 1:
    return planLayerNorm(model, random, shape);
  case 2:
  case 3:
    return planBatchNorm(model, random, shape);
  case 4:
    return planDropout(model, random);
  case 5:
    return planBatchScale(model, random);
  case 6:
    return planPosition(model, random);
  case 7:
    return planFeatures(model, random, shape);
  default:
    return planHalves(model, random);
  }
}

static void planFlatLayer(Model &model, Random &random, Shape &shape) {
  switch (random.below(4)) {
  case 0:
    return planTied(model, random, shape);
  case 1: { // a residual block
    size_t first = model.layers.size();
    int64_t width = shape[1];
    planDense(model, random, shape, random.between(2, 6));
    planDense(model, random, shape, width);
    std::vector<Layer> inner(model.layers.begin() + first, model.layers.end());
    model.layers.resize(first);
    model.layers.push_back([=](Build &build, Var x) {
      Var y = x;
      for (const Layer &layer : inner)
        y = layer(build, y);
      return build.tape.binary(Binary::add, x, y);
    });
    return;
  }
  case 2: { // a sequence for a while
    int64_t time = 2, features = random.between(2, 4);
    planDense(model, random, shape, time * features);
    model.layers.push_back([=](Build &build, Var x) {
      return build.tape.expand(x, {{0}, {1, 2}}, {build.batch(x), time, features});
    });
    shape = {shape[0], time, features};
    return;
  }
  default:
    return planDense(model, random, shape, random.between(2, 8));
  }
}

void planBody(Model &model, Random &random, Shape &shape, int64_t count) {
  for (int64_t i = 0; i < count || shape.size() != 2; ++i) {
    // Only layers that shorten the shape end the body, so they come sooner or later.
    if (i < count && random.chance(35))
      planAnyLayer(model, random, shape);
    else if (shape.size() == 4)
      planImageLayer(model, random, shape);
    else if (shape.size() == 3)
      planSequenceLayer(model, random, shape);
    else
      planFlatLayer(model, random, shape);
  }
}

} // namespace ds::fuzz
