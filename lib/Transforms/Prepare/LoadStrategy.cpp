//===- LoadStrategy.cpp - Shardings of arguments from a file --------------===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The file shards a step that must not be edited, and stores a plan beside it.
//
//===----------------------------------------------------------------------===//
#include "ds/Transforms/Passes.h"

#include "ds/Analysis/StepRoles.h"
#include "ds/Dialect/IR/Ds.h"
#include "ds/Dialect/IR/Roles.h"
#include "ds/Support/Seal.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/BuiltinOps.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/Path.h"

namespace ds {
#define GEN_PASS_DEF_LOADSTRATEGYPASS
#include "ds/Transforms/Passes.h.inc"
} // namespace ds

using namespace mlir;

namespace ds {
namespace {

/// Reads the axes of each dimension; null if `data` does not have that form.
ShardingAttr readSharding(MLIRContext *ctx, const llvm::json::Value &data) {
  SmallVector<ArrayAttr> dims;
  llvm::StringSet<> seen;
  const llvm::json::Array *list = data.getAsArray();
  for (const llvm::json::Value &dim : list ? *list : llvm::json::Array()) {
    SmallVector<Attribute> axes;
    const llvm::json::Array *names = dim.getAsArray();
    for (const llvm::json::Value &name : names ? *names : llvm::json::Array()) {
      if (!name.getAsString() || !seen.insert(*name.getAsString()).second)
        return {};
      axes.push_back(StringAttr::get(ctx, *name.getAsString()));
    }
    if (!names)
      return {};
    dims.push_back(ArrayAttr::get(ctx, axes));
  }
  return list ? ShardingAttr::get(ctx, dims) : ShardingAttr();
}

class StrategyReader {
public:
  StrategyReader(func::FuncOp step, StringRef path) : step(step), path(path) {
    for (unsigned i = 0; i < step.getNumArguments(); ++i)
      if (StringRef name = argumentName(step, i); !name.empty())
        arguments[name] = i;
  }

  LogicalResult read() {
    llvm::Expected<llvm::json::Object> strategy =
        readSealedJson(path, "strategy", {"ds_strategy", "mesh", "arguments"});
    if (!strategy)
      return error(llvm::toString(strategy.takeError()));
    if (failed(checkMesh(*strategy)))
      return failure();
    const llvm::json::Object *shardings = strategy->getObject("arguments");
    if (!shardings)
      return error("has no \"arguments\"; expected an object of a list per argument");
    SmallVector<StringRef> names;
    for (const auto &entry : *shardings)
      names.push_back(entry.first);
    llvm::sort(names);
    for (StringRef name : names)
      if (failed(mark(name, *shardings->get(name))))
        return failure();
    return success();
  }

private:
  LogicalResult error(const Twine &what) {
    return step.emitError("strategy file '") << path << "' " << what.str();
  }

  LogicalResult checkMesh(const llvm::json::Object &strategy) {
    std::optional<StringRef> written = strategy.getString("mesh");
    std::string mesh = toText(getMesh(step));
    if (written && *written != mesh)
      return mesh.empty()
                 ? error("is for the mesh '" + *written + "', but there is none; mesh=[" +
                         *written + "] forms it")
                 : error("is for the mesh '" + *written + "', but this one is '" + mesh + "'");
    return success();
  }

  LogicalResult mark(StringRef name, const llvm::json::Value &data) {
    auto found = arguments.find(name);
    if (found == arguments.end()) {
      SmallVector<StringRef> known(arguments.keys());
      std::optional<StringRef> near = nearest(name, known);
      return error("names '" + name + "', which is no argument of the step" +
                   (near ? ", did you mean '" + *near + "'?" : ""));
    }
    if (llvm::none_of(ArrayRef<StringRef>{role::param, role::state, role::batch},
                      [&](StringRef is) { return step.getArgAttr(found->second, is) != nullptr; }))
      return error("names '" + name + "', which is neither a parameter nor a state nor samples");
    ShardingAttr sharding = readSharding(step.getContext(), data);
    auto type = dyn_cast<ShapedType>(step.getArgumentTypes()[found->second]);
    int64_t rank = type ? type.getRank() : 0;
    if (!sharding || static_cast<int64_t>(sharding.getDims().size()) != rank)
      return error("gives '" + name + "' no sharding: expected " + Twine(rank) +
                   " lists of distinct axes, one per dimension");
    step.setArgAttr(found->second, role::sharding, sharding);
    return success();
  }

  func::FuncOp step;
  StringRef path;
  llvm::StringMap<unsigned> arguments;
};

struct LoadStrategy final : impl::LoadStrategyPassBase<LoadStrategy> {
  using LoadStrategyPassBase::LoadStrategyPassBase;

  void runOnOperation() override {
    FailureOr<Config> config = getConfig(getOperation());
    if (failed(config))
      return signalPassFailure();
    if (failed(checkSaveFile(config->strategySaveFile())))
      return signalPassFailure();
    std::string path = config->strategyFile();
    if (path.empty() || config->parallelMode() == ParallelMode::StandAlone)
      return;
    func::FuncOp step = getStep(getOperation(), entry);
    if (!step || failed(StrategyReader(step, path).read()))
      signalPassFailure();
  }

private:
  /// Checks that the file can be written before a search that takes long.
  LogicalResult checkSaveFile(StringRef path) {
    StringRef folder = llvm::sys::path::parent_path(path);
    if (std::error_code why = path.empty()
                                  ? std::error_code()
                                  : llvm::sys::fs::access(folder.empty() ? "." : folder,
                                                          llvm::sys::fs::AccessMode::Write))
      return getOperation().emitError("strategy file '")
             << path << "' cannot be written: " << why.message();
    return success();
  }
};

} // namespace
} // namespace ds
