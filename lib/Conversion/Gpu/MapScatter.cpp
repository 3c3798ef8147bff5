//===- MapScatter.cpp - Rows that search for their updates ------*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A block has one row and up to 256 columns of it. Its threads compare 256 iterations at a time; a
// word has a bit for each of 32 iterations that hit. Then each thread combines the iterations that
// hit, in order, for its column: the result is bit-equal to that of a loop over all iterations, but
// only updates that hit are read.
//
//===----------------------------------------------------------------------===//
#include "KernelBuilder.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace ds::gpu;

Value KernelBuilder::evaluate(Value wanted, ValueRange at, IRMapping &known) {
  if (known.contains(wanted) || wanted.getParentBlock() != op.getBody())
    return known.lookupOrDefault(wanted);
  Value value;
  if (auto argument = dyn_cast<BlockArgument>(wanted)) {
    value = load(op->getOpOperand(argument.getArgNumber()), at);
  } else if (auto position = wanted.getDefiningOp<linalg::IndexOp>()) {
    value = at[position.getDim()];
  } else {
    for (Value operand : wanted.getDefiningOp()->getOperands())
      (void)evaluate(operand, at, known);
    b.clone(*wanted.getDefiningOp(), known);
    return known.lookup(wanted);
  }
  known.map(wanted, value);
  return value;
}

/// Returns to each thread of a warp a word with the hits of all 32.
Value KernelBuilder::acrossLanes(Value hit, Value laneNumber) {
  Type i32 = b.getI32Type();
  Value number = arith::IndexCastUIOp::create(b, loc, i32, laneNumber);
  Value one = arith::ConstantIntOp::create(b, loc, 1, 32);
  Value zero = arith::ConstantIntOp::create(b, loc, 0, 32);
  Value word =
      arith::SelectOp::create(b, loc, hit, arith::ShLIOp::create(b, loc, one, number), zero);
  for (int64_t distance = kWarp / 2; distance; distance /= 2)
    word = arith::OrIOp::create(b, loc, word, fromLane(word, distance));
  return word;
}

Value KernelBuilder::takeHits(Value word, Value first, Value total, const Values &at) {
  const ScatterForm &form = *loops.scatter;
  Type types[] = {word.getType(), total.getType()};
  Value initial[] = {word, total};
  auto hits = scf::WhileOp::create(
      b, loc, types, initial,
      [&](OpBuilder &inner, Location, ValueRange carried) {
        OpBuilder::InsertionGuard guard(b);
        b.restoreInsertionPoint(inner.saveInsertionPoint());
        Value zero = arith::ConstantIntOp::create(b, loc, 0, 32);
        Value some = arith::CmpIOp::create(b, loc, arith::CmpIPredicate::ne, carried[0], zero);
        scf::ConditionOp::create(b, loc, some, carried);
      },
      [&](OpBuilder &inner, Location, ValueRange carried) {
        OpBuilder::InsertionGuard guard(b);
        b.restoreInsertionPoint(inner.saveInsertionPoint());
        Value bit = LLVM::CountTrailingZerosOp::create(b, loc, carried[0].getType(), carried[0],
                                                       /*is_zero_poison=*/true);
        Value round = plus(first, arith::IndexCastUIOp::create(b, loc, b.getIndexType(), bit));
        Values here(at);
        delinearize(round, loops.reduction, here);
        IRMapping known(outer);
        Value update = widen(evaluate(form.update, here, known));
        Value next = form.other ? combine(0, carried[1], update) : update;
        Value one = arith::ConstantIntOp::create(b, loc, 1, 32);
        Value rest = arith::AndIOp::create(b, loc, carried[0],
                                           arith::SubIOp::create(b, loc, carried[0], one));
        scf::YieldOp::create(b, loc, ValueRange{rest, next});
      });
  return hits.getResult(1);
}

Value KernelBuilder::widen(Value value) {
  Operation *wide = loops.scatter->widened;
  return wide ? arith::ExtFOp::create(b, loc, wide->getResult(0).getType(), value).getResult()
              : value;
}

void KernelBuilder::scatter() {
  const ScatterForm &form = *loops.scatter;
  int64_t rows = loops.product(form.rows), columns = loops.product(form.columns),
          rounds = loops.rounds(), parts = blocksFor(columns, kThreads);
  auto space = mlir::gpu::AddressSpaceAttr::get(b.getContext(), mlir::gpu::AddressSpace::Workgroup);
  Type words = MemRefType::get({kRows}, b.getI32Type(), MemRefLayoutAttrInterface{}, space);
  begin("", {"", "scatter", rows * parts, kThreads, 1, rounds}, words);
  Value memory = current.getWorkgroupAttributions()[0];
  Value laneNumber = arith::AndIOp::create(b, loc, thread(), index(kWarp - 1));
  Value warpNumber = arith::DivUIOp::create(b, loc, thread(), index(kWarp));
  Value row = arith::DivUIOp::create(b, loc, blockNumber(), index(parts));
  Value part = arith::RemUIOp::create(b, loc, blockNumber(), index(parts));
  Value firstColumn = times(part, kThreads), wanted = plus(firstColumn, thread());
  Value hasColumn = isLess(wanted, index(columns));
  // Threads beyond the last column search for hits, too.
  Value column = arith::SelectOp::create(b, loc, hasColumn, wanted, firstColumn);
  Values at(loops.sizes.size());
  delinearize(row, form.rows, at);
  delinearize(column, form.columns, at);
  for (unsigned loop : loops.reduction)
    at[loop] = index(0);

  Value none = arith::ConstantIntOp::create(b, loc, 0, 32);
  Values initial = {initialAccumulators(at)[0], none};
  Values totals = loop(
      index(0), index(rounds), kThreads, initial, [&](Value base, ValueRange carried) -> Values {
        Value round = plus(base, thread());
        Value isRound = isLess(round, index(rounds));
        Values here(at);
        delinearize(arith::SelectOp::create(b, loc, isRound, round, index(0)), loops.reduction,
                    here);
        IRMapping known(outer);
        Value hit = arith::AndIOp::create(b, loc, isRound, evaluate(form.hit, here, known));
        Value word = acrossLanes(hit, laneNumber);
        ifTrue(isZero(laneNumber),
               [&] { memref::StoreOp::create(b, loc, word, memory, warpNumber); });
        mlir::gpu::BarrierOp::create(b, loc);
        Values next =
            loop(index(0), index(kRows), 1, carried, [&](Value warp, ValueRange inner) -> Values {
              Value hits = memref::LoadOp::create(b, loc, memory, warp);
              Value count = LLVM::CtPopOp::create(b, loc, hits.getType(), hits);
              return {takeHits(hits, plus(base, times(warp, kWarp)), inner[0], at),
                      arith::AddIOp::create(b, loc, inner[1], count)};
            });
        mlir::gpu::BarrierOp::create(b, loc); // the words are read before they are overwritten
        return next;
      });
  Value total = totals[0];
  if (form.other) {
    // Iterations that miss combine `other`, once: that changes nothing, except that it may turn -0
    // into 0.
    Value all = arith::ConstantIntOp::create(b, loc, rounds, 32);
    Value missed = arith::CmpIOp::create(b, loc, arith::CmpIPredicate::ne, totals[1], all);
    IRMapping known(outer);
    Value other = combine(0, total, widen(evaluate(form.other, at, known)));
    total = arith::SelectOp::create(b, loc, missed, other, total);
  }
  ifTrue(hasColumn, [&] { storeAccumulators(at, total); });
  end();
}
