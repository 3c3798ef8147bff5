//===- ProductPlan.cpp - Strided contractions by cuBLASLt -------*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Loops are merged and classed as for a CPU. One loop of rows, columns and depth each makes a
// product of matrices, one more a batch by strides, several a batch by an array of addresses; where
// the library has no such arrays, and for depth, the others are loops over calls, which accumulate
// if depth is among them. cuBLASLt counts by columns, so it computes the transpose: its A is our
// rhs, its B our lhs. A product's initial value is a vector that it adds to each column.
//
//===----------------------------------------------------------------------===//
#include "ProductMatrices.h"

#include "ds/Support/UserError.h"

#include "llvm/Support/FormatVariadic.h"

#include <mutex>

using namespace ds;
using namespace ds::gpu;
using namespace ds::gpu::cublaslt;

namespace {

constexpr size_t workspaceLimit = size_t(32) << 20; // which cuBLAS's best kernels need
/// The alignment of addresses that its fastest kernels require.
constexpr uint32_t fullAlignment = 16;

/// No operation on sums before they are stored. The others are bits; together they are the number
/// of an epilogue.
constexpr int plain = 0;
static_assert((addBias | maximumWithZero) == addBiasMaximumWithZero);

int numberOf(ElementType type) {
  return type == ElementType::f16 ? real16 : type == ElementType::bf16 ? brain16 : real32;
}

llvm::Error failed(const char *function, int status) {
  return userError(llvm::Twine(function) + " fails: cuBLASLt status " + llvm::Twine(status));
}

/// One kind of call, with an algorithm for addresses of full alignment and one for any.
struct Kind {
  void *description = nullptr;
  uint64_t algorithms[2][8] = {};
};

class ProductPlan final : public DevicePlan {
public:
  ProductPlan(const StridedContraction &contraction, ProductMatrices matrices, void *handle)
      : contraction(contraction), matrices(std::move(matrices)), handle(handle) {}
  ~ProductPlan() override;
  llvm::Error prepare();
  std::string implementation() const override {
    const size_t calls = matrices.calls.size();
    return "cublasLt " + std::to_string(calls) + (calls == 1 ? " product" : " products");
  }
  size_t workspaceBytes() const override { return workspace; }
  void run(CudaQueue &queue, const CallBuffers &buffers, AddressTables &tables) const override;

private:
  llvm::Error makeLayouts();
  llvm::Error makeKind(Kind &kind, int does);
  llvm::Error findAlgorithm(Kind &kind, uint32_t alignment, uint64_t *algorithm);
  int kindOf(size_t call) const;
  uint64_t factorBytes() const { return byteSize(contraction.factors); }
  uint64_t resultBytes() const { return byteSize(contraction.resultType); }
  /// Addresses of the matrices of one call; for a batch by addresses, of its arrays.
  struct Addresses {
    DevicePointer a, b, d;
  };
  Addresses firstOf(const ProductCall &call, const CallBuffers &buffers, size_t member) const;

  const StridedContraction contraction;
  const ProductMatrices matrices;
  void *const handle;
  const CublasLtApi *api = nullptr;
  void *layouts[3] = {};
  Kind kinds[7]; // by their operations on sums
  size_t workspace = 0;
  mutable std::mutex mutex; // of the descriptions, which name the bias of a call
};

} // namespace

ProductPlan::~ProductPlan() {
  for (void *layout : layouts)
    if (layout)
      (void)api->cublasLtMatrixLayoutDestroy(layout);
  for (Kind &kind : kinds)
    if (kind.description)
      (void)api->cublasLtMatmulDescDestroy(kind.description);
}

/// Returns the kind of a call: the first of the calls that accumulate starts from the bias, the
/// last one takes the maximum.
int ProductPlan::kindOf(size_t call) const {
  const ProductCall &each = matrices.calls[call];
  return (each.isFirst && !contraction.bias.empty() ? addBias : plain) |
         (each.isLast && contraction.relu ? maximumWithZero : plain);
}

llvm::Error ProductPlan::prepare() {
  if (llvm::Error error = loadCublasLt().moveInto(api))
    return error;
  if (llvm::Error error = makeLayouts())
    return error;
  for (size_t call = 0; call < matrices.calls.size(); ++call) {
    const int does = kindOf(call);
    if (!kinds[does].description)
      if (llvm::Error error = makeKind(kinds[does], does))
        return error;
  }
  return llvm::Error::success();
}

llvm::Error ProductPlan::makeLayouts() {
  const Matrix *all[] = {&matrices.a, &matrices.b, &matrices.d};
  for (int i = 0; i < 3; ++i) {
    const Matrix &matrix = *all[i];
    const int type = numberOf(i < 2 ? contraction.factors : contraction.resultType);
    if (int status = api->cublasLtMatrixLayoutCreate(&layouts[i], type, matrix.rows, matrix.columns,
                                                     matrix.leading))
      return failed("cublasLtMatrixLayoutCreate", status);
    if (matrices.batches == 1)
      continue;
    auto set = [&](int attribute, auto value) {
      int status =
          api->cublasLtMatrixLayoutSetAttribute(layouts[i], attribute, &value, sizeof value);
      return status ? failed("cublasLtMatrixLayoutSetAttribute", status) : llvm::Error::success();
    };
    if (llvm::Error error = set(batchCount, static_cast<int32_t>(matrices.batches)))
      return error;
    if (llvm::Error error = matrices.isByAddresses ? set(batchMode, int32_t(pointerArray))
                                                   : set(batchStride, matrix.batch))
      return error;
  }
  return llvm::Error::success();
}

llvm::Error ProductPlan::makeKind(Kind &kind, int does) {
  const int compute =
      contraction.tf32 && contraction.factors == ElementType::f32 ? computeTf32 : compute32;
  if (int status = api->cublasLtMatmulDescCreate(&kind.description, compute, real32))
    return failed("cublasLtMatmulDescCreate", status);
  auto set = [&](int attribute, auto value) {
    int status =
        api->cublasLtMatmulDescSetAttribute(kind.description, attribute, &value, sizeof value);
    return status ? failed("cublasLtMatmulDescSetAttribute", status) : llvm::Error::success();
  };
  if (llvm::Error error = set(transposeA, static_cast<int32_t>(matrices.a.transposed)))
    return error;
  if (llvm::Error error = set(transposeB, static_cast<int32_t>(matrices.b.transposed)))
    return error;
  if (does != plain)
    if (llvm::Error error = set(epilogue, static_cast<int32_t>(does)))
      return error;
  const auto elements = static_cast<uint32_t>(std::min(factorBytes(), resultBytes()));
  for (uint32_t alignment : {fullAlignment, elements}) {
    // The bias of each call is set later; an algorithm is chosen by the alignment of its address.
    if (does & addBias)
      if (llvm::Error error = set(biasPointer, static_cast<uint64_t>(alignment)))
        return error;
    if (llvm::Error error =
            findAlgorithm(kind, alignment, kind.algorithms[alignment == fullAlignment]))
      return error;
  }
  return llvm::Error::success();
}

llvm::Error ProductPlan::findAlgorithm(Kind &kind, uint32_t alignment, uint64_t *algorithm) {
  void *preference = nullptr;
  if (int status = api->cublasLtMatmulPreferenceCreate(&preference))
    return failed("cublasLtMatmulPreferenceCreate", status);
  int status = api->cublasLtMatmulPreferenceSetAttribute(preference, largestWorkspace,
                                                         &workspaceLimit, sizeof workspaceLimit);
  for (int matrix = 0; matrix < 4 && status == 0; ++matrix)
    status = api->cublasLtMatmulPreferenceSetAttribute(preference, alignmentOfA + matrix,
                                                       &alignment, sizeof alignment);
  HeuristicResult result = {};
  int found = 0;
  if (status == 0)
    status =
        api->cublasLtMatmulAlgoGetHeuristic(handle, kind.description, layouts[0], layouts[1],
                                            layouts[2], layouts[2], preference, 1, &result, &found);
  (void)api->cublasLtMatmulPreferenceDestroy(preference);
  if (status == 0)
    status = found == 0 ? notSupported : result.state;
  if (status != 0)
    return failed("cublasLtMatmulAlgoGetHeuristic", status);
  std::copy(std::begin(result.algorithm), std::end(result.algorithm), algorithm);
  workspace = std::max(workspace, result.workspace);
  return llvm::Error::success();
}

ProductPlan::Addresses ProductPlan::firstOf(const ProductCall &call, const CallBuffers &buffers,
                                            size_t member) const {
  const ProductOffsets &at = call.members[member];
  DevicePointer lhs = buffers.lhs + at.lhs * factorBytes(),
                rhs = buffers.rhs + at.rhs * factorBytes();
  if (matrices.isSwapped)
    std::swap(lhs, rhs);
  return {rhs, lhs, buffers.out + at.out * resultBytes()};
}

void ProductPlan::run(CudaQueue &queue, const CallBuffers &buffers, AddressTables &tables) const {
  for (size_t number = 0; number < matrices.calls.size() && !queue.hasFailed(); ++number) {
    const ProductCall &call = matrices.calls[number];
    Addresses at = firstOf(call, buffers, 0);
    uint64_t all = 0; // bits of all addresses
    if (matrices.isByAddresses) {
      std::vector<DevicePointer> a, b, d;
      for (size_t member = 0; member < call.members.size(); ++member) {
        const Addresses each = firstOf(call, buffers, member);
        all |= each.a | each.b | each.d;
        a.push_back(each.a);
        b.push_back(each.b);
        d.push_back(each.d);
      }
      at = {tables.find(a), tables.find(b), tables.find(d)};
    } else {
      all = at.a | at.b | at.d;
    }
    const Kind &kind = kinds[kindOf(number)];
    const uint64_t bias = buffers.bias + call.members[0].bias * sizeof(float);
    if (kindOf(number) & addBias)
      all |= bias;
    const uint64_t *algorithm = kind.algorithms[all % fullAlignment == 0];
    const float one = 1, beta = call.isFirst && !contraction.accumulate ? 0 : 1;
    auto pointer = [](DevicePointer address) { return reinterpret_cast<void *>(address); };
    std::unique_lock<std::mutex> lock(mutex, std::defer_lock);
    int status = 0;
    if (kindOf(number) & addBias) {
      lock.lock();
      status =
          api->cublasLtMatmulDescSetAttribute(kind.description, biasPointer, &bias, sizeof bias);
    }
    if (status == 0)
      status = api->cublasLtMatmul(handle, kind.description, &one, pointer(at.a), layouts[0],
                                   pointer(at.b), layouts[1], &beta, pointer(at.d), layouts[2],
                                   pointer(at.d), layouts[2], algorithm, pointer(buffers.workspace),
                                   workspace, queue.stream);
    if (status)
      queue.fail("cublasLtMatmul fails: cuBLASLt status " + llvm::Twine(status));
  }
}

llvm::Expected<std::unique_ptr<DevicePlan>>
ds::gpu::planProduct(const StridedContraction &contraction, LibraryHandles &handles) {
  auto handle = handles.forProducts();
  if (!handle)
    return handle.takeError();
  // Arrays of addresses came with cuBLAS 12.9, and not for every layout.
  std::string why = "a contraction has no unit stride in one of its matrices, so cuBLASLt cannot "
                    "compute it:";
  for (size_t i = 0; i < contraction.sizes.size(); ++i)
    why += llvm::formatv(" {0} rounds of {1}, {2}, {3};", contraction.sizes[i], contraction.lhs[i],
                         contraction.rhs[i], contraction.out[i]);
  for (bool byAddresses : {true, false}) {
    auto matrices = chooseMatrices(contraction, byAddresses);
    if (!matrices || matrices->isByAddresses != byAddresses)
      continue;
    auto plan = std::make_unique<ProductPlan>(contraction, std::move(*matrices), *handle);
    llvm::Error error = plan->prepare();
    if (!error)
      return plan;
    why = llvm::toString(std::move(error));
  }
  return userError(why);
}
