//===- DsEffects.cpp - memory effects of collectives ------------*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Every collective reads and writes the communicator, so that CSE, DCE and LICM leave the sequence
// of collectives alone. Reads and writes of buffers are added to that.
//
//===----------------------------------------------------------------------===//

#include "ds/Dialect/IR/Ds.h"

using namespace mlir;
using namespace ds;

using Effects = SmallVectorImpl<SideEffects::EffectInstance<MemoryEffects::Effect>>;

void ds::addCollectiveEffects(Operation *op, Effects &effects) {
  auto collective = cast<CollectiveOpInterface>(op);
  effects.emplace_back(MemoryEffects::Read::get(), CommunicatorResource::get());
  effects.emplace_back(MemoryEffects::Write::get(), CommunicatorResource::get());
  auto add = [&](MutableOperandRange operands, MemoryEffects::Effect *effect) {
    for (OpOperand &operand : operands)
      if (isa<BaseMemRefType>(operand.get().getType()))
        effects.emplace_back(effect, &operand);
  };
  add(collective.getRead(), MemoryEffects::Read::get());
  add(collective.getWritten(), MemoryEffects::Write::get());
}
