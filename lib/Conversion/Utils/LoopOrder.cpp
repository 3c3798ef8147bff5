//===- LoopOrder.cpp - Which loop of a kernel runs innermost ----*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Each loop is scored by the operands, weighted by their size (outputs twice), that it walks
// without gaps or not at all; short loops are penalised, since they leave vector lanes empty. The
// best loop becomes innermost, the others keep their order. Reductions that read their index
// (argmax) keep the relative order of their reduction loops, so that the first maximum wins.
//
// Inside the best loop run the few iterations of a window, which ds-lower-kernels unrolls: sums and
// maxima stay in registers, and the elements of a window are loaded together.
//
//===----------------------------------------------------------------------===//
#include "LoopOrder.h"

#include "mlir/Dialect/Utils/IndexingUtils.h"
#include "llvm/ADT/STLExtras.h"

using namespace mlir;

/// Returns the stride in elements by which `map`'s access moves when loop `d` advances.
static int64_t strideOf(AffineMap map, unsigned d, ArrayRef<int64_t> strides) {
  SmallVector<int64_t> zero(map.getNumDims(), 0), one(map.getNumDims(), 0);
  one[d] = 1;
  SmallVector<int64_t> from = map.compose(zero), to = map.compose(one);
  int64_t stride = 0;
  for (unsigned i = 0; i < from.size(); ++i)
    stride += (to[i] - from[i]) * strides[i];
  return stride;
}

namespace {
/// How the loops of an operation walk one of its operands.
struct Access {
  double weight;                // number of elements, twice that for an output
  SmallVector<int64_t> strides; // per loop, in elements
};
} // namespace

static SmallVector<Access> accessesOf(linalg::GenericOp op) {
  SmallVector<Access> accesses;
  for (OpOperand &operand : op->getOpOperands()) {
    auto type = dyn_cast<ShapedType>(operand.get().getType());
    if (!type || !type.hasStaticShape())
      continue;
    SmallVector<int64_t> strides = computeSuffixProduct(type.getShape());
    int64_t offset;
    if (auto memref = dyn_cast<MemRefType>(type);
        memref && failed(memref.getStridesAndOffset(strides, offset)))
      continue;
    Access access{type.getNumElements() * (op.isDpsInit(&operand) ? 2.0 : 1.0), {}};
    AffineMap map = op.getMatchingIndexingMap(&operand);
    for (unsigned d = 0; d < op.getNumLoops(); ++d)
      access.strides.push_back(strideOf(map, d, strides));
    accesses.push_back(std::move(access));
  }
  return accesses;
}

/// Returns the loops to unroll inside the parallel loop `best`: all reductions, so that each
/// element is added in the order of the loops, and loops between whose iterations an operand has no
/// gap.
static SmallVector<unsigned> windowIn(linalg::GenericOp op, unsigned best,
                                      ArrayRef<Access> accesses) {
  constexpr int64_t maxIterations = 9; // 3 x 3, the largest window that is common
  SmallVector<int64_t> sizes = op.getStaticLoopRanges();
  auto kinds = op.getIteratorTypesArray();
  SmallVector<unsigned> reductions, window;
  int64_t iterations = 1;
  for (unsigned d = 0; d < sizes.size(); ++d)
    if (kinds[d] == utils::IteratorType::reduction) {
      reductions.push_back(d);
      iterations *= sizes[d];
    }
  if (iterations > maxIterations) {
    reductions.clear();
    iterations = 1;
  }
  for (unsigned d = 0; d < sizes.size(); ++d)
    if (d != best && kinds[d] == utils::IteratorType::parallel &&
        iterations * sizes[d] <= maxIterations &&
        llvm::any_of(accesses, [&](const Access &access) { return access.strides[d] == 1; })) {
      window.push_back(d);
      iterations *= sizes[d];
    }
  llvm::append_range(window, reductions);
  return window;
}

/// True if no access leaves a gap between two iterations of the parallel loop `d`, with the loops
/// inside it unrolled.
static bool isFilled(linalg::GenericOp op, unsigned d, ArrayRef<Access> accesses) {
  SmallVector<int64_t> sizes = op.getStaticLoopRanges();
  SmallVector<unsigned> window = windowIn(op, d, accesses);
  return llvm::all_of(accesses, [&](const Access &access) {
    int64_t stride = access.strides[d];
    return stride == 0 || stride == 1 || llvm::any_of(window, [&](unsigned inner) {
             return access.strides[inner] == 1 && sizes[inner] == stride;
           });
  });
}

/// True if one value is read at several places in each iteration.
static bool readsWindows(linalg::GenericOp op) {
  llvm::SmallDenseMap<Value, AffineMap> maps;
  return llvm::any_of(op.getDpsInputOperands(), [&](OpOperand *input) {
    AffineMap map = op.getMatchingIndexingMap(input);
    return maps.try_emplace(input->get(), map).first->second != map;
  });
}

ds::LoopOrder ds::chooseLoopOrder(linalg::GenericOp op) {
  unsigned numLoops = op.getNumLoops();
  SmallVector<double> scores(numLoops, 0.0);
  SmallVector<int64_t> sizes = op.getStaticLoopRanges();
  auto kinds = op.getIteratorTypesArray();
  SmallVector<Access> accesses = accessesOf(op);
  for (unsigned d = 0; d < numLoops; ++d) {
    bool filled = kinds[d] == utils::IteratorType::parallel && isFilled(op, d, accesses);
    for (const Access &access : accesses) {
      if (access.strides[d] == 0)
        scores[d] += 0.5 * access.weight;
      else if (filled || access.strides[d] == 1)
        scores[d] += access.weight;
    }
  }
  unsigned best = numLoops;
  for (unsigned d = 0; d < numLoops; ++d) {
    if (sizes[d] < 8)
      scores[d] *= sizes[d] / 16.0;
    // On a tie the later loop is kept, which is how the program was written.
    if (best == numLoops || scores[d] >= scores[best])
      best = d;
  }
  // A parallel innermost loop stays inside the reductions that are not unrolled; an innermost
  // reduction is the last of the reductions.
  bool reduces = best < numLoops && kinds[best] == utils::IteratorType::reduction;
  SmallVector<unsigned> window = reduces ? SmallVector<unsigned>() : windowIn(op, best, accesses);
  bool keepReductions = reduces && op.hasIndexSemantics() && op.getNumReductionLoops() > 1;
  SmallVector<unsigned> order;
  for (utils::IteratorType kind : {utils::IteratorType::parallel, utils::IteratorType::reduction})
    for (unsigned d = 0; d < numLoops; ++d)
      if (kinds[d] == kind && !llvm::is_contained(window, d) && (d != best || keepReductions))
        order.push_back(d);
  if (best < numLoops && !llvm::is_contained(order, best))
    order.push_back(best);
  llvm::append_range(order, window);
  return {order, static_cast<unsigned>(window.size()), readsWindows(op)};
}
