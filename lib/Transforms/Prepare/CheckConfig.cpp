//===- CheckConfig.cpp - normalise and check ds.config ----------*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ds/Dialect/IR/Ds.h"
#include "ds/Transforms/Passes.h"

namespace ds {
#define GEN_PASS_DEF_CHECKCONFIGPASS
#include "ds/Transforms/Passes.h.inc"
} // namespace ds

using namespace mlir;
using namespace ds;

namespace {

struct CheckConfig final : ds::impl::CheckConfigPassBase<CheckConfig> {
  using CheckConfigPassBase::CheckConfigPassBase;

  void runOnOperation() final {
    ModuleOp module = getOperation();
    FailureOr<Config> read = getConfig(module);
    if (failed(read) || failed(report(read->setFromText(StringRef(config)))) ||
        failed(report(read->validate())) || failed(report(read->checkBuilt())))
      return signalPassFailure();
    if (read->isSet("mesh"))
      llvm::cantFail(read->set("device_num", *read->deviceNum()));
    if (read->isSet("gradients_mean") && read->batch() == BatchSemantics::Global)
      module.emitWarning("'gradients_mean' does not apply to batch = global, where the step "
                         "itself decides what it averages");
    if (module->hasAttr(configAttrName) || !read->written().empty())
      setConfig(module, *read);
  }

private:
  LogicalResult report(llvm::Error error) {
    return error ? getOperation().emitError(llvm::toString(std::move(error))) : success();
  }
};

} // namespace
