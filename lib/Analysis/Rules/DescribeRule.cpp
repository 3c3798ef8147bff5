//===- DescribeRule.cpp - Sharding rules for people -----------------------===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Writes out what placement derives step by step: the sizes of loops, captures, and the body as a
// sum of products of operands.
//
//===----------------------------------------------------------------------===//
#include "LinalgLoops.h"

#include "ds/Analysis/BodyLinearity.h"
#include "ds/Dialect/IR/ShardingRuleDim.h"

#include "mlir/IR/Matchers.h"

#include <set>

using namespace mlir;

namespace ds {

namespace {

/// A product of operands, scaled by any function of other operands; operands are given by number.
struct Product {
  SmallVector<int64_t, 2> factors;
  std::set<int64_t> coefficients;
};
using Sum = SmallVector<Product, 2>;

/// The value of a body as a sum of products.
class Expansion {
public:
  /// `elements` are the values by which the body reads the operands `reads`.
  Expansion(Operation *op, ArrayRef<OpOperand *> reads, ArrayRef<Value> elements)
      : op(op), reads(reads), elements(elements) {}

  Sum expand(Value value) {
    if (auto *element = llvm::find(elements, value); element != elements.end())
      return {Product{{element - elements.begin()}, {}}};
    Operation *statement = value.getDefiningOp();
    if (!statement || !op->isAncestor(statement))
      return {Product()};
    if (auto it = known.find(value); it != known.end())
      return it->second;
    return known[value] = expandResult(cast<OpResult>(value));
  }

private:
  static constexpr unsigned most = 16;

  /// One value may be read by two operands; the use distinguishes them.
  Sum expand(OpOperand &use) {
    if (auto *read = llvm::find(reads, &use); read != reads.end())
      return {Product{{read - reads.begin()}, {}}};
    return expand(use.get());
  }

  Sum expandResult(OpResult result) {
    Operation *statement = result.getOwner();
    if (matchPattern(statement, m_AnyZeroFloat()) || matchPattern(statement, m_Zero()))
      return {};
    ScalarRule rule = getTerms(result);
    Product coefficient;
    for (OpOperand *operand : rule.coefficients)
      addDependences(expand(*operand), coefficient);
    Sum sum;
    for (const ScalarTerm &term : rule.terms) {
      Sum product = {coefficient};
      for (OpOperand *factor : term.factors)
        product = multiply(product, expand(*factor));
      sum.append(product);
    }
    if (!rule.terms.empty() && sum.size() <= most)
      return sum;
    Product any;
    for (Value read : readsOf(statement))
      addDependences(expand(read), any);
    return {any};
  }

  static Sum multiply(const Sum &x, const Sum &y) {
    Sum products;
    for (const Product &left : x)
      for (const Product &right : y) {
        Product product = left;
        product.factors.append(right.factors);
        product.coefficients.insert(right.coefficients.begin(), right.coefficients.end());
        products.push_back(std::move(product));
      }
    return products;
  }

  static void addDependences(const Sum &sum, Product &product) {
    for (const Product &each : sum) {
      product.coefficients.insert(each.factors.begin(), each.factors.end());
      product.coefficients.insert(each.coefficients.begin(), each.coefficients.end());
    }
  }

  Operation *op;
  ArrayRef<OpOperand *> reads;
  ArrayRef<Value> elements;
  llvm::DenseMap<Value, Sum> known;
};

} // namespace

AffineMap Loops::mapOfCapture(OpOperand &operand) const {
  SmallVector<AffineExpr> position;
  auto type = dyn_cast<RankedTensorType>(operand.get().getType());
  for (int64_t dim = 0; dim < (type ? type.getRank() : 0); ++dim) {
    std::optional<unsigned> loop = findLoopOfCapture(operand, dim);
    position.push_back(loop ? getAffineDimExpr(*loop, op->getContext())
                            : getAffineConstantExpr(0, op->getContext()));
  }
  return AffineMap::get(rule.loops.size(), 0, position, op->getContext());
}

/// The sum is linear in an operand that occurs at most once in each product, and only as a factor.
static ArrayAttr getLinear(MLIRContext *ctx, const Sum &sum) {
  std::set<int64_t> coefficients;
  for (const Product &product : sum) {
    coefficients.insert(product.coefficients.begin(), product.coefficients.end());
    for (int64_t factor : product.factors)
      if (llvm::count(product.factors, factor) > 1)
        coefficients.insert(factor);
  }
  std::set<std::vector<int64_t>> terms;
  bool hasRest = false;
  for (const Product &product : sum) {
    std::vector<int64_t> factors;
    llvm::copy_if(product.factors, std::back_inserter(factors),
                  [&](int64_t factor) { return !coefficients.count(factor); });
    llvm::sort(factors);
    hasRest |= factors.empty();
    if (!factors.empty())
      terms.insert(std::move(factors));
  }
  SmallVector<Attribute> written;
  for (ArrayRef<int64_t> term : terms)
    written.push_back(DenseI64ArrayAttr::get(ctx, term));
  if (hasRest && !terms.empty())
    written.push_back(DenseI64ArrayAttr::get(ctx, {}));
  return ArrayAttr::get(ctx, written);
}

/// Returns the sizes of the dimensions that only one loop runs over.
static SmallVector<int64_t> findSizes(const ShardingRule &rule, Operation *op) {
  if (!rule.sizes.empty())
    return llvm::to_vector(rule.sizes);
  SmallVector<int64_t> sizes(rule.loops.size(), ShapedType::kDynamic);
  auto add = [&](AffineMap map, Type type) {
    for (auto [dim, expr] : llvm::enumerate(map.getResults()))
      if (auto loop = dyn_cast<AffineDimExpr>(expr))
        sizes[loop.getPosition()] = cast<RankedTensorType>(type).getDimSize(dim);
  };
  for (auto [map, type] : llvm::zip(rule.results, op->getResultTypes()))
    add(map, type);
  for (auto [map, type] : llvm::zip(rule.operands, op->getOperandTypes()))
    add(map, type);
  return sizes;
}

ShardingRuleAttr Loops::describe() const {
  MLIRContext *ctx = op->getContext();
  SmallVector<OpOperand *> reads = getReadOperands(op);
  SmallVector<std::pair<AffineMap, Type>> values;
  for (OpOperand *operand : reads)
    values.push_back(
        {isOwn(*operand) ? mapOf(*operand) : mapOfCapture(*operand), operand->get().getType()});
  for (auto [map, type] : llvm::zip(rule.results, op->getResultTypes()))
    values.push_back({map, type});

  // Loops without a dimension, or over dimensions that are not sharded, have no name.
  SmallVector<int64_t> sizes = findSizes(rule, op), writtenSizes;
  SmallVector<unsigned> reductions, nameOf(sizes.size());
  for (auto [loop, kind] : llvm::enumerate(rule.loops)) {
    if (llvm::none_of(values, [&](auto &each) { return each.first.isFunctionOfDim(loop); }))
      continue;
    nameOf[loop] = writtenSizes.size();
    if (kind == utils::IteratorType::reduction)
      reductions.push_back(nameOf[loop]);
    writtenSizes.push_back(sizes[loop]);
  }
  SmallVector<Attribute> written, linear;
  for (auto [map, type] : values) {
    SmallVector<Attribute> dims;
    for (auto [i, expr] : llvm::enumerate(map.getResults())) {
      RuleDim dim = getRuleDim(expr, cast<RankedTensorType>(type).getDimSize(i), sizes);
      for (auto &[factor, stride] : dim.factors)
        factor = nameOf[factor];
      dims.push_back(dim.toAttr(ctx));
    }
    written.push_back(ArrayAttr::get(ctx, dims));
  }
  // No combiner if the results differ.
  std::optional<ReductionKind> combiner;
  for (unsigned i = 0; i < op->getNumResults() && !reductions.empty(); ++i)
    combiner = i == 0 || combiner == combinerOf(i) ? combinerOf(i) : std::nullopt;

  auto elements =
      llvm::map_to_vector(reads, [&](OpOperand *operand) { return elementOf(*operand); });
  Expansion body(op, reads, elements);
  for (unsigned i = 0; i < op->getNumResults(); ++i) {
    bool isSum = reductions.empty() || combinerOf(i) == ReductionKind::Sum;
    linear.push_back(getLinear(ctx, isSum ? body.expand(computedOf(i)) : Sum()));
  }
  ArrayRef<Attribute> all = written;
  return ShardingRuleAttr::get(
      ctx, ArrayAttr::get(ctx, all.take_front(reads.size())),
      ArrayAttr::get(ctx, all.drop_front(reads.size())), writtenSizes, reductions,
      combiner ? ReductionKindAttr::get(ctx, *combiner) : ReductionKindAttr(),
      ArrayAttr::get(ctx, linear));
}

ShardingRuleAttr describeShardingRule(Operation *op) {
  if (auto linalgOp = dyn_cast<linalg::LinalgOp>(op))
    return LinalgLoops(linalgOp).describe();
  std::optional<ShardingRule> rule = getShardingRule(op);
  return rule ? Loops(op, std::move(*rule), 1).describe() : ShardingRuleAttr();
}

} // namespace ds
