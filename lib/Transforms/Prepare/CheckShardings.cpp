//===- CheckShardings.cpp - Check the axes that shardings name ------------===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "CheckShardings.h"

#include "ds/Analysis/StepRoles.h"
#include "ds/Dialect/IR/Roles.h"

#include "llvm/ADT/StringExtras.h"

using namespace mlir;

namespace ds {
namespace {

class Checker {
public:
  using EmitError = llvm::function_ref<InFlightDiagnostic()>;

  explicit Checker(func::FuncOp step) : mesh(getMesh(step)) {
    std::string batchAxis = getBatchAxis(step);
    if (mesh.empty())
      mesh.push_back({batchAxis, getGroupSize(step, Attribute()).value_or(1)});
  }

  LogicalResult checkAxes(ShardingAttr sharding, const Twine &of, EmitError emitError) const {
    for (ArrayAttr axes : sharding.getDims())
      for (auto axis : axes.getAsRange<StringAttr>())
        if (!sizeOf(axis))
          return unknown(axis.getValue(), of, emitError);
    return success();
  }

  LogicalResult check(ShardingAttr sharding, Type type, const Twine &of,
                      EmitError emitError) const {
    if (failed(checkAxes(sharding, of, emitError)))
      return failure();
    auto shape = cast<ShapedType>(type).getShape();
    for (auto [dim, axes] : llvm::enumerate(sharding.getDims())) {
      int64_t parts = 1;
      for (auto axis : axes.getAsRange<StringAttr>())
        parts *= *sizeOf(axis);
      if (shape[dim] % parts != 0)
        return emitError() << "'ds.sharding' shards dimension " << dim << " of " << of.str()
                           << ", whose " << shape[dim] << " elements " << parts << " ranks of "
                           << axes << " cannot divide";
    }
    return success();
  }

  bool divides(ArrayAttr axes) const {
    return llvm::any_of(axes.getAsRange<StringAttr>(),
                        [&](StringAttr axis) { return axis.getValue() == mesh.front().name; });
  }
  StringRef batchAxis() const { return mesh.front().name; }

private:
  std::optional<int64_t> sizeOf(StringAttr name) const {
    for (const MeshAxis &axis : mesh)
      if (axis.name == name.getValue())
        return axis.size;
    return std::nullopt;
  }

  LogicalResult unknown(StringRef axis, const Twine &of, EmitError emitError) const {
    SmallVector<StringRef> names;
    for (const MeshAxis &known : mesh)
      names.push_back(known.name);
    InFlightDiagnostic diag = emitError();
    diag << "'ds.sharding' of " << of.str() << " names axis '" << axis << "', ";
    if (std::optional<StringRef> near = nearest(axis, names))
      return diag << "did you mean '" << *near << "'?";
    return diag << "but the mesh has " << llvm::join(names, ", ");
  }

  std::vector<MeshAxis> mesh;
};

std::string nameOf(func::FuncOp step, unsigned argument) {
  StringRef name = argumentName(step, argument);
  return name.empty() ? "argument #" + std::to_string(argument) : "'" + name.str() + "'";
}

/// Checks that the first axis shards a batch argument along its samples, and along no other
/// dimension.
LogicalResult checkSamples(func::FuncOp step, unsigned argument, ShardingAttr sharding,
                           const Checker &checker) {
  auto samples = step.getArgAttrOfType<IntegerAttr>(argument, role::batch);
  if (!samples)
    return success();
  FailureOr<Config> config = getConfig(step->getParentOfType<ModuleOp>());
  if (failed(config))
    return failure();
  if (config->fullBatch() &&
      llvm::any_of(sharding.getDims(), [](ArrayAttr axes) { return !axes.empty(); }))
    return step.emitError("'ds.sharding' shards ")
           << nameOf(step, argument)
           << ", but with 'full_batch = true' every rank holds all of it; leave out one of them";
  bool isLocal = config->batch() == BatchSemantics::Local;
  for (auto [dim, axes] : llvm::enumerate(sharding.getDims())) {
    if (isLocal && samples.getInt() == static_cast<int64_t>(dim) &&
        llvm::any_of(axes.getAsRange<StringAttr>(),
                     [&](StringAttr axis) { return axis.getValue() != checker.batchAxis(); }))
      return step.emitError("'ds.sharding' of ")
             << nameOf(step, argument) << " shards samples over " << axes
             << ", but with batch = local each rank along '" << checker.batchAxis()
             << "' has samples of its own; set batch = global";
    if (checker.divides(axes) && samples.getInt() != static_cast<int64_t>(dim))
      return step.emitError("'ds.sharding' of ")
             << nameOf(step, argument) << " shards dimension " << dim << " over '"
             << checker.batchAxis() << "', which shards samples, and these lie along dimension "
             << samples.getInt();
  }
  return success();
}

} // namespace

LogicalResult checkAxes(func::FuncOp step, unsigned argument) {
  auto sharding = step.getArgAttrOfType<ShardingAttr>(argument, role::sharding);
  return sharding ? Checker(step).checkAxes(sharding, nameOf(step, argument),
                                            [&] { return step.emitError(); })
                  : success();
}

LogicalResult takeMarksOfResults(func::FuncOp step) {
  for (const StepResult &result : getStepResults(step)) {
    auto mark = step.getResultAttrOfType<ShardingAttr>(result.index, role::sharding);
    BlockArgument updated = result.parameter ? result.parameter : result.state;
    if (!mark || !updated)
      continue;
    unsigned number = updated.getArgNumber();
    auto taken = step.getArgAttrOfType<ShardingAttr>(number, role::sharding);
    if (taken && taken != mark)
      return step.emitError("result ")
             << result.index << " is sharded as " << mark << ", but '" << result.updates
             << "', which it updates, as " << taken
             << "; the next step takes what this one returns, so expected the same";
    step.setArgAttr(number, role::sharding, mark);
    step.removeResultAttr(result.index, StringAttr::get(step.getContext(), role::sharding));
  }
  return success();
}

LogicalResult checkShardings(func::FuncOp step) {
  Checker checker(step);
  for (BlockArgument argument : step.getArguments()) {
    unsigned number = argument.getArgNumber();
    auto sharding = step.getArgAttrOfType<ShardingAttr>(number, role::sharding);
    if (sharding && (failed(checker.check(sharding, argument.getType(), nameOf(step, number),
                                          [&] { return step.emitError(); })) ||
                     failed(checkSamples(step, number, sharding, checker))))
      return failure();
  }
  return failure(step.walk([&](ShardingConstraintOp mark) {
                       return failed(checker.check(mark.getSharding(), mark.getType(), "this value",
                                                   [&] { return mark.emitError(); }))
                                  ? WalkResult::interrupt()
                                  : WalkResult::advance();
                     })
                     .wasInterrupted());
}

} // namespace ds
