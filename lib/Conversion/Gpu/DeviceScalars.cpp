//===- DeviceScalars.cpp - No driver reads memory ---------------*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One walk in program order. A scalar that the driver loads is copied to memory of its own where it
// was loaded: the arena gives its place to another buffer at once. Kernels that took it, or
// something computed from it, take that memory and compute the rest themselves. A store becomes a
// kernel. What decides which calls are made cannot be moved and is refused.
//
//===----------------------------------------------------------------------===//
#include "DriverMemory.h"
#include "Utils/Buffers.h"
#include "ds/Conversion/Gpu/Passes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

namespace ds {
#define GEN_PASS_DEF_DEVICESCALARSPASS
#include "ds/Conversion/Gpu/Passes.h.inc"
} // namespace ds

using namespace mlir;

namespace {

/// What a kernel needs instead of a scalar of the driver, in dependency order.
struct Recipe {
  llvm::SetVector<Value> arguments;    // memory of loaded scalars, and scalars of the host
  llvm::SetVector<Operation *> cloned; // what is computed from them
};

struct DeviceScalars final : ds::impl::DeviceScalarsPassBase<DeviceScalars> {
  void runOnOperation() override {
    slots.clear();
    computed.clear();
    dead.clear();
    replaced.clear();
    func::FuncOp driver = ds::findDriver(getOperation());
    if (!driver)
      return signalPassFailure();
    ds::gpu::DriverMemory arena(driver);
    memory = &arena;
    SmallVector<Operation *> ops;
    driver.walk<WalkOrder::PreOrder>([&](Operation *op) { ops.push_back(op); });
    for (Operation *op : ops)
      if (failed(visit(op)))
        return signalPassFailure();
    for (Operation *op : llvm::reverse(dead))
      op->erase();
    for (func::FuncOp kernel : replaced)
      if (SymbolTable::symbolKnownUseEmpty(kernel, getOperation()))
        kernel.erase();
    arena.finish();
  }

  /// Whether the value is only known where the step runs.
  bool isOnDevice(Value value) const { return slots.contains(value) || computed.contains(value); }
  bool isOnDevice(ValueRange values) const {
    return llvm::any_of(values, [&](Value value) { return isOnDevice(value); });
  }

  LogicalResult visit(Operation *op) {
    if (auto load = dyn_cast<memref::LoadOp>(op)) {
      if (!isOnDevice(load.getIndices()))
        return copyAside(load);
    } else if (auto store = dyn_cast<memref::StoreOp>(op)) {
      if (!isOnDevice(store.getIndices()))
        return storeByKernel(store);
    } else if (!isOnDevice(op->getOperands())) {
      return success();
    } else if (auto call = dyn_cast<func::CallOp>(op)) {
      auto kernel = getOperation().lookupSymbol<func::FuncOp>(call.getCallee());
      if (kernel && kernel->hasAttr(ds::kKernelFunction))
        return takeFromMemory(call, kernel);
    } else if (op->getNumRegions() == 0 && isPure(op) && !ds::isView(op)) {
      computed.insert(op->result_begin(), op->result_end());
      dead.push_back(op);
      return success();
    }
    return op->emitOpError() << "has no code on a GPU: it depends on a number that the step "
                                "computes, which the host would have to wait for";
  }

  /// A kernel without a body, with an entry block of these arguments.
  func::FuncOp startKernel(Location loc, TypeRange types) {
    OpBuilder builder(&getContext());
    func::FuncOp kernel = func::FuncOp::create(loc, "kernel", builder.getFunctionType(types, {}));
    kernel.setPrivate();
    kernel->setAttr(ds::kKernelFunction, builder.getUnitAttr());
    kernel.addEntryBlock();
    return kernel;
  }

  /// Ends it with an operation that writes one element of `out`: what `value` makes.
  func::FuncOp finishKernel(func::FuncOp kernel, Value out,
                            function_ref<Value(OpBuilder &, Location)> value) {
    OpBuilder builder = OpBuilder::atBlockEnd(&kernel.front());
    AffineMap scalar = AffineMap::get(&getContext());
    linalg::GenericOp::create(builder, kernel.getLoc(), TypeRange(), ValueRange(), out, scalar,
                              ArrayRef<utils::IteratorType>(),
                              [&](OpBuilder &inner, Location loc, ValueRange) {
                                linalg::YieldOp::create(inner, loc, value(inner, loc));
                              });
    func::ReturnOp::create(builder, kernel.getLoc());
    return ds::gpu::addKernel(getOperation(), kernel);
  }

  LogicalResult copyAside(memref::LoadOp load) {
    OpBuilder builder(load);
    auto type = MemRefType::get({}, load.getType());
    Value slot = memory->allocate(builder, type);
    SmallVector<Value> operands(load->getOperands());
    operands.push_back(slot);
    func::FuncOp kernel = startKernel(load.getLoc(), ValueRange(operands).getTypes());
    auto arguments = kernel.getArguments();
    kernel = finishKernel(kernel, arguments.back(), [&](OpBuilder &inner, Location loc) -> Value {
      return memref::LoadOp::create(inner, loc, arguments[0],
                                    ValueRange(arguments).drop_front().drop_back());
    });
    func::CallOp::create(builder, load.getLoc(), kernel, operands);
    slots[load.getResult()] = slot;
    dead.push_back(load);
    return success();
  }

  LogicalResult storeByKernel(memref::StoreOp store) {
    OpBuilder builder(store);
    SmallVector<Value> operands = {store.getMemRef()};
    llvm::append_range(operands, store.getIndices());
    Recipe recipe;
    collect(store.getValueToStore(), recipe);
    size_t before = operands.size();
    llvm::append_range(operands, recipe.arguments);
    func::FuncOp kernel = startKernel(store.getLoc(), ValueRange(operands).getTypes());
    auto arguments = kernel.getArguments();
    OpBuilder inside = OpBuilder::atBlockEnd(&kernel.front());
    IRMapping mapping;
    rebuild(recipe, ValueRange(arguments).drop_front(before), inside, mapping);
    Value out = elementOf(inside, arguments[0], ValueRange(arguments).slice(1, before - 1));
    Value value = mapping.lookup(store.getValueToStore());
    kernel = finishKernel(kernel, out, [&](OpBuilder &, Location) { return value; });
    func::CallOp::create(builder, store.getLoc(), kernel, operands);
    store.erase();
    return success();
  }

  /// The element of a buffer, as a buffer.
  static Value elementOf(OpBuilder &builder, Value buffer, ValueRange at) {
    auto type = cast<MemRefType>(buffer.getType());
    if (type.getRank() == 0)
      return buffer;
    SmallVector<OpFoldResult> ones(type.getRank(), builder.getIndexAttr(1));
    auto result =
        memref::SubViewOp::inferRankReducedResultType({}, type, getAsOpFoldResult(at), ones, ones);
    return memref::SubViewOp::create(builder, buffer.getLoc(), result, buffer,
                                     getAsOpFoldResult(at), ones, ones);
  }

  void collect(Value value, Recipe &recipe) {
    if (Value slot = slots.lookup(value)) {
      recipe.arguments.insert(slot);
      return;
    }
    Operation *op = value.getDefiningOp();
    if (!computed.contains(value) && !(op && matchPattern(op, m_Constant()))) {
      recipe.arguments.insert(value);
      return;
    }
    for (Value operand : op->getOperands())
      collect(operand, recipe);
    recipe.cloned.insert(op);
  }

  /// Computes what a recipe was made of from the arguments of a kernel.
  void rebuild(const Recipe &recipe, ValueRange arguments, OpBuilder &builder, IRMapping &mapping) {
    for (auto [value, argument] : llvm::zip(recipe.arguments, arguments))
      mapping.map(value, argument);
    for (auto [scalar, slot] : slots)
      if (recipe.arguments.contains(slot))
        mapping.map(
            scalar,
            memref::LoadOp::create(builder, scalar.getLoc(), mapping.lookup(slot)).getResult());
    for (Operation *op : recipe.cloned)
      builder.clone(*op, mapping);
  }

  LogicalResult takeFromMemory(func::CallOp call, func::FuncOp kernel) {
    Recipe recipe;
    SmallVector<Value> operands;
    for (Value operand : call.getOperands()) {
      if (isOnDevice(operand))
        collect(operand, recipe);
      else
        operands.push_back(operand);
    }
    size_t before = operands.size();
    llvm::append_range(operands, recipe.arguments);
    func::FuncOp made = startKernel(kernel.getLoc(), ValueRange(operands).getTypes());
    OpBuilder builder = OpBuilder::atBlockEnd(&made.front());
    IRMapping driver, body;
    rebuild(recipe, made.getArguments().drop_front(before), builder, driver);
    unsigned next = 0;
    for (auto [operand, argument] : llvm::zip(call.getOperands(), kernel.getArguments())) {
      if (isOnDevice(operand)) {
        body.map(argument, driver.lookup(operand));
        continue;
      }
      if (DictionaryAttr attributes = kernel.getArgAttrDict(argument.getArgNumber()))
        made.setArgAttrs(next, attributes);
      body.map(argument, made.getArgument(next++));
    }
    for (Operation &op : kernel.front())
      builder.clone(op, body);
    made = ds::gpu::addKernel(getOperation(), made);
    OpBuilder outside(call);
    func::CallOp::create(outside, call.getLoc(), made, operands);
    call.erase();
    replaced.insert(kernel);
    return success();
  }

  ds::gpu::DriverMemory *memory = nullptr;
  llvm::MapVector<Value, Value> slots; // of what the driver loads
  DenseSet<Value> computed;            // from that
  SmallVector<Operation *> dead;       // what is no longer the driver's work
  llvm::SetVector<func::FuncOp> replaced;
};

} // namespace
