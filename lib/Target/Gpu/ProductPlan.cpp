//===- ProductPlan.cpp - Strided contractions by cuBLASLt -------*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Loops are merged and classed as for a CPU. One loop of rows, columns and depth each makes a
// product of matrices, one more a batch; others are loops over calls, which accumulate where depth
// is among them. cuBLASLt counts by columns, so that it computes the transpose: its A is our rhs,
// its B our lhs. Products are in f32, without TF32.
//
//===----------------------------------------------------------------------===//
#include "DevicePlan.h"

#include "../Cpu/Library/ContractionLoops.h"
#include "ds/Support/UserError.h"

#include <array>

using namespace ds;
using namespace ds::gpu;

namespace {

// Numbers of cublasLt.h and library_types.h.
constexpr int real32 = 0, compute32 = 68;
constexpr int transposeA = 3, transposeB = 4;       // of a product
constexpr int batchCount = 5, batchStride = 6;      // of a layout
constexpr int largestWorkspace = 1;                 // of a preference
constexpr size_t workspaceLimit = size_t(32) << 20; // which cuBLAS's best kernels need

struct HeuristicResult {
  uint64_t algorithm[8];
  size_t workspace;
  int state;
  float waves;
  int reserved[4];
};

/// One matrix by columns, as cuBLASLt wants it.
struct Matrix {
  int64_t rows = 1, columns = 1, leading = 1, batch = 0;
  bool transposed = false; // what is multiplied is the transpose of what lies in memory
};

struct Call {
  int64_t lhs = 0, rhs = 0, out = 0; // elements from the operands' addresses on
  bool accumulate = false;
};

class ProductPlan final : public DevicePlan {
public:
  ~ProductPlan() override;
  llvm::Error prepare(const Matrix &a, const Matrix &b, const Matrix &d, int64_t batches);
  std::string implementation() const override {
    return "cublasLt " + std::to_string(calls.size()) +
           (calls.size() == 1 ? " product" : " products");
  }
  size_t workspaceBytes() const override { return workspace; }
  unsigned numCalls() const override { return calls.size(); }
  void run(CudaQueue &queue, DevicePointer lhs, DevicePointer rhs, DevicePointer out,
           DevicePointer memory) const override;

  std::vector<Call> calls;
  bool swapped = false; // rows and columns, and so lhs and rhs, changed places

private:
  const CublasLtApi *api = nullptr;
  void *handle = nullptr, *description = nullptr, *layouts[3] = {};
  uint64_t algorithm[8] = {};
  size_t workspace = 0;
};

llvm::Error failed(const char *function, int status) {
  return userError(llvm::Twine(function) + " fails: cuBLASLt status " + llvm::Twine(status));
}

} // namespace

ProductPlan::~ProductPlan() {
  for (void *layout : layouts)
    if (layout)
      (void)api->cublasLtMatrixLayoutDestroy(layout);
  if (description)
    (void)api->cublasLtMatmulDescDestroy(description);
  if (handle)
    (void)api->cublasLtDestroy(handle);
}

llvm::Error ProductPlan::prepare(const Matrix &a, const Matrix &b, const Matrix &d,
                                 int64_t batches) {
  auto loaded = loadCublasLt();
  if (!loaded)
    return loaded.takeError();
  api = *loaded;
  if (int status = api->cublasLtCreate(&handle))
    return failed("cublasLtCreate", status);
  if (int status = api->cublasLtMatmulDescCreate(&description, compute32, real32))
    return failed("cublasLtMatmulDescCreate", status);
  for (auto [attribute, matrix] : {std::pair(transposeA, &a), std::pair(transposeB, &b)}) {
    int value = matrix->transposed;
    if (int status =
            api->cublasLtMatmulDescSetAttribute(description, attribute, &value, sizeof value))
      return failed("cublasLtMatmulDescSetAttribute", status);
  }
  const Matrix *matrices[] = {&a, &b, &d};
  for (int i = 0; i < 3; ++i) {
    const Matrix &matrix = *matrices[i];
    if (int status = api->cublasLtMatrixLayoutCreate(&layouts[i], real32, matrix.rows,
                                                     matrix.columns, matrix.leading))
      return failed("cublasLtMatrixLayoutCreate", status);
    int count = batches;
    int64_t stride = matrix.batch;
    if (batches == 1)
      continue;
    if (int status =
            api->cublasLtMatrixLayoutSetAttribute(layouts[i], batchCount, &count, sizeof count))
      return failed("cublasLtMatrixLayoutSetAttribute", status);
    if (int status =
            api->cublasLtMatrixLayoutSetAttribute(layouts[i], batchStride, &stride, sizeof stride))
      return failed("cublasLtMatrixLayoutSetAttribute", status);
  }
  void *preference = nullptr;
  if (int status = api->cublasLtMatmulPreferenceCreate(&preference))
    return failed("cublasLtMatmulPreferenceCreate", status);
  int status = api->cublasLtMatmulPreferenceSetAttribute(preference, largestWorkspace,
                                                         &workspaceLimit, sizeof workspaceLimit);
  HeuristicResult result = {};
  int found = 0;
  if (status == 0)
    status =
        api->cublasLtMatmulAlgoGetHeuristic(handle, description, layouts[0], layouts[1], layouts[2],
                                            layouts[2], preference, 1, &result, &found);
  (void)api->cublasLtMatmulPreferenceDestroy(preference);
  if (status != 0 || found == 0)
    return failed("cublasLtMatmulAlgoGetHeuristic", status);
  std::copy(std::begin(result.algorithm), std::end(result.algorithm), algorithm);
  workspace = result.workspace;
  return llvm::Error::success();
}

void ProductPlan::run(CudaQueue &queue, DevicePointer lhs, DevicePointer rhs, DevicePointer out,
                      DevicePointer memory) const {
  auto at = [](DevicePointer base, int64_t elements) {
    return reinterpret_cast<float *>(base + elements * sizeof(float));
  };
  for (const Call &call : calls) {
    if (queue.hasFailed())
      return;
    const float one = 1, beta = call.accumulate ? 1 : 0;
    const float *first = at(rhs, call.rhs), *second = at(lhs, call.lhs);
    if (swapped)
      std::swap(first, second);
    float *result = at(out, call.out);
    if (int status =
            api->cublasLtMatmul(handle, description, &one, first, layouts[0], second, layouts[1],
                                &beta, result, layouts[2], result, layouts[2], algorithm,
                                reinterpret_cast<void *>(memory), workspace, queue.stream))
      queue.fail("cublasLtMatmul fails: cuBLASLt status " + llvm::Twine(status));
  }
}

/// The matrix of an operand whose element (row, column) of our product lies at row * rowStride +
/// column * columnStride; none if neither stride is 1. By columns it is the transpose.
static std::optional<Matrix> layOut(int64_t rows, int64_t rowStride, int64_t columns,
                                    int64_t columnStride) {
  Matrix matrix;
  if (columnStride == 1 || columns == 1) {
    matrix.rows = columns;
    matrix.columns = rows;
    matrix.leading = rows == 1 ? columns : rowStride;
  } else if (rowStride == 1 || rows == 1) {
    matrix.rows = rows;
    matrix.columns = columns;
    matrix.leading = columnStride;
    matrix.transposed = true;
  } else {
    return std::nullopt;
  }
  if (matrix.leading < matrix.rows)
    return std::nullopt;
  return matrix;
}

namespace {

/// The loops of one product.
struct Choice {
  Loop m, n, k, batch;
};

/// Takes the loop that moves `operand` by one element, or else the largest one.
Loop take(std::vector<Loop> &loops, int64_t Loop::*operand) {
  if (loops.empty())
    return {};
  auto best = std::max_element(loops.begin(), loops.end(), [&](const Loop &a, const Loop &b) {
    return std::pair((a.*operand) == 1, a.size) < std::pair((b.*operand) == 1, b.size);
  });
  Loop loop = *best;
  loops.erase(best);
  return loop;
}

} // namespace

/// Every combination of rounds of loops that one call does not cover.
static std::vector<Call> listCalls(const std::vector<Loop> &outer,
                                   const StridedContraction &contraction) {
  std::vector<Call> calls = {{contraction.lhsOffset, contraction.rhsOffset, contraction.outOffset,
                              contraction.accumulate}};
  for (const Loop &loop : outer) {
    std::vector<Call> more;
    for (const Call &call : calls)
      for (int64_t i = 0; i < loop.size; ++i)
        more.push_back({call.lhs + i * loop.lhs, call.rhs + i * loop.rhs, call.out + i * loop.out,
                        call.accumulate || (loop.out == 0 && i > 0)});
    calls = std::move(more);
  }
  return calls;
}

llvm::Expected<std::unique_ptr<DevicePlan>>
ds::gpu::planProduct(const StridedContraction &contraction) {
  // Which loop of each class goes into the product decides whether there is a unit stride.
  for (bool swapped : {false, true})
    for (int64_t Loop::*depthBy : {&Loop::rhs, &Loop::lhs})
      for (int64_t Loop::*columnsBy : {&Loop::out, &Loop::rhs})
        for (int64_t Loop::*rowsBy : {&Loop::lhs, &Loop::out}) {
          ClassedLoops loops = classify(contraction);
          Choice chosen;
          chosen.n = take(loops[columns], swapped ? &Loop::rhs : columnsBy);
          chosen.m = take(loops[rows], swapped ? &Loop::out : rowsBy);
          chosen.k = take(loops[depth], depthBy);
          std::vector<Loop> outer;
          for (LoopClass kind : {depth, batch, rows, columns})
            outer.insert(outer.end(), loops[kind].begin(), loops[kind].end());
          auto largest = outer.end();
          for (auto loop = outer.begin(); loop != outer.end(); ++loop)
            if (loop->out != 0 && (largest == outer.end() || loop->size > largest->size))
              largest = loop;
          if (largest != outer.end()) {
            chosen.batch = *largest;
            outer.erase(largest);
          }
          const auto &[m, n, k, batched] = chosen;
          std::optional<Matrix> a, b, d;
          if (swapped) {
            a = layOut(m.size, m.lhs, k.size, k.lhs);
            if (a)
              a->transposed = !a->transposed;
            b = layOut(k.size, k.rhs, n.size, n.rhs);
            if (b)
              b->transposed = !b->transposed;
            d = layOut(n.size, n.out, m.size, m.out);
          } else {
            a = layOut(k.size, k.rhs, n.size, n.rhs);
            b = layOut(m.size, m.lhs, k.size, k.lhs);
            d = layOut(m.size, m.out, n.size, n.out);
          }
          if (!a || !b || !d || d->transposed)
            continue;
          a->batch = swapped ? batched.lhs : batched.rhs;
          b->batch = swapped ? batched.rhs : batched.lhs;
          d->batch = batched.out;
          auto plan = std::make_unique<ProductPlan>();
          plan->swapped = swapped;
          plan->calls = listCalls(outer, contraction);
          if (llvm::Error error = plan->prepare(*a, *b, *d, batched.size))
            return error;
          return plan;
        }
  return userError("a contraction has no unit stride in one of its matrices: cuBLASLt cannot "
                   "compute it");
}
