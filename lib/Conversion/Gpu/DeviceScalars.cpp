//===- DeviceScalars.cpp - No driver reads device memory --------*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One walk in program order. A scalar that the driver loads is copied to separate memory at the
// load, since the arena may reuse its place right after. Kernels that took the scalar, or a value
// computed from it, take that memory and compute the value themselves. A store becomes a kernel.
//
// The calls of all regions of a branch follow one another. Each region has a word that is nonzero
// if the region is taken; otherwise its kernels do nothing. A product runs in any case, and its
// result is restored if the region is not taken. Other calls, and scalars that decide trip counts
// or offsets, cannot move to the device and are refused.
//
//===----------------------------------------------------------------------===//
#include "DriverKernels.h"
#include "DriverMemory.h"
#include "Utils/Buffers.h"
#include "ds/Conversion/Gpu/Passes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

namespace ds {
#define GEN_PASS_DEF_DEVICESCALARSPASS
#include "ds/Conversion/Gpu/Passes.h.inc"
} // namespace ds

using namespace mlir;
using namespace ds::gpu;

namespace {

/// The condition of a branch: as a value of the driver, and as the word that its kernels read.
struct Guard {
  Value taken, word;
};

/// The computation of a driver's scalar inside a kernel, in dependency order.
struct Recipe {
  llvm::SetVector<Value> arguments;    // memory of loaded scalars, and scalars of the host
  llvm::SetVector<Operation *> cloned; // computed from them
};

struct DeviceScalars final : ds::impl::DeviceScalarsPassBase<DeviceScalars> {
  void runOnOperation() override {
    slots.clear();
    computed.clear();
    dead.clear();
    replaced.clear();
    guards.clear();
    flattened.clear();
    func::FuncOp driver = ds::findDriver(getOperation());
    if (!driver)
      return signalPassFailure();
    DriverMemory arena(driver);
    memory = &arena;
    SmallVector<Operation *> ops;
    driver.walk<WalkOrder::PreOrder>([&](Operation *op) { ops.push_back(op); });
    for (Operation *op : ops)
      if (failed(visit(op)))
        return signalPassFailure();
    for (Operation *op : dead)
      op->dropAllUses();
    for (Operation *op : llvm::reverse(dead))
      op->erase();
    for (func::FuncOp kernel : replaced)
      if (SymbolTable::symbolKnownUseEmpty(kernel, getOperation()))
        kernel.erase();
    arena.finish();
  }

  /// True if the value is only known on the device.
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
    } else if (op->hasTrait<OpTrait::IsTerminator>() && flattened.contains(op->getParentOp())) {
      return success();
    } else if (guards.contains(op) && !isMemoryEffectFree(op) && op->getNumRegions() == 0) {
      return visitGuarded(op);
    } else if (!isOnDevice(op->getOperands())) {
      return success();
    } else if (auto call = dyn_cast<func::CallOp>(op)) {
      if (func::FuncOp kernel = kernelOf(call))
        return takeFromMemory(call, kernel);
    } else if (isa<scf::IfOp, scf::IndexSwitchOp>(op) && isFlat(op)) {
      return flatten(op);
    } else if (op->getNumRegions() == 0 && isPure(op) && !ds::isView(op) &&
               !op->hasTrait<OpTrait::IsTerminator>()) {
      computed.insert(op->result_begin(), op->result_end());
      dead.push_back(op);
      return success();
    }
    return op->emitOpError() << "has no code on a GPU: it depends on a number that the step "
                                "computes, which the host would have to wait for";
  }

  func::FuncOp kernelOf(func::CallOp call) {
    auto kernel = getOperation().lookupSymbol<func::FuncOp>(call.getCallee());
    return kernel && kernel->hasAttr(ds::kKernelFunction) ? kernel : func::FuncOp();
  }

  /// True if all results of a branch are scalars.
  static bool isFlat(Operation *op) {
    return llvm::none_of(op->getResultTypes(), llvm::IsaPred<ShapedType>);
  }

  /// Handles an operation in a branch that computes no scalar of the driver.
  LogicalResult visitGuarded(Operation *op) {
    if (auto call = dyn_cast<func::CallOp>(op)) {
      if (func::FuncOp kernel = kernelOf(call))
        return takeFromMemory(call, kernel);
      auto callee = getOperation().lookupSymbol<func::FuncOp>(call.getCallee());
      if (callee &&
          (callee->hasAttr(ds::kContractionFunction) || callee->hasAttr(ds::kConvolutionFunction)))
        return putBackUnless(call);
      bool touchesMemory = llvm::any_of(call.getOperandTypes(), llvm::IsaPred<BaseMemRefType>);
      if (callee && !callee->hasAttr(ds::kCollectiveFunction) && !touchesMemory)
        return success(); // a call of the runtime that does no work of the step
    }
    return op->emitOpError() << "has no code on a GPU: a branch that the step decides holds it, "
                                "and only kernels and products can be left out there";
  }

  /// Moves the operations of all regions before the branch; each gets the guard of its region.
  LogicalResult flatten(Operation *op) {
    OpBuilder builder(op);
    Location loc = op->getLoc();
    auto compute = [&](Value value) {
      computed.insert(value);
      dead.push_back(value.getDefiningOp());
      return value;
    };
    auto yes = [&] {
      return arith::ConstantOp::create(builder, loc, builder.getBoolAttr(true)).getResult();
    };
    auto isNot = [&](Value value) {
      return compute(arith::XOrIOp::create(builder, loc, value, yes()).getResult());
    };
    SmallVector<std::pair<Region *, Value>> ways;
    if (auto branch = dyn_cast<scf::IfOp>(op)) {
      ways = {{&branch.getThenRegion(), branch.getCondition()}};
      ways.push_back({&branch.getElseRegion(), isNot(branch.getCondition())});
    } else {
      auto choice = cast<scf::IndexSwitchOp>(op);
      Value other = yes();
      for (auto [number, region] : llvm::zip(choice.getCases(), choice.getCaseRegions())) {
        Value wanted = arith::ConstantIndexOp::create(builder, loc, number);
        Value taken = compute(
            arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::eq, choice.getArg(), wanted));
        ways.push_back({&region, taken});
        other = compute(arith::AndIOp::create(builder, loc, other, isNot(taken)));
      }
      ways.push_back({&choice.getDefaultRegion(), other});
    }
    Value outer = guards.lookup(op).taken;
    for (auto [region, taken] : ways) {
      if (region->empty() || llvm::hasSingleElement(region->front()))
        continue;
      if (outer)
        taken = compute(arith::AndIOp::create(builder, loc, outer, taken));
      Guard guard = {taken, memory->allocate(builder, MemRefType::get({}, builder.getI32Type()))};
      Value word = arith::ExtUIOp::create(builder, loc, builder.getI32Type(), taken);
      store(builder, loc, compute(word), guard.word, {}, /*guard=*/{});
      region->walk([&](Operation *inner) { guards[inner] = guard; });
      for (Operation &inner : llvm::make_early_inc_range(region->front().without_terminator()))
        inner.moveBefore(op);
    }
    SmallVector<Value> results;
    if (op->getNumResults())
      llvm::append_range(results, ways.back().first->front().getTerminator()->getOperands());
    for (auto [region, taken] : llvm::reverse(llvm::drop_end(ways)))
      for (auto [i, result] : llvm::enumerate(results))
        result = compute(arith::SelectOp::create(
            builder, loc, taken, region->front().getTerminator()->getOperand(i), result));
    for (auto [old, result] : llvm::zip(op->getResults(), results))
      old.replaceAllUsesWith(result);
    flattened.insert(op);
    dead.push_back(op);
    return success();
  }

  /// Returns the guard word of `op`; null if it always runs.
  Value guardWord(Operation *op) const { return guards.lookup(op).word; }

  LogicalResult copyAside(memref::LoadOp load) {
    OpBuilder builder(load);
    auto type = MemRefType::get({}, load.getType());
    Value slot = memory->allocate(builder, type), word = guardWord(load);
    if (word) { // a later select may read the value although the branch is not taken
      Value zero =
          arith::ConstantOp::create(builder, load.getLoc(), builder.getZeroAttr(load.getType()));
      store(builder, load.getLoc(), zero, slot, {}, /*guard=*/{});
    }
    SmallVector<Value> operands(load->getOperands());
    operands.push_back(slot);
    func::FuncOp kernel = startKernel(load.getLoc(), operands);
    size_t count = operands.size();
    addGuard(kernel, word, operands);
    auto arguments = kernel.getArguments().take_front(count);
    kernel = finishKernel(
        getOperation(), kernel, arguments.back(), [&](OpBuilder &inner, Location loc) -> Value {
          return memref::LoadOp::create(inner, loc, arguments[0],
                                        ValueRange(arguments).drop_front().drop_back());
        });
    func::CallOp::create(builder, load.getLoc(), kernel, operands);
    slots[load.getResult()] = slot;
    dead.push_back(load);
    return success();
  }

  LogicalResult storeByKernel(memref::StoreOp op) {
    OpBuilder builder(op);
    store(builder, op.getLoc(), op.getValueToStore(), op.getMemRef(), op.getIndices(),
          guardWord(op));
    op.erase();
    return success();
  }

  /// Calls a kernel that performs the driver's store.
  void store(OpBuilder &builder, Location loc, Value stored, Value buffer, ValueRange indices,
             Value guard) {
    SmallVector<Value> operands = {buffer};
    llvm::append_range(operands, indices);
    Recipe recipe;
    collect(stored, recipe);
    size_t before = operands.size(), count = recipe.arguments.size();
    llvm::append_range(operands, recipe.arguments);
    func::FuncOp kernel = startKernel(loc, operands);
    addGuard(kernel, guard, operands);
    auto arguments = kernel.getArguments();
    OpBuilder inside = OpBuilder::atBlockEnd(&kernel.front());
    IRMapping mapping;
    rebuild(recipe, ValueRange(arguments).slice(before, count), inside, mapping);
    Value out = elementOf(inside, arguments[0], ValueRange(arguments).slice(1, before - 1));
    Value value = mapping.lookup(stored);
    kernel =
        finishKernel(getOperation(), kernel, out, [&](OpBuilder &, Location) { return value; });
    func::CallOp::create(builder, loc, kernel, operands);
  }

  /// A product runs whether its branch is taken or not; if it is not, the old result is restored.
  LogicalResult putBackUnless(func::CallOp call) {
    Value result = call.getOperands().back();
    auto type = cast<MemRefType>(result.getType());
    OpBuilder builder(call);
    Location loc = call.getLoc();
    Value taken = guards.lookup(call).taken;
    Value kept = memory->allocate(builder, MemRefType::get(type.getShape(), type.getElementType()));
    Value word = memory->allocate(builder, MemRefType::get({}, builder.getI32Type()));
    Value yes = arith::ConstantOp::create(builder, loc, builder.getBoolAttr(true));
    Value isNot = arith::XOrIOp::create(builder, loc, taken, yes);
    Value wide = arith::ExtUIOp::create(builder, loc, builder.getI32Type(), isNot);
    for (Value value : {isNot, wide}) {
      computed.insert(value);
      dead.push_back(value.getDefiningOp());
    }
    store(builder, loc, wide, word, {}, /*guard=*/{});
    callCopy(builder, loc, result, kept, /*guard=*/{});
    builder.setInsertionPointAfter(call);
    callCopy(builder, loc, kept, result, word);
    return success();
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

  /// Recomputes the values of a recipe from the arguments of a kernel.
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
    size_t before = operands.size(), count = recipe.arguments.size();
    llvm::append_range(operands, recipe.arguments);
    func::FuncOp made = startKernel(kernel.getLoc(), operands);
    addGuard(made, guardWord(call), operands);
    OpBuilder builder = OpBuilder::atBlockEnd(&made.front());
    IRMapping driver, body;
    rebuild(recipe, made.getArguments().slice(before, count), builder, driver);
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
    made = addKernel(getOperation(), made);
    OpBuilder outside(call);
    func::CallOp::create(outside, call.getLoc(), made, operands);
    call.erase();
    replaced.insert(kernel);
    return success();
  }

  DriverMemory *memory = nullptr;
  llvm::MapVector<Value, Value> slots; // the memory of each scalar that the driver loads
  DenseSet<Value> computed;            // computed from such scalars
  DenseMap<Operation *, Guard> guards; // of operations from a branch
  DenseSet<Operation *> flattened;     // branches
  SmallVector<Operation *> dead;       // operations that the driver no longer needs
  llvm::SetVector<func::FuncOp> replaced;
};

} // namespace
