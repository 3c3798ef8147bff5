//===- PrepareStep.cpp - Bring a step to the dialects ds places -----------===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Blocks become branches and loops of scf. Calls are inlined, so a helper is placed anew at each of
// its calls. Upstream's own passes lower tosa, and Decompose.cpp writes some operations by simpler
// ones. scf.forall becomes a nest of scf.for, whose carried values the placement analysis follows.
// Operands that no body reads are dropped, and so are the zeros that dilate the kernel of a
// convolution; constants and duplicates are folded last.
//
//===----------------------------------------------------------------------===//
#include "ds/Transforms/Passes.h"

#include "Decompose.h"
#include "RefuseOperations.h"
#include "RemoveSigns.h"
#include "SkipZeros.h"
#include "Utils/EmptyTensors.h"
#include "Utils/ScalarBodies.h"

#include "mlir/Conversion/ControlFlowToSCF/ControlFlowToSCF.h"
#include "mlir/Conversion/TosaToArith/TosaToArith.h"
#include "mlir/Conversion/TosaToLinalg/TosaToLinalg.h"
#include "mlir/Conversion/TosaToSCF/TosaToSCF.h"
#include "mlir/Conversion/TosaToTensor/TosaToTensor.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Complex/IR/Complex.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Index/IR/IndexDialect.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Linalg/Transforms/Transforms.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Tosa/IR/TosaOps.h"
#include "mlir/Dialect/Tosa/Transforms/Passes.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"
#include "mlir/Transforms/Passes.h"

namespace ds {
#define GEN_PASS_DEF_PREPARESTEPPASS
#include "ds/Transforms/Passes.h.inc"
} // namespace ds

using namespace mlir;

namespace ds {
namespace {

/// Runs the threads one after another: each inserts its part into the result of the one before.
void writeAsLoops(scf::ForallOp forall) {
  OpBuilder b(forall);
  Location loc = forall.getLoc();
  SmallVector<Value> lower = forall.getLowerBound(b), upper = forall.getUpperBound(b),
                     step = forall.getStep(b);
  scf::LoopNest nest = scf::buildLoopNest(
      b, loc, lower, upper, step, forall.getOutputs(),
      [&](OpBuilder &in, Location, ValueRange positions, ValueRange carried) {
        IRMapping map;
        map.map(forall.getInductionVars(), positions);
        map.map(forall.getRegionOutArgs(), carried);
        for (Operation &op : forall.getBody()->without_terminator())
          in.clone(op, map);
        SmallVector<Value> results(carried);
        for (Operation &op : forall.getTerminator().getYieldingOps()) {
          auto insert = cast<tensor::ParallelInsertSliceOp>(op);
          auto dest = cast<BlockArgument>(insert.getDest());
          Value &result = results[dest.getArgNumber() - forall.getRank()];
          auto values = [&](ArrayRef<OpFoldResult> all) {
            return llvm::map_to_vector(all, [&](OpFoldResult each) -> OpFoldResult {
              auto value = dyn_cast<Value>(each);
              return value ? OpFoldResult(map.lookupOrDefault(value)) : each;
            });
          };
          result = tensor::InsertSliceOp::create(
              in, insert.getLoc(), map.lookupOrDefault(insert.getSource()), result,
              values(insert.getMixedOffsets()), values(insert.getMixedSizes()),
              values(insert.getMixedStrides()));
        }
        return scf::ValueVector(results.begin(), results.end());
      });
  forall.replaceAllUsesWith(nest.results);
  forall.erase();
}

struct PrepareStep final : impl::PrepareStepPassBase<PrepareStep> {
  using PrepareStepPassBase::PrepareStepPassBase;

  void runOnOperation() override {
    ModuleOp module = getOperation();
    OpPassManager used(ModuleOp::getOperationName());
    used.addPass(createSymbolDCEPass());
    if (failed(runPipeline(used, module)) || failed(refuseOperations(module)))
      return signalPassFailure();
    OpPassManager first(ModuleOp::getOperationName());
    if (llvm::any_of(module.getOps<func::FuncOp>(), [](func::FuncOp function) {
          return !function.isExternal() && !function.getBody().hasOneBlock();
        }))
      first.addPass(createLiftControlFlowToSCFPass());
    first.addPass(createInlinerPass());
    first.addPass(createSymbolDCEPass());
    bool hasTosa = module
                       .walk([](Operation *op) {
                         return isa_and_nonnull<tosa::TosaDialect>(op->getDialect())
                                    ? WalkResult::interrupt()
                                    : WalkResult::advance();
                       })
                       .wasInterrupted();
    if (hasTosa)
      addTosaLowering(first);
    if (failed(runPipeline(first, module)) || failed(checkCalls(module)))
      return signalPassFailure();
    removeSigns(module);
    if (failed(decompose(module)))
      return signalPassFailure();
    module.walk([](scf::ForallOp forall) {
      if (forall->getNumResults() > 0)
        writeAsLoops(forall);
    });
    if (failed(eraseUnused(module)) || failed(checkParallelLoops(module)))
      return signalPassFailure();
    makeBodiesScalar(module);
    dropEmptyTensors(module);
    skipZeros(module);
    OpPassManager last(ModuleOp::getOperationName());
    last.addPass(createCanonicalizerPass());
    last.addPass(createCSEPass());
    if (failed(runPipeline(last, module)))
      signalPassFailure();
  }

private:
  /// Returns the functions that `function` calls, directly or through others.
  static llvm::SmallPtrSet<Operation *, 8> reachableFrom(Operation *function,
                                                         const SymbolTable &symbols) {
    llvm::SmallPtrSet<Operation *, 8> reached;
    SmallVector<Operation *> open = {function};
    while (!open.empty())
      open.pop_back_val()->walk([&](func::CallOp call) {
        Operation *callee = symbols.lookup(call.getCallee());
        if (callee && reached.insert(callee).second)
          open.push_back(callee);
      });
    return reached;
  }

  /// Allows a call that was not inlined only if the callee has no body, so that another compiler
  /// lowers it, and only outside of kernels: the body of a kernel runs for every element.
  static LogicalResult checkCalls(ModuleOp module) {
    SymbolTable symbols(module);
    WalkResult result = module.walk([&](Operation *op) {
      if (isa<func::ConstantOp, func::CallIndirectOp>(op)) {
        op->emitError("'") << op->getName() << "' calls one of several functions, expected a call "
                           << "of one by its name";
        return WalkResult::interrupt();
      }
      auto call = dyn_cast<func::CallOp>(op);
      if (!call)
        return WalkResult::advance();
      auto callee = symbols.lookup<func::FuncOp>(call.getCallee());
      auto kernel = call->getParentOfType<linalg::LinalgOp>();
      if (!callee ||
          (callee.isExternal() ? !kernel : !reachableFrom(callee, symbols).contains(callee)))
        return WalkResult::advance();
      InFlightDiagnostic error = call.emitError("'") << call.getCallee() << "' cannot be inlined: ";
      if (callee.isExternal())
        error << "it has no body, and '" << kernel->getName() << "' calls it for every element";
      else
        error << "it calls itself";
      return WalkResult::interrupt();
    });
    return failure(result.wasInterrupted());
  }

  /// Drops operands that the body does not read: fusion by upstream leaves some, and they would
  /// make a result look nonlinear.
  static LogicalResult eraseUnused(ModuleOp module) {
    RewritePatternSet patterns(module.getContext());
    linalg::populateEraseUnusedOperandsAndResultsPatterns(patterns);
    return applyPatternsGreedily(module, std::move(patterns));
  }

  /// Iterations of a parallel loop may run in any order and at once, so none may read an element
  /// that another one writes. Upstream's elementwise fusion creates such bodies if a producer reads
  /// its own destination.
  static LogicalResult checkParallelLoops(ModuleOp module) {
    WalkResult result = module.walk([](linalg::GenericOp generic) {
      SmallVector<int64_t> sizes = generic.getStaticLoopRanges();
      for (OpOperand &init : generic.getDpsInitsMutable()) {
        if (generic.getMatchingBlockArgument(&init).use_empty())
          continue;
        AffineMap map = generic.getMatchingIndexingMap(&init);
        for (auto [loop, iterator] : llvm::enumerate(generic.getIteratorTypesArray()))
          if (iterator == utils::IteratorType::parallel && sizes[loop] != 1 &&
              !map.isFunctionOfDim(loop)) {
            generic.emitError("iterations of the parallel loop d")
                << loop << " read and write the same element of result "
                << generic.getTiedOpResult(&init).getResultNumber()
                << "; make the loop a reduction, or the result one element for each";
            return WalkResult::interrupt();
          }
      }
      return WalkResult::advance();
    });
    return failure(result.wasInterrupted());
  }

  static void addTosaLowering(OpPassManager &manager) {
    OpPassManager &function = manager.nest<func::FuncOp>();
    function.addPass(tosa::createTosaInferShapesPass());
    function.addPass(tosa::createTosaMakeBroadcastablePass());
    function.addPass(createTosaToSCFPass());
    function.addPass(tosa::createTosaOptionalDecompositionsPass());
    function.addPass(tosa::createTosaToLinalgNamed());
    function.addPass(createCanonicalizerPass());
    function.addPass(tosa::createTosaToLinalg());
    function.addPass(createTosaToTensorPass());
    TosaToArithPassOptions withScales;
    withScales.includeApplyRescale = true;
    function.addPass(createTosaToArithPass(withScales));
  }
};

} // namespace
} // namespace ds
