//===- PlanAttrs.cpp - Attributes of a searched plan ----------------------===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "ds/Dialect/IR/PlanAttrs.h"

#include "mlir/IR/Builders.h"

using namespace mlir;

namespace ds {

static constexpr StringLiteral planMemoryAttrName = "ds.plan_memory";

SmallVector<PlanMemory> getPlanMemory(ModuleOp module) {
  SmallVector<PlanMemory> plans;
  auto told = module->getAttrOfType<ArrayAttr>(planMemoryAttrName);
  for (Attribute each : told ? told.getValue() : ArrayRef<Attribute>()) {
    auto plan = cast<DictionaryAttr>(each);
    auto number = [&](StringRef key) { return plan.getAs<IntegerAttr>(key).getInt(); };
    plans.push_back({plan.getAs<StringAttr>("mesh").str(), number("level"), number("taken"),
                     number("live"), number("estimated")});
  }
  return plans;
}

void setPlanMemory(ModuleOp module, ArrayRef<PlanMemory> plans) {
  Builder b(module.getContext());
  SmallVector<Attribute> told;
  for (const PlanMemory &plan : plans) {
    NamedAttrList figures;
    figures.append("mesh", b.getStringAttr(plan.mesh));
    for (auto [name, value] :
         {std::pair("level", plan.level), std::pair("taken", plan.taken),
          std::pair("live", plan.live), std::pair("estimated", plan.estimated)})
      figures.append(name, b.getI64IntegerAttr(value));
    told.push_back(figures.getDictionary(module.getContext()));
  }
  module->setAttr(planMemoryAttrName, b.getArrayAttr(told));
}

void removePlanMemory(ModuleOp module) { module->removeAttr(planMemoryAttrName); }

} // namespace ds
