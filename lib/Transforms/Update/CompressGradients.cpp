//===- CompressGradients.cpp - What is sent in place of a gradient --------===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A rank computes what it sends from its own gradient and its error of earlier steps.
//
// power_sgd (Vogels, Karimireddy, Jaggi 2019): a gradient as a matrix M, [m, n], is sent as P = M
// Q, [m, r], and, after the columns of the mean of P are made orthonormal, as Q' = M^T P, [n, r].
// The gradient is P Q'^T, and Q' is the Q of the next step.
//
// top_k is in SendLargest.cpp.
//
//===----------------------------------------------------------------------===//
#include "UpdateModes.h"

#include "PendingStates.h"

#include "ds/Dialect/IR/Ds.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

#include <cmath>

using namespace mlir;

namespace ds {
namespace {

using Kind = GradientCompression::Kind;

Value floatConstant(OpBuilder &b, Location loc, double value) {
  return arith::ConstantOp::create(b, loc, b.getF32FloatAttr(value));
}

Value zeros(OpBuilder &b, Location loc, ArrayRef<int64_t> shape) {
  auto type = RankedTensorType::get(shape, b.getF32Type());
  return arith::ConstantOp::create(b, loc,
                                   SplatElementsAttr::get(type, Attribute(b.getF32FloatAttr(0))));
}

/// Contracts two tensors of f32, given the letters of their dimensions: "ik,kj->ij".
Value contract(OpBuilder &b, Location loc, StringRef letters, Value x, Value y) {
  auto [inputs, result] = letters.split("->");
  auto [first, second] = inputs.split(',');
  SmallVector<char> loops(result.begin(), result.end());
  for (char letter : (first + second).str())
    if (!llvm::is_contained(loops, letter))
      loops.push_back(letter);
  auto mapOf = [&](StringRef dims) {
    SmallVector<AffineExpr> exprs;
    for (char letter : dims)
      exprs.push_back(b.getAffineDimExpr(llvm::find(loops, letter) - loops.begin()));
    return AffineMap::get(loops.size(), 0, exprs, b.getContext());
  };
  SmallVector<int64_t> shape;
  for (char letter : result) {
    bool inFirst = first.contains(letter);
    auto type = cast<RankedTensorType>((inFirst ? x : y).getType());
    shape.push_back(type.getDimSize((inFirst ? first : second).find(letter)));
  }
  SmallVector<utils::IteratorType> iterators(loops.size(), utils::IteratorType::reduction);
  std::fill_n(iterators.begin(), result.size(), utils::IteratorType::parallel);
  auto product = linalg::GenericOp::create(
      b, loc, RankedTensorType::get(shape, b.getF32Type()), ValueRange{x, y}, zeros(b, loc, shape),
      ArrayRef<AffineMap>{mapOf(first), mapOf(second), mapOf(result)}, iterators,
      [](OpBuilder &in, Location at, ValueRange elements) {
        Value term = arith::MulFOp::create(in, at, elements[0], elements[1]);
        Value sum = arith::AddFOp::create(in, at, elements[2], term);
        linalg::YieldOp::create(in, at, sum);
      });
  return product.getResult(0);
}

Value subtract(OpBuilder &b, Location loc, Value x, Value y) {
  return zipElements(b, loc, {x, y}, [](OpBuilder &in, Location at, ValueRange e) -> Value {
    return arith::SubFOp::create(in, at, e[0], e[1]);
  });
}

class Compression {
public:
  Compression(func::FuncOp step, const GradientCompression &how, std::optional<int64_t> numRanks)
      : step(step), how(how), numRanks(numRanks) {}

  LogicalResult run() {
    if (how.kind == Kind::TopK && !numRanks)
      return step.emitError("gradient_compression=top_k needs the number of ranks; set device_num");
    auto marks = collectGradients(step, "gradient_compression cannot compress");
    if (failed(marks))
      return failure();
    for (GradientOp mark : *marks)
      if (auto type = dyn_cast<RankedTensorType>(mark.getType());
          type && type.getElementType().isF32())
        compress(mark);
    return success();
  }

private:
  void compress(GradientOp mark) {
    bool isMatrix = false;
    if (how.kind == Kind::PowerSgd) {
      auto type = cast<RankedTensorType>(mark.getType());
      int64_t rows = type.getRank() > 1 ? type.getDimSize(0) : 1;
      int64_t columns = rows == 0 ? 0 : type.getNumElements() / rows;
      isMatrix = type.getRank() > 1 && how.rank * (rows + columns) < rows * columns;
      if (!isMatrix) // the factors would not be smaller
        return;
    }
    if (how.kind == Kind::TopK && *numRanks * countOf(mark) >= elementCountOf(mark.getValue()))
      return;
    OpBuilder b(mark);
    Location loc = mark.getLoc();
    Value sent = mark.getValue();
    BlockArgument error;
    if (how.errorFeedback) {
      error = addState(step, mark.getParam() + ".compression_error", entryType(sent.getType()),
                       /*perRank=*/true);
      sent = zipElements(b, loc, {sent, readEntry(b, error)},
                         [](OpBuilder &in, Location at, ValueRange e) -> Value {
                           return arith::AddFOp::create(in, at, e[0], e[1]);
                         });
    }
    Value arrived = isMatrix                 ? sendFactors(b, mark, sent)
                    : how.kind == Kind::TopK ? sendElements(b, mark, sent)
                                             : sendRounded(b, mark, sent);
    if (!error)
      return;
    OpBuilder last(step.getBody().front().getTerminator());
    setNewValue(step, error, makeEntry(last, subtract(last, loc, sent, arrived)));
  }

  static int64_t elementCountOf(Value value) {
    return cast<RankedTensorType>(value.getType()).getNumElements();
  }

  /// Returns how many elements of a gradient are sent.
  int64_t countOf(GradientOp mark) const {
    if (how.count > 0)
      return how.count;
    double part = how.fraction * static_cast<double>(elementCountOf(mark.getValue()));
    return std::max<int64_t>(1, std::llround(std::ceil(part)));
  }

  /// Sends the largest elements; returns the part of the rank's gradient that is in the mean.
  Value sendElements(OpBuilder &b, GradientOp mark, Value gradient) {
    auto [received, sent] = sendLargest(b, mark.getLoc(), gradient, countOf(mark), *numRanks);
    mark.getResult().replaceAllUsesWith(received);
    mark.erase();
    return sent;
  }

  /// Rounds the gradient to its wire type; returns the rounded gradient, which is what arrives.
  Value sendRounded(OpBuilder &b, GradientOp mark, Value gradient) {
    Type wire = how.kind == Kind::F16 ? Type(b.getF16Type()) : Type(b.getBF16Type());
    Value rounded = zipElements(b, mark.getLoc(), gradient,
                                [&](OpBuilder &in, Location at, ValueRange e) -> Value {
                                  Value narrow = arith::TruncFOp::create(in, at, wire, e[0]);
                                  return arith::ExtFOp::create(in, at, e[0].getType(), narrow);
                                });
    mark.getValueMutable().assign(rounded);
    return rounded;
  }

  /// Sends the factors; returns the gradient that all ranks have then.
  Value sendFactors(OpBuilder &b, GradientOp mark, Value gradient) {
    Location loc = mark.getLoc();
    auto type = cast<RankedTensorType>(gradient.getType());
    int64_t rows = type.getDimSize(0), columns = type.getNumElements() / rows;
    SmallVector<ReassociationIndices> groups = {{0}, {}};
    for (int64_t dim = 1; dim < type.getRank(); ++dim)
      groups[1].push_back(dim);
    Value matrix = gradient;
    if (type.getRank() > 2)
      matrix = tensor::CollapseShapeOp::create(b, loc, gradient, groups);
    auto factorType = RankedTensorType::get({columns, how.rank}, b.getF32Type());
    BlockArgument factor = addState(step, mark.getParam() + ".power_factor", factorType,
                                    /*perRank=*/false);
    Value left = contract(b, loc, "ik,kj->ij", matrix, replaceZeros(b, loc, factor));
    left = CombineOp::create(b, loc, left.getType(), ReductionKind::Mean, left);
    left = orthonormalize(b, loc, left);
    auto right = GradientOp::create(b, loc, factorType, contract(b, loc, "ki,kj->ij", matrix, left),
                                    mark.getParamAttr(), b.getUnitAttr());
    Value product = contract(b, loc, "ik,jk->ij", left, right);
    if (type.getRank() > 2)
      product = tensor::ExpandShapeOp::create(b, loc, type, product, groups);
    setNewValue(step, factor, right);
    mark.getResult().replaceAllUsesWith(product);
    mark.erase();
    return product;
  }

  /// A column of zeros, as in the first step, would stay zero for ever: it is replaced by
  /// pseudo-random numbers in [-0.5, 0.5).
  Value replaceZeros(OpBuilder &b, Location loc, Value factor) {
    auto type = cast<RankedTensorType>(factor.getType());
    Value squares = contract(b, loc, "ij,ij->j", factor, factor);
    AffineMap both = b.getMultiDimIdentityMap(2);
    AffineMap column = AffineMap::get(2, 0, b.getAffineDimExpr(1), b.getContext());
    SmallVector<utils::IteratorType> loops(2, utils::IteratorType::parallel);
    Value empty = tensor::EmptyOp::create(b, loc, type.getShape(), type.getElementType());
    auto replaced = linalg::GenericOp::create(
        b, loc, type, ValueRange{factor, squares}, empty, ArrayRef<AffineMap>{both, column, both},
        loops, [&](OpBuilder &in, Location at, ValueRange e) {
          Value number = scatter(in, at);
          Value isZero = arith::CmpFOp::create(in, at, arith::CmpFPredicate::OEQ, e[1],
                                               floatConstant(in, at, 0));
          Value chosen = arith::SelectOp::create(in, at, isZero, number, e[0]);
          linalg::YieldOp::create(in, at, chosen);
        });
    return replaced.getResult(0);
  }

  /// Hashes row and column: 24 bits of a product with an odd constant.
  static Value scatter(OpBuilder &b, Location loc) {
    Type i32 = b.getI32Type();
    auto constant = [&](int64_t value) {
      return arith::ConstantOp::create(b, loc, b.getI32IntegerAttr(static_cast<int32_t>(value)))
          .getResult();
    };
    auto index = [&](int64_t dim) {
      return arith::IndexCastOp::create(b, loc, i32, linalg::IndexOp::create(b, loc, dim))
          .getResult();
    };
    Value row = arith::MulIOp::create(b, loc, index(0), constant(0x9E3779B1));
    Value place = arith::AddIOp::create(
        b, loc, row, arith::MulIOp::create(b, loc, index(1), constant(0x85EBCA77)));
    Value mixed =
        arith::XOrIOp::create(b, loc, place, arith::ShRUIOp::create(b, loc, place, constant(15)));
    mixed = arith::MulIOp::create(b, loc, mixed, constant(0xC2B2AE3D));
    Value bits = arith::ShRUIOp::create(b, loc, mixed, constant(8));
    Value number = arith::SIToFPOp::create(b, loc, b.getF32Type(), bits);
    number = arith::MulFOp::create(b, loc, number, floatConstant(b, loc, 1.0 / (1 << 24)));
    return arith::SubFOp::create(b, loc, number, floatConstant(b, loc, 0.5));
  }

  /// Gram-Schmidt, column by column. A column that depends on others becomes small, not NaN.
  Value orthonormalize(OpBuilder &b, Location loc, Value matrix) {
    auto type = cast<RankedTensorType>(matrix.getType());
    int64_t rows = type.getDimSize(0);
    auto columnType = RankedTensorType::get({rows}, b.getF32Type());
    SmallVector<OpFoldResult> sizes = {b.getIndexAttr(rows), b.getIndexAttr(1)},
                              strides(2, b.getIndexAttr(1));
    auto offsets = [&](int64_t column) {
      return SmallVector<OpFoldResult>{b.getIndexAttr(0), b.getIndexAttr(column)};
    };
    Value result = matrix;
    SmallVector<Value> done;
    for (int64_t column = 0; column < type.getDimSize(1); ++column) {
      Value vector = tensor::ExtractSliceOp::create(b, loc, columnType, matrix, offsets(column),
                                                    sizes, strides);
      for (Value other : done)
        vector = combine(b, loc, {vector, other}, contract(b, loc, "i,i->", vector, other),
                         [](OpBuilder &in, Location at, ValueRange e) -> Value {
                           Value part = arith::MulFOp::create(in, at, e[1], e[2]);
                           return arith::SubFOp::create(in, at, e[0], part);
                         });
      vector = combine(b, loc, vector, contract(b, loc, "i,i->", vector, vector),
                       [](OpBuilder &in, Location at, ValueRange e) -> Value {
                         Value square =
                             arith::AddFOp::create(in, at, e[1], floatConstant(in, at, 1e-30));
                         Value norm = math::SqrtOp::create(in, at, square);
                         return arith::DivFOp::create(in, at, e[0], norm);
                       });
      done.push_back(vector);
      result =
          tensor::InsertSliceOp::create(b, loc, vector, result, offsets(column), sizes, strides);
    }
    return result;
  }

  /// Applies `body` to the elements of the vectors and to one number.
  Value combine(OpBuilder &b, Location loc, ValueRange vectors, Value number, ElementsBody body) {
    auto type = cast<RankedTensorType>(vectors.front().getType());
    Value empty = tensor::EmptyOp::create(b, loc, type.getShape(), type.getElementType());
    SmallVector<AffineMap> maps(vectors.size() + 2, b.getMultiDimIdentityMap(1));
    maps[vectors.size()] = AffineMap::get(1, 0, b.getContext());
    SmallVector<Value> inputs(vectors);
    inputs.push_back(number);
    SmallVector<utils::IteratorType> loops(1, utils::IteratorType::parallel);
    auto generic = linalg::GenericOp::create(
        b, loc, type, inputs, empty, maps, loops, [&](OpBuilder &in, Location at, ValueRange e) {
          linalg::YieldOp::create(in, at, body(in, at, e.drop_back()));
        });
    return generic.getResult(0);
  }

  func::FuncOp step;
  GradientCompression how;
  std::optional<int64_t> numRanks; // that reduce a gradient
};

} // namespace

LogicalResult compressGradients(func::FuncOp step, const Config &config) {
  auto how = llvm::cantFail(parseGradientCompression(
      std::get<std::string>(*llvm::cantFail(config.get("gradient_compression")))));
  bool isAlone = config.parallelMode() == ParallelMode::StandAlone;
  return Compression(step, how, isAlone ? 1 : config.deviceNum()).run();
}

} // namespace ds
