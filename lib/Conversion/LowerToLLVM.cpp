//===- LowerToLLVM.cpp - Kernels and drivers to the LLVM dialect -*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Transcendental functions become polynomials on scalars before there are loops: LLVM then
// vectorises them with everything else, while a call of libm would keep the loop scalar. bf16 and
// f16 arithmetic is done in f32.
//
//===----------------------------------------------------------------------===//
#include "ds/Conversion/Passes.h"

#include "mlir/Conversion/Passes.h"
#include "mlir/Dialect/Arith/Transforms/Passes.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/Passes.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Math/Transforms/Passes.h"
#include "mlir/Dialect/MemRef/Transforms/Passes.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"
#include "mlir/Transforms/Passes.h"

namespace ds {
#define GEN_PASS_DEF_APPROXIMATEMATHPASS
#include "ds/Conversion/Passes.h.inc"
} // namespace ds

using namespace mlir;

namespace {

struct ApproximateMath final : ds::impl::ApproximateMathPassBase<ApproximateMath> {
  void runOnOperation() override {
    auto approximated = [](StringRef name) {
      return llvm::is_contained({math::TanhOp::getOperationName(), math::ErfOp::getOperationName(),
                                 math::ExpOp::getOperationName(), math::LogOp::getOperationName(),
                                 math::Log1pOp::getOperationName(),
                                 math::ExpM1Op::getOperationName(), math::SinOp::getOperationName(),
                                 math::CosOp::getOperationName()},
                                name);
    };
    RewritePatternSet patterns(&getContext());
    populateMathF32ExpansionPatterns(patterns, [](StringRef) { return true; });
    populateMathPolynomialApproximationPatterns(patterns, approximated);
    if (failed(applyPatternsGreedily(getOperation(), std::move(patterns))))
      signalPassFailure();
  }
};

} // namespace

void ds::buildKernelsToLLVMPipeline(OpPassManager &pm) {
  OpPassManager &func = pm.nest<func::FuncOp>();
  func.addPass(createApproximateMathPass());
  func.addPass(createConvertLinalgToLoopsPass());
  arith::ArithEmulateUnsupportedFloatsOptions floats;
  floats.sourceTypeStrs = {"bf16", "f16"};
  func.addPass(arith::createArithEmulateUnsupportedFloats(floats));
  arith::ArithExpandOpsPassOptions expand;
  expand.includeBf16 = true;
  func.addPass(arith::createArithExpandOpsPass(expand));
  func.addPass(createCanonicalizerPass());
  func.addPass(createCSEPass());
  buildDriverToLLVMPipeline(pm);
}

void ds::buildDriverToLLVMPipeline(OpPassManager &pm) {
  pm.addNestedPass<func::FuncOp>(memref::createExpandStridedMetadataPass());
  pm.addPass(createLowerAffinePass());
  pm.addPass(createSCFToControlFlowPass());
  pm.addPass(createConvertMathToLLVMPass());
  pm.addPass(createConvertMathToLibmPass());
  pm.addPass(createConvertIndexToLLVMPass());
  pm.addPass(createFinalizeMemRefToLLVMConversionPass());
  ConvertFuncToLLVMPassOptions options;
  options.useBarePtrCallConv = true;
  pm.addPass(createConvertFuncToLLVMPass(options));
  pm.addPass(createArithToLLVMConversionPass());
  pm.addPass(createConvertControlFlowToLLVMPass());
  pm.addPass(createReconcileUnrealizedCastsPass());
  pm.addPass(createCanonicalizerPass());
  pm.addPass(createCSEPass());
}
