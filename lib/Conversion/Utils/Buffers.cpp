//===- Buffers.cpp - Facts about buffers of a driver ------------*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Buffers.h"

#include "ds/Plan/ByteSize.h"

#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/IR/BuiltinOps.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;

func::FuncOp ds::findDriver(ModuleOp module) {
  func::FuncOp driver;
  for (auto func : module.getOps<func::FuncOp>()) {
    if (!func.isPublic() || func.isExternal())
      continue;
    if (driver) {
      func.emitError() << "'" << func.getName() << "' is a second public function beside '"
                       << driver.getName() << "'; expected one step";
      return {};
    }
    driver = func;
  }
  if (!driver)
    module.emitError() << "no public function; expected one step";
  return driver;
}

BlockArgument ds::findMarkedArgument(func::FuncOp func, StringRef name) {
  for (BlockArgument arg : func.getArguments())
    if (func.getArgAttr(arg.getArgNumber(), name))
      return arg;
  return {};
}

BlockArgument ds::getOrAddMarkedArgument(func::FuncOp func, StringRef name, unsigned index,
                                         Type type) {
  if (BlockArgument arg = findMarkedArgument(func, name))
    return arg;
  MLIRContext *context = func.getContext();
  auto attrs = DictionaryAttr::get(
      context, {NamedAttribute(StringAttr::get(context, name), UnitAttr::get(context))});
  // This fails only for functions whose type cannot change, and that of func.func can.
  (void)func.insertArgument(index, type, attrs, func.getLoc());
  return func.getArgument(index);
}

bool ds::isView(Operation *op) {
  return isa<memref::SubViewOp, memref::ExpandShapeOp, memref::CollapseShapeOp, memref::CastOp,
             memref::ReinterpretCastOp, memref::ViewOp, memref::ReshapeOp, memref::TransposeOp,
             memref::MemorySpaceCastOp>(op);
}

Value ds::rootOf(Value value) {
  while (Operation *op = value.getDefiningOp()) {
    if (!isView(op))
      break;
    value = op->getOperand(0);
  }
  return value;
}

bool ds::hasStaticLayout(Type type) {
  auto memref = dyn_cast<MemRefType>(type);
  if (!memref || !memref.hasStaticShape())
    return false;
  int64_t offset;
  SmallVector<int64_t> strides;
  return succeeded(memref.getStridesAndOffset(strides, offset)) && !ShapedType::isDynamic(offset) &&
         !ShapedType::isDynamicShape(strides);
}

int64_t ds::elementBytes(Type type) {
  if (auto complex = dyn_cast<ComplexType>(type))
    return 2 * elementBytes(complex.getElementType());
  if (auto vector = dyn_cast<VectorType>(type))
    return checkedByteSize(vector.getShape(), elementBytes(vector.getElementType()))
        .value_or(largestArrayBytes);
  return type.isIntOrFloat() ? llvm::divideCeil(type.getIntOrFloatBitWidth(), 8) : 8;
}
