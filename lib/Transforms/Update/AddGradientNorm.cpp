//===- AddGradientNorm.cpp - The norm of all gradients as a metric --------===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The norm reads the same values as the update: the results of gradient annotations. So it also
// sees every later rewrite of an annotation: a delay, a compression, a reduction over ranks or
// shards. Cost: a pass over each gradient, and an all-reduce of one number where a gradient is
// sharded.
//
//===----------------------------------------------------------------------===//
#include "ds/Transforms/Passes.h"

#include "Utils/StepPlan.h"

#include "ds/Analysis/Marks.h"
#include "ds/Detection/Detection.h"
#include "ds/Dialect/IR/Roles.h"
#include "ds/Rewrite/EraseMarks.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "llvm/ADT/StringSet.h"

namespace ds {
#define GEN_PASS_DEF_ADDGRADIENTNORMPASS
#include "ds/Transforms/Passes.h.inc"
} // namespace ds

using namespace mlir;

namespace ds {
namespace {

/// Marks a step that already has the metric; and the metric's name.
constexpr StringLiteral added = "ds.gradient_norm", metricName = "gradient_norm";

class Norm {
public:
  explicit Norm(func::FuncOp step) : step(step), b(step.getBody().front().getTerminator()) {}

  LogicalResult add() {
    if (failed(findGradients()))
      return failure();
    Value sum;
    for (GradientOp mark : marks) {
      Value squares = addSquares(mark.getResult());
      sum = sum ? combine({sum, squares},
                          [](OpBuilder &in, Location at, ValueRange x) -> Value {
                            return arith::AddFOp::create(in, at, x[0], x[1]);
                          })
                : squares;
    }
    Value norm = combine(sum, [](OpBuilder &in, Location at, ValueRange x) -> Value {
      return math::SqrtOp::create(in, at, x[0]);
    });
    MLIRContext *ctx = step.getContext();
    auto attrs =
        DictionaryAttr::get(ctx, NamedAttribute(role::metric, StringAttr::get(ctx, metricName)));
    unsigned number = step.getNumResults();
    LogicalResult inserted = step.insertResult(number, norm.getType(), attrs);
    assert(succeeded(inserted) && "a step returns any value");
    (void)inserted;
    step.getBody().front().getTerminator()->insertOperands(number, norm);
    return success();
  }

private:
  LogicalResult findGradients() {
    llvm::StringSet<> names;
    element = b.getF32Type();
    for (GradientOp mark : collectUnits<GradientOp>(step)) {
      if (mark->getParentOp() != step)
        return mark.emitError("gradient_norm cannot read a gradient that is marked inside of "
                              "control flow; mark it where the step has it");
      if (!names.insert(mark.getParam()).second)
        return mark.emitError("gradient_norm: the gradient of '")
               << mark.getParam()
               << "' is marked in parts, of which no norm follows; mark their sum";
      // A value that is the gradient of several parameters counts once.
      if (llvm::any_of(mark->getUsers(), llvm::IsaPred<GradientOp>))
        continue;
      marks.push_back(mark);
      if (getElementTypeOrSelf(mark.getType()).isF64())
        element = b.getF64Type();
    }
    if (marks.empty())
      return step.emitError("gradient_norm: the step has no gradient");
    return success();
  }

  RankedTensorType numberType() { return RankedTensorType::get({}, element); }

  /// Returns the sum of the squares of all elements of a gradient.
  Value addSquares(Value gradient) {
    Location loc = gradient.getLoc();
    auto type = cast<RankedTensorType>(gradient.getType());
    Value zero = arith::ConstantOp::create(
        b, loc, SplatElementsAttr::get(numberType(), Attribute(b.getFloatAttr(element, 0))));
    AffineMap none = AffineMap::get(type.getRank(), 0, b.getContext());
    SmallVector<utils::IteratorType> loops(type.getRank(), utils::IteratorType::reduction);
    auto sum = linalg::GenericOp::create(
        b, loc, numberType(), gradient, zero,
        ArrayRef<AffineMap>{b.getMultiDimIdentityMap(type.getRank()), none}, loops,
        [&](OpBuilder &in, Location at, ValueRange x) {
          Value wide =
              x[0].getType() == element ? x[0] : arith::ExtFOp::create(in, at, element, x[0]);
          Value square = arith::MulFOp::create(in, at, wide, wide);
          linalg::YieldOp::create(in, at, arith::AddFOp::create(in, at, x[1], square).getResult());
        });
    return sum.getResult(0);
  }

  /// Combines tensors of one number each by `body`.
  Value combine(ValueRange numbers,
                llvm::function_ref<Value(OpBuilder &, Location, ValueRange)> body) {
    Location loc = step.getLoc();
    Value empty = tensor::EmptyOp::create(b, loc, ArrayRef<int64_t>{}, element);
    SmallVector<AffineMap> maps(numbers.size() + 1, AffineMap::get(b.getContext()));
    auto generic = linalg::GenericOp::create(
        b, loc, numberType(), numbers, empty, maps, ArrayRef<utils::IteratorType>{},
        [&](OpBuilder &in, Location at, ValueRange x) {
          linalg::YieldOp::create(in, at, body(in, at, x.drop_back()));
        });
    return generic.getResult(0);
  }

  func::FuncOp step;
  OpBuilder b;
  Type element; // f64 if a gradient is
  SmallVector<GradientOp> marks;
};

struct AddGradientNorm final : impl::AddGradientNormPassBase<AddGradientNorm> {
  using AddGradientNormPassBase::AddGradientNormPassBase;

  void runOnOperation() override {
    FailureOr<Config> config = getConfig(getOperation());
    if (failed(config))
      return signalPassFailure();
    if (!config->gradientNorm())
      return;
    FailureOr<func::FuncOp> step = getCheckedStep(getOperation(), entry);
    if (failed(step) || failed(addTo(*step, *config)))
      signalPassFailure();
  }

private:
  LogicalResult addTo(func::FuncOp step, Config config) {
    if (step->hasAttr(added))
      return success();
    if (config.parallelMode() == ParallelMode::HybridParallel)
      return step.emitError("gradient_norm: a step of hybrid_parallel holds shards of parameters "
                            "that ds does not know of; compute the norm in the step");
    for (const StepResult &result : getStepResults(step))
      if (result.metric == metricName)
        return step.emitError("gradient_norm: result #")
               << result.index << " is a metric of that name already; leave the key out";
    bool isAlone = runsAlone(config), isGlobal = config.batch() == BatchSemantics::Global;
    bool hadMarks = hasMarks(step);
    // With a mean, replicated addends need no mask: only a sum over ranks would count them n times.
    if (isAlone || isGlobal || addsByItself(config.updateMode()))
      llvm::cantFail(config.set("gradients_mean", true));
    if (failed(markLocalStep(step, config)) || failed(Norm(step).add()))
      return failure();
    // The annotations only located the gradients: in `global` the plan places the reductions
    // itself.
    if (isGlobal && !isAlone && !hadMarks)
      eraseMarks(step);
    step->setAttr(added, UnitAttr::get(step.getContext()));
    return success();
  }

  /// True if each rank updates by its own gradients.
  static bool addsByItself(const UpdateMode &mode) {
    return mode.kind == UpdateMode::Kind::AverageParameters ||
           mode.kind == UpdateMode::Kind::Asynchronous;
  }
};

} // namespace
} // namespace ds
