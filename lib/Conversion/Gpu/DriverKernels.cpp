//===- DriverKernels.cpp - Kernels that a GPU's driver gains ----*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "DriverKernels.h"

#include "Utils/Buffers.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/xxhash.h"

using namespace mlir;
using namespace ds::gpu;

static constexpr StringLiteral kGuardArgument = "ds.guard";

func::FuncOp ds::gpu::startKernel(Location loc, ValueRange operands) {
  OpBuilder builder(loc.getContext());
  func::FuncOp kernel =
      func::FuncOp::create(loc, "kernel", builder.getFunctionType(operands.getTypes(), {}));
  kernel.setPrivate();
  kernel->setAttr(ds::kKernelFunction, builder.getUnitAttr());
  kernel.addEntryBlock();
  return kernel;
}

func::FuncOp ds::gpu::finishKernel(ModuleOp module, func::FuncOp kernel, Value out,
                                   function_ref<Value(OpBuilder &, Location)> value) {
  OpBuilder builder = OpBuilder::atBlockEnd(&kernel.front());
  AffineMap scalar = AffineMap::get(module.getContext());
  linalg::GenericOp::create(builder, kernel.getLoc(), TypeRange(), ValueRange(), out, scalar,
                            ArrayRef<utils::IteratorType>(),
                            [&](OpBuilder &inner, Location loc, ValueRange) {
                              linalg::YieldOp::create(inner, loc, value(inner, loc));
                            });
  func::ReturnOp::create(builder, kernel.getLoc());
  return addKernel(module, kernel);
}

func::FuncOp ds::gpu::addKernel(ModuleOp module, func::FuncOp kernel) {
  kernel.setName("kernel");
  std::string text;
  llvm::raw_string_ostream stream(text);
  kernel->print(stream, OpPrintingFlags().useLocalScope().assumeVerified());
  std::string name =
      "kernel_" + llvm::utohexstr(llvm::xxh3_64bits(text), /*LowerCase=*/true, /*Width=*/16);
  if (auto there = module.lookupSymbol<func::FuncOp>(name)) {
    kernel.erase();
    return there;
  }
  kernel.setName(name);
  module.push_back(kernel);
  return kernel;
}

/// Ends a kernel with a copy, and calls it.
static void finishCopy(OpBuilder &builder, func::FuncOp kernel, Value from, Value to,
                       ValueRange operands) {
  Location loc = kernel.getLoc();
  OpBuilder inside = OpBuilder::atBlockEnd(&kernel.front());
  unsigned rank = cast<MemRefType>(from.getType()).getRank();
  SmallVector<AffineMap> maps(2, builder.getMultiDimIdentityMap(rank));
  SmallVector<utils::IteratorType> loops(rank, utils::IteratorType::parallel);
  linalg::GenericOp::create(inside, loc, TypeRange(), from, to, maps, loops,
                            [](OpBuilder &body, Location loc, ValueRange values) {
                              linalg::YieldOp::create(body, loc, values[0]);
                            });
  func::ReturnOp::create(inside, loc);
  auto module = builder.getInsertionBlock()->getParentOp()->getParentOfType<ModuleOp>();
  func::CallOp::create(builder, loc, addKernel(module, kernel), operands);
}

void ds::gpu::callCopy(OpBuilder &builder, Location loc, Value from, Value to, Value guard) {
  SmallVector<Value> operands = {from, to};
  func::FuncOp kernel = startKernel(loc, operands);
  addGuard(kernel, guard, operands);
  finishCopy(builder, kernel, kernel.getArgument(0), kernel.getArgument(1), operands);
}

void ds::gpu::callStridedCopy(OpBuilder &builder, Location loc, Value from, Value to,
                              MemRefType viewed, bool back) {
  func::FuncOp kernel = startKernel(loc, {from, to});
  OpBuilder inside = OpBuilder::atBlockEnd(&kernel.front());
  Value source = kernel.getArgument(0), target = kernel.getArgument(1);
  Value &strided = back ? target : source;
  auto [strides, offset] = viewed.getStridesAndOffset();
  strided = memref::ReinterpretCastOp::create(inside, loc, viewed, strided, offset,
                                              viewed.getShape(), strides);
  finishCopy(builder, kernel, source, target, {from, to});
}

Value ds::gpu::elementOf(OpBuilder &builder, Value buffer, ValueRange at) {
  auto type = cast<MemRefType>(buffer.getType());
  if (type.getRank() == 0)
    return buffer;
  SmallVector<OpFoldResult> ones(type.getRank(), builder.getIndexAttr(1));
  auto result =
      memref::SubViewOp::inferRankReducedResultType({}, type, getAsOpFoldResult(at), ones, ones);
  return memref::SubViewOp::create(builder, buffer.getLoc(), result, buffer, getAsOpFoldResult(at),
                                   ones, ones);
}

void ds::gpu::addGuard(func::FuncOp kernel, Value guard, SmallVectorImpl<Value> &operands) {
  if (!guard)
    return;
  unsigned last = kernel.getNumArguments();
  (void)kernel.insertArgument(last, guard.getType(), {}, guard.getLoc());
  kernel.setArgAttr(last, kGuardArgument, UnitAttr::get(guard.getContext()));
  operands.push_back(guard);
}

BlockArgument ds::gpu::guardOf(func::FuncOp kernel) {
  for (BlockArgument argument : kernel.getArguments())
    if (kernel.getArgAttr(argument.getArgNumber(), kGuardArgument))
      return argument;
  return {};
}

scf::IfOp ds::gpu::buildGuard(OpBuilder &builder, Location loc, Value guard) {
  Value word = memref::LoadOp::create(builder, loc, guard);
  Value zero = arith::ConstantOp::create(builder, loc, builder.getI32IntegerAttr(0));
  Value isTaken =
      arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::ne, word, zero).getResult();
  return scf::IfOp::create(builder, loc, isTaken, /*withElseRegion=*/false);
}
