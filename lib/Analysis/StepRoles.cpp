//===- StepRoles.cpp - What arguments and results of a step are -----------===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Reads the roles that a step carries as attributes of its arguments and results.
//
//===----------------------------------------------------------------------===//
#include "ds/Analysis/ReductionPlan.h"

using namespace mlir;

namespace ds {

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
  return found;
}

SmallVector<StepResult> getStepResults(func::FuncOp step) {
  SmallVector<StepResult> results;
  for (OpOperand &operand : step.getBody().front().getTerminator()->getOpOperands()) {
    unsigned index = operand.getOperandNumber();
    auto text = [&](StringRef name) {
      auto attr = step.getResultAttrOfType<StringAttr>(index, name);
      return attr ? attr.getValue() : StringRef();
    };
    results.push_back({&operand, index, text("ds.updates"), text("ds.metric"),
                       step.getResultAttr(index, "ds.batch") != nullptr});
  }
  return results;
}

BlockArgument findArgument(func::FuncOp step, StringRef attribute, StringRef name) {
  if (name.empty())
    return {};
  for (BlockArgument argument : step.getArguments()) {
    auto attr = step.getArgAttrOfType<StringAttr>(argument.getArgNumber(), attribute);
    if (attr && attr.getValue() == name)
      return argument;
  }
  return {};
}

} // namespace ds
