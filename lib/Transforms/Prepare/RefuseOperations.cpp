//===- RefuseOperations.cpp - Operations that no step may hold ------------===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Runs before upstream's passes, which drop some of these operations when their results are not
// used (a store of ml_program in a graph), and do not return from others (canonicalizations of the
// dialect shape). Loads of globals are refused unless a constant can replace them.
//
//===----------------------------------------------------------------------===//
#include "RefuseOperations.h"

#include "mlir/Dialect/MLProgram/IR/MLProgram.h"
#include "mlir/Dialect/Shape/IR/Shape.h"
#include "mlir/Dialect/Tosa/IR/TosaOps.h"
#include "mlir/IR/DialectResourceBlobManager.h"

using namespace mlir;

static SymbolRefAttr globalOf(Operation *op) {
  return isa<ml_program::GlobalLoadConstOp, ml_program::GlobalLoadOp, ml_program::GlobalStoreOp,
             ml_program::GlobalLoadGraphOp, ml_program::GlobalStoreGraphOp>(op)
             ? op->getAttrOfType<SymbolRefAttr>("global")
             : SymbolRefAttr();
}

static bool isStored(ml_program::GlobalOp global) {
  auto uses = SymbolTable::getSymbolUses(global, global->getParentOp());
  return !uses || llvm::any_of(*uses, [](SymbolTable::SymbolUse use) {
    return isa<ml_program::GlobalStoreOp, ml_program::GlobalStoreGraphOp>(use.getUser());
  });
}

TypedAttr ds::constantOfGlobal(Operation *load) {
  if (!isa<ml_program::GlobalLoadConstOp, ml_program::GlobalLoadOp>(load))
    return {};
  auto global = SymbolTable::lookupNearestSymbolFrom<ml_program::GlobalOp>(load, globalOf(load));
  auto value = global ? dyn_cast_or_null<TypedAttr>(global.getValueAttr()) : TypedAttr();
  if (!value || isa<ml_program::ExternAttr>(value) ||
      value.getType() != load->getResult(0).getType())
    return {};
  return global.getIsMutable() && (!global.isPrivate() || isStored(global)) ? TypedAttr() : value;
}

/// Returns the attribute whose values were left out where the module was printed.
static DenseResourceElementsAttr missingValues(Operation *op) {
  for (NamedAttribute each : op->getAttrs())
    if (auto resource = dyn_cast<DenseResourceElementsAttr>(each.getValue());
        resource && !resource.getRawHandle().getBlob())
      return resource;
  return {};
}

static bool hasType(Operation *op, llvm::function_ref<bool(Type)> isOne) {
  return llvm::any_of(op->getOperandTypes(), isOne) || llvm::any_of(op->getResultTypes(), isOne);
}

/// Returns what is wrong with the operation; empty if nothing is.
static StringRef reasonToRefuse(Operation *op) {
  auto isShape = [](Type type) { return isa<tosa::shapeType>(type); };
  if (isa_and_nonnull<shape::ShapeDialect>(op->getDialect()) ||
      (llvm::any_of(op->getResultTypes(), isShape) && !isa<tosa::ConstShapeOp>(op)))
    return "computes a shape while the step runs, expected static shapes";
  if (isa<tosa::CustomOp, tosa::CastFromBlockScaledOp, tosa::CastToBlockScaledOp,
          tosa::MatmulTBlockScaledOp>(op))
    return "has no lowering in upstream, expected operations that have one";
  if (isa<tosa::VariableOp, tosa::VariableReadOp, tosa::VariableWriteOp, ml_program::TokenOp>(op))
    return "is part of a state of the module, expected an argument and a result of the step with "
           "'ds.state' and 'ds.updates'";
  if (hasType(op, [](Type type) { return isa<BaseMemRefType>(type); }))
    return "works on memory, expected a step on tensors";
  return "";
}

LogicalResult ds::refuseOperations(ModuleOp module) {
  WalkResult result = module.walk<WalkOrder::PreOrder>([](Operation *op) {
    if (SymbolRefAttr global = globalOf(op); global && !constantOfGlobal(op)) {
      op->emitError("a step has no values of its module but immutable ones that stand in it, got ")
          << global
          << "; make it an argument and a result of the step, with 'ds.state' and 'ds.updates'";
      return WalkResult::interrupt();
    }
    if (DenseResourceElementsAttr elided = missingValues(op)) {
      op->emitError("the values of resource '")
          << elided.getRawHandle().getKey()
          << "' are not in the file, expected a module that is printed with all of them";
      return WalkResult::interrupt();
    }
    StringRef reason = reasonToRefuse(op);
    if (reason.empty())
      return WalkResult::advance();
    op->emitError("'") << op->getName() << "' " << reason;
    return WalkResult::interrupt();
  });
  return failure(result.wasInterrupted());
}
