//===- CollectiveFunction.cpp - Functions that call the runtime -*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Body of the function for `ds.all_reduce sum %a, %b`: pointers[2] = {a, b}; elements[2] = {|a|,
// |b|}; dsrt_all_reduce(context, 2, pointers, elements, dtype, reduction, group). A group other
// than the world is looked up by its list of ranks, which the runtime caches; for axes of the mesh
// the list is computed from this rank.
//
//===----------------------------------------------------------------------===//
#include "CollectiveFunction.h"
#include "Utils/Buffers.h"
#include "Utils/Groups.h"
#include "ds/Dialect/IR/Ds.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"

using namespace mlir;

namespace {

/// Returns the dsrt_dtype of an element type; -1 if the ABI has none.
int dtypeOf(Type type) {
  if (type.isF64())
    return 0;
  if (type.isF32())
    return 1;
  if (type.isF16())
    return 2;
  if (type.isBF16())
    return 3;
  if (type.isInteger(64))
    return 4;
  if (type.isInteger(32))
    return 5;
  if (type.isInteger(16))
    return 6;
  if (type.isInteger(8))
    return 7;
  return -1;
}

/// Builds the body of one function.
class BodyBuilder {
public:
  BodyBuilder(ModuleOp module, func::FuncOp func)
      : module(module), builder(func.getContext()), loc(func.getLoc()),
        entry(*func.addEntryBlock()), pointer(LLVM::LLVMPointerType::get(func.getContext())) {
    builder.setInsertionPointToStart(&entry);
  }

  Value context() { return entry.getArgument(0); }
  Value i32(int64_t value) { return constant(builder.getI32Type(), value); }
  Value i64(int64_t value) { return constant(builder.getI64Type(), value); }

  /// Stores the addresses of arguments [first, first + count) in an array on the stack.
  Value pointers(unsigned first, unsigned count) {
    return array(pointer, count, [&](unsigned i) {
      Value index = memref::ExtractAlignedPointerAsIndexOp::create(builder, loc,
                                                                   entry.getArgument(first + i));
      Value address = arith::IndexCastOp::create(builder, loc, builder.getI64Type(), index);
      // Static offsets of views are part of the type, not of the pointer.
      auto type = cast<MemRefType>(entry.getArgument(first + i).getType());
      int64_t offset = 0;
      SmallVector<int64_t> strides;
      if (succeeded(type.getStridesAndOffset(strides, offset)) && offset != 0 &&
          !ShapedType::isDynamic(offset))
        address = arith::AddIOp::create(builder, loc, address,
                                        i64(offset * ds::elementBytes(type.getElementType())));
      return Value(LLVM::IntToPtrOp::create(builder, loc, pointer, address));
    });
  }
  /// Stores their element counts, or those of one of `blocks` equal blocks.
  Value elements(unsigned first, unsigned count, int64_t blocks) {
    return array(builder.getI64Type(), count, [&](unsigned i) {
      auto type = cast<MemRefType>(entry.getArgument(first + i).getType());
      return i64(type.getNumElements() / blocks);
    });
  }
  /// Stores constants.
  Value numbers(ArrayRef<int64_t> values) {
    return array(builder.getI64Type(), values.size(), [&](unsigned i) { return i64(values[i]); });
  }
  /// Returns the group of the world, of a list of ranks, or of the ranks along the `digits` of axes
  /// through this rank.
  Value group(DenseI64ArrayAttr ranks) {
    return ranks ? lookUp(ranks.size(), [&](unsigned i) { return i32(ranks[i]); }) : i64(0);
  }
  Value group(ArrayRef<ds::AxisDigit> digits) {
    return lookUp(offsetsOf(digits).size(), [&](unsigned i) { return memberAt(digits, i); });
  }
  /// Returns the rank with number `i` in the group.
  Value memberAt(ArrayRef<ds::AxisDigit> digits, unsigned i) {
    return arith::AddIOp::create(builder, loc, firstOf(digits), i32(offsetsOf(digits)[i]));
  }
  Value lookUp(unsigned count, llvm::function_ref<Value(unsigned)> rankAt) {
    Value list = array(builder.getI32Type(), count, rankAt);
    Value out = LLVM::AllocaOp::create(builder, loc, pointer, builder.getI64Type(), i64(1));
    // If the look-up fails, the error stays in the context, and the collective, called with the
    // world's number, does nothing.
    LLVM::StoreOp::create(builder, loc, i64(0), out);
    call("dsrt_group_create", {context(), i32(count), list, out});
    return LLVM::LoadOp::create(builder, loc, builder.getI64Type(), out);
  }
  Value call(StringRef name, ArrayRef<Value> operands) {
    auto type = builder.getFunctionType(ValueRange(operands).getTypes(), builder.getI32Type());
    auto callee = module.lookupSymbol<func::FuncOp>(name);
    if (!callee) {
      OpBuilder::InsertionGuard guard(builder);
      builder.setInsertionPointToEnd(module.getBody());
      callee = func::FuncOp::create(builder, loc, name, type);
      callee.setPrivate();
    }
    return func::CallOp::create(builder, loc, callee, operands).getResult(0);
  }
  /// Allocates space for the handle that a start call writes.
  Value handle() { return LLVM::AllocaOp::create(builder, loc, pointer, pointer, i64(1)); }
  Value load(Value slot) { return LLVM::LoadOp::create(builder, loc, pointer, slot); }
  void finish(ValueRange results = {}) { func::ReturnOp::create(builder, loc, results); }
  Value argument(unsigned i) { return entry.getArgument(i); }

private:
  /// Returns the rank with this rank's coordinates, but 0 along the axes.
  Value firstOf(ArrayRef<ds::AxisDigit> digits) {
    Value rank = call("dsrt_rank", {context()}), first = rank;
    for (const ds::AxisDigit &digit : digits) {
      Value rounds = arith::DivUIOp::create(builder, loc, rank, i32(digit.stride));
      Value coordinate = arith::RemUIOp::create(builder, loc, rounds, i32(digit.size));
      Value offset = arith::MulIOp::create(builder, loc, coordinate, i32(digit.stride));
      first = arith::SubIOp::create(builder, loc, first, offset);
    }
    return first;
  }
  /// Returns the offsets of the members from the first one, ascending.
  static SmallVector<int64_t> offsetsOf(ArrayRef<ds::AxisDigit> digits) {
    SmallVector<int64_t> offsets = {0};
    for (const ds::AxisDigit &digit : digits) {
      SmallVector<int64_t> next;
      for (int64_t offset : offsets)
        for (int64_t i = 0; i < digit.size; ++i)
          next.push_back(offset + i * digit.stride);
      offsets = std::move(next);
    }
    return offsets;
  }
  Value constant(Type type, int64_t value) {
    return arith::ConstantIntOp::create(builder, loc, type, value);
  }
  Value array(Type element, unsigned count, llvm::function_ref<Value(unsigned)> at) {
    Value base = LLVM::AllocaOp::create(builder, loc, pointer, element, i64(std::max(count, 1u)));
    for (unsigned i = 0; i < count; ++i) {
      Value slot = LLVM::GEPOp::create(builder, loc, pointer, element, base,
                                       ArrayRef<LLVM::GEPArg>(int32_t(i)));
      LLVM::StoreOp::create(builder, loc, at(i), slot);
    }
    return base;
  }

  ModuleOp module;
  OpBuilder builder;
  Location loc;
  Block &entry;
  Type pointer;
};

/// Checks that blocks are contiguous: all dimensions before theirs must have size 1.
LogicalResult checkDim(Operation *op, std::optional<int64_t> dim, ValueRange values) {
  for (Value value : values)
    for (int64_t size : cast<MemRefType>(value.getType()).getShape().take_front(dim.value_or(0)))
      if (size != 1)
        return op->emitOpError() << "along dimension " << *dim
                                 << " cannot be executed; expected dimension 0";
  return success();
}

/// Checks that there is a source for each rank of the group, since the runtime reads that many.
LogicalResult checkSources(ds::CollectiveOpInterface op) {
  std::optional<ArrayRef<int64_t>> sources = op.getSources();
  if (!sources)
    return success();
  std::optional<int64_t> ranks = ds::getGroupSize(op, op.getRanks());
  if (!ranks)
    return op->emitOpError() << "of " << sources->size()
                             << " sources cannot be executed; expected 'ds.config' to say how many "
                                "ranks there are, or a 'group'";
  if (static_cast<int64_t>(sources->size()) != *ranks)
    return op->emitOpError() << "of " << sources->size() << " sources is of " << *ranks << " ranks";
  return success();
}

} // namespace

FailureOr<func::FuncOp> ds::CollectiveFunctions::get(Operation *op) {
  MLIRContext *context = op->getContext();
  Type pointer = LLVM::LLVMPointerType::get(context);
  SmallVector<Type> inputs = {pointer}, results;
  for (Type type : op->getOperandTypes()) {
    if (isa<TensorType>(type))
      return op->emitOpError()
             << "works on tensors; expected buffers, as bufferization leaves them";
    inputs.push_back(isa<ds::PendingType>(type) ? pointer : type);
  }
  for (Type type : op->getResultTypes())
    if (isa<ds::PendingType>(type))
      results.push_back(pointer);
  // The attributes that the runtime needs: names, bucket and purpose do not change the call.
  NamedAttrList key(op->getAttrDictionary());
  for (StringRef name : {"names", "fusion", "purpose"})
    key.erase(name);
  key.append("op", StringAttr::get(context, op->getName().getStringRef()));
  auto type = FunctionType::get(context, inputs, results);
  auto found = built.find({key.getDictionary(context), type});
  if (found != built.end())
    return found->second;
  std::string name = (op->getName().stripDialect() + "_" + Twine(built.size())).str();
  FailureOr<func::FuncOp> func = build(op, type, name);
  if (succeeded(func))
    built[{key.getDictionary(context), type}] = *func;
  return func;
}

FailureOr<func::FuncOp> ds::CollectiveFunctions::query(StringRef name) {
  OpBuilder builder = OpBuilder::atBlockEnd(module.getBody());
  auto type = builder.getFunctionType(LLVM::LLVMPointerType::get(module.getContext()),
                                      builder.getI32Type());
  if (Operation *known = module.lookupSymbol(name)) {
    if (auto func = dyn_cast<func::FuncOp>(known); func && func.getFunctionType() == type)
      return func;
    return known->emitError("the runtime has '")
           << name << "', expected a function of type " << type;
  }
  auto func = func::FuncOp::create(builder, module.getLoc(), name, type);
  func.setPrivate();
  return func;
}

FailureOr<func::FuncOp> ds::CollectiveFunctions::build(Operation *op, FunctionType type,
                                                       StringRef name) {
  int dtype = 0;
  for (Type operand : op->getOperandTypes()) {
    auto memref = dyn_cast<MemRefType>(operand);
    if (!memref)
      continue;
    dtype = dtypeOf(memref.getElementType());
    if (dtype < 0)
      return op->emitOpError() << "moves elements of type " << memref.getElementType()
                               << ", which the runtime does not know";
  }
  auto collective = cast<CollectiveOpInterface>(op);
  OperandRange read = collective.getRead().getAsOperandRange();
  FailureOr<int64_t> blocks = countBlocks(collective);
  if (failed(blocks) || failed(checkDim(op, collective.getSplitDim(), read)) ||
      failed(
          checkDim(op, collective.getConcatDim(), collective.getWritten().getAsOperandRange())) ||
      failed(checkSources(collective)))
    return failure();
  OpBuilder builder = OpBuilder::atBlockEnd(module.getBody());
  auto func = func::FuncOp::create(builder, module.getLoc(), name, type);
  func.setPrivate();
  func->setAttr(kCollectiveFunction, builder.getUnitAttr());
  BodyBuilder body(module, func);
  std::string callee = ("dsrt_" + op->getName().stripDialect()).str();
  SmallVector<Value> operands = {body.context()};
  if (isa<WaitOp>(op)) {
    body.call(callee, {body.context(), body.argument(1)});
    body.finish();
    return func;
  }
  unsigned count = read.size();
  if (count > 0) {
    operands.append({body.i64(count), body.pointers(1, count)});
    if (op->getNumOperands() > count)
      operands.push_back(body.pointers(1 + count, count));
    int64_t parts = collective.getSplitDim() ? *blocks : 1;
    operands.append({body.elements(1, count, parts), body.i32(dtype)});
  }
  if (auto kind = op->getAttrOfType<ReductionKindAttr>("kind"))
    operands.push_back(body.i32(static_cast<int>(kind.getValue())));
  if (auto sources = collective.getSources())
    operands.push_back(body.numbers(*sources));
  auto root = op->getAttrOfType<IntegerAttr>("root");
  if (auto axes = dyn_cast_if_present<ArrayAttr>(collective.getRanks())) {
    auto digits = ds::getAxisDigits(op, axes);
    if (!digits)
      return op->emitOpError() << "meets along " << axes << ", which the mesh does not have";
    if (root)
      operands.push_back(body.memberAt(*digits, root.getInt()));
    operands.push_back(body.group(*digits));
  } else {
    if (root)
      operands.push_back(body.i32(root.getInt()));
    operands.push_back(body.group(cast_if_present<DenseI64ArrayAttr>(collective.getRanks())));
  }
  if (!collective.isInFlight()) {
    body.call(callee, operands);
    body.finish();
    return func;
  }
  Value slot = body.handle();
  operands.push_back(slot);
  body.call(callee, operands);
  body.finish(body.load(slot));
  return func;
}
