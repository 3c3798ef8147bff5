//===- AttentionRegion.cpp - What joins each query to each key --*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The region grows in both directions from a product: forward through all users of values of pairs,
// since one unknown user needs the value in memory; backward through operands, to masks and to the
// products of the gradient. Then come operations between rows, from a reduction of a row to its
// next reader in the region. Which of the two long axes counts queries is known from the
// reductions: a softmax reduces keys. Each operation is visited a constant number of times.
//
//===----------------------------------------------------------------------===//
#include "AttentionRegion.h"

#include "ds/Conversion/Utils/Contraction.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Transforms/RegionUtils.h"

using namespace mlir;
using namespace ds;

/// Chains of operations between rows are shorter.
static constexpr unsigned maxChain = 32;

Axes AttentionRegion::axesOf(Value value) const {
  Operation *op = value.getDefiningOp();
  const Axes &axes = ops.find(op)->second;
  auto generic = dyn_cast<linalg::GenericOp>(op);
  return generic ? axesThrough(generic.getMatchingIndexingMap(generic.getDpsInitOperand(0)), axes)
                 : axes;
}

namespace {

/// True for an operation that can be computed for some of its loops: each element depends on one
/// element of each operand, or on a row of them.
bool isSimple(linalg::GenericOp op) {
  if (!op.hasPureTensorSemantics() || op->getNumResults() != 1 ||
      ShapedType::isDynamicShape(op.getStaticLoopRanges()) ||
      !llvm::all_of(op.getIndexingMapsArray(),
                    [](AffineMap map) { return map.isProjectedPermutation(); }))
    return false;
  llvm::SetVector<Value> captured;
  getUsedValuesDefinedAbove(op->getRegions(), captured);
  if (llvm::any_of(captured, [](Value value) { return isa<ShapedType>(value.getType()); }))
    return false;
  OpOperand *init = op.getDpsInitOperand(0);
  return op.getNumReductionLoops() == 0 ? op.getMatchingBlockArgument(init).use_empty() &&
                                              op.getMatchingIndexingMap(init).isPermutation()
                                        : bool(fillOf(init->get()));
}

/// True for a parameter of the step, perhaps reshaped or converted: a factor of a layer.
bool isParameter(Value value) {
  while (Operation *def = value.getDefiningOp()) {
    auto generic = dyn_cast<linalg::GenericOp>(def);
    if (!isa<tensor::ExpandShapeOp, tensor::CollapseShapeOp>(def) &&
        !(generic && generic.getNumDpsInputs() == 1 && generic.getNumReductionLoops() == 0))
      return false;
    value = def->getOperand(0);
  }
  auto argument = cast<BlockArgument>(value);
  auto step = dyn_cast<func::FuncOp>(argument.getOwner()->getParentOp());
  return step && step.getArgAttr(argument.getArgNumber(), "ds.param");
}

/// Returns the only reduction loop; none if there are several.
std::optional<unsigned> onlyReduction(linalg::GenericOp op) {
  SmallVector<unsigned> loops;
  op.getReductionDims(loops);
  return loops.size() == 1 ? std::optional(loops[0]) : std::nullopt;
}

class RegionFinder {
public:
  explicit RegionFinder(Block *block) : block(block) {}

  std::optional<AttentionRegion> run(linalg::GenericOp seed) {
    std::optional<Axes> loops = loopsOfScores(seed);
    if (!loops || llvm::any_of(seed.getInputs(), isParameter) || !add(seed, *loops))
      return std::nullopt;
    for (const Axis &axis : *loops) {
      if (axis.kind == Axis::head)
        region.heads *= axis.size;
      else if (axis.kind != Axis::other)
        (axis.kind == Axis::query ? region.queries : region.keys) = axis.size;
    }
    do {
      while (!added.empty() || !toFollow.empty())
        if (!(added.empty() ? followNext() : pullNext()))
          return std::nullopt;
    } while (pullRows());
    if (!nameKeys())
      return std::nullopt;
    sortAndNumber();
    if (!multipliesValues())
      return std::nullopt;
    return std::move(region);
  }

private:
  /// Returns the axes of the loops of a product of queries and keys, with numbers for the heads;
  /// none for another operation.
  static std::optional<Axes> loopsOfScores(linalg::GenericOp op) {
    if (!isMatrixProduct(op) || !isSimple(op))
      return std::nullopt;
    Axes loops(op.getNumLoops());
    auto maps = op.getIndexingMapsArray();
    SmallVector<int64_t> sizes = op.getStaticLoopRanges();
    int64_t stride = 1;
    unsigned counts[4] = {};
    for (unsigned d = op.getNumLoops(); d-- > 0;) {
      auto moves = [&](unsigned operand) { return maps[operand].isFunctionOfDim(d); };
      loops[d].size = sizes[d];
      loops[d].kind = !moves(2)              ? Axis::other
                      : moves(0) && moves(1) ? Axis::head
                      : moves(0)             ? Axis::query
                                             : Axis::key;
      ++counts[loops[d].kind];
      if (loops[d].kind == Axis::head) {
        loops[d].stride = stride;
        stride *= sizes[d];
      }
    }
    if (counts[Axis::query] != 1 || counts[Axis::key] != 1 || counts[Axis::other] != 1)
      return std::nullopt;
    return loops;
  }

  /// Adds an operation with the axes of its loops, or of its result; false if it is another kind.
  bool add(Operation *op, const Axes &axes) {
    auto known = region.ops.find(op);
    if (known != region.ops.end())
      return known->second == axes;
    region.ops[op] = axes;
    added.push_back(op);
    return true;
  }

  bool isDerived(Operation *op) const {
    auto generic = dyn_cast<linalg::GenericOp>(op);
    if (generic && isMatrixProduct(generic))
      return true;
    return llvm::any_of(op->getOperands(), [&](Value operand) {
      Operation *def = operand.getDefiningOp();
      return def && region.derived.contains(def);
    });
  }

  void derive(Operation *op) {
    if (region.derived.contains(op) || !isDerived(op))
      return;
    region.derived.insert(op);
    if (isOfPairs(region.axesOf(op->getResult(0))))
      toFollow.push_back(op);
    for (Operation *user : op->getUsers())
      if (region.ops.contains(user))
        derive(user);
  }

  /// Adds all users of a value of pairs; false if one of them needs it in memory.
  bool followNext() {
    Value value = toFollow.pop_back_val()->getResult(0);
    Axes axes = region.axesOf(value);
    for (OpOperand &use : value.getUses())
      if (!follow(use, axes))
        return false;
    return true;
  }

  bool follow(OpOperand &use, ArrayRef<Axis> axes) {
    Operation *user = use.getOwner();
    if (user->getBlock() != block)
      return false;
    bool isKnown = region.ops.contains(user);
    if (std::optional<Axes> reshaped = axesAfterReshape(user, axes)) {
      if (!add(user, *reshaped))
        return false;
    } else {
      auto op = dyn_cast<linalg::GenericOp>(user);
      if (!op || !isSimple(op) || !op.isDpsInput(&use))
        return false;
      std::optional<Axes> loops = loopsOfUser(op, use, axes);
      if (!loops || !add(op, *loops))
        return false;
    }
    if (isKnown)
      derive(user);
    return true;
  }

  /// Returns the axes of all loops of an operation that reads a value of pairs.
  std::optional<Axes> loopsOfUser(linalg::GenericOp op, OpOperand &use, ArrayRef<Axis> axes) {
    SmallVector<std::optional<Axis>> known(op.getNumLoops());
    for (auto [expr, axis] : llvm::zip_equal(op.getMatchingIndexingMap(&use).getResults(), axes))
      known[cast<AffineDimExpr>(expr).getPosition()] = axis;
    const bool isProduct = isMatrixProduct(op);
    if (isProduct && op.getInputs()[0] == op.getInputs()[1])
      return std::nullopt;
    Axes loops;
    for (auto [size, axis] : llvm::zip_equal(op.getStaticLoopRanges(), known)) {
      if (!axis && !isProduct)
        return std::nullopt;
      loops.push_back(axis.value_or(Axis{Axis::other, size}));
    }
    if (op.getNumReductionLoops() == 0)
      return loops;
    std::optional<unsigned> reduced = onlyReduction(op);
    if (!reduced || (loops[*reduced].kind != Axis::query && loops[*reduced].kind != Axis::key))
      return std::nullopt;
    // The other factor of a product has a loop of its own, and no value for each pair.
    if (isProduct)
      for (OpOperand *input : op.getDpsInputOperands())
        if (input != &use && isOfPairs(axesThrough(op.getMatchingIndexingMap(input), loops)))
          return std::nullopt;
    return loops;
  }

  /// Visits an added operation: its operands, then its users.
  bool pullNext() {
    Operation *op = added.pop_back_val();
    Axes axes = region.ops[op];
    if (auto generic = dyn_cast<linalg::GenericOp>(op)) {
      for (OpOperand *input : generic.getDpsInputOperands())
        if (isa<RankedTensorType>(input->get().getType()) &&
            !pull(input->get(), axesThrough(generic.getMatchingIndexingMap(input), axes)))
          return false;
    } else if (!pull(op->getOperand(0), *axesBeforeReshape(op, axes))) {
      return false;
    }
    derive(op);
    return true;
  }

  /// Adds what computes an operand for each pair; leaves other operands in memory.
  /// False if the operand is a value of the region with other axes.
  bool pull(Value value, const Axes &axes) {
    Operation *def = value.getDefiningOp();
    if (!def || def->getBlock() != block)
      return true;
    if (region.ops.contains(def))
      return region.axesOf(value) == axes;
    if (!isOfPairs(axes))
      return true;
    if (axesBeforeReshape(def, axes))
      return add(def, axes);
    auto op = dyn_cast<linalg::GenericOp>(def);
    if (!op || !isSimple(op))
      return true;
    if (isMatrixProduct(op)) {
      std::optional<Axes> loops = loopsOfScores(op);
      Axes wanted = axesOfLoops(op, axes);
      return loops &&
             llvm::all_of_zip(*loops, wanted,
                              [](const Axis &mine, const Axis &axis) {
                                return (mine.kind == Axis::head) == (axis.kind == Axis::head);
                              }) &&
             add(op, wanted);
    }
    return op.getNumReductionLoops() != 0 || add(op, axesOfLoops(op, axes));
  }

  /// Adds operations between a row of the region and its next reader in the region; false if there
  /// are none left.
  bool pullRows() {
    const size_t before = region.ops.size();
    for (size_t i = 0; i < region.ops.size(); ++i) {
      auto op = dyn_cast<linalg::GenericOp>((region.ops.begin() + i)->first);
      if (!op)
        continue;
      Axes axes = (region.ops.begin() + i)->second;
      for (OpOperand *input : op.getDpsInputOperands())
        if (isa<RankedTensorType>(input->get().getType()))
          pullRow(input->get(), axesThrough(op.getMatchingIndexingMap(input), axes), maxChain);
    }
    return region.ops.size() != before;
  }

  /// True if the value is, or depends on, a value of the region; then adds what computes it.
  bool pullRow(Value value, const Axes &axes, unsigned depth) {
    if (region.contains(value))
      return region.derived.contains(value.getDefiningOp()) && region.axesOf(value) == axes;
    auto op = value.getDefiningOp<linalg::GenericOp>();
    if (!op || depth == 0 || op->getBlock() != block || !isSimple(op) ||
        op.getNumReductionLoops() != 0 || hasAxis(axes, Axis::other))
      return false;
    Axes loops = axesOfLoops(op, axes);
    bool depends = false;
    for (OpOperand *input : op.getDpsInputOperands())
      if (isa<RankedTensorType>(input->get().getType()))
        depends |=
            pullRow(input->get(), axesThrough(op.getMatchingIndexingMap(input), loops), depth - 1);
    return depends && add(op, loops);
  }

  /// Swaps queries and keys if the rows that are reduced are those of the other axis. False if
  /// there is no reduction, or there are both.
  bool nameKeys() {
    bool ofQueries = false, ofKeys = false;
    for (auto &[op, axes] : region.ops) {
      auto generic = dyn_cast<linalg::GenericOp>(op);
      if (!generic || generic.getNumReductionLoops() == 0 || isMatrixProduct(generic))
        continue;
      const Axis::Kind kind = axes[*onlyReduction(generic)].kind;
      ofQueries |= kind == Axis::query;
      ofKeys |= kind == Axis::key;
    }
    if (ofQueries == ofKeys)
      return false;
    if (ofKeys)
      return true;
    std::swap(region.queries, region.keys);
    for (auto &[op, axes] : region.ops)
      for (Axis &axis : axes)
        axis.kind = axis.kind == Axis::query ? Axis::key
                    : axis.kind == Axis::key ? Axis::query
                                             : axis.kind;
    return true;
  }

  /// True if what was reduced of rows of scores leads to weights, which are multiplied by something
  /// else than the scores were computed from. In a feed-forward network only its gradient reduces;
  /// in the last layer of a language model the gradient multiplies by the same matrix again.
  bool multipliesValues() const {
    return llvm::any_of(region.ops, [&](auto &entry) {
      auto product = dyn_cast<linalg::GenericOp>(entry.first);
      if (!product || !isMatrixProduct(product) ||
          entry.second[*onlyReduction(product)].kind != Axis::key)
        return false;
      llvm::SetVector<Operation *> before;
      before.insert(product);
      llvm::SmallDenseSet<Value> factors;
      bool hasReducedRow = false;
      for (size_t i = 0; i < before.size(); ++i) {
        auto op = dyn_cast<linalg::GenericOp>(before[i]);
        if (i > 0 && op && isMatrixProduct(op)) {
          factors.insert(op.getInputs().begin(), op.getInputs().end());
          continue;
        }
        hasReducedRow |= i > 0 && op && op.getNumReductionLoops() != 0;
        for (Value operand : before[i]->getOperands())
          if (region.contains(operand))
            before.insert(operand.getDefiningOp());
      }
      return hasReducedRow && llvm::none_of(product.getInputs(),
                                            [&](Value input) { return factors.contains(input); });
    });
  }

  /// Sorts the operations of the region, and counts how often the block left it before each.
  void sortAndNumber() {
    auto ops = region.ops.takeVector();
    llvm::sort(ops, [](auto &a, auto &b) { return a.first->isBeforeInBlock(b.first); });
    for (auto &[op, axes] : ops)
      region.ops[op] = axes;
    DenseMap<Value, unsigned> left;
    for (Operation &op : *block) {
      const bool isInside = region.ops.contains(&op);
      llvm::SetVector<Value> used(op.operand_begin(), op.operand_end());
      getUsedValuesDefinedAbove(op.getRegions(), used);
      unsigned round = 0;
      for (Value value : used) {
        Operation *def = value.getDefiningOp();
        if (def && region.derived.contains(def))
          round = std::max(round, region.rounds[def] + (isInside ? 0 : 1));
        else
          round = std::max(round, left.lookup(value));
      }
      if (isInside) {
        region.rounds[&op] = round;
        region.numRounds = std::max(region.numRounds, round + 1);
      }
      for (Value result : op.getResults())
        left[result] = round;
    }
  }

  Block *block;
  AttentionRegion region;
  SmallVector<Operation *> added, toFollow;
};

} // namespace

std::optional<AttentionRegion> ds::findAttention(linalg::GenericOp seed) {
  return RegionFinder(seed->getBlock()).run(seed);
}
