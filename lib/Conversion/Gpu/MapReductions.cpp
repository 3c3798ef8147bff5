//===- MapReductions.cpp - Reductions by threads, warps and blocks -*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The order of every reduction follows from its sizes, and there are no atomics: two runs give the
// same bits. A warp combines its values by five shuffles, the warps of a block combine theirs in
// shared memory, in order.
//
//===----------------------------------------------------------------------===//
#include "KernelBuilder.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace ds::gpu;

/// Returns the identity of the combiner.
static TypedAttr neutralOf(OpBuilder &b, Operation *combiner, Type type) {
  bool isProduct = isa<arith::MulFOp, arith::MulIOp>(combiner);
  bool isMaximum = isa<arith::MaximumFOp, arith::MaxNumFOp, LLVM::MaximumOp>(combiner);
  if (auto real = dyn_cast<FloatType>(type)) {
    const llvm::fltSemantics &semantics = real.getFloatSemantics();
    APFloat value = isa<arith::AddFOp>(combiner) ? APFloat::getZero(semantics, /*Negative=*/true)
                    : isProduct ? APFloat(semantics, 1)
                                : APFloat::getInf(semantics, /*Negative=*/isMaximum);
    return b.getFloatAttr(real, value);
  }
  unsigned width = type.getIntOrFloatBitWidth();
  APInt value(width, 0);
  if (combiner->getResult(0).getType().isInteger(1)) // maybe stored in i8; true is -1 with a sign
    value = isa<arith::MulIOp, arith::AndIOp, arith::MinUIOp, arith::MaxSIOp>(combiner);
  else if (isProduct)
    value = 1;
  else if (isa<arith::MaxSIOp>(combiner))
    value = APInt::getSignedMinValue(width);
  else if (isa<arith::MinSIOp>(combiner))
    value = APInt::getSignedMaxValue(width);
  else if (isa<arith::MinUIOp, arith::AndIOp>(combiner))
    value = APInt::getAllOnes(width);
  return b.getIntegerAttr(type, value);
}

KernelBuilder::Values KernelBuilder::neutrals() {
  Values values;
  for (auto [i, combiner] : llvm::enumerate(loops.combiners))
    values.push_back(arith::ConstantOp::create(b, loc, neutralOf(b, combiner, accumulatorType(i))));
  return values;
}

Value KernelBuilder::combine(unsigned accumulator, Value x, Value y) {
  Operation *combiner = loops.combiners[accumulator];
  Type stored = x.getType(), type = combiner->getResult(0).getType();
  if (stored != type) { // a boolean in i8
    x = arith::TruncIOp::create(b, loc, type, x);
    y = arith::TruncIOp::create(b, loc, type, y);
  }
  OperationState state(loc, combiner->getName(), ValueRange{x, y}, TypeRange{type},
                       combiner->getAttrs());
  Value both = b.create(state)->getResult(0);
  return stored == type ? both : arith::ExtUIOp::create(b, loc, stored, both).getResult();
}

void KernelBuilder::addToResults(ValueRange at, ValueRange totals) {
  Values sums, initial = initialAccumulators(at);
  for (auto [i, total] : llvm::enumerate(totals))
    sums.push_back(combine(i, initial[i], total));
  storeAccumulators(at, sums);
}

KernelBuilder::Values KernelBuilder::combineAll(int64_t count,
                                                llvm::function_ref<Value(unsigned, int64_t)> read) {
  Values totals = neutrals();
  for (int64_t place = 0; place < count; ++place)
    for (auto [i, total] : llvm::enumerate(totals))
      total = combine(i, total, read(i, place));
  return totals;
}

SmallVector<Type> KernelBuilder::sharedTypes(ArrayRef<int64_t> shape) {
  SmallVector<Type> types;
  auto space = mlir::gpu::AddressSpaceAttr::get(b.getContext(), mlir::gpu::AddressSpace::Workgroup);
  for (unsigned i = 0; i < loops.accumulated.size(); ++i)
    types.push_back(MemRefType::get(shape, accumulatorType(i), MemRefLayoutAttrInterface{}, space));
  return types;
}

void KernelBuilder::serial() {
  int64_t points = loops.points();
  begin("", {"", "serial", blocksFor(points, kThreads), kThreads, 1, loops.rounds()});
  Value number = globalThread();
  ifTrue(isLess(number, index(points)), [&] { serialResult(number); });
  end();
}

void KernelBuilder::serialResult(Value number) {
  Values at = resultAt(number);
  storeAccumulators(at,
                    accumulate(index(0), index(loops.rounds()), 1, initialAccumulators(at), at));
}

Value KernelBuilder::fromLane(Value value, int64_t distance) {
  Type type = value.getType();
  unsigned width = type.getIntOrFloatBitWidth();
  auto shuffle = [&](Value moved) {
    Value by = arith::ConstantIntOp::create(b, loc, distance, 32);
    Value lanes = arith::ConstantIntOp::create(b, loc, kWarp, 32);
    return mlir::gpu::ShuffleOp::create(b, loc, moved, by, lanes, mlir::gpu::ShuffleMode::XOR)
        .getShuffleResult();
  };
  if (width >= 32)
    return shuffle(value);
  Type bits = b.getIntegerType(width);
  bool isReal = isa<FloatType>(type);
  if (isReal)
    value = arith::BitcastOp::create(b, loc, bits, value);
  value = shuffle(arith::ExtUIOp::create(b, loc, b.getI32Type(), value));
  value = arith::TruncIOp::create(b, loc, bits, value);
  return isReal ? arith::BitcastOp::create(b, loc, type, value).getResult() : value;
}

KernelBuilder::Values KernelBuilder::acrossWarp(Values values) {
  for (int64_t distance = kWarp / 2; distance; distance /= 2)
    for (auto [i, value] : llvm::enumerate(values))
      value = combine(i, value, fromLane(value, distance));
  return values;
}

void KernelBuilder::warp() {
  int64_t points = loops.points();
  int64_t rounds = llvm::divideCeil(loops.rounds(), kWarp);
  begin("", {"", "warp", blocksFor(points, kRows), kThreads, 1, rounds});
  Value number = plus(times(blockNumber(), kRows), warpNumber());
  // All threads of a warp take the same branch.
  ifTrue(isLess(number, index(points)), [&] { warpResult(number); });
  end();
}

void KernelBuilder::warpResult(Value number) {
  Value first = laneNumber();
  Values at = resultAt(number);
  Values totals = acrossWarp(accumulate(first, index(loops.rounds()), kWarp, neutrals(), at));
  ifTrue(isZero(first), [&] { addToResults(at, totals); });
}

KernelBuilder::Values KernelBuilder::acrossBlock(const Values &at, Value from, Value to) {
  Values totals = acrossWarp(accumulate(plus(from, thread()), to, kThreads, neutrals(), at));
  ifTrue(isZero(laneNumber()), [&] {
    for (auto [total, memory] : llvm::zip(totals, shared))
      memref::StoreOp::create(b, loc, total, memory, warpNumber());
  });
  mlir::gpu::BarrierOp::create(b, loc);
  return combineAll(kRows, [&](unsigned i, int64_t place) {
    return memref::LoadOp::create(b, loc, shared[i], index(place)).getResult();
  });
}

void KernelBuilder::block() {
  int64_t blocks = blocksFor(loops.points(), 1);
  int64_t rounds = llvm::divideCeil(loops.rounds(), kThreads);
  begin("", {"", "block", blocks, kThreads, 1, rounds}, sharedTypes({kRows}));
  blockResult(blockNumber());
  end();
}

void KernelBuilder::blockResult(Value number) {
  Values at = resultAt(number);
  Values totals = acrossBlock(at, index(0), index(loops.rounds()));
  ifTrue(isZero(thread()), [&] { addToResults(at, totals); });
}

void KernelBuilder::columns(Value number, Value from, Value to,
                            llvm::function_ref<void(const Values &, const Values &)> write) {
  Value x = thread(), y = thread(mlir::gpu::Dimension::y);
  Value inRange = isLess(number, index(loops.points()));
  // Threads beyond the last result have no iterations, but reach the barrier.
  Value place = arith::SelectOp::create(b, loc, inRange, number, index(0));
  Value stop = arith::SelectOp::create(b, loc, inRange, to, index(0));
  Values at = resultAt(place);
  Values totals = accumulate(plus(from, y), stop, kRows, neutrals(), at);
  for (auto [total, memory] : llvm::zip(totals, shared))
    memref::StoreOp::create(b, loc, total, memory, ValueRange{y, x});
  mlir::gpu::BarrierOp::create(b, loc);
  ifTrue(arith::AndIOp::create(b, loc, inRange, isZero(y)), [&] {
    write(at, combineAll(kRows, [&](unsigned i, int64_t row) {
            return memref::LoadOp::create(b, loc, shared[i], ValueRange{index(row), x}).getResult();
          }));
  });
}

void KernelBuilder::column() {
  int64_t blocks = blocksFor(loops.points(), kWarp);
  int64_t rounds = llvm::divideCeil(loops.rounds(), kRows);
  begin("", {"", "column", blocks, kWarp, kRows, rounds}, sharedTypes({kRows, kWarp}));
  columns(plus(times(blockNumber(), kWarp), thread()), index(0), index(loops.rounds()),
          [&](const Values &at, const Values &totals) { addToResults(at, totals); });
  end();
}
