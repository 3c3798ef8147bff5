//===- DriverMemory.cpp - More memory for a driver --------------*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "DriverMemory.h"

#include "Utils/Buffers.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/IR/BuiltinOps.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace ds::gpu;

static constexpr int64_t slotAlignment = 64;

int64_t ds::gpu::slotBytes(MemRefType type) {
  int64_t bytes = type.getNumElements() * elementBytes(type.getElementType());
  return llvm::alignTo(std::max<int64_t>(bytes, 1), slotAlignment);
}

DriverMemory::DriverMemory(func::FuncOp driver) : driver(driver) {
  OpBuilder builder(driver.getContext());
  unsigned index = 0;
  for (StringRef name : {kContextArgument, kLibraryArgument})
    index += findMarkedArgument(driver, name) ? 1 : 0;
  auto none = MemRefType::get({0}, builder.getI8Type());
  arena = getOrAddMarkedArgument(driver, kArenaArgument, index, none);
  bytes = llvm::alignTo(cast<MemRefType>(arena.getType()).getNumElements(), slotAlignment);
}

Value DriverMemory::view(OpBuilder &builder, MemRefType type, int64_t offset) {
  grow(offset + slotBytes(type));
  Value at = arith::ConstantIndexOp::create(builder, driver.getLoc(), offset);
  return memref::ViewOp::create(builder, driver.getLoc(), type, arena, at, ValueRange());
}

Value DriverMemory::allocate(OpBuilder &builder, MemRefType type) {
  return view(builder, type, bytes);
}

void DriverMemory::finish() {
  if (bytes == cast<MemRefType>(arena.getType()).getNumElements())
    return;
  arena.setType(MemRefType::get({bytes}, IntegerType::get(driver.getContext(), 8)));
  driver.setFunctionType(FunctionType::get(driver.getContext(), driver.front().getArgumentTypes(),
                                           driver.getResultTypes()));
}
