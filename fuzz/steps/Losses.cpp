//===- Losses.cpp - What a sample and a batch cost --------------*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Model.h"

using namespace mlir;

namespace ds::fuzz {

Var perSampleLoss(Build &build, const LossChoice &choice, Var x) {
  Tape &tape = build.tape;
  Shape shape = tape.shapeOf(x), rows = {shape[0]};
  Type element = Emitter::elementOf(x->value);
  Var result;
  switch (choice.kind) {
  case Loss::squared: {
    Var error = tape.binary(Binary::sub, x, tape.constant(build.e.cast(build.targets, element)));
    result = meanOver(tape, tape.apply(Function::square, error), {1});
    break;
  }
  case Loss::margin: {
    Var product = tape.binary(Binary::mul, x, tape.constant(build.e.cast(build.targets, element)));
    Var cost = tape.apply(Function::softplus, tape.apply(Function::negate, product));
    result = tape.sum(cost, {1});
    break;
  }
  case Loss::crossEntropy:
  case Loss::validCrossEntropy: {
    Var top = tape.detach(tape.max(tape.detach(x), {1}));
    Var shifted = tape.binary(Binary::sub, x, {0, 1}, top, {0}, shape);
    Var total = tape.apply(Function::log, tape.sum(tape.apply(Function::exp, shifted), {1}));
    Value mask = build.e.oneHot(build.labels, choice.classes, element);
    Var picked = tape.sum(tape.binary(Binary::mul, shifted, tape.constant(mask)), {1});
    result = tape.binary(Binary::sub, total, picked);
    break;
  }
  }
  if (!choice.indexed)
    return result;
  Value weights = build.e.map({}, {}, rows, element, [&](Scalars &s, ValueRange) -> Value {
    Value row = linalg::IndexOp::create(s.b, s.loc, 0);
    Value word = arith::IndexCastOp::create(s.b, s.loc, s.b.getI32Type(), row);
    Value number = arith::SIToFPOp::create(s.b, s.loc, element, word);
    return s.div(s.constant(element, 4), s.shift(number, 2));
  });
  return tape.binary(Binary::mul, result, tape.constant(weights));
}

Var totalLoss(Build &build, const LossChoice &choice, Var perSample) {
  Tape &tape = build.tape;
  int64_t count = tape.shapeOf(perSample)[0];
  if (choice.kind == Loss::validCrossEntropy) {
    // Label 0 does not count: the mean is over those that do.
    Type element = Emitter::elementOf(perSample->value);
    Value valid = build.e.map(
        build.labels, Shape{0}, {count}, element, [&](Scalars &s, ValueRange in) -> Value {
          Value zero = arith::ConstantOp::create(s.b, s.loc, s.b.getZeroAttr(in[0].getType()));
          Value counts = arith::CmpIOp::create(s.b, s.loc, arith::CmpIPredicate::ne, in[0], zero);
          return arith::SelectOp::create(s.b, s.loc, counts, s.constant(element, 1),
                                         s.constant(element, 0));
        });
    Var mask = tape.constant(valid);
    Var sum = tape.sum(tape.binary(Binary::mul, perSample, mask), {0});
    return tape.binary(Binary::div, sum, tape.affine(tape.sum(mask, {0}), 1, 0.5));
  }
  return tape.affine(tape.sum(perSample, {0}), choice.mean ? 1.0 / count : 0.0625, 0);
}

} // namespace ds::fuzz
