//===- RemoveSigns.cpp - Integers without a sign in their type ------------===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Operations that compute say themselves how they read bits (arith.divui, arith.sitofp), and take
// no types with a sign. So such types stand only where values are passed on, and between casts,
// which become nothing. One walk over a module that has such a type.
//
//===----------------------------------------------------------------------===//
#include "RemoveSigns.h"

#include "ds/Dialect/IR/Roles.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/AttrTypeSubElements.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/DialectResourceBlobManager.h"

using namespace mlir;

static IntegerType withSign(Type type) {
  auto integer = dyn_cast<IntegerType>(getElementTypeOrSelf(type));
  return integer && !integer.isSignless() ? integer : IntegerType();
}

static bool hasSigns(ModuleOp module) {
  auto isOne = [](Type type) { return bool(withSign(type)); };
  return module
      .walk([&](Operation *op) {
        bool found = llvm::any_of(op->getResultTypes(), isOne);
        for (Region &region : op->getRegions())
          for (Block &block : region)
            found |= llvm::any_of(block.getArgumentTypes(), isOne);
        return found ? WalkResult::interrupt() : WalkResult::advance();
      })
      .wasInterrupted();
}

static Type signless(Type type) {
  auto integer = IntegerType::get(type.getContext(), withSign(type).getWidth());
  auto shaped = dyn_cast<ShapedType>(type);
  return shaped ? Type(shaped.clone(integer)) : integer;
}

void ds::removeSigns(ModuleOp module) {
  if (!hasSigns(module))
    return;
  AttrTypeReplacer replacer;
  replacer.addReplacement([](IntegerType type) -> std::optional<Type> {
    return withSign(type) ? std::optional(signless(type)) : std::nullopt;
  });
  replacer.addReplacement([](DenseIntElementsAttr attr) -> std::optional<Attribute> {
    IntegerType type = withSign(attr.getType());
    return type ? std::optional<Attribute>(
                      attr.bitcast(IntegerType::get(attr.getContext(), type.getWidth())))
                : std::nullopt;
  });
  replacer.addReplacement([](DenseResourceElementsAttr attr) -> std::optional<Attribute> {
    return withSign(attr.getType())
               ? std::optional<Attribute>(DenseResourceElementsAttr::get(
                     cast<ShapedType>(signless(attr.getType())), attr.getRawHandle()))
               : std::nullopt;
  });
  Builder b(module.getContext());
  for (auto function : module.getOps<func::FuncOp>())
    for (auto [i, type] : llvm::enumerate(function.getArgumentTypes()))
      if (IntegerType integer = withSign(type);
          integer && integer.isUnsigned() && function.getArgAttr(i, role::batch))
        function.setArgAttr(i, role::isUnsigned, b.getUnitAttr());
  // The attributes of the module itself are not of values.
  for (Operation &op : *module.getBody())
    replacer.recursivelyReplaceElementsIn(&op, /*replaceAttrs=*/true, /*replaceLocs=*/false,
                                          /*replaceTypes=*/true);
  module.walk([](UnrealizedConversionCastOp cast) {
    if (cast.getOperandTypes() == cast.getResultTypes()) {
      cast.replaceAllUsesWith(cast.getOperands());
      cast.erase();
    }
  });
}
