//===- ShardingRule.cpp - How an operation may be sharded -----------------===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A position is a number whose digits are loops: the stride of each is the product of the sizes
// after it. The ranks are a factor [a, n, b] of a dimension, and shard the digit that holds the
// whole range [b, n * b).
//
//===----------------------------------------------------------------------===//
#include "ds/Analysis/ShardingRule.h"

#include "ds/Analysis/Placement.h"
#include "ds/Dialect/IR/ShardingRuleDim.h"

using namespace mlir;

namespace ds {

ShardingRule ShardingRule::of(ArrayRef<AffineMap> operands, ArrayRef<AffineMap> results,
                              ScalarRule terms, ReductionKind combiner) {
  ShardingRule rule;
  rule.operands.assign(operands.begin(), operands.end());
  rule.results.assign(results.begin(), results.end());
  rule.combiner = combiner;
  rule.terms.push_back(std::move(terms));
  for (unsigned loop = 0; loop < results.front().getNumDims(); ++loop)
    rule.loops.push_back(
        llvm::all_of(results, [&](AffineMap map) { return map.isFunctionOfDim(loop); })
            ? utils::IteratorType::parallel
            : utils::IteratorType::reduction);
  return rule;
}

//===----------------------------------------------------------------------===//
// Digits
//===----------------------------------------------------------------------===//

namespace {
struct Digit {
  unsigned loop;
  int64_t stride;
};
struct Digits {
  SmallVector<Digit, 2> digits; // major to minor
  int64_t offset = 0;
};
} // namespace

static bool addDigits(AffineExpr expr, int64_t stride, Digits &sum) {
  if (auto dim = dyn_cast<AffineDimExpr>(expr)) {
    sum.digits.push_back({dim.getPosition(), stride});
    return true;
  }
  if (auto constant = dyn_cast<AffineConstantExpr>(expr)) {
    sum.offset += constant.getValue() * stride;
    return true;
  }
  auto binary = dyn_cast<AffineBinaryOpExpr>(expr);
  if (binary && binary.getKind() == AffineExprKind::Add)
    return addDigits(binary.getLHS(), stride, sum) && addDigits(binary.getRHS(), stride, sum);
  auto factor = binary ? dyn_cast<AffineConstantExpr>(binary.getRHS()) : nullptr;
  return factor && binary.getKind() == AffineExprKind::Mul &&
         addDigits(binary.getLHS(), stride * factor.getValue(), sum);
}

/// Returns none if the expression is not such a number: a window of a convolution, or several loops
/// that do not start at their first iteration.
static std::optional<Digits> findDigits(AffineExpr expr, ArrayRef<int64_t> sizes) {
  Digits found;
  if (!addDigits(expr, 1, found) || found.digits.empty())
    return std::nullopt;
  llvm::sort(found.digits, [](Digit x, Digit y) {
    return std::pair(-x.stride, x.loop) < std::pair(-y.stride, y.loop);
  });
  int64_t stride = 1, longLoops = 0;
  for (auto [loop, ownStride] : llvm::reverse(found.digits)) {
    if (sizes[loop] == 1)
      continue;
    if (ownStride != stride)
      return std::nullopt;
    stride *= sizes[loop];
    ++longLoops;
  }
  if (found.offset != 0 && longLoops > 1)
    return std::nullopt;
  return found;
}

/// One part: the factor of the rank is 1 and has b elements after it, as a unit dimension or at the
/// end of a larger one; these cannot be distinguished. Of several unit dimensions the outermost is
/// taken, since those that programs add follow the batch. If there is no such place, the samples
/// stay the major part of the dimension that holds them.
static std::optional<ShardedLoop> findLoopOfOneSample(const Digits &digits, ArrayRef<int64_t> sizes,
                                                      int64_t b) {
  std::optional<ShardedLoop> unit, minor, major;
  for (auto [loop, stride] : llvm::reverse(digits.digits)) {
    int64_t size = sizes[loop];
    if (size == 1 && stride == b) {
      unit = ShardedLoop{loop, {0, 1, 1}};
    } else if (size > 1 && b % stride == 0 && size % (b / stride) == 0) {
      ShardedLoop found{loop, {0, size / (b / stride), b / stride}};
      (found.factors.a == 1 ? major : minor) = found;
    }
  }
  if (unit && minor)
    return std::nullopt;
  return unit ? unit : minor ? minor : major;
}

std::optional<ShardedLoop> ShardingRule::findLoop(AffineExpr expr, const Sharding &sharding,
                                                  int64_t n) const {
  if (sizes.empty()) {
    auto dim = dyn_cast<AffineDimExpr>(expr);
    return dim ? std::optional(ShardedLoop{dim.getPosition(), sharding}) : std::nullopt;
  }
  std::optional<Digits> digits = findDigits(expr, sizes);
  if (!digits || digits->offset % (n * sharding.b) != 0)
    return std::nullopt;
  if (n == 1)
    return findLoopOfOneSample(*digits, sizes, sharding.b);
  for (auto [loop, stride] : llvm::reverse(digits->digits)) {
    int64_t size = sizes[loop], block = n * (sharding.b / stride);
    if (loop != overRanks && size > 1 && sharding.b % stride == 0 && size % block == 0)
      return ShardedLoop{loop, {0, size / block, sharding.b / stride}};
  }
  return std::nullopt;
}

static std::optional<Sharding> findSharding(AffineExpr expr, int64_t size, const ShardedLoop &loop,
                                            ArrayRef<int64_t> sizes, int64_t n) {
  std::optional<Digits> digits = findDigits(expr, sizes);
  if (!digits)
    return std::nullopt;
  auto *digit = llvm::find_if(digits->digits, [&](Digit each) { return each.loop == loop.loop; });
  int64_t b = loop.factors.b * digit->stride, block = n * b;
  if (size < 1 || size % block != 0 || digits->offset % block != 0)
    return std::nullopt;
  return Sharding{0, size / block, b};
}

LoopUse ShardingRule::findUse(AffineMap map, ArrayRef<int64_t> shape, const ShardedLoop &loop,
                              int64_t n) const {
  LoopUse use;
  for (auto [dim, expr] : llvm::enumerate(map.getResults())) {
    auto alone = dyn_cast<AffineDimExpr>(expr);
    if (alone ? alone.getPosition() != loop.loop : !expr.isFunctionOfDim(loop.loop))
      continue;
    if (use.kind != LoopUse::Absent)
      return {LoopUse::Compound, {}};
    std::optional<Sharding> sharding;
    if (!sizes.empty())
      sharding = findSharding(expr, shape[dim], loop, sizes, n);
    else if (alone)
      sharding = loop.factors;
    if (!sharding)
      return {LoopUse::Compound, {}};
    use = {LoopUse::Sharded, sharding->on(dim)};
  }
  return use;
}

//===----------------------------------------------------------------------===//
// Operations with a rule
//===----------------------------------------------------------------------===//

ShardingRule ruleOfElements(Operation *op) {
  unsigned rank = 0;
  for (Type type : llvm::concat<const Type>(op->getOperandTypes(), op->getResultTypes()))
    if (auto tensor = dyn_cast<RankedTensorType>(type))
      rank = tensor.getRank();
  AffineMap element = AffineMap::getMultiDimIdentityMap(rank, op->getContext());
  AffineMap scalar = AffineMap::get(rank, 0, op->getContext());
  auto mapOf = [&](Type type) { return isa<RankedTensorType>(type) ? element : scalar; };
  ShardingRule rule;
  rule.loops.assign(rank, utils::IteratorType::parallel);
  llvm::append_range(rule.operands, llvm::map_range(op->getOperandTypes(), mapOf));
  llvm::append_range(rule.results, llvm::map_range(op->getResultTypes(), mapOf));
  return rule;
}

//===----------------------------------------------------------------------===//
// Rules as attributes
//===----------------------------------------------------------------------===//

static AffineMap readPositions(ArrayAttr dims, unsigned loops) {
  MLIRContext *ctx = dims.getContext();
  SmallVector<AffineExpr> position;
  for (auto attr : dims.getAsRange<DenseI64ArrayAttr>()) {
    RuleDim dim = RuleDim::of(attr);
    position.push_back(getAffineConstantExpr(-dim.begin, ctx));
    for (auto [factor, stride] : dim.factors)
      position.back() = position.back() + getAffineDimExpr(factor, ctx) * stride;
  }
  return AffineMap::get(loops, 0, position, ctx);
}

static ShardingRule readRule(Operation *op, ShardingRuleAttr attr) {
  ShardingRule rule;
  ArrayRef<int64_t> sizes = attr.getSizes();
  if (llvm::none_of(sizes, ShapedType::isDynamic))
    rule.sizes.assign(sizes.begin(), sizes.end());
  rule.loops.assign(sizes.size(), utils::IteratorType::parallel);
  for (unsigned factor : attr.getReductions())
    rule.loops[factor] = utils::IteratorType::reduction;
  rule.combiner = attr.getCombiner() ? std::optional(attr.getCombiner().getValue()) : std::nullopt;
  for (auto dims : attr.getOperands().getAsRange<ArrayAttr>())
    rule.operands.push_back(readPositions(dims, sizes.size()));
  for (auto dims : attr.getResults().getAsRange<ArrayAttr>())
    rule.results.push_back(readPositions(dims, sizes.size()));
  for (auto terms : attr.getLinear().getAsRange<ArrayAttr>()) {
    ScalarRule &ofResult = rule.terms.emplace_back();
    for (auto factors : terms.getAsRange<DenseI64ArrayAttr>()) {
      ScalarTerm &term = ofResult.terms.emplace_back();
      for (int64_t operand : factors.asArrayRef())
        term.factors.push_back(&op->getOpOperand(operand));
    }
  }
  return rule;
}

RuleDim getRuleDim(AffineExpr expr, int64_t size, ArrayRef<int64_t> sizes) {
  RuleDim dim;
  Digits sum;
  if (!addDigits(expr, 1, sum)) {
    for (unsigned loop = 0; loop < sizes.size(); ++loop)
      if (expr.isFunctionOfDim(loop))
        dim.factors.push_back({loop, RuleDim::noStride});
    return dim;
  }
  if (std::optional<Digits> digits = findDigits(expr, sizes)) {
    sum = *digits;
    dim.begin = -digits->offset;
    dim.size = size;
  }
  for (auto [loop, stride] : sum.digits)
    dim.factors.push_back({loop, stride});
  return dim;
}

ShardingRuleAttr getWrittenRule(Operation *op) {
  return dyn_cast_or_null<ShardingRuleAttr>(op->getDiscardableAttr(shardingRuleAttrName));
}

std::optional<ShardingRule> getShardingRule(Operation *op) {
  if (auto interface = dyn_cast<PlacementOpInterface>(op))
    return interface.getShardingRule();
  if (auto attr = getWrittenRule(op))
    return readRule(op, attr);
  if (op->hasTrait<OpTrait::Elementwise>())
    return ruleOfElements(op);
  return std::nullopt;
}

} // namespace ds
