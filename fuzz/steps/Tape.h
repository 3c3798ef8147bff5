//===- Tape.h - Reverse-mode differentiation while emitting -----*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Every operation on the tape emits its forward part at once and remembers how to emit its
// gradient. `backward` walks the tape once, in reverse, and adds up gradients of values used twice.
//
//===----------------------------------------------------------------------===//
#ifndef DS_FUZZ_TAPE_H
#define DS_FUZZ_TAPE_H

#include "Emitter.h"

#include <deque>
#include <functional>

namespace ds::fuzz {

struct Node {
  mlir::Value value;
  mlir::Value gradient; // none until something depends on this node
  bool active;          // whether anything asks for its gradient
  std::function<void(mlir::Value)> pull;
};
using Var = Node *;

enum class Function { tanh, sigmoid, relu, softplus, square, exp, log, rsqrt, negate };
enum class Binary { add, sub, mul, div };

class Tape {
public:
  explicit Tape(Emitter &emitter) : e(emitter) {}

  /// A value without a gradient, and one with.
  Var constant(mlir::Value value);
  Var input(mlir::Value value);
  /// Emits the gradients of everything `result` depends on; `seed` is the gradient of `result`.
  void backward(Var result, mlir::Value seed);
  /// Zero where nothing depended on it.
  mlir::Value gradientOf(Var var);

  Var apply(Function function, Var x);
  /// Loops of the result that the dimensions of x and y follow; the result has `shape`.
  Var binary(Binary op, Var x, const Shape &xDims, Var y, const Shape &yDims, const Shape &shape);
  Var binary(Binary op, Var x, Var y); // of equal shapes
  /// y follows the last dimensions of x.
  Var binaryLast(Binary op, Var x, Var y);
  Var affine(Var x, double factor, double term);
  Var sum(Var x, const Shape &dims);
  /// The largest along `dims`; its gradient goes to where it is.
  Var max(Var x, const Shape &dims);
  Var einsum(llvm::StringRef letters, Var x, Var y);
  Var transpose(Var x, const Shape &permutation);
  Var collapse(Var x, const Groups &groups);
  Var expand(Var x, const Groups &groups, const Shape &shape);
  Var slice(Var x, int64_t dim, int64_t offset, int64_t size);
  Var sliceAt(Var x, int64_t dim, int64_t index);
  Var pad(Var x, const Shape &low, const Shape &high);
  Var concat(llvm::ArrayRef<Var> parts, int64_t dim);
  Var convolve(Var x, Var window, int64_t stride);
  Var lookUp(Var table, mlir::Value ids);
  Var cast(Var x, mlir::Type element);
  /// x without its gradient.
  Var detach(Var x) { return constant(x->value); }

  Shape shapeOf(Var x) { return Emitter::shapeOf(x->value); }

  /// For operations defined elsewhere: `pull` gets the gradient of `value` and hands it on.
  Var record(mlir::Value value, llvm::ArrayRef<Var> from, std::function<void(mlir::Value)> pull);
  void accumulate(Var x, mlir::Value gradient);

  Emitter &e;

private:
  std::deque<Node> nodes;
};

/// 0, 1, .., rank - 1.
Shape allDims(size_t rank);

} // namespace ds::fuzz

#endif // DS_FUZZ_TAPE_H
