//===- Tape.cpp - Reverse-mode differentiation while emitting ---*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Tape.h"

#include "mlir/Dialect/Math/IR/Math.h"

using namespace mlir;

namespace ds::fuzz {

Shape allDims(size_t rank) {
  Shape dims;
  for (size_t i = 0; i < rank; ++i)
    dims.push_back(i);
  return dims;
}

Var Tape::constant(Value value) {
  nodes.push_back({value, {}, /*active=*/false, {}});
  return &nodes.back();
}

Var Tape::input(Value value) {
  nodes.push_back({value, {}, /*active=*/true, {}});
  return &nodes.back();
}

Var Tape::record(Value value, ArrayRef<Var> from, std::function<void(Value)> pull) {
  bool active = llvm::any_of(from, [](Var x) { return x->active; });
  nodes.push_back({value, {}, active, active ? std::move(pull) : nullptr});
  return &nodes.back();
}

void Tape::accumulate(Var x, Value gradient) {
  if (!x->active)
    return;
  if (x->gradient)
    gradient = e.each({x->gradient, gradient},
                      [](Scalars &s, ValueRange in) { return s.add(in[0], in[1]); });
  x->gradient = gradient;
}

void Tape::backward(Var result, Value seed) {
  accumulate(result, seed);
  for (size_t i = nodes.size(); i-- > 0;)
    if (nodes[i].gradient && nodes[i].pull)
      nodes[i].pull(nodes[i].gradient);
}

Value Tape::gradientOf(Var var) {
  if (var->gradient)
    return var->gradient;
  return e.filled(shapeOf(var), Emitter::elementOf(var->value), 0);
}

static Value evaluate(Scalars &s, Function function, Value x) {
  switch (function) {
  case Function::tanh:
    return math::TanhOp::create(s.b, s.loc, x);
  case Function::sigmoid: {
    Value e = math::ExpOp::create(s.b, s.loc, s.scale(x, -1));
    return s.div(s.constant(x.getType(), 1), s.shift(e, 1));
  }
  case Function::relu:
    return s.max(x, s.constant(x.getType(), 0));
  case Function::softplus:
    return math::Log1pOp::create(s.b, s.loc, math::ExpOp::create(s.b, s.loc, x));
  case Function::square:
    return s.mul(x, x);
  case Function::exp:
    return math::ExpOp::create(s.b, s.loc, x);
  case Function::log:
    return math::LogOp::create(s.b, s.loc, x);
  case Function::rsqrt:
    return math::RsqrtOp::create(s.b, s.loc, x);
  case Function::negate:
    return arith::NegFOp::create(s.b, s.loc, x);
  }
  llvm_unreachable("all functions are covered");
}

/// dy times the derivative at x, where the function is y.
static Value derivative(Scalars &s, Function function, Value dy, Value x, Value y) {
  switch (function) {
  case Function::tanh:
    return s.mul(dy, s.shift(s.scale(s.mul(y, y), -1), 1));
  case Function::sigmoid:
    return s.mul(dy, s.mul(y, s.shift(s.scale(y, -1), 1)));
  case Function::relu: {
    Value zero = s.constant(x.getType(), 0);
    Value positive = arith::CmpFOp::create(s.b, s.loc, arith::CmpFPredicate::OGT, x, zero);
    return arith::SelectOp::create(s.b, s.loc, positive, dy, zero);
  }
  case Function::softplus:
    return s.mul(dy, evaluate(s, Function::sigmoid, x));
  case Function::square:
    return s.scale(s.mul(dy, x), 2);
  case Function::exp:
    return s.mul(dy, y);
  case Function::log:
    return s.div(dy, x);
  case Function::rsqrt:
    return s.mul(dy, s.scale(s.mul(y, s.mul(y, y)), -0.5));
  case Function::negate:
    return arith::NegFOp::create(s.b, s.loc, dy);
  }
  llvm_unreachable("all functions are covered");
}

Var Tape::apply(Function function, Var x) {
  Value y =
      e.each(x->value, [&](Scalars &s, ValueRange in) { return evaluate(s, function, in[0]); });
  return record(y, x, [=](Value dy) {
    accumulate(x, e.each({dy, x->value, y}, [&](Scalars &s, ValueRange in) {
      return derivative(s, function, in[0], in[1], in[2]);
    }));
  });
}

static Value evaluate(Scalars &s, Binary op, Value x, Value y) {
  switch (op) {
  case Binary::add:
    return s.add(x, y);
  case Binary::sub:
    return s.sub(x, y);
  case Binary::mul:
    return s.mul(x, y);
  case Binary::div:
    return s.div(x, y);
  }
  llvm_unreachable("all operations are covered");
}

Var Tape::binary(Binary op, Var x, const Shape &xDims, Var y, const Shape &yDims,
                 const Shape &shape) {
  Type element = Emitter::elementOf(x->value);
  Value z = e.map({x->value, y->value}, {xDims, yDims}, shape, element,
                  [&](Scalars &s, ValueRange in) { return evaluate(s, op, in[0], in[1]); });
  // The gradient in the shape of the result, summed over the loops an operand does not follow.
  auto give = [this, shape](Var to, const Shape &dims, Value whole) {
    Shape missing, order;
    for (int64_t i = 0; i < int64_t(shape.size()); ++i)
      (llvm::is_contained(dims, i) ? order : missing).push_back(i);
    Value part = e.reduce(whole, missing, Combiner::sum);
    if (order != dims) {
      Shape permutation;
      for (int64_t dim : dims)
        permutation.push_back(llvm::find(order, dim) - order.begin());
      part = e.transpose(part, permutation);
    }
    accumulate(to, part);
  };
  return record(z, {x, y}, [=](Value dz) {
    Shape all = allDims(shape.size());
    // Some front ends leave operands behind that a body no longer reads.
    bool ignored = e.forms.chance(5);
    auto grad = [&](bool readsX, bool readsY, Body body) {
      SmallVector<Value> ins = {dz};
      SmallVector<Shape> dims = {all};
      for (auto [reads, var, follow] : {std::tuple(readsX, x, xDims), std::tuple(readsY, y, yDims)})
        if (reads || ignored) {
          ins.push_back(var->value);
          dims.push_back(follow);
        }
      return e.map(ins, dims, shape, element, [&](Scalars &s, ValueRange in) {
        SmallVector<Value> read = {in[0], readsX ? in[1] : Value(), Value()};
        if (readsY)
          read[2] = in[readsX || ignored ? 2 : 1];
        return body(s, read);
      });
    };
    if (x->active) {
      Value dx = dz;
      if (op == Binary::mul)
        dx = grad(false, true, [](Scalars &s, ValueRange in) { return s.mul(in[0], in[2]); });
      if (op == Binary::div)
        dx = grad(false, true, [](Scalars &s, ValueRange in) { return s.div(in[0], in[2]); });
      give(x, xDims, dx);
    }
    if (!y->active)
      return;
    Value dy = dz;
    if (op == Binary::sub)
      dy = grad(false, false, [](Scalars &s, ValueRange in) { return s.scale(in[0], -1); });
    if (op == Binary::mul)
      dy = grad(true, false, [](Scalars &s, ValueRange in) { return s.mul(in[0], in[1]); });
    if (op == Binary::div)
      dy = grad(true, true, [](Scalars &s, ValueRange in) {
        return s.scale(s.mul(in[0], s.div(in[1], s.mul(in[2], in[2]))), -1);
      });
    give(y, yDims, dy);
  });
}

Var Tape::binary(Binary op, Var x, Var y) {
  Shape shape = shapeOf(x);
  return binary(op, x, allDims(shape.size()), y, allDims(shape.size()), shape);
}

Var Tape::binaryLast(Binary op, Var x, Var y) {
  Shape shape = shapeOf(x), dims;
  for (size_t i = shape.size() - shapeOf(y).size(); i < shape.size(); ++i)
    dims.push_back(i);
  return binary(op, x, allDims(shape.size()), y, dims, shape);
}

Var Tape::affine(Var x, double factor, double term) {
  Value y = e.each(x->value, [&](Scalars &s, ValueRange in) {
    Value scaled = factor == 1 ? in[0] : s.scale(in[0], factor);
    return term == 0 ? scaled : s.shift(scaled, term);
  });
  return record(y, x, [=](Value dy) {
    accumulate(x, e.each(dy, [&](Scalars &s, ValueRange in) { return s.scale(in[0], factor); }));
  });
}

static Shape remaining(size_t rank, const Shape &dims) {
  Shape kept;
  for (int64_t i = 0; i < int64_t(rank); ++i)
    if (!llvm::is_contained(dims, i))
      kept.push_back(i);
  return kept;
}

Var Tape::sum(Var x, const Shape &dims) {
  if (dims.empty())
    return x;
  return record(e.reduce(x->value, dims, Combiner::sum), x, [=](Value dy) {
    Shape shape = shapeOf(x);
    accumulate(x, e.broadcast(dy, remaining(shape.size(), dims), shape));
  });
}

Var Tape::max(Var x, const Shape &dims) {
  Value y = e.reduce(x->value, dims, Combiner::max);
  return record(y, x, [=](Value dy) {
    Shape shape = shapeOf(x), kept = remaining(shape.size(), dims);
    accumulate(x, e.map({dy, y, x->value}, {kept, kept, allDims(shape.size())}, shape,
                        Emitter::elementOf(y), [](Scalars &s, ValueRange in) -> Value {
                          Value here = arith::CmpFOp::create(s.b, s.loc, arith::CmpFPredicate::OEQ,
                                                             in[1], in[2]);
                          return arith::SelectOp::create(s.b, s.loc, here, in[0],
                                                         s.constant(in[0].getType(), 0));
                        }));
  });
}

Var Tape::einsum(StringRef letters, Var x, Var y) {
  std::string text = letters.str();
  return record(e.einsum(letters, x->value, y->value), {x, y}, [=](Value dz) {
    auto [inputs, out] = StringRef(text).split("->");
    auto [first, second] = inputs.split(',');
    if (x->active)
      accumulate(x, e.einsum((out + "," + second + "->" + first).str(), dz, y->value));
    if (!y->active)
      return;
    // The operands of a contraction in either order.
    if (e.forms.chance(50))
      accumulate(y, e.einsum((first + "," + out + "->" + second).str(), x->value, dz));
    else
      accumulate(y, e.einsum((out + "," + first + "->" + second).str(), dz, x->value));
  });
}

Var Tape::transpose(Var x, const Shape &permutation) {
  return record(e.transpose(x->value, permutation), x, [=](Value dy) {
    Shape inverse(permutation.size());
    for (auto [to, from] : llvm::enumerate(permutation))
      inverse[from] = to;
    accumulate(x, e.transpose(dy, inverse));
  });
}

Var Tape::collapse(Var x, const Groups &groups) {
  return record(e.collapse(x->value, groups), x,
                [=](Value dy) { accumulate(x, e.expand(dy, groups, shapeOf(x))); });
}

Var Tape::expand(Var x, const Groups &groups, const Shape &shape) {
  return record(e.expand(x->value, groups, shape), x,
                [=](Value dy) { accumulate(x, e.collapse(dy, groups)); });
}

Var Tape::slice(Var x, int64_t dim, int64_t offset, int64_t size) {
  return record(e.slice(x->value, dim, offset, size), x, [=](Value dy) {
    Shape shape = shapeOf(x), low(shape.size(), 0), high(shape.size(), 0);
    low[dim] = offset;
    high[dim] = shape[dim] - offset - size;
    accumulate(x, e.pad(dy, low, high));
  });
}

Var Tape::sliceAt(Var x, int64_t dim, int64_t index) {
  return record(e.sliceAt(x->value, dim, e.b.getIndexAttr(index)), x, [=](Value dy) {
    Value zeros = e.filled(shapeOf(x), Emitter::elementOf(dy), 0);
    accumulate(x, e.writeAt(dy, zeros, dim, e.b.getIndexAttr(index)));
  });
}

Var Tape::pad(Var x, const Shape &low, const Shape &high) {
  return record(e.pad(x->value, low, high), x, [=](Value dy) {
    Shape shape = shapeOf(x);
    Value part = dy;
    for (size_t i = 0; i < shape.size(); ++i)
      if (low[i] || high[i])
        part = e.slice(part, i, low[i], shape[i]);
    accumulate(x, part);
  });
}

Var Tape::concat(ArrayRef<Var> parts, int64_t dim) {
  SmallVector<Value> values;
  for (Var part : parts)
    values.push_back(part->value);
  SmallVector<Var> all(parts);
  return record(e.concat(values, dim), parts, [=](Value dy) {
    int64_t offset = 0;
    for (Var part : all) {
      int64_t size = shapeOf(part)[dim];
      if (part->active)
        accumulate(part, e.slice(dy, dim, offset, size));
      offset += size;
    }
  });
}

Var Tape::convolve(Var x, Var window, int64_t stride) {
  return record(e.convolve(x->value, window->value, stride), {x, window}, [=](Value dy) {
    if (window->active)
      accumulate(window, e.convolveWindow(x->value, dy, shapeOf(window), stride));
    if (x->active)
      accumulate(x, e.convolveInput(dy, window->value, shapeOf(x), stride));
  });
}

Var Tape::lookUp(Var table, Value ids) {
  return record(e.lookUp(table->value, ids), table,
                [=](Value dy) { accumulate(table, e.scatter(ids, dy, shapeOf(table)[0])); });
}

Var Tape::cast(Var x, Type element) {
  Type from = Emitter::elementOf(x->value);
  if (from == element)
    return x;
  return record(e.cast(x->value, element), x, [=](Value dy) { accumulate(x, e.cast(dy, from)); });
}

} // namespace ds::fuzz
