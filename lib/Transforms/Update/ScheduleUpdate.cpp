//===- ScheduleUpdate.cpp - When ranks exchange updates -------------------===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The only pass that reads the keys `update` and `gradient_compression`. A mode rewrites the step
// of one rank and marks its reductions by annotations, so the plan of `local`, its reference on one
// device and the exact check handle every mode without knowing it. For `asynchronous` there is no
// such step: this pass only writes the annotations, and ds-run cuts the step at them.
//
//===----------------------------------------------------------------------===//
#include "ds/Transforms/Passes.h"

#include "UpdateModes.h"
#include "Utils/StepPlan.h"

#include "ds/Detection/Detection.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

namespace ds {
#define GEN_PASS_DEF_SCHEDULEUPDATEPASS
#include "ds/Transforms/Passes.h.inc"
} // namespace ds

using namespace mlir;

namespace ds {
namespace {

/// Marks a step that already follows its mode.
constexpr StringLiteral scheduled = "ds.update_scheduled";

struct ScheduleUpdate final : impl::ScheduleUpdatePassBase<ScheduleUpdate> {
  using ScheduleUpdatePassBase::ScheduleUpdatePassBase;

  void runOnOperation() override {
    FailureOr<Config> config = getConfig(getOperation());
    if (failed(config))
      return signalPassFailure();
    UpdateMode mode = config->updateMode();
    bool isAverage = mode.kind == UpdateMode::Kind::AverageParameters;
    bool isDelayed = mode.kind == UpdateMode::Kind::Delayed;
    auto compression = llvm::cantFail(parseGradientCompression(
        std::get<std::string>(*llvm::cantFail(config->get("gradient_compression")))));
    bool compresses = compression.errorFeedback ||
                      compression.kind == GradientCompression::Kind::PowerSgd ||
                      compression.kind == GradientCompression::Kind::TopK;
    bool isAsynchronous = mode.kind == UpdateMode::Kind::Asynchronous;
    if (!isAverage && !isDelayed && !isAsynchronous && !compresses)
      return;
    FailureOr<func::FuncOp> step = getCheckedStep(getOperation(), entry);
    if (failed(step))
      return signalPassFailure();
    if ((*step)->hasAttr(scheduled))
      return;
    // A replicated addend of a sum over ranks counts once, but each rank that updates alone counts
    // it.
    if (isAverage || isAsynchronous)
      llvm::cantFail(config->set("gradients_mean", true));
    if (failed(markLocalStep(*step, *config)) ||
        (isAverage && failed(averageParameters(*step, *config))) ||
        (compresses && failed(compressGradients(*step, *config))) ||
        (isDelayed && failed(delayGradients(*step, mode))))
      return signalPassFailure();
    (*step)->setAttr(scheduled, UnitAttr::get(step->getContext()));
  }
};

} // namespace
} // namespace ds
