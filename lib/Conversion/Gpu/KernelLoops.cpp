//===- KernelLoops.cpp - Loops of a kernel as threads see them --*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Loops are ordered by their strides in the largest operand, slowest first, so that neighbouring
// threads access neighbouring elements. Without a reduction that operand is the result: stores
// cannot be cached.
//
//===----------------------------------------------------------------------===//
#include "ScatterForm.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/IR/Builders.h"

using namespace mlir;
using namespace ds;
using namespace ds::gpu;

static constexpr int64_t shortReduction = 32;  // up to this, one thread per result
static constexpr int64_t warpReduction = 4096; // up to this, one warp per result if there are many
static constexpr int64_t splitReduction = 32768;
static constexpr int64_t fewThreads = 132 * 512; // a quarter of the threads of a large GPU

int64_t KernelLoops::product(ArrayRef<unsigned> loops) const {
  int64_t total = 1;
  for (unsigned loop : loops)
    total *= sizes[loop];
  return total;
}

std::optional<unsigned> KernelLoops::fastest() const {
  for (unsigned loop : llvm::reverse(parallel))
    if (sizes[loop] > 1)
      return loop;
  return std::nullopt;
}

/// Returns the indices of the operand at a point; none if they are not linear.
static SmallVector<int64_t> indicesAt(AffineMap map, ArrayRef<int64_t> point) {
  Builder builder(map.getContext());
  SmallVector<Attribute> constants, results;
  for (int64_t value : point)
    constants.push_back(builder.getIndexAttr(value));
  SmallVector<int64_t> indices;
  if (succeeded(map.constantFold(constants, results)))
    for (Attribute result : results)
      indices.push_back(cast<IntegerAttr>(result).getInt());
  return indices;
}

int64_t ds::gpu::strideOf(const KernelLoops &loops, OpOperand &operand, unsigned loop) {
  linalg::GenericOp op = loops.op;
  auto strides = cast<MemRefType>(operand.get().getType()).getStridesAndOffset().first;
  AffineMap map = op.getMatchingIndexingMap(&operand);
  SmallVector<int64_t> zero(loops.sizes.size(), 0), one = zero;
  one[loop] = 1;
  SmallVector<int64_t> from = indicesAt(map, zero), to = indicesAt(map, one);
  int64_t stride = 0;
  for (size_t i = 0; i < std::min(from.size(), to.size()); ++i)
    stride += (to[i] - from[i]) * strides[i];
  return std::abs(stride);
}

static OpOperand *largestOperand(const KernelLoops &loops) {
  linalg::GenericOp op = loops.op;
  OpOperand *largest = nullptr;
  int64_t most = 0;
  for (OpOperand &operand : op->getOpOperands()) {
    if (!isa<MemRefType>(operand.get().getType()))
      continue;
    AffineMap map = op.getMatchingIndexingMap(&operand);
    int64_t points = 1;
    for (unsigned loop = 0; loop < loops.sizes.size(); ++loop)
      points *= map.isFunctionOfDim(loop) ? loops.sizes[loop] : 1;
    if (points > most) {
      most = points;
      largest = &operand;
    }
  }
  return largest;
}

/// Returns the operation by which a reduction folds its values: `yield op(accumulator, value)`,
/// where the accumulator has no other use. Booleans are 0 and 1 in i8 and combined as i1. Null for
/// another kind of reduction.
static Operation *combinerOf(linalg::GenericOp op, unsigned result) {
  Value accumulator = op.getRegionOutputArgs()[result];
  Operation *made = op.getBody()->getTerminator()->getOperand(result).getDefiningOp();
  if (!accumulator.hasOneUse())
    return nullptr;
  if (auto wide = dyn_cast_or_null<arith::ExtUIOp>(made))
    if (auto narrow = dyn_cast<arith::TruncIOp>(*accumulator.user_begin());
        narrow && narrow.getType().isInteger(1) && wide->hasOneUse()) {
      accumulator = narrow.getResult();
      made = wide.getIn().getDefiningOp();
    }
  if (!made || made->getBlock() != op.getBody() || !accumulator.hasOneUse() ||
      *accumulator.user_begin() != made || !made->getResult(0).hasOneUse())
    return nullptr;
  bool isKnown = isa<arith::AddFOp, arith::MulFOp, arith::MaximumFOp, arith::MinimumFOp,
                     arith::MaxNumFOp, arith::MinNumFOp, LLVM::MaximumOp, LLVM::MinimumOp,
                     arith::AddIOp, arith::MulIOp, arith::MaxSIOp, arith::MinSIOp, arith::MaxUIOp,
                     arith::MinUIOp, arith::AndIOp, arith::OrIOp, arith::XOrIOp>(made);
  return isKnown ? made : nullptr;
}

/// True if a pointwise result depends on an accumulator, and so on the iterations before.
static bool readsAccumulator(const KernelLoops &loops, unsigned result) {
  linalg::GenericOp op = loops.op;
  SmallVector<Value> work = {op.getBody()->getTerminator()->getOperand(result)};
  DenseSet<Value> seen;
  while (!work.empty()) {
    Value value = work.pop_back_val();
    if (!seen.insert(value).second)
      continue;
    for (unsigned accumulated : loops.accumulated)
      if (value == op.getRegionOutputArgs()[accumulated])
        return true;
    if (Operation *made = value.getDefiningOp(); made && made->getBlock() == op.getBody())
      llvm::append_range(work, made->getOperands());
  }
  return false;
}

static void orderLoops(KernelLoops &loops) {
  bool isElementwise = loops.reduction.empty() && loops.op.getNumDpsInits() > 0;
  OpOperand *operand = isElementwise ? loops.op.getDpsInitOperand(0) : largestOperand(loops);
  if (!operand)
    return;
  auto key = [&](unsigned loop) {
    int64_t stride = strideOf(loops, *operand, loop);
    return stride == 0 ? std::numeric_limits<int64_t>::max() : stride;
  };
  auto slowestFirst = [&](unsigned a, unsigned b) { return key(a) > key(b); };
  llvm::stable_sort(loops.parallel, slowestFirst);
  llvm::stable_sort(loops.reduction, slowestFirst);
  auto fastestOf = [&](ArrayRef<unsigned> some) {
    int64_t least = std::numeric_limits<int64_t>::max();
    for (unsigned loop : some)
      if (loops.sizes[loop] > 1)
        least = std::min(least, key(loop));
    return least;
  };
  loops.alongMemory = fastestOf(loops.reduction) < fastestOf(loops.parallel);
}

FailureOr<KernelLoops> ds::gpu::readLoops(linalg::GenericOp op) {
  KernelLoops loops;
  loops.op = op;
  loops.sizes = op.getStaticLoopRanges();
  for (auto [loop, kind] : llvm::enumerate(op.getIteratorTypesArray()))
    (kind == utils::IteratorType::reduction ? loops.reduction : loops.parallel).push_back(loop);
  for (unsigned result = 0; result < op.getNumDpsInits(); ++result) {
    AffineMap map = op.getMatchingIndexingMap(op.getDpsInitOperand(result));
    size_t moving =
        llvm::count_if(loops.reduction, [&](unsigned loop) { return map.isFunctionOfDim(loop); });
    if (moving == loops.reduction.size()) {
      loops.pointwise.push_back(result);
      continue;
    }
    if (moving)
      return op.emitOpError() << "has no code on a GPU: result " << result
                              << " moves along some of the reduced loops";
    loops.accumulated.push_back(result);
    loops.combiners.push_back(combinerOf(op, result));
    loops.reorders &= loops.combiners.back() != nullptr;
  }
  if (!loops.accumulated.empty())
    for (unsigned result : loops.pointwise)
      loops.reorders &= !readsAccumulator(loops, result);
  orderLoops(loops);
  if (std::optional<ScatterForm> form = findScatter(loops))
    loops.scatter = std::make_shared<const ScatterForm>(std::move(*form));
  return loops;
}

Scheme ds::gpu::chooseScheme(const KernelLoops &loops) {
  int64_t points = loops.points(), rounds = loops.rounds();
  if (points * rounds == 1)
    return Scheme::scalar;
  if (loops.reduction.empty())
    return Scheme::flat;
  if (loops.scatter && rounds > shortReduction && rounds < std::numeric_limits<int32_t>::max() &&
      loops.product(loops.scatter->columns) >= kRows)
    return Scheme::scatter;
  if (!loops.reorders || rounds <= shortReduction)
    return Scheme::serial;
  bool alongRows = loops.alongMemory || points < kRows;
  int64_t threads = points * (!alongRows ? kRows : rounds > warpReduction ? kThreads : kWarp);
  if (rounds >= splitReduction && threads < fewThreads)
    return Scheme::split;
  if (!alongRows)
    return Scheme::column;
  return rounds <= (points >= kRows ? warpReduction : 1024) ? Scheme::warp : Scheme::block;
}

bool ds::gpu::isWide(const KernelLoops &loops, OpOperand &operand, unsigned loop, int64_t width) {
  linalg::GenericOp op = loops.op;
  auto type = dyn_cast<MemRefType>(operand.get().getType());
  // A slice that is made inside the kernel may have any alignment; f16 and bf16 are expanded by a
  // rewriting of scalars.
  if (!type || width == 1 || !isa<BlockArgument>(operand.get()) ||
      !type.getElementType().isIntOrFloat() || type.getElementType().isF16() ||
      type.getElementType().isBF16())
    return false;
  unsigned bits = type.getElementTypeBitWidth();
  AffineMap map = op.getMatchingIndexingMap(&operand);
  auto [strides, offset] = type.getStridesAndOffset();
  if (bits * width > 128 || bits % 8 || map.getNumResults() == 0 || offset != 0 ||
      strides.back() != 1)
    return false;
  auto last = dyn_cast<AffineDimExpr>(map.getResults().back());
  if (!last || last.getPosition() != loop)
    return false;
  for (unsigned i = 0; i + 1 < map.getNumResults(); ++i)
    if (map.getResult(i).isFunctionOfDim(loop) || strides[i] % width != 0)
      return false;
  return true;
}
