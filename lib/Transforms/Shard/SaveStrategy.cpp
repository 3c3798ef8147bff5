//===- SaveStrategy.cpp - Write how arguments are sharded -----------------===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The file that LoadStrategy.cpp reads. It is written atomically: all processes of a run write the
// same text, each to its own temporary file, which is then renamed.
//
//===----------------------------------------------------------------------===//
#include "ds/Transforms/Passes.h"

#include "ds/Analysis/StepRoles.h"
#include "ds/Dialect/IR/Ds.h"
#include "ds/Dialect/IR/Roles.h"
#include "ds/Support/Seal.h"

#include "llvm/Support/JSON.h"

namespace ds {
#define GEN_PASS_DEF_SAVESTRATEGYPASS
#include "ds/Transforms/Passes.h.inc"
} // namespace ds

using namespace mlir;
namespace json = llvm::json;

namespace ds {
namespace {

json::Array toJson(ShardingAttr sharding) {
  json::Array dims;
  for (ArrayAttr axes : sharding.getDims()) {
    json::Array names;
    for (auto axis : axes.getAsRange<StringAttr>())
      names.push_back(axis.getValue());
    dims.push_back(std::move(names));
  }
  return dims;
}

json::Object describe(func::FuncOp step) {
  json::Object arguments;
  for (unsigned i = 0; i < step.getNumArguments(); ++i) {
    StringRef name = argumentName(step, i);
    if (auto sharding = step.getArgAttrOfType<ShardingAttr>(i, role::sharding);
        sharding && !name.empty())
      arguments[name] = toJson(sharding);
  }
  return json::Object{
      {"ds_strategy", 1}, {"mesh", toText(getMesh(step))}, {"arguments", std::move(arguments)}};
}

struct SaveStrategy final : impl::SaveStrategyPassBase<SaveStrategy> {
  using SaveStrategyPassBase::SaveStrategyPassBase;

  void runOnOperation() override {
    FailureOr<Config> config = getConfig(getOperation());
    if (failed(config))
      return signalPassFailure();
    std::string path = config->strategySaveFile();
    if (path.empty() || config->parallelMode() == ParallelMode::StandAlone)
      return;
    func::FuncOp step = getStep(getOperation(), entry);
    if (!step)
      return signalPassFailure();
    if (llvm::Error error = writeSealedJson(path, describe(step))) {
      step.emitError() << llvm::toString(std::move(error));
      signalPassFailure();
    }
  }
};

} // namespace
} // namespace ds
