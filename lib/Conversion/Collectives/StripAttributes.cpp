//===- StripAttributes.cpp - A module without attributes of ds --*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "ds/Conversion/Collectives/Passes.h"
#include "ds/Dialect/IR/Ds.h"

#include "mlir/Interfaces/FunctionInterfaces.h"

namespace ds {
#define GEN_PASS_DEF_STRIPATTRIBUTESPASS
#include "ds/Conversion/Collectives/Passes.h.inc"
} // namespace ds

using namespace mlir;

static bool isOfDs(NamedAttribute attribute) {
  return attribute.getName().getValue().starts_with("ds.");
}

static void stripArguments(FunctionOpInterface function) {
  for (unsigned i = 0; i < function.getNumArguments(); ++i)
    for (NamedAttribute attribute : llvm::to_vector(function.getArgAttrs(i)))
      if (isOfDs(attribute))
        function.removeArgAttr(i, attribute.getName());
  for (unsigned i = 0; i < function.getNumResults(); ++i)
    for (NamedAttribute attribute : llvm::to_vector(function.getResultAttrs(i)))
      if (isOfDs(attribute))
        function.removeResultAttr(i, attribute.getName());
}

namespace {
struct StripAttributes final : ds::impl::StripAttributesPassBase<StripAttributes> {
  void runOnOperation() override {
    WalkResult walked = getOperation()->walk([](Operation *op) {
      if (isa_and_present<ds::DsDialect>(op->getDialect())) {
        op->emitOpError("is left; expected a program without operations of ds, as "
                        "--convert-ds-to-calls makes it");
        return WalkResult::interrupt();
      }
      return WalkResult::advance();
    });
    if (walked.wasInterrupted())
      return signalPassFailure();
    getOperation()->walk([](Operation *op) {
      for (NamedAttribute attribute : llvm::to_vector(op->getDiscardableAttrs()))
        if (isOfDs(attribute))
          op->removeDiscardableAttr(attribute.getName());
      if (auto function = dyn_cast<FunctionOpInterface>(op))
        stripArguments(function);
    });
  }
};
} // namespace
