//===- ShardingRuleTest.cpp - Reshapes and slices of all small shapes -----===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Every reshape and slice of at most 24 elements, every sharding of it. What the rule of the
// operation says is compared with two others: with formulas that know reshapes and slices alone,
// and with who holds which element.
//
//===----------------------------------------------------------------------===//
#include "ds/Analysis/ShardingRule.h"
#include "ds/Analysis/Rules/Rules.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Builders.h"

#include <gtest/gtest.h>

#include <numeric>

using namespace mlir;
using namespace ds;

namespace {

constexpr int64_t most = 24;
using Shape = SmallVector<int64_t>;

int64_t countElements(ArrayRef<int64_t> shape) {
  return std::accumulate(shape.begin(), shape.end(), int64_t(1), std::multiplies<>());
}

/// All shapes of one to `dims` dimensions and at most 24 elements.
SmallVector<Shape> allShapes(unsigned dims) {
  SmallVector<Shape> shapes, longest = {{}};
  for (unsigned dim = 0; dim < dims; ++dim) {
    SmallVector<Shape> longer;
    for (const Shape &shape : longest)
      for (int64_t size = 1; size * countElements(shape) <= most; ++size) {
        longer.push_back(shape);
        longer.back().push_back(size);
      }
    shapes.append(longer);
    longest = std::move(longer);
  }
  return shapes;
}

/// All shardings of the dimensions of `shape` over n ranks.
SmallVector<Sharding> allShardings(ArrayRef<int64_t> shape, int64_t n) {
  SmallVector<Sharding> shardings;
  for (auto [dim, size] : llvm::enumerate(shape))
    for (int64_t b = 1; n * b <= size; ++b)
      if (size % (n * b) == 0)
        shardings.push_back({int64_t(dim), size / (n * b), b});
  return shardings;
}

//===----------------------------------------------------------------------===//
// What formulas say
//===----------------------------------------------------------------------===//

Sharding merge(ArrayRef<int64_t> split, const Sharding &sharding) {
  Sharding result = sharding.on(0);
  for (auto [dim, size] : llvm::enumerate(split)) {
    result.a *= int64_t(dim) < sharding.dim ? size : 1;
    result.b *= int64_t(dim) > sharding.dim ? size : 1;
  }
  return result;
}

std::optional<Sharding> splitOne(ArrayRef<int64_t> split, const Sharding &sharding) {
  std::optional<Sharding> unit, minor, major;
  int64_t inner = 1;
  for (int64_t dim = split.size() - 1; dim >= 0; inner *= split[dim--]) {
    int64_t size = split[dim];
    if (size == 1 && inner == sharding.b)
      unit = Sharding{dim, 1, 1};
    if (size == 1 || sharding.b % inner != 0 || size % (sharding.b / inner) != 0)
      continue;
    Sharding found{dim, size / (sharding.b / inner), sharding.b / inner};
    (found.a == 1 ? major : minor) = found;
  }
  if (unit && minor)
    return std::nullopt;
  return unit ? unit : minor ? minor : major;
}

std::optional<Sharding> split(ArrayRef<int64_t> split, int64_t n, const Sharding &sharding) {
  if (n == 1)
    return splitOne(split, sharding);
  int64_t inner = 1;
  for (int64_t dim = split.size() - 1; dim >= 0; inner *= split[dim--])
    if (split[dim] > 1 && sharding.b % inner == 0 && split[dim] % (n * (sharding.b / inner)) == 0)
      return Sharding{dim, split[dim] / (n * (sharding.b / inner)), sharding.b / inner};
  return std::nullopt;
}

std::optional<Sharding> slice(int64_t offset, int64_t size, int64_t n, const Sharding &sharding) {
  int64_t block = n * sharding.b;
  if (offset % block != 0 || size % block != 0)
    return std::nullopt;
  return Sharding{0, size / block, sharding.b};
}

//===----------------------------------------------------------------------===//
// Who holds which element
//===----------------------------------------------------------------------===//

/// The elements of a tensor of `shape`, by their number in the whole tensor, that the rank holds,
/// in the order in which it holds them.
SmallVector<int64_t> heldBy(int64_t rank, ArrayRef<int64_t> shape, const Sharding &sharding,
                            int64_t n) {
  SmallVector<int64_t> held;
  int64_t inner = countElements(shape.drop_front(sharding.dim + 1));
  for (int64_t element = 0; element < countElements(shape); ++element)
    if (element / inner % shape[sharding.dim] / sharding.b % n == rank)
      held.push_back(element);
  return held;
}

bool holdTheSame(ArrayRef<int64_t> x, const Sharding &ofX, ArrayRef<int64_t> y, const Sharding &ofY,
                 int64_t n) {
  for (int64_t rank = 0; rank < n; ++rank)
    if (heldBy(rank, x, ofX, n) != heldBy(rank, y, ofY, n))
      return false;
  return true;
}

//===----------------------------------------------------------------------===//
// What rules say
//===----------------------------------------------------------------------===//

class ShardingRules : public testing::Test {
protected:
  ShardingRules() : ctx(registry()), b(&ctx), loc(b.getUnknownLoc()) {
    ctx.loadDialect<arith::ArithDialect, tensor::TensorDialect>();
    block = std::make_unique<Block>();
    b.setInsertionPointToEnd(block.get());
  }

  static const DialectRegistry &registry() {
    static DialectRegistry made = [] {
      DialectRegistry registry;
      registerTensorPlacementModels(registry);
      return registry;
    }();
    return made;
  }

  Value tensorOf(ArrayRef<int64_t> shape) {
    return block->addArgument(RankedTensorType::get(shape, b.getF32Type()), loc);
  }

  /// The sharding of the result, given that of the first operand.
  std::optional<Sharding> derive(Operation *op, const Sharding &sharding, int64_t n) {
    ShardingRule rule = *getShardingRule(op);
    auto loop = rule.findLoop(rule.operands[0].getResult(sharding.dim), sharding, n);
    if (!loop)
      return std::nullopt;
    auto type = cast<RankedTensorType>(op->getResult(0).getType());
    LoopUse use = rule.findUse(rule.results[0], type.getShape(), *loop, n);
    return use.kind == LoopUse::Sharded ? std::optional(use.sharding) : std::nullopt;
  }

  MLIRContext ctx;
  OpBuilder b;
  Location loc;
  std::unique_ptr<Block> block;
};

SmallVector<ReassociationIndices> oneGroup(unsigned rank) {
  ReassociationIndices all(rank);
  std::iota(all.begin(), all.end(), 0);
  return {all};
}

std::string describe(ArrayRef<int64_t> shape, const Sharding &s, int64_t n) {
  std::string text;
  llvm::raw_string_ostream os(text);
  llvm::interleave(shape, os, "x");
  os << " sharded(" << s.dim << ", " << s.a << ", " << s.b << ") over " << n;
  return text;
}

TEST_F(ShardingRules, AMergeConcatenatesLoops) {
  for (const Shape &shape : allShapes(3)) {
    Shape whole = {countElements(shape)};
    Operation *op =
        tensor::CollapseShapeOp::create(b, loc, tensorOf(shape), oneGroup(shape.size()));
    for (int64_t n = 1; n <= most; ++n)
      for (const Sharding &sharding : allShardings(shape, n)) {
        auto derived = derive(op, sharding, n);
        ASSERT_EQ(derived, std::optional(merge(shape, sharding))) << describe(shape, sharding, n);
        EXPECT_TRUE(holdTheSame(shape, sharding, whole, *derived, n))
            << describe(shape, sharding, n);
      }
  }
}

TEST_F(ShardingRules, ASplitCutsThem) {
  for (const Shape &shape : allShapes(4)) {
    Shape whole = {countElements(shape)};
    Operation *op =
        tensor::ExpandShapeOp::create(b, loc, RankedTensorType::get(shape, b.getF32Type()),
                                      tensorOf(whole), oneGroup(shape.size()));
    for (int64_t n = 1; n <= most; ++n)
      for (const Sharding &sharding : allShardings(whole, n)) {
        auto derived = derive(op, sharding, n);
        ASSERT_EQ(derived, split(shape, n, sharding)) << describe(shape, sharding, n);
        if (derived) {
          EXPECT_TRUE(holdTheSame(whole, sharding, shape, *derived, n))
              << describe(shape, sharding, n);
        }
      }
  }
}

/// What of the elements [offset, offset + size) a rank holds is a slice of its own, where
/// ds-localize-batch takes it.
bool isOwnSlice(const Sharding &ofWhole, int64_t whole, const Sharding &ofSlice, int64_t offset,
                int64_t size, int64_t n) {
  for (int64_t rank = 0; rank < n; ++rank) {
    SmallVector<int64_t> held = heldBy(rank, {whole}, ofWhole, n);
    SmallVector<int64_t> required = heldBy(rank, {size}, ofSlice, n);
    ArrayRef<int64_t> taken = ArrayRef(held).slice(offset / n, size / n);
    for (auto [element, global] : llvm::zip_equal(required, taken))
      if (element + offset != global)
        return false;
  }
  return true;
}

TEST_F(ShardingRules, ASliceIsAPartOfALoop) {
  for (int64_t whole = 1; whole <= most; ++whole) {
    Value source = tensorOf({whole});
    for (int64_t offset = 0; offset < whole; ++offset)
      for (int64_t size = 1; offset + size <= whole; ++size) {
        Operation *op = tensor::ExtractSliceOp::create(
            b, loc, source, ArrayRef<OpFoldResult>(b.getIndexAttr(offset)),
            ArrayRef<OpFoldResult>(b.getIndexAttr(size)),
            ArrayRef<OpFoldResult>(b.getIndexAttr(1)));
        for (int64_t n = 1; n <= most; ++n)
          for (const Sharding &sharding : allShardings({whole}, n)) {
            auto derived = derive(op, sharding, n);
            ASSERT_EQ(derived, slice(offset, size, n, sharding))
                << describe({whole}, sharding, n) << " from " << offset << ", " << size;
            if (derived) {
              EXPECT_TRUE(isOwnSlice(sharding, whole, *derived, offset, size, n))
                  << describe({whole}, sharding, n) << " from " << offset << ", " << size;
            }
          }
      }
  }
}

} // namespace
