//===- Emitter.h - Tensor operations in one of their many forms -*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a step computes and how it is written are separate choices. The emitter makes the second: a
// contraction may become a named operation or a generic with its loops in any order, a gradient of
// a slice a padding or an insertion. Placement must not depend on it.
//
//===----------------------------------------------------------------------===//
#ifndef DS_FUZZ_EMITTER_H
#define DS_FUZZ_EMITTER_H

#include "Random.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Builders.h"

namespace ds::fuzz {

using Shape = llvm::SmallVector<int64_t>;
using Groups = llvm::SmallVector<mlir::ReassociationIndices>;

/// Arithmetic on scalars inside of a body, on floats of any width.
struct Scalars {
  mlir::OpBuilder &b;
  mlir::Location loc;

  mlir::Value constant(mlir::Type type, double value);
  mlir::Value add(mlir::Value x, mlir::Value y);
  mlir::Value sub(mlir::Value x, mlir::Value y);
  mlir::Value mul(mlir::Value x, mlir::Value y);
  mlir::Value div(mlir::Value x, mlir::Value y);
  mlir::Value max(mlir::Value x, mlir::Value y);
  mlir::Value min(mlir::Value x, mlir::Value y);
  mlir::Value sqrt(mlir::Value x);
  mlir::Value scale(mlir::Value x, double factor) { return mul(x, constant(x.getType(), factor)); }
  mlir::Value shift(mlir::Value x, double term) { return add(x, constant(x.getType(), term)); }
  /// To another float type.
  mlir::Value cast(mlir::Value x, mlir::Type type);
  /// 1 where the integers agree, else 0.
  mlir::Value indicator(mlir::Value x, mlir::Value y, mlir::Type type);
};

using Body = llvm::function_ref<mlir::Value(Scalars &, mlir::ValueRange)>;
enum class Combiner { sum, max, min, prod };

class Emitter {
public:
  Emitter(mlir::OpBuilder builder, Random &forms)
      : b(builder), loc(builder.getUnknownLoc()), forms(forms) {}

  static Shape shapeOf(mlir::Value value);
  static mlir::Type elementOf(mlir::Value value);

  mlir::Value empty(llvm::ArrayRef<int64_t> shape, mlir::Type element);
  mlir::Value filled(llvm::ArrayRef<int64_t> shape, mlir::Type element, double value);
  /// One generic, all loops parallel. `dims[i]` says which loop each dimension of input i follows.
  mlir::Value map(llvm::ArrayRef<mlir::Value> ins, llvm::ArrayRef<Shape> dims,
                  llvm::ArrayRef<int64_t> shape, mlir::Type element, Body body);
  /// Inputs of one shape, or scalars (rank 0) that are broadcast.
  mlir::Value each(llvm::ArrayRef<mlir::Value> ins, Body body, mlir::Type element = {});
  /// Starts from `init`, or from the identity of the combiner.
  mlir::Value reduce(mlir::Value x, llvm::ArrayRef<int64_t> dims, Combiner combiner,
                     mlir::Value init = {});
  /// Repeats x: its dimensions are the loops `dims` of `shape`.
  mlir::Value broadcast(mlir::Value x, llvm::ArrayRef<int64_t> dims, llvm::ArrayRef<int64_t> shape);
  /// A contraction in the notation of letters, for example "bi,ij->bj".
  mlir::Value einsum(llvm::StringRef letters, mlir::Value x, mlir::Value y);
  mlir::Value transpose(mlir::Value x, llvm::ArrayRef<int64_t> permutation);
  mlir::Value collapse(mlir::Value x, const Groups &groups);
  mlir::Value expand(mlir::Value x, const Groups &groups, llvm::ArrayRef<int64_t> shape);
  mlir::Value slice(mlir::Value x, int64_t dim, int64_t offset, int64_t size);
  /// Slice number `index` of `size`, whose dimension is dropped.
  mlir::Value sliceAt(mlir::Value x, int64_t dim, mlir::OpFoldResult index);
  /// The inverse of sliceAt: writes x into `whole`.
  mlir::Value writeAt(mlir::Value x, mlir::Value whole, int64_t dim, mlir::OpFoldResult index);
  /// Zeros around x, `low` and `high` per dimension.
  mlir::Value pad(mlir::Value x, llvm::ArrayRef<int64_t> low, llvm::ArrayRef<int64_t> high);
  mlir::Value concat(llvm::ArrayRef<mlir::Value> parts, int64_t dim);
  mlir::Value cast(mlir::Value x, mlir::Type element);

  /// x[b,h,w,c] with window[kh,kw,c,f] and the gradients with respect to both.
  mlir::Value convolve(mlir::Value x, mlir::Value window, int64_t stride);
  mlir::Value convolveWindow(mlir::Value x, mlir::Value dy, llvm::ArrayRef<int64_t> window,
                             int64_t stride);
  mlir::Value convolveInput(mlir::Value dy, mlir::Value window, llvm::ArrayRef<int64_t> shape,
                            int64_t stride);

  /// Rows of table[v,d] for ids of any shape, and the gradient of the table.
  mlir::Value lookUp(mlir::Value table, mlir::Value ids);
  mlir::Value scatter(mlir::Value ids, mlir::Value dy, int64_t rows);
  /// [b] labels -> [b, classes].
  mlir::Value oneHot(mlir::Value labels, int64_t classes, mlir::Type element);
  /// Elements scores[i, labels[i]].
  mlir::Value pickLabel(mlir::Value scores, mlir::Value labels);
  /// 1 / keep or 0, by a hash of the position and a word of the seed.
  mlir::Value dropoutMask(llvm::ArrayRef<int64_t> shape, mlir::Type element, mlir::Value seedWord,
                          int64_t layer, int percent);

  mlir::OpBuilder b;
  mlir::Location loc;
  Random &forms;

private:
  mlir::AffineMap loops(unsigned count, llvm::ArrayRef<int64_t> dims);
  mlir::Value contraction(llvm::ArrayRef<mlir::Value> ins, llvm::ArrayRef<mlir::AffineMap> maps,
                          llvm::ArrayRef<bool> reduced, llvm::ArrayRef<int64_t> shape);
};

} // namespace ds::fuzz

#endif // DS_FUZZ_EMITTER_H
