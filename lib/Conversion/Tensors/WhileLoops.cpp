//===- WhileLoops.cpp - Give loop values a fixed place ----------*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The condition of an scf.while may forward any values: canonicalization drops arguments that
// neither the body nor the results need, and the condition forwards values that it computes. Such a
// loop gets all its arguments back as results, and one more argument for each value that the
// condition computes:
//
//   while (%a, %b) { .. condition(%c) %b, %new } do { ^(%b1, %n1): .. yield %x, %y }
//   while (%a, %b, %n) { .. condition(%c) %a, %b, %new } do { ^(%a1, %b1, %n1): .. yield %x, %y,
//   %n1 }
//
// Forwarding an unused value costs nothing: it is in its place already.
//
//===----------------------------------------------------------------------===//
#include "WhileLoops.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallBitVector.h"

using namespace mlir;

namespace {

/// Creates any value of the type: the condition writes it before it is read.
Value anyValue(OpBuilder &builder, Location loc, Type type) {
  if (auto tensor = dyn_cast<RankedTensorType>(type))
    return tensor::EmptyOp::create(builder, loc, tensor, ValueRange());
  return arith::ConstantOp::create(builder, loc, builder.getZeroAttr(type));
}

/// True if anyValue can create each type that the condition forwards. Loops over buffers stay.
bool canBeAligned(scf::WhileOp loop) {
  return llvm::all_of(loop.getConditionOp().getArgs().getTypes(), [](Type type) {
    auto tensor = dyn_cast<RankedTensorType>(type);
    return tensor ? tensor.hasStaticShape() : type.isIntOrIndexOrFloat();
  });
}

void align(scf::WhileOp loop) {
  scf::ConditionOp condition = loop.getConditionOp();
  Block *before = loop.getBeforeBody(), *after = loop.getAfterBody();
  size_t numArguments = before->getNumArguments();
  OpBuilder builder(loop);

  // The argument that each forwarded value is, or a new one.
  SmallVector<unsigned> places;
  SmallVector<Value> inits(loop.getInits()), forwarded(before->getArguments());
  llvm::SmallBitVector taken(numArguments);
  for (Value value : condition.getArgs()) {
    auto argument = dyn_cast<BlockArgument>(value);
    if (argument && argument.getOwner() == before && !taken.test(argument.getArgNumber())) {
      taken.set(argument.getArgNumber());
      places.push_back(argument.getArgNumber());
      continue;
    }
    places.push_back(inits.size());
    inits.push_back(anyValue(builder, loop.getLoc(), value.getType()));
    forwarded.push_back(value);
  }

  auto types = llvm::to_vector(ValueRange(inits).getTypes());
  SmallVector<Location> locs(types.size(), loop.getLoc());
  auto aligned = scf::WhileOp::create(builder, loop.getLoc(), types, inits);
  aligned->setDiscardableAttrs(loop->getDiscardableAttrDictionary());
  Block *newBefore = builder.createBlock(&aligned.getBefore(), {}, types, locs);
  Block *newAfter = builder.createBlock(&aligned.getAfter(), {}, types, locs);
  condition.getArgsMutable().assign(forwarded);
  SmallVector<Value> yielded(loop.getYieldOp().getOperands());
  llvm::append_range(yielded, newAfter->getArguments().drop_front(numArguments));
  loop.getYieldOp()->setOperands(yielded);
  for (auto [k, place] : llvm::enumerate(places)) {
    after->getArgument(k).replaceAllUsesWith(newAfter->getArgument(place));
    loop.getResult(k).replaceAllUsesWith(aligned.getResult(place));
  }
  for (auto [old, now] : llvm::zip(before->getArguments(), newBefore->getArguments()))
    old.replaceAllUsesWith(now);
  newBefore->getOperations().splice(newBefore->end(), before->getOperations());
  newAfter->getOperations().splice(newAfter->end(), after->getOperations());
  loop.erase();
}

} // namespace

void ds::alignWhileLoops(Operation *root) {
  SmallVector<scf::WhileOp> loops;
  root->walk([&](scf::WhileOp loop) {
    if (!llvm::equal(loop.getInits().getTypes(), loop.getResultTypes()) && canBeAligned(loop))
      loops.push_back(loop);
  });
  for (scf::WhileOp loop : loops) // inner loops first, in the order of the walk
    align(loop);
}
