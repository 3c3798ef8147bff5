//===- ScheduleUpdate.cpp - When ranks exchange what they train -----------===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The one place that decides by the keys `update` and `gradient_compression`. A mode rewrites what
// one rank does, and says by marks where ranks meet; so the plan of `local`, its reference on one
// device and the exact check know every mode without a word about it. Of `asynchronous` there is no
// such step: here are its marks alone, and ds-run cuts it there.
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

/// Says that a step follows its mode already.
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
    // What ranks add alike to a sum counts once; each rank that updates alone counts it.
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
