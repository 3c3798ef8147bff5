//===- MapSplit.cpp - Long reductions to few results ------------*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// If there are so few results that most of a GPU would be idle, the iterations are cut into slices.
// A first kernel reduces each slice, as blocks along memory or as columns across it, into scratch
// memory; a second one combines the slices in their order.
//
//===----------------------------------------------------------------------===//
#include "KernelBuilder.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace ds::gpu;

static constexpr int64_t enoughBlocks = 264; // two on each multiprocessor of a large GPU
static constexpr int64_t shortestSlice = 2048;

void KernelBuilder::split() {
  int64_t points = loops.points(), rounds = loops.rounds();
  bool byRows = loops.alongMemory || points < kRows;
  int64_t blocksOfSlice = byRows ? points : llvm::divideCeil(points, kWarp);
  int64_t wanted =
      std::min<int64_t>(llvm::divideCeil(enoughBlocks, blocksOfSlice), rounds / shortestSlice);
  int64_t length = llvm::divideCeil(rounds, std::clamp<int64_t>(wanted, 2, rounds));
  int64_t slices = llvm::divideCeil(rounds, length);
  for (unsigned i = 0; i < loops.accumulated.size(); ++i)
    partials.push_back(MemRefType::get({slices, points}, accumulatorType(i)));
  if (byRows)
    begin("_part", {"", "split-block", blocksOfSlice * slices, kThreads, 1}, sharedTypes({kRows}));
  else
    begin("_part", {"", "split-column", blocksOfSlice * slices, kWarp, kRows},
          sharedTypes({kRows, kWarp}));
  Value perSlice = index(blocksOfSlice);
  Value slice = arith::DivUIOp::create(b, loc, blockNumber(), perSlice);
  Value rest = arith::RemUIOp::create(b, loc, blockNumber(), perSlice);
  Value from = times(slice, length);
  Value to = arith::MinUIOp::create(b, loc, plus(from, index(length)), index(rounds));
  auto put = [&](Value number, const Values &totals) {
    auto memories = current.getArguments().drop_front(kernel.getNumArguments());
    for (auto [total, memory] : llvm::zip(totals, memories))
      memref::StoreOp::create(b, loc, total, memory, ValueRange{slice, number});
  };
  if (byRows) {
    Values totals = acrossBlock(resultAt(rest), from, to);
    ifTrue(isZero(thread()), [&] { put(rest, totals); });
  } else {
    Value number = plus(times(rest, kWarp), thread());
    columns(number, from, to, [&](const Values &, const Values &totals) { put(number, totals); });
  }
  end();
  joinParts(slices);
}

void KernelBuilder::joinParts(int64_t slices) {
  int64_t points = loops.points();
  begin("_join", {"", "split-join", blocksFor(points, kThreads), kThreads, 1});
  Value number = globalThread();
  ifTrue(isLess(number, index(points)), [&] {
    auto memories = current.getArguments().drop_front(kernel.getNumArguments());
    Values totals =
        loop(index(0), index(slices), 1, neutrals(), [&](Value slice, ValueRange carried) {
          Values next;
          for (auto [i, value] : llvm::enumerate(carried))
            next.push_back(combine(
                i, value, memref::LoadOp::create(b, loc, memories[i], ValueRange{slice, number})));
          return next;
        });
    addToResults(resultAt(number), totals);
  });
  end();
}
