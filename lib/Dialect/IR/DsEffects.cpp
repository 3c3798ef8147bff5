//===- DsEffects.cpp - memory effects of collectives ------------*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Every collective reads and writes the communicator, so that CSE, DCE and LICM leave the sequence
// of collectives alone. Buffers are read and written on top of that.
//
//===----------------------------------------------------------------------===//

#include "ds/Dialect/IR/Ds.h"

using namespace mlir;
using namespace ds;

using Effects = SmallVectorImpl<SideEffects::EffectInstance<MemoryEffects::Effect>>;

static void addCommunicator(Effects &effects) {
  effects.emplace_back(MemoryEffects::Read::get(), CommunicatorResource::get());
  effects.emplace_back(MemoryEffects::Write::get(), CommunicatorResource::get());
}

static void addBuffers(Effects &effects, MutableOperandRange operands, bool reads, bool writes) {
  for (OpOperand &operand : operands) {
    if (!isa<BaseMemRefType>(operand.get().getType()))
      continue;
    if (reads)
      effects.emplace_back(MemoryEffects::Read::get(), &operand);
    if (writes)
      effects.emplace_back(MemoryEffects::Write::get(), &operand);
  }
}

void AllReduceOp::getEffects(Effects &effects) {
  addCommunicator(effects);
  addBuffers(effects, getInputsMutable(), /*reads=*/true, /*writes=*/true);
}

void AllReduceStartOp::getEffects(Effects &effects) {
  addCommunicator(effects);
  addBuffers(effects, getInputsMutable(), /*reads=*/true, /*writes=*/true);
}

void WaitOp::getEffects(Effects &effects) {
  addCommunicator(effects);
  addBuffers(effects, getInputsMutable(), /*reads=*/true, /*writes=*/true);
}

void BroadcastOp::getEffects(Effects &effects) {
  addCommunicator(effects);
  addBuffers(effects, getInputsMutable(), /*reads=*/true, /*writes=*/true);
}

void ReduceScatterOp::getEffects(Effects &effects) {
  addCommunicator(effects);
  addBuffers(effects, getInputsMutable(), /*reads=*/true, /*writes=*/false);
  addBuffers(effects, getOutsMutable(), /*reads=*/false, /*writes=*/true);
}

void AllGatherOp::getEffects(Effects &effects) {
  addCommunicator(effects);
  addBuffers(effects, getInputsMutable(), /*reads=*/true, /*writes=*/false);
  addBuffers(effects, getOutsMutable(), /*reads=*/false, /*writes=*/true);
}

void BarrierOp::getEffects(Effects &effects) { addCommunicator(effects); }
