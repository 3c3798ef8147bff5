//===- StepRoles.cpp - Roles of arguments and results ---------------------===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Reads the roles that a step carries as attributes of its arguments and results.
//
//===----------------------------------------------------------------------===//
#include "ds/Analysis/StepRoles.h"

#include "ds/Analysis/Placement.h"
#include "ds/Dialect/IR/Ds.h"

using namespace mlir;

namespace ds {

/// True if the context has ds's models. A pass plugin brings only passes; without the models ds
/// would treat every operation as unknown.
static bool hasModels(MLIRContext *ctx) {
  ctx->getOrLoadDialect<DsDialect>();
  auto mark = RegisteredOperationName::lookup(GradientOp::getOperationName(), ctx);
  return mark && mark->hasInterface<PlacementOpInterface>();
}

func::FuncOp getStep(ModuleOp module, StringRef entry) {
  func::FuncOp found;
  for (auto function : module.getOps<func::FuncOp>()) {
    if (function.isExternal() ||
        (entry.empty() ? !function.isPublic() : function.getName() != entry))
      continue;
    if (found) {
      auto diagnostic = function.emitError("the module has more than one public function; say "
                                           "which is the step with entry=");
      diagnostic.attachNote(found.getLoc()) << "the other is '" << found.getName() << "'";
      return {};
    }
    found = function;
  }
  if (!found) {
    if (entry.empty())
      module.emitError("the module has no public function to take as the step");
    else
      module.emitError("the module has no function '") << entry << "'";
    return {};
  }
  if (!found.getBody().hasOneBlock()) {
    found.emitError("expected a step of one block, got ")
        << found.getBody().getBlocks().size() << "; control flow is written with scf";
    return {};
  }
  if (!hasModels(module.getContext())) {
    found.emitError("the rules of ds for upstream's operations are not registered; load its "
                    "plugin with --load-dialect-plugin, too, or call ds::registerDsDialect");
    return {};
  }
  return found;
}

SmallVector<StepResult> getStepResults(func::FuncOp step) {
  llvm::DenseMap<Attribute, BlockArgument> parameters, states;
  for (BlockArgument argument : step.getArguments()) {
    unsigned number = argument.getArgNumber();
    if (auto name = step.getArgAttrOfType<StringAttr>(number, "ds.param"))
      parameters[name] = argument;
    if (auto name = step.getArgAttrOfType<StringAttr>(number, "ds.state"))
      states[name] = argument;
  }
  SmallVector<StepResult> results;
  for (OpOperand &operand : step.getBody().front().getTerminator()->getOpOperands()) {
    unsigned index = operand.getOperandNumber();
    auto updates = step.getResultAttrOfType<StringAttr>(index, "ds.updates");
    auto metric = step.getResultAttrOfType<StringAttr>(index, "ds.metric");
    results.push_back({&operand, index, updates ? updates.getValue() : StringRef(),
                       metric ? metric.getValue() : StringRef(),
                       step.getResultAttr(index, "ds.batch") != nullptr, parameters.lookup(updates),
                       states.lookup(updates)});
  }
  return results;
}

} // namespace ds
