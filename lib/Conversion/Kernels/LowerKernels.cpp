//===- LowerKernels.cpp - Kernels become loops ------------------*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Lowers to upstream's loops, and unrolls those of a window (LoopOrder.cpp). LLVM vectorises a loop
// of few iterations only with a hint; convolutional networks end in rows of 7 or 14 elements, so
// the loop around a window gets the hint, with a mask for the rest.
//
//===----------------------------------------------------------------------===//
#include "Utils/LoopOrder.h"
#include "ds/Conversion/Passes.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Linalg/Transforms/Transforms.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/SCF/Utils/Utils.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"

namespace ds {
#define GEN_PASS_DEF_LOWERKERNELSPASS
#include "ds/Conversion/Passes.h.inc"
} // namespace ds

using namespace mlir;

namespace {

constexpr llvm::StringLiteral loopAnnotation = "llvm.loop_annotation";

/// Marks `loop` as worth vectorising for LLVM, however few its iterations are.
void vectorize(scf::ForOp loop) {
  MLIRContext *context = loop.getContext();
  auto no = BoolAttr::get(context, false), yes = BoolAttr::get(context, true);
  auto hint = LLVM::LoopVectorizeAttr::get(context, /*disable=*/no, /*predicateEnable=*/yes,
                                           /*scalableEnable=*/{}, /*width=*/{},
                                           /*followupVectorized=*/{}, /*followupEpilogue=*/{},
                                           /*followupAll=*/{});
  loop->setAttr(loopAnnotation, LLVM::LoopAnnotationAttr::get(context, {}, hint, {}, {}, {}, {}, {},
                                                              {}, {}, {}, {}, {}, {}, {}, {}));
}

struct LowerKernels final : ds::impl::LowerKernelsPassBase<LowerKernels> {
  void runOnOperation() override {
    SmallVector<linalg::LinalgOp> ops;
    getOperation().walk([&](linalg::LinalgOp op) { ops.push_back(op); });
    for (linalg::LinalgOp op : ops)
      if (failed(lower(op)))
        return signalPassFailure();
    // Folds the indices of unrolled loops.
    if (failed(applyPatternsGreedily(getOperation(), RewritePatternSet(&getContext()))))
      return signalPassFailure();
  }

  LogicalResult lower(linalg::LinalgOp op) {
    if (!op.hasPureBufferSemantics())
      return op.emitOpError() << "cannot become loops: it still works on tensors";
    SmallVector<int64_t> sizes = op.getStaticLoopRanges();
    auto attribute = op->getAttrOfType<IntegerAttr>(ds::windowLoopsAttr);
    size_t count = attribute ? attribute.getInt() : 0;
    if (count > sizes.size() ||
        llvm::is_contained(ArrayRef(sizes).take_back(count), ShapedType::kDynamic))
      return op.emitOpError() << "has " << count << " loops to write out, expected at most "
                              << sizes.size() << ", each with a constant number of iterations";
    IRRewriter rewriter(op);
    auto loops = linalg::linalgOpToLoops(rewriter, op);
    if (failed(loops))
      return failure();
    rewriter.eraseOp(op);
    for (Operation *loop : llvm::reverse(ArrayRef(*loops).take_back(count)))
      if (failed(loopUnrollFull(cast<scf::ForOp>(loop))))
        return failure();
    if (attribute && sizes.size() > count && sizes[sizes.size() - count - 1] < maxHinted)
      vectorize(cast<scf::ForOp>((*loops)[sizes.size() - count - 1]));
    return success();
  }

  /// From this many iterations on LLVM decides without a hint (TinyTripCountVectorThreshold).
  static constexpr int64_t maxHinted = 16;
};

} // namespace
