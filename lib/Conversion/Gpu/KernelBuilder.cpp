//===- KernelBuilder.cpp - Writes kernels of the gpu dialect ----*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "KernelBuilder.h"

#include "DriverKernels.h"

#include "mlir/Dialect/Affine/Utils.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;
using namespace ds::gpu;

/// The alignment of the begin and the end of every buffer.
static constexpr int64_t bufferAlignment = 16;

KernelBuilder::KernelBuilder(func::FuncOp kernel, const KernelLoops &loops,
                             mlir::gpu::GPUModuleOp module, int64_t firstAssertion)
    : kernel(kernel), loops(loops), op(loops.op), module(module), b(kernel.getContext()),
      loc(kernel.getLoc()), firstAssertion(firstAssertion) {
  for (auto assertion : op.getBody()->getOps<cf::AssertOp>())
    messages.push_back(assertion.getMsgAttr());
}

void KernelBuilder::build(Scheme scheme) {
  switch (scheme) {
  case Scheme::scalar:
    return scalar();
  case Scheme::flat:
    return flat();
  case Scheme::serial:
    return serial();
  case Scheme::warp:
    return warp();
  case Scheme::block:
    return block();
  case Scheme::column:
    return column();
  case Scheme::split:
    return split();
  case Scheme::scatter:
    return scatter();
  }
}

mlir::gpu::GPUFuncOp ds::gpu::createFunction(func::FuncOp kernel, mlir::gpu::GPUModuleOp module,
                                             const Launch &shape, ArrayRef<Type> more,
                                             ArrayRef<Type> shared) {
  OpBuilder b = OpBuilder::atBlockEnd(&module.getBodyRegion().front());
  SmallVector<Type> types(kernel.getArgumentTypes());
  llvm::append_range(types, more);
  auto made = mlir::gpu::GPUFuncOp::create(b, kernel.getLoc(), shape.kernel,
                                           b.getFunctionType(types, {}), shared, {});
  made->setAttr(mlir::gpu::GPUDialect::getKernelFuncAttrName(), b.getUnitAttr());
  made.setKnownBlockSizeAttr(b.getDenseI32ArrayAttr(
      {static_cast<int32_t>(shape.threadsX), static_cast<int32_t>(shape.threadsY), 1}));
  made.setKnownGridSizeAttr(b.getDenseI32ArrayAttr({static_cast<int32_t>(shape.blocks), 1, 1}));
  StringRef noAlias = LLVM::LLVMDialect::getNoAliasAttrName();
  for (unsigned i = 0; i < kernel.getNumArguments(); ++i)
    if (isa<MemRefType>(types[i])) {
      if (kernel.getArgAttr(i, noAlias))
        made.setArgAttr(i, noAlias, b.getUnitAttr());
      made.setArgAttr(i, LLVM::LLVMDialect::getAlignAttrName(),
                      b.getI64IntegerAttr(bufferAlignment));
    }
  return made;
}

mlir::gpu::GPUFuncOp KernelBuilder::begin(StringRef suffix, Launch shape, ArrayRef<Type> memory) {
  shape.kernel = (kernel.getName() + suffix).str();
  SmallVector<Type> more(partials);
  if (!messages.empty())
    more.push_back(MemRefType::get({shape.blocks}, b.getI32Type()));
  current = createFunction(kernel, module, shape, more, memory);
  shared = llvm::to_vector_of<Value>(current.getWorkgroupAttributions());
  b.setInsertionPointToStart(&current.getBody().front());
  outer.clear();
  for (auto [from, to] : llvm::zip(kernel.getArguments(), current.getArguments()))
    outer.map(from, to);
  if (BlockArgument guard = guardOf(kernel))
    b.setInsertionPointToStart(buildGuard(b, loc, outer.lookup(guard)).thenBlock());
  for (Operation &before : kernel.getBody().front().without_terminator())
    if (&before != op.getOperation())
      b.clone(before, outer);
  done.push_back(std::move(shape));
  return current;
}

void KernelBuilder::end() {
  b.setInsertionPointToEnd(&current.getBody().front());
  mlir::gpu::ReturnOp::create(b, loc);
}

Value KernelBuilder::index(int64_t value) { return arith::ConstantIndexOp::create(b, loc, value); }
Value KernelBuilder::plus(Value x, Value y) { return arith::AddIOp::create(b, loc, x, y); }
Value KernelBuilder::times(Value x, int64_t y) {
  return y == 1 ? x : arith::MulIOp::create(b, loc, x, index(y)).getResult();
}
Value KernelBuilder::isLess(Value x, Value y) {
  return arith::CmpIOp::create(b, loc, arith::CmpIPredicate::ult, x, y);
}
Value KernelBuilder::isZero(Value x) {
  return arith::CmpIOp::create(b, loc, arith::CmpIPredicate::eq, x, index(0));
}
Value KernelBuilder::thread(mlir::gpu::Dimension dimension) {
  return mlir::gpu::ThreadIdOp::create(b, loc, dimension);
}
Value KernelBuilder::blockNumber() {
  return mlir::gpu::BlockIdOp::create(b, loc, mlir::gpu::Dimension::x);
}
Value KernelBuilder::laneNumber() {
  return arith::AndIOp::create(b, loc, thread(), index(kWarp - 1));
}
Value KernelBuilder::warpNumber() { return arith::DivUIOp::create(b, loc, thread(), index(kWarp)); }
Value KernelBuilder::globalThread() { return plus(times(blockNumber(), kThreads), thread()); }

void KernelBuilder::ifTrue(Value condition, llvm::function_ref<void()> inside) {
  auto branch = scf::IfOp::create(b, loc, condition, /*withElseRegion=*/false);
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToStart(branch.thenBlock());
  inside();
}

KernelBuilder::Values KernelBuilder::loop(Value from, Value to, int64_t step, ValueRange initial,
                                          llvm::function_ref<Values(Value, ValueRange)> inside) {
  auto loop = scf::ForOp::create(b, loc, from, to, index(step), initial);
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToStart(loop.getBody());
  Values carried = inside(loop.getInductionVar(), loop.getRegionIterArgs());
  if (!initial.empty())
    scf::YieldOp::create(b, loc, carried);
  return loop.getResults();
}

void KernelBuilder::delinearize(Value number, ArrayRef<unsigned> wanted, Values &at) {
  SmallVector<unsigned> moving;
  for (unsigned loop : wanted) {
    if (loops.sizes[loop] > 1)
      moving.push_back(loop);
    else
      at[loop] = index(0);
  }
  for (size_t i = moving.size(); i-- > 0;) {
    if (i == 0) {
      at[moving[0]] = number;
      return;
    }
    Value size = index(loops.sizes[moving[i]]);
    at[moving[i]] = arith::RemUIOp::create(b, loc, number, size);
    number = arith::DivUIOp::create(b, loc, number, size);
  }
}

KernelBuilder::Values KernelBuilder::resultAt(Value number) {
  Values at(loops.sizes.size());
  delinearize(number, loops.parallel, at);
  for (unsigned loop : loops.reduction)
    at[loop] = index(0);
  return at;
}

KernelBuilder::Values KernelBuilder::indicesOf(OpOperand &operand, ValueRange at) {
  return *affine::expandAffineMap(b, loc, op.getMatchingIndexingMap(&operand), at);
}

Value KernelBuilder::load(OpOperand &operand, ValueRange at) {
  if (auto loaded = wide.find(&operand); loaded != wide.end())
    return vector::ExtractOp::create(b, loc, loaded->second, lane);
  Value memory = outer.lookupOrDefault(operand.get());
  if (!isa<MemRefType>(memory.getType()))
    return memory;
  return memref::LoadOp::create(b, loc, memory, indicesOf(operand, at));
}

void KernelBuilder::store(Value value, unsigned result, ValueRange at) {
  OpOperand &operand = *op.getDpsInitOperand(result);
  memref::StoreOp::create(b, loc, value, outer.lookupOrDefault(operand.get()),
                          indicesOf(operand, at));
}

void KernelBuilder::assertHolds(Value condition, int64_t number) {
  Value yes = arith::ConstantOp::create(b, loc, b.getBoolAttr(true));
  ifTrue(arith::XOrIOp::create(b, loc, condition, yes), [&] {
    // Each block has its own word, so that no two blocks write the same one.
    Value word = arith::ConstantOp::create(b, loc, b.getI32IntegerAttr(number));
    memref::StoreOp::create(b, loc, word, current.getArguments().back(), blockNumber());
  });
}

KernelBuilder::Values KernelBuilder::body(ValueRange at, ValueRange accumulators) {
  IRMapping inner(outer);
  auto mapLoaded = [&](OpOperand &operand) {
    BlockArgument argument = op.getMatchingBlockArgument(&operand);
    if (!argument.use_empty())
      inner.map(argument, load(operand, at));
  };
  for (OpOperand *input : op.getDpsInputOperands())
    mapLoaded(*input);
  for (unsigned result : loops.pointwise)
    mapLoaded(*op.getDpsInitOperand(result));
  for (auto [result, value] : llvm::zip(loops.accumulated, accumulators))
    inner.map(op.getRegionOutputArgs()[result], value);
  int64_t assertion = firstAssertion;
  for (Operation &each : op.getBody()->without_terminator()) {
    if (auto position = dyn_cast<linalg::IndexOp>(each))
      inner.map(position.getResult(), at[position.getDim()]);
    else if (auto check = dyn_cast<cf::AssertOp>(each))
      assertHolds(inner.lookupOrDefault(check.getArg()), assertion++);
    else
      b.clone(each, inner);
  }
  Values yielded;
  for (Value value : op.getBody()->getTerminator()->getOperands())
    yielded.push_back(inner.lookupOrDefault(value));
  return yielded;
}

KernelBuilder::Values KernelBuilder::point(ValueRange at, ValueRange accumulators) {
  Values yielded = body(at, accumulators), next;
  for (unsigned result : loops.pointwise)
    store(yielded[result], result, at);
  for (unsigned result : loops.accumulated)
    next.push_back(yielded[result]);
  return next;
}

KernelBuilder::Values KernelBuilder::accumulate(Value from, Value to, int64_t step,
                                                ValueRange initial, const Values &at) {
  return loop(from, to, step, initial, [&](Value round, ValueRange carried) {
    Values here(at);
    delinearize(round, loops.reduction, here);
    return point(here, carried);
  });
}

KernelBuilder::Values KernelBuilder::initialAccumulators(ValueRange at) {
  Values values;
  for (unsigned result : loops.accumulated)
    values.push_back(load(*op.getDpsInitOperand(result), at));
  return values;
}

Type KernelBuilder::accumulatorType(unsigned accumulator) {
  return op.getRegionOutputArgs()[loops.accumulated[accumulator]].getType();
}

void KernelBuilder::storeAccumulators(ValueRange at, ValueRange totals) {
  for (auto [result, total] : llvm::zip(loops.accumulated, totals))
    store(total, result, at);
}
