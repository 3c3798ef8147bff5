//===- SequenceLayers.cpp - Layers of rank 3 and 4 --------------*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Loops.h"
#include "Model.h"

using namespace mlir;

namespace ds::fuzz {

static void planPerToken(Model &model, Random &random, Shape &shape) {
  int64_t features = random.between(2, 6), form = random.below(3);
  std::string w = model.parameter("w", {shape[2], features});
  Function function = pickFunction(model, random);
  model.layers.push_back([=, &model](Build &build, Var x) {
    Tape &tape = build.tape;
    Var weight = model.read(build, w), y;
    Shape in = tape.shapeOf(x);
    if (form == 0) { // tokens of all samples in one dimension
      Var rows = tape.einsum("bi,ij->bj", tape.collapse(x, {{0, 1}, {2}}), weight);
      y = tape.expand(rows, {{0, 1}, {2}}, {in[0], in[1], features});
    } else if (form == 1) { // time first
      Var turned = tape.transpose(x, {1, 0, 2});
      y = tape.transpose(tape.einsum("tbd,de->tbe", turned, weight), {1, 0, 2});
    } else {
      y = tape.einsum("btd,de->bte", x, weight);
    }
    return tape.apply(function, y);
  });
  shape[2] = features;
}

static void planAttention(Model &model, Random &random, Shape &shape) {
  int64_t heads = random.between(1, 3), width = random.between(1, 3), features = shape[2];
  bool merged = random.chance(50);
  std::string names[3];
  for (std::string &name : names)
    name = model.parameter("w", {features, heads * width});
  std::string out = model.parameter("w", {heads * width, features});
  model.layers.push_back([=, &model](Build &build, Var x) {
    Tape &tape = build.tape;
    Shape in = tape.shapeOf(x);
    Shape split = {in[0], in[1], heads, width};
    Var parts[3];
    for (int i = 0; i < 3; ++i)
      parts[i] = tape.expand(tape.einsum("btd,de->bte", x, model.read(build, names[i])),
                             {{0}, {1}, {2, 3}}, split);
    Var mixed;
    if (merged) { // samples and heads in one dimension
      for (Var &part : parts)
        part = tape.collapse(tape.transpose(part, {0, 2, 1, 3}), {{0, 1}, {2}, {3}});
      Var scores = tape.affine(tape.einsum("ntk,nsk->nts", parts[0], parts[1]), 0.7, 0);
      mixed = tape.einsum("nts,nsk->ntk", softmax(tape, scores), parts[2]);
      mixed = tape.expand(mixed, {{0, 1}, {2}, {3}}, {in[0], heads, in[1], width});
      mixed = tape.transpose(mixed, {0, 2, 1, 3});
    } else {
      Var scores = tape.affine(tape.einsum("bthk,bshk->bhts", parts[0], parts[1]), 0.7, 0);
      mixed = tape.einsum("bhts,bshk->bthk", softmax(tape, scores), parts[2]);
    }
    Var flat = tape.collapse(mixed, {{0}, {1}, {2, 3}});
    return tape.binary(Binary::add, x, tape.einsum("bte,ed->btd", flat, model.read(build, out)));
  });
}

/// One cell: tanh(x wx + h wh).
static Var cell(Tape &tape, Var x, Var h, Var wx, Var wh) {
  Var sum =
      tape.binary(Binary::add, tape.einsum("bi,ij->bj", x, wx), tape.einsum("bi,ij->bj", h, wh));
  return tape.apply(Function::tanh, sum);
}

static void planRecurrent(Model &model, Random &random, Shape &shape) {
  int64_t hidden = random.between(2, 4);
  bool loop = model.loops && random.chance(70);
  std::string wx = model.parameter("wx", {shape[2], hidden});
  std::string wh = model.parameter("wh", {hidden, hidden});
  model.layers.push_back([=, &model](Build &build, Var x) {
    Tape &tape = build.tape;
    Var first = tape.constant(build.e.filled({build.batch(x), hidden}, model.compute, 0));
    Var w[] = {model.read(build, wx), model.read(build, wh)};
    if (loop)
      return scan(tape, x, first, w, [](Tape &inner, Var x, Var h, ArrayRef<Var> w) {
        return cell(inner, x, h, w[0], w[1]);
      });
    Var h = first;
    for (int64_t t = 0; t < tape.shapeOf(x)[1]; ++t)
      h = cell(tape, tape.sliceAt(x, 1, t), h, w[0], w[1]);
    return h;
  });
  shape = {shape[0], hidden};
}

void planSequenceLayer(Model &model, Random &random, Shape &shape) {
  int64_t time = shape[1], features = shape[2];
  switch (random.below(6)) {
  case 0:
    return planPerToken(model, random, shape);
  case 1:
    return planAttention(model, random, shape);
  case 2:
  case 3:
    return planRecurrent(model, random, shape);
  case 4:
    model.layers.push_back([](Build &build, Var x) { return meanOver(build.tape, x, {1}); });
    shape = {shape[0], features};
    return;
  default:
    model.layers.push_back(
        [](Build &build, Var x) { return build.tape.collapse(x, {{0}, {1, 2}}); });
    shape = {shape[0], time * features};
  }
}

static void planConvolution(Model &model, Random &random, Shape &shape) {
  int64_t kernel = std::min<int64_t>(random.between(1, 3), std::min(shape[1], shape[2]));
  int64_t padding = random.below(kernel), stride = random.between(1, 2);
  int64_t features = random.between(1, 4);
  Function function = pickFunction(model, random);
  std::string w = model.parameter("window", {kernel, kernel, shape[3], features});
  model.layers.push_back([=, &model](Build &build, Var x) {
    if (padding)
      x = build.tape.pad(x, {0, padding, padding, 0}, {0, padding, padding, 0});
    return build.tape.apply(function, build.tape.convolve(x, model.read(build, w), stride));
  });
  for (int i : {1, 2})
    shape[i] = (shape[i] + 2 * padding - kernel) / stride + 1;
  shape[3] = features;
}

static void planPooling(Model &model, Random &random, Shape &shape) {
  bool largest = model.kinks && random.chance(50);
  int64_t height = shape[1] / 2, width = shape[2] / 2, channels = shape[3];
  model.layers.push_back([=](Build &build, Var x) {
    Tape &tape = build.tape;
    Shape windows = {build.batch(x), height, 2, width, 2, channels};
    Var split = tape.expand(x, {{0}, {1, 2}, {3, 4}, {5}}, windows);
    return largest ? tape.max(split, {2, 4}) : meanOver(tape, split, {2, 4});
  });
  shape[1] = height;
  shape[2] = width;
}

void planImageLayer(Model &model, Random &random, Shape &shape) {
  bool even = shape[1] % 2 == 0 && shape[2] % 2 == 0;
  int64_t pixels = shape[1] * shape[2];
  switch (random.below(6)) {
  case 0:
    if (even)
      return planPooling(model, random, shape);
    [[fallthrough]];
  case 1:
  case 2:
    return planConvolution(model, random, shape);
  case 3:
    model.layers.push_back([](Build &build, Var x) { return meanOver(build.tape, x, {1, 2}); });
    shape = {shape[0], shape[3]};
    return;
  case 4: // pixels as a sequence
    model.layers.push_back(
        [](Build &build, Var x) { return build.tape.collapse(x, {{0}, {1, 2}, {3}}); });
    shape = {shape[0], pixels, shape[3]};
    return;
  default: {
    int64_t all = pixels * shape[3];
    model.layers.push_back(
        [](Build &build, Var x) { return build.tape.collapse(x, {{0}, {1, 2, 3}}); });
    shape = {shape[0], all};
  }
  }
}

} // namespace ds::fuzz
