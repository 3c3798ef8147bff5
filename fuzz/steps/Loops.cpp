//===- Loops.cpp - Structured control flow in steps -------------*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Loops.h"

#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;

namespace ds::fuzz {

static Value index(Emitter &e, int64_t value) {
  return arith::ConstantIndexOp::create(e.b, e.loc, value);
}

Values forLoop(Emitter &e, int64_t count, ValueRange carried,
               llvm::function_ref<Values(Emitter &, Value, ValueRange)> body) {
  Value zero = index(e, 0), end = index(e, count), one = index(e, 1);
  auto region = [&](OpBuilder &b, Location loc, Value round, ValueRange values) {
    Emitter inner(b, e.forms);
    scf::YieldOp::create(b, loc, body(inner, round, values));
  };
  auto loop = scf::ForOp::create(e.b, e.loc, zero, end, one, carried, region);
  return Values(loop.getResults());
}

Values whileLoop(Emitter &e, int64_t count, ValueRange carried,
                 llvm::function_ref<Values(Emitter &, Value, ValueRange)> body) {
  Value zero = index(e, 0), end = index(e, count), one = index(e, 1);
  SmallVector<Value> inits = {zero};
  llvm::append_range(inits, carried);
  auto before = [&](OpBuilder &b, Location loc, ValueRange values) {
    Value more = arith::CmpIOp::create(b, loc, arith::CmpIPredicate::slt, values[0], end);
    scf::ConditionOp::create(b, loc, more, values);
  };
  auto after = [&](OpBuilder &b, Location loc, ValueRange values) {
    Emitter inner(b, e.forms);
    Values next = {arith::AddIOp::create(b, loc, values[0], one)};
    llvm::append_range(next, body(inner, values[0], values.drop_front()));
    scf::YieldOp::create(b, loc, next);
  };
  auto loop = scf::WhileOp::create(e.b, e.loc, ValueRange(inits).getTypes(), inits, before, after);
  return Values(loop.getResults().drop_front());
}

Values branch(Emitter &e, Value condition, TypeRange types,
              llvm::function_ref<Values(Emitter &)> yes, llvm::function_ref<Values(Emitter &)> no) {
  if (e.forms.chance(70)) {
    auto region = [&](llvm::function_ref<Values(Emitter &)> body) {
      return [&e, body](OpBuilder &b, Location loc) {
        Emitter inner(b, e.forms);
        scf::YieldOp::create(b, loc, body(inner));
      };
    };
    auto op = scf::IfOp::create(e.b, e.loc, condition, region(yes), region(no));
    return Values(op.getResults());
  }
  Value number = arith::IndexCastUIOp::create(e.b, e.loc, e.b.getIndexType(), condition);
  auto op = scf::IndexSwitchOp::create(e.b, e.loc, types, number, ArrayRef<int64_t>{1}, 1);
  auto fill = [&](Region &region, llvm::function_ref<Values(Emitter &)> body) {
    OpBuilder b = OpBuilder::atBlockBegin(&region.emplaceBlock());
    Emitter inner(b, e.forms);
    Values values = body(inner);
    scf::YieldOp::create(inner.b, e.loc, values);
  };
  fill(op.getCaseRegions()[0], yes);
  fill(op.getDefaultRegion(), no);
  return Values(op.getResults());
}

Var scan(Tape &tape, Var x, Var first, ArrayRef<Var> weights, Cell cell) {
  Emitter &e = tape.e;
  int64_t rounds = tape.shapeOf(x)[1];
  bool counted = e.forms.chance(75);
  auto loop = [counted](Emitter &e, int64_t count, ValueRange carried,
                        llvm::function_ref<Values(Emitter &, Value, ValueRange)> body) {
    return counted ? forLoop(e, count, carried, body) : whileLoop(e, count, carried, body);
  };
  Shape stacked = tape.shapeOf(first);
  stacked.insert(stacked.begin(), rounds);
  SmallVector<Var> w(weights);
  Values inits = {first->value, e.filled(stacked, Emitter::elementOf(first->value), 0)};
  Values ends = loop(e, rounds, inits, [&](Emitter &in, Value t, ValueRange values) -> Values {
    Tape inner(in);
    SmallVector<Var> fixed;
    for (Var weight : w)
      fixed.push_back(inner.constant(weight->value));
    Value history = in.writeAt(values[0], values[1], 0, t);
    Var next =
        cell(inner, inner.constant(in.sliceAt(x->value, 1, t)), inner.constant(values[0]), fixed);
    return {next->value, history};
  });
  Value history = ends[1];
  auto pull = [=, &tape](Value dy) {
    Emitter &e = tape.e;
    Values inits = {dy, e.filled(tape.shapeOf(x), Emitter::elementOf(dy), 0)};
    for (Var weight : w)
      inits.push_back(e.filled(tape.shapeOf(weight), Emitter::elementOf(dy), 0));
    Values ends = loop(e, rounds, inits, [&](Emitter &in, Value round, ValueRange values) {
      Value last = index(in, rounds - 1);
      Value t = arith::SubIOp::create(in.b, in.loc, last, round);
      Tape inner(in);
      SmallVector<Var> inputs;
      for (Var weight : w)
        inputs.push_back(inner.input(weight->value));
      Var xt = inner.input(in.sliceAt(x->value, 1, t));
      Var h = inner.input(in.sliceAt(history, 0, t));
      inner.backward(cell(inner, xt, h, inputs), values[0]);
      Values next = {inner.gradientOf(h), in.writeAt(inner.gradientOf(xt), values[1], 1, t)};
      for (auto [weight, sum] : llvm::zip_equal(inputs, values.drop_front(2)))
        next.push_back(in.each({sum, inner.gradientOf(weight)},
                               [](Scalars &s, ValueRange v) { return s.add(v[0], v[1]); }));
      return next;
    });
    tape.accumulate(x, ends[1]);
    for (auto [weight, gradient] : llvm::zip_equal(w, ArrayRef(ends).drop_front(2)))
      tape.accumulate(weight, gradient);
  };
  SmallVector<Var> from = w;
  from.push_back(x);
  return tape.record(ends[0], from, pull);
}

} // namespace ds::fuzz
