//===- Decompose.cpp - Write operations by simpler ones -------------------===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// An operation without a rule that has the interface of aggregates decomposes itself. For the
// others, one pattern each writes them by operations that have rules: a gather as a nest of loops
// that reads, a scatter as loops that insert, a power of integers by squaring; what upstream has a
// pattern for (tiles, convolutions by Winograd, scaled floats), by that. Linear in the number of
// operations.
//
//===----------------------------------------------------------------------===//
#include "Decompose.h"
#include "DecomposeComplex.h"
#include "RefuseOperations.h"

#include "ds/Analysis/Placement.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Affine/Utils.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Transforms/Passes.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Linalg/Transforms/Transforms.h"
#include "mlir/Dialect/MLProgram/IR/MLProgram.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"

using namespace mlir;

namespace ds {
namespace {

struct DecomposeAggregate final : OpInterfaceRewritePattern<linalg::AggregatedOpInterface> {
  using OpInterfaceRewritePattern::OpInterfaceRewritePattern;

  LogicalResult matchAndRewrite(linalg::AggregatedOpInterface op,
                                PatternRewriter &b) const override {
    if (isa<PlacementOpInterface>(op.getOperation()))
      return b.notifyMatchFailure(op, "has a rule");
    FailureOr<SmallVector<Value>> parts = op.decomposeOperation(b);
    if (failed(parts))
      return failure();
    b.replaceOp(op, *parts);
    return success();
  }
};

/// Returns coordinate `k` of each point, as a tensor of the leading dimensions.
Value coordinatesOf(OpBuilder &b, Location loc, Value indices, int64_t k) {
  auto type = cast<RankedTensorType>(indices.getType());
  SmallVector<OpFoldResult> offsets(type.getRank(), b.getIndexAttr(0)), sizes,
      strides(type.getRank(), b.getIndexAttr(1));
  for (int64_t size : type.getShape())
    sizes.push_back(b.getIndexAttr(size));
  offsets.back() = b.getIndexAttr(k);
  sizes.back() = b.getIndexAttr(1);
  auto reduced = RankedTensorType::get(type.getShape().drop_back(), type.getElementType());
  return tensor::ExtractSliceOp::create(b, loc, reduced, indices, offsets, sizes, strides);
}

/// Casts a coordinate to an index. Coordinates are signed, as in every cast to an index.
Value asIndex(OpBuilder &b, Location loc, Value value) {
  return value.getType().isIndex()
             ? value
             : arith::IndexCastOp::create(b, loc, b.getIndexType(), value).getResult();
}

/// Returns the dimension of the tensor for each trailing dimension of a slice: all dimensions if
/// those at the coordinates stay with size 1, else only those at no coordinate.
SmallVector<int64_t> trailingDims(int64_t rank, int64_t trailing, ArrayRef<int64_t> coordinates) {
  SmallVector<int64_t> dims;
  for (int64_t dim = 0; dim < rank; ++dim)
    if (trailing == rank || !llvm::is_contained(coordinates, dim))
      dims.push_back(dim);
  return dims;
}

/// Writes loops over the result, with a body that reads the source at the coordinates of the point
/// and the position within the slice.
struct DecomposeGather final : OpRewritePattern<tensor::GatherOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(tensor::GatherOp op, PatternRewriter &b) const override {
    RankedTensorType type = op.getResultType(), source = op.getSourceType();
    if (!type.hasStaticShape() || !source.hasStaticShape() || !op.getIndicesType().hasStaticShape())
      return b.notifyMatchFailure(op, "has a dynamic size");
    Location loc = op.getLoc();
    ArrayRef<int64_t> at = op.getGatherDims();
    const int64_t points = op.getIndicesType().getRank() - 1;
    SmallVector<int64_t> dims = trailingDims(source.getRank(), type.getRank() - points, at);
    SmallVector<Value> coordinates;
    SmallVector<AffineMap> maps(
        at.size(),
        AffineMap::getMultiDimIdentityMap(type.getRank(), b.getContext()).getMajorSubMap(points));
    for (size_t k = 0; k < at.size(); ++k)
      coordinates.push_back(coordinatesOf(b, loc, op.getIndices(), k));
    maps.push_back(b.getMultiDimIdentityMap(type.getRank()));
    Value empty = tensor::EmptyOp::create(b, loc, type.getShape(), type.getElementType());
    SmallVector<utils::IteratorType> loops(type.getRank(), utils::IteratorType::parallel);
    b.replaceOpWithNewOp<linalg::GenericOp>(
        op, type, coordinates, empty, maps, loops,
        [&](OpBuilder &in, Location inLoc, ValueRange arguments) {
          SmallVector<Value> position(source.getRank());
          for (auto [k, dim] : llvm::enumerate(at))
            position[dim] = asIndex(in, inLoc, arguments[k]);
          for (auto [i, dim] : llvm::enumerate(dims))
            if (!position[dim])
              position[dim] = linalg::IndexOp::create(in, inLoc, points + i);
          Value element = tensor::ExtractOp::create(in, inLoc, op.getSource(), position);
          linalg::YieldOp::create(in, inLoc, element);
        });
    return success();
  }
};

/// Inserts the points one after another: they are unique, but that cannot be proved.
struct DecomposeScatter final : OpRewritePattern<tensor::ScatterOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(tensor::ScatterOp op, PatternRewriter &b) const override {
    RankedTensorType source = op.getSourceType(), dest = op.getDestType(),
                     indices = op.getIndicesType();
    if (!source.hasStaticShape() || !dest.hasStaticShape() || !indices.hasStaticShape())
      return b.notifyMatchFailure(op, "has a dynamic size");
    Location loc = op.getLoc();
    ArrayRef<int64_t> at = op.getScatterDims();
    const int64_t points = indices.getRank() - 1;
    SmallVector<int64_t> dims = trailingDims(dest.getRank(), source.getRank() - points, at);
    Value zero = arith::ConstantIndexOp::create(b, loc, 0);
    Value one = arith::ConstantIndexOp::create(b, loc, 1);
    SmallVector<Value> lower(points, zero), step(points, one), upper;
    for (int64_t size : indices.getShape().drop_back())
      upper.push_back(arith::ConstantIndexOp::create(b, loc, size));
    auto ones = [&](int64_t rank) { return SmallVector<OpFoldResult>(rank, b.getIndexAttr(1)); };
    auto insert = [&](OpBuilder &in, Location, ValueRange positions, ValueRange carried) {
      SmallVector<Value> point(positions);
      point.push_back(zero);
      SmallVector<OpFoldResult> to(dest.getRank(), b.getIndexAttr(0)), sizes;
      for (int64_t size : dest.getShape())
        sizes.push_back(b.getIndexAttr(size));
      for (auto [k, dim] : llvm::enumerate(at)) {
        point.back() = arith::ConstantIndexOp::create(in, loc, k);
        to[dim] = asIndex(in, loc, tensor::ExtractOp::create(in, loc, op.getIndices(), point));
        sizes[dim] = b.getIndexAttr(1);
      }
      SmallVector<OpFoldResult> from(positions.begin(), positions.end()), taken = ones(points);
      SmallVector<int64_t> shape;
      for (int64_t dim : dims) {
        from.push_back(b.getIndexAttr(0));
        taken.push_back(sizes[dim]);
        shape.push_back(*getConstantIntValue(sizes[dim]));
      }
      Value slice = tensor::ExtractSliceOp::create(
          in, loc, RankedTensorType::get(shape, source.getElementType()), op.getSource(), from,
          taken, ones(source.getRank()));
      Value next = tensor::InsertSliceOp::create(in, loc, slice, carried.front(), to, sizes,
                                                 ones(dest.getRank()));
      return scf::ValueVector{next};
    };
    scf::LoopNest nest = scf::buildLoopNest(b, loc, lower, upper, step, op.getDest(), insert);
    b.replaceOp(op, nest.results);
    return success();
  }
};

/// Replaces the load of a global that no step changes by its constant.
template <typename Load> struct ReadGlobal final : OpRewritePattern<Load> {
  using OpRewritePattern<Load>::OpRewritePattern;

  LogicalResult matchAndRewrite(Load op, PatternRewriter &b) const override {
    TypedAttr value = constantOfGlobal(op);
    if (!value)
      return b.notifyMatchFailure(op, "is no constant");
    b.replaceOpWithNewOp<arith::ConstantOp>(op, value);
    return success();
  }
};

/// Computes a power by squaring, without a branch: one round for each bit that the exponent may
/// have. A negative exponent gives 0, except for the bases 1 and -1.
struct DecomposePower final : OpRewritePattern<math::IPowIOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(math::IPowIOp op, PatternRewriter &rewriter) const override {
    ImplicitLocOpBuilder b(op.getLoc(), rewriter);
    Type type = op.getType();
    auto constant = [&](int64_t value) -> Value {
      TypedAttr attr = b.getIntegerAttr(getElementTypeOrSelf(type), value);
      if (auto shaped = dyn_cast<ShapedType>(type))
        attr = DenseElementsAttr::get(shaped, Attribute(attr));
      return arith::ConstantOp::create(b, attr);
    };
    if (auto shaped = dyn_cast<ShapedType>(type); shaped && !shaped.hasStaticShape())
      return rewriter.notifyMatchFailure(op, "has a dynamic size");
    Value one = constant(1), square = op.getLhs(), exponent = op.getRhs();
    APInt known;
    const bool isKnown = matchPattern(exponent, m_ConstantInt(&known));
    const unsigned width = getElementTypeOrSelf(type).getIntOrFloatBitWidth();
    const unsigned rounds =
        isKnown && !known.isNegative() ? known.getActiveBits() : std::max(width, 2u) - 1;
    Value power;
    for (unsigned bit = 0; bit < rounds; ++bit) {
      if (bit > 0)
        square = arith::MulIOp::create(b, square, square);
      if (isKnown && !known[bit])
        continue;
      Value product = power ? arith::MulIOp::create(b, power, square).getResult() : square;
      if (isKnown) {
        power = product;
        continue;
      }
      Value mask = constant(int64_t(1) << bit), zero = constant(0);
      Value isSet = arith::CmpIOp::create(b, arith::CmpIPredicate::ne,
                                          arith::AndIOp::create(b, exponent, mask), zero);
      power = arith::SelectOp::create(b, isSet, product, power ? power : one);
    }
    if (!power)
      power = one;
    if (!isKnown || known.isNegative()) {
      Value zero = constant(0), minusOne = constant(-1), base = op.getLhs();
      auto is = [&](arith::CmpIPredicate how, Value x, Value y) -> Value {
        return arith::CmpIOp::create(b, how, x, y);
      };
      using Predicate = arith::CmpIPredicate;
      Value odd = is(Predicate::ne, arith::AndIOp::create(b, exponent, one), zero);
      Value ofMinusOne = arith::SelectOp::create(b, odd, minusOne, one);
      Value inverse =
          arith::SelectOp::create(b, is(Predicate::eq, base, minusOne), ofMinusOne, zero);
      inverse = arith::SelectOp::create(b, is(Predicate::eq, base, one), one, inverse);
      power = arith::SelectOp::create(b, is(Predicate::slt, exponent, zero), inverse, power);
    }
    rewriter.replaceOp(op, power);
    return success();
  }
};

/// Replaces the allocation of a tensor by an empty tensor or by the tensor it copies.
struct DropAllocation final : OpRewritePattern<bufferization::AllocTensorOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(bufferization::AllocTensorOp op,
                                PatternRewriter &b) const override {
    auto type = dyn_cast<RankedTensorType>(op.getType());
    if (!type)
      return b.notifyMatchFailure(op, "has no rank");
    if (op.getCopy())
      b.replaceOp(op, op.getCopy());
    else
      b.replaceOpWithNewOp<tensor::EmptyOp>(op, type, op.getDynamicSizes());
    return success();
  }
};

/// Writes tiles as upstream does: padded, reshaped and transposed.
struct DecomposePack final : OpRewritePattern<linalg::PackOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(linalg::PackOp op, PatternRewriter &b) const override {
    return linalg::lowerPack(b, op);
  }
};

struct DecomposeUnPack final : OpRewritePattern<linalg::UnPackOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(linalg::UnPackOp op, PatternRewriter &b) const override {
    return linalg::lowerUnPack(b, op);
  }
};

/// Writes a body for every element of a new tensor as that of a kernel.
struct DecomposeGenerate final : OpRewritePattern<tensor::GenerateOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(tensor::GenerateOp op, PatternRewriter &b) const override {
    return linalg::rewriteInDestinationPassingStyle(b, op);
  }
};

/// Reads the bits of each element as another type, as arithmetic does.
struct DecomposeBitcast final : OpRewritePattern<tensor::BitcastOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(tensor::BitcastOp op, PatternRewriter &b) const override {
    if (op.getSource().getType() == op.getType())
      b.replaceOp(op, op.getSource());
    else
      b.replaceOpWithNewOp<arith::BitcastOp>(op, op.getType(), op.getSource());
    return success();
  }
};

/// Computes a position that upstream's patterns leave as a map.
struct ExpandApply final : OpRewritePattern<affine::AffineApplyOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(affine::AffineApplyOp op, PatternRewriter &b) const override {
    auto results = affine::expandAffineMap(b, op.getLoc(), op.getMap(), op.getOperands());
    if (!results)
      return b.notifyMatchFailure(op, "has a map that cannot be expanded");
    b.replaceOp(op, *results);
    return success();
  }
};

/// Replaces a tensor written into a destination by its source.
struct DropMaterialization final : OpRewritePattern<bufferization::MaterializeInDestinationOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(bufferization::MaterializeInDestinationOp op,
                                PatternRewriter &b) const override {
    if (!op.getResult() || op.getResult().getType() != op.getSource().getType())
      return b.notifyMatchFailure(op, "writes to memory");
    b.replaceOp(op, op.getSource());
    return success();
  }
};

struct DropDeallocation final : OpRewritePattern<bufferization::DeallocTensorOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(bufferization::DeallocTensorOp op,
                                PatternRewriter &b) const override {
    b.eraseOp(op);
    return success();
  }
};

} // namespace

/// True for conversions of the type of exponents alone, which upstream writes as those of its bits.
static bool isOfF8E8M0(Operation *op) {
  auto isOne = [](Type type) { return isa<Float8E8M0FNUType>(getElementTypeOrSelf(type)); };
  return isa<arith::ExtFOp, arith::TruncFOp>(op) &&
         (isOne(op->getOperand(0).getType()) || isOne(op->getResult(0).getType()));
}

/// True if one of the patterns may match, so that other steps are left unchanged.
static bool mayDecompose(Operation *op) {
  return (isa<linalg::AggregatedOpInterface>(op) && !isa<PlacementOpInterface>(op)) ||
         isa<tensor::GatherOp, tensor::ScatterOp, tensor::GenerateOp, tensor::BitcastOp,
             math::IPowIOp, ml_program::GlobalLoadConstOp, ml_program::GlobalLoadOp,
             arith::ScalingExtFOp, arith::ScalingTruncFOp, bufferization::AllocTensorOp,
             bufferization::DeallocTensorOp, bufferization::MaterializeInDestinationOp,
             linalg::PackOp, linalg::UnPackOp, linalg::WinogradFilterTransformOp,
             linalg::WinogradInputTransformOp, linalg::WinogradOutputTransformOp>(op) ||
         isOfComplexNumbers(op) || isOfF8E8M0(op);
}

LogicalResult decompose(ModuleOp module) {
  MLIRContext *context = module.getContext();
  if (failed(splitComplexArithmetic(module)))
    return failure();
  SmallVector<Operation *> ops;
  module.walk([&](Operation *op) {
    if (mayDecompose(op))
      ops.push_back(op);
  });
  RewritePatternSet patterns(context);
  patterns.add<DecomposeAggregate, DecomposeGather, DecomposeScatter, DecomposePower, DecomposePack,
               DecomposeUnPack, DecomposeGenerate, DecomposeBitcast, ExpandApply, DropAllocation,
               DropDeallocation, DropMaterialization, ReadGlobal<ml_program::GlobalLoadConstOp>,
               ReadGlobal<ml_program::GlobalLoadOp>>(context);
  linalg::populateDecomposeWinogradOpsPatterns(patterns);
  arith::populateExpandScalingExtTruncPatterns(patterns);
  arith::populateExpandF8E8M0Patterns(patterns);
  populateSplitComplexPatterns(patterns);
  GreedyRewriteConfig config;
  config.setStrictness(GreedyRewriteStrictness::ExistingAndNewOps);
  if (!ops.empty())
    (void)applyOpPatternsGreedily(ops, std::move(patterns), config);
  SymbolTable symbols(module);
  for (auto global : llvm::make_early_inc_range(module.getOps<ml_program::GlobalOp>()))
    if (SymbolTable::symbolKnownUseEmpty(global, module))
      symbols.erase(global);
  return success();
}

} // namespace ds
