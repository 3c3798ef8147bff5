//===- Specialize.cpp - Give dynamic dimensions their sizes ---------------===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The arguments of the step get static types, with a cast to the type that their uses expect.
// Upstream's canonicalizations move such casts through structured operations, slices and loops; the
// patterns of RefineTypes.cpp move them through what upstream has no pattern for. A cast that
// reaches the end makes the type of a result static. A value that is still dynamic is refused where
// it is made, because its size is known only when the step runs.
//
//===----------------------------------------------------------------------===//
#include "RefineTypes.h"

#include "ds/Analysis/PlacementAnalysis.h"
#include "ds/Analysis/StepRoles.h"
#include "ds/Dialect/IR/Ds.h"
#include "ds/Dialect/IR/Roles.h"
#include "ds/Dialect/IR/Sizes.h"
#include "ds/Transforms/Passes.h"

#include "mlir/Conversion/TosaToSCF/TosaToSCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Transforms/Passes.h"
#include "llvm/ADT/StringExtras.h"

namespace ds {
#define GEN_PASS_DEF_SPECIALIZEPASS
#include "ds/Transforms/Passes.h.inc"
} // namespace ds

using namespace mlir;
using namespace ds;

namespace {

/// The dimensions of the arguments by their names, and the sizes that are given.
class NamedDimensions {
public:
  NamedDimensions(func::FuncOp step, std::vector<DimensionSize> sizes)
      : step(step), sizes(std::move(sizes)), used(this->sizes.size()) {
    SmallVector<BatchArgument> marked = getBatchArguments(step);
    for (const BatchArgument &batch : marked)
      batchOf[batch.argument.getArgNumber()] = batch.dim;
    leadingIsBatch = marked.empty();
  }

  /// Returns the static type of an argument.
  FailureOr<Type> typeOf(unsigned argument) {
    auto type = dyn_cast<RankedTensorType>(step.getArgumentTypes()[argument]);
    if (!type)
      return step.getArgumentTypes()[argument];
    SmallVector<int64_t> shape(type.getShape());
    for (auto [dim, size] : llvm::enumerate(shape))
      if (failed(decide(argument, dim, size)))
        return failure();
    return Type(type.clone(shape));
  }

  /// Fails if a size is of no dimension.
  LogicalResult checkUnused() {
    for (auto [size, isUsed] : llvm::zip_equal(sizes, used))
      if (!isUsed)
        return step.emitError("'sizes' names '")
               << size.name << "', expected "
               << (known.empty() ? "nothing, since no argument has a dynamic dimension"
                                 : "one of " + llvm::join(known, ", "));
    return success();
  }

private:
  /// True if the dimension counts samples, by 'ds.batch' or, in a step without it, by its place. A
  /// step that was made static has the size that was given there.
  bool isBatch(unsigned argument, unsigned dim, int64_t size) const {
    auto found = batchOf.find(argument);
    if (!leadingIsBatch)
      return found != batchOf.end() && found->second == dim;
    return dim == 0 && (ShapedType::isDynamic(size) || llvm::any_of(sizes, [&](auto &given) {
                          return given.name == "batch" && given.size == size;
                        }));
  }

  std::optional<int64_t> sizeOf(StringRef name) {
    for (auto [i, size] : llvm::enumerate(sizes))
      if (size.name == name) {
        used[i] = true;
        return size.size;
      }
    return std::nullopt;
  }

  LogicalResult decide(unsigned argument, unsigned dim, int64_t &size) {
    const bool isDynamic = ShapedType::isDynamic(size), batch = isBatch(argument, dim, size);
    std::string owner = argumentName(step, argument).str();
    if (owner.empty())
      owner = "arg" + std::to_string(argument);
    const std::string name = owner + "." + std::to_string(dim), shortest = batch ? "batch" : name;
    if (isDynamic && !llvm::is_contained(known, shortest))
      known.push_back(shortest);
    std::optional<int64_t> given = sizeOf(name);
    std::optional<int64_t> ofBatch = batch ? sizeOf("batch") : std::nullopt;
    if (!given)
      given = ofBatch;
    if (!isDynamic && given && *given != size)
      return step.emitError("'sizes' gives ")
             << *given << " for dimension " << dim << " of argument '" << owner << "', which has "
             << size;
    if (!isDynamic)
      return success();
    if (!given)
      return step.emitError("dimension ")
             << dim << " of argument '" << owner << "' is dynamic, expected its size in 'sizes', "
             << "such as sizes=[" << shortest << "=64]";
    size = *given;
    return success();
  }

  func::FuncOp step;
  std::vector<DimensionSize> sizes;
  std::vector<bool> used;
  DenseMap<unsigned, unsigned> batchOf;
  bool leadingIsBatch = false;
  SmallVector<std::string> known;
};

struct Specialize final : ds::impl::SpecializePassBase<Specialize> {
  using SpecializePassBase::SpecializePassBase;

  void runOnOperation() final {
    ModuleOp module = getOperation();
    FailureOr<Config> config = getConfig(module);
    if (failed(config))
      return signalPassFailure();
    if (!sizes.empty())
      if (llvm::Error error = config->setFromText("sizes", StringRef(sizes))) {
        module.emitError(llvm::toString(std::move(error)));
        return signalPassFailure();
      }
    if (!config->isSet("sizes") && !hasDynamicArguments(module))
      return markAllAnalysesPreserved();
    func::FuncOp step = getStep(module, entry);
    if (!step || failed(specialize(step, sizesOf(*config))))
      signalPassFailure();
  }

private:
  static bool hasDynamicArguments(ModuleOp module) {
    return llvm::any_of(module.getOps<func::FuncOp>(), [](func::FuncOp function) {
      return llvm::any_of(function.getArgumentTypes(), isDynamicTensor);
    });
  }

  LogicalResult specialize(func::FuncOp step, std::vector<DimensionSize> given) {
    NamedDimensions dimensions(step, std::move(given));
    SmallVector<Type> types;
    for (unsigned i = 0; i < step.getNumArguments(); ++i) {
      FailureOr<Type> type = dimensions.typeOf(i);
      if (failed(type))
        return failure();
      types.push_back(*type);
    }
    if (failed(dimensions.checkUnused()))
      return failure();
    if (types == SmallVector<Type>(step.getArgumentTypes()))
      return success();
    setArgumentTypes(step, types);
    OpPassManager inlining(ModuleOp::getOperationName());
    inlining.addPass(createInlinerPass());
    inlining.addPass(createSymbolDCEPass());
    inlining.addNestedPass<func::FuncOp>(createTosaToSCFPass()); // loops and branches of tosa
    if (failed(runPipeline(inlining, getOperation())) || failed(refineTypes(step)))
      return failure();
    setResultTypes(step);
    return refuseDynamicValues(step);
  }

  static void setArgumentTypes(func::FuncOp step, ArrayRef<Type> types) {
    auto b = OpBuilder::atBlockBegin(&step.getBody().front());
    for (auto [argument, type] : llvm::zip_equal(step.getArguments(), types)) {
      Type dynamic = argument.getType();
      if (dynamic == type)
        continue;
      argument.setType(type);
      auto cast = tensor::CastOp::create(b, argument.getLoc(), dynamic, argument);
      argument.replaceAllUsesExcept(cast, cast);
    }
    step.setFunctionType(b.getFunctionType(types, step.getResultTypes()));
  }

  static void setResultTypes(func::FuncOp step) {
    Operation *end = step.getBody().front().getTerminator();
    for (OpOperand &operand : end->getOpOperands())
      if (auto cast = operand.get().getDefiningOp<tensor::CastOp>();
          cast && isDynamicTensor(cast.getType()))
        operand.set(cast.getSource());
    step.setFunctionType(FunctionType::get(step.getContext(), step.getArgumentTypes(),
                                           llvm::to_vector(end->getOperandTypes())));
  }

  static LogicalResult refuseDynamicValues(func::FuncOp step) {
    step.walk([](tensor::CastOp cast) {
      if (cast.use_empty())
        cast.erase();
    });
    WalkResult result = step.walk([](Operation *op) {
      auto source = isa<tensor::CastOp>(op) ? op->getOperand(0).getDefiningOp<tensor::CastOp>()
                                            : tensor::CastOp();
      if (source) { // upstream folds both into nothing, unless they contradict one another
        op->emitError("with these 'sizes' a value of ")
            << source.getSource().getType() << " is used as one of " << op->getResult(0).getType()
            << ", expected the same shape";
        return WalkResult::interrupt();
      }
      SmallVector<Type> types(op->getResultTypes());
      llvm::append_range(types, op->getOperandTypes());
      auto dynamic = llvm::find_if(types, isDynamicTensor);
      if (isa<tensor::CastOp>(op) || dynamic == types.end())
        return WalkResult::advance();
      op->emitError("the size of ")
          << *dynamic << " does not follow from those of the arguments, expected '" << op->getName()
          << "' to have static shapes once 'sizes' are known";
      return WalkResult::interrupt();
    });
    return failure(result.wasInterrupted());
  }
};

} // namespace
