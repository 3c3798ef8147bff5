//===- FakeCublasLt.cpp - cuBLASLt without a GPU ----------------*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Products of f32, f16 and bf16 with sums in f32, batches by strides or by arrays of pointers, bias
// and ReLU as epilogues. An algorithm has a workspace, in which it leaves what it likes. What the
// real library refuses is refused; what else it knows is not supported. Enumerations have the
// numbers of its header.
//
//===----------------------------------------------------------------------===//
#include "FakeCuda.h"
#include "Product.h"

#include <algorithm>
#include <cstring>
#include <iterator>

#define EXPORT extern "C" __attribute__((visibility("default")))

namespace {

enum Status : int {
  success = 0,
  notInitialized = 1,
  invalidValue = 7,
  executionFailed = 13,
  notSupported = 15
};

struct Description {
  bool tf32 = false, transposeA = false, transposeB = false;
  int epilogue = 1;
  uint64_t bias = 0;
};
struct Layout {
  fake::Matrix matrix;
};
/// The most bytes of a workspace, and what the addresses of A, B, C and D are multiples of.
struct Preference {
  uint64_t mostWorkspace = 0;
  uint32_t alignments[4] = {256, 256, 256, 256};
};
/// What the library's algorithms are, for who looks inside: what it asks of addresses.
struct Algorithm {
  uint64_t isValid = 0, alignments[4] = {}, workspace = 0, unused[2] = {};
};

fake::Handles &handles() {
  static auto *made = new fake::Handles;
  return *made;
}
template <typename T> T *given(void *handle) {
  return handles().has(handle) ? static_cast<T *>(handle) : nullptr;
}
template <typename T> int give(void **out, T *made) {
  handles().add(made);
  *out = made;
  return success;
}
template <typename T> int take(void *handle) {
  if (!handles().remove(handle))
    return invalidValue;
  delete static_cast<T *>(handle);
  return success;
}

bool scalarOf(int type, fake::Scalar &out) {
  switch (type) {
  case 0:
    out = fake::Scalar::f32;
    return true;
  case 2:
    out = fake::Scalar::f16;
    return true;
  case 14:
    out = fake::Scalar::bf16;
    return true;
  default:
    return false;
  }
}

/// The value of an attribute that has the size of T.
template <typename T> bool get(const void *value, size_t bytes, T &out) {
  if (!value || bytes != sizeof(T))
    return false;
  std::memcpy(&out, value, sizeof(T));
  return true;
}

/// A product without addresses; the status says whether the library would run it.
int describe(void *description, void *a, void *b, void *c, void *d, fake::Product &out) {
  auto *how = given<Description>(description);
  auto *layoutA = given<Layout>(a), *layoutB = given<Layout>(b), *layoutC = given<Layout>(c),
       *layoutD = given<Layout>(d);
  if (!how || !layoutA || !layoutB || !layoutC || !layoutD)
    return invalidValue;
  out.a = layoutA->matrix;
  out.b = layoutB->matrix;
  out.c = layoutC->matrix;
  out.d = layoutD->matrix;
  out.transposeA = how->transposeA;
  out.transposeB = how->transposeB;
  out.tf32 = how->tf32;
  out.relu = how->epilogue & 2;
  out.bias = how->epilogue & 4 ? how->bias : 0;
  if (!out.fits())
    return invalidValue;
  const bool wideResult = out.d.type == fake::Scalar::f32;
  const bool types = out.a.type == out.b.type && out.c.type == out.d.type &&
                     (wideResult || out.d.type == out.a.type);
  const bool batches = out.a.pointerArray == out.d.pointerArray &&
                       out.b.pointerArray == out.d.pointerArray &&
                       out.c.pointerArray == out.d.pointerArray;
  // Nothing is done to sums beside a batch by addresses.
  const bool epilogues = !out.d.pointerArray || how->epilogue == 1;
  const bool fastInputs = !out.tf32 || out.a.type == fake::Scalar::f32;
  return types && batches && epilogues && fastInputs && (!(how->epilogue & 4) || how->bias)
             ? success
             : notSupported;
}

} // namespace

EXPORT size_t cublasLtGetVersion() { return 130100; }

EXPORT int cublasLtCreate(void **out) {
  if (fake::cudaReady() != success)
    return notInitialized;
  return out ? give(out, new int(0)) : invalidValue;
}
EXPORT int cublasLtDestroy(void *handle) { return take<int>(handle); }

EXPORT int cublasLtMatmulDescCreate(void **out, int compute, int scale) {
  constexpr int f32 = 68, f32FastTf32 = 77;
  if ((compute != f32 && compute != f32FastTf32) || scale != 0)
    return notSupported;
  auto *made = new Description;
  made->tf32 = compute == f32FastTf32;
  return give(out, made);
}
EXPORT int cublasLtMatmulDescDestroy(void *handle) { return take<Description>(handle); }

EXPORT int cublasLtMatmulDescSetAttribute(void *handle, int attribute, const void *value,
                                          size_t bytes) {
  auto *description = given<Description>(handle);
  int number = 0;
  if (!description)
    return invalidValue;
  switch (attribute) {
  case 3:
  case 4:
    if (!get(value, bytes, number) || number < 0 || number > 1)
      return invalidValue;
    (attribute == 3 ? description->transposeA : description->transposeB) = number == 1;
    return success;
  case 7: // 1 none, 2 ReLU, 4 bias, 6 both
    if (!get(value, bytes, number))
      return invalidValue;
    if (number != 1 && number != 2 && number != 4 && number != 6)
      return notSupported;
    description->epilogue = number;
    return success;
  case 8:
    return get(value, bytes, description->bias) ? success : invalidValue;
  default:
    return notSupported;
  }
}

EXPORT int cublasLtMatrixLayoutCreate(void **out, int type, uint64_t rows, uint64_t columns,
                                      int64_t leading) {
  Layout made;
  if (!scalarOf(type, made.matrix.type))
    return notSupported;
  made.matrix.rows = rows;
  made.matrix.columns = columns;
  made.matrix.leading = leading;
  return give(out, new Layout(made));
}
EXPORT int cublasLtMatrixLayoutDestroy(void *handle) { return take<Layout>(handle); }

EXPORT int cublasLtMatrixLayoutSetAttribute(void *handle, int attribute, const void *value,
                                            size_t bytes) {
  auto *layout = given<Layout>(handle);
  int mode = 0;
  if (!layout)
    return invalidValue;
  switch (attribute) {
  case 5:
    return get(value, bytes, layout->matrix.batch) ? success : invalidValue;
  case 6:
    return get(value, bytes, layout->matrix.stride) ? success : invalidValue;
  case 8:
    if (!get(value, bytes, mode) || mode < 0 || mode > 1)
      return invalidValue;
    layout->matrix.pointerArray = mode == 1;
    return success;
  default:
    return notSupported;
  }
}

EXPORT int cublasLtMatmulPreferenceCreate(void **out) { return give(out, new Preference); }
EXPORT int cublasLtMatmulPreferenceDestroy(void *handle) { return take<Preference>(handle); }
EXPORT int cublasLtMatmulPreferenceSetAttribute(void *handle, int attribute, const void *value,
                                                size_t bytes) {
  auto *preference = given<Preference>(handle);
  if (!preference)
    return invalidValue;
  if (attribute == 1)
    return get(value, bytes, preference->mostWorkspace) ? success : invalidValue;
  if (attribute < 5 || attribute > 8)
    return success; // not of those about alignment
  uint32_t &alignment = preference->alignments[attribute - 5];
  return get(value, bytes, alignment) && alignment > 0 ? success : invalidValue;
}

EXPORT int cublasLtMatmulAlgoGetHeuristic(void *handle, void *description, void *a, void *b,
                                          void *c, void *d, void *preference, int requested,
                                          void *results, int *returned) {
  struct Result {
    Algorithm algorithm;
    size_t workspace;
    int state;
    float waves;
    int reserved[4];
  };
  const auto *wishes = given<Preference>(preference);
  if (!given<int>(handle) || !wishes || requested < 1 || !results || !returned)
    return invalidValue;
  fake::Product product;
  *returned = 0;
  if (int status = describe(description, a, b, c, d, product); status != success)
    return status;
  Result result = {};
  if (fake::nextCudaFault("heuristic") != fake::CudaFault::none)
    result.state = notSupported; // an algorithm that is offered and does not work
  constexpr uint64_t usual = 1024;
  result.algorithm.isValid = result.state == success;
  result.algorithm.workspace = result.workspace = std::min(usual, wishes->mostWorkspace);
  std::copy(std::begin(wishes->alignments), std::end(wishes->alignments),
            result.algorithm.alignments);
  result.waves = 1;
  std::memcpy(results, &result, sizeof result);
  *returned = 1;
  return success;
}

EXPORT int cublasLtMatmul(void *handle, void *description, const float *alpha, const void *a,
                          void *layoutA, const void *b, void *layoutB, const float *beta,
                          const void *c, void *layoutC, void *d, void *layoutD,
                          const void *algorithm, void *workspace, size_t workspaceBytes,
                          void *streamHandle) {
  fake::Stream *stream = fake::cudaStream(streamHandle, fake::currentCudaDevice());
  if (!given<int>(handle) || !stream || !alpha || !beta)
    return invalidValue;
  if (fake::cudaReady() != success)
    return executionFailed;
  fake::Product product;
  if (int status = describe(description, layoutA, layoutB, layoutC, layoutD, product);
      status != success)
    return status;
  char *scratch = workspaceBytes ? fake::reach(workspace, workspaceBytes) : nullptr;
  if (workspaceBytes && !scratch)
    return invalidValue;
  size_t scratchBytes = 0;
  auto addressOf = [](const void *data) {
    return static_cast<uint64_t>(reinterpret_cast<uintptr_t>(data));
  };
  product.alpha = *alpha;
  product.beta = *beta;
  product.a.address = addressOf(a);
  product.b.address = addressOf(b);
  product.c.address = addressOf(c);
  product.d.address = addressOf(d);
  if (algorithm) {
    Algorithm chosen;
    std::memcpy(&chosen, algorithm, sizeof chosen);
    if (!chosen.isValid || chosen.workspace > workspaceBytes)
      return invalidValue;
    scratchBytes = chosen.workspace;
    for (size_t i = 0; i < 4; ++i)
      product.alignments[i] = i != 2 || product.beta != 0 ? chosen.alignments[i] : 1;
  }
  const fake::CudaFault fault = fake::nextCudaFault("product");
  if (fault == fake::CudaFault::error)
    return executionFailed;
  const int32_t device = fake::currentCudaDevice();
  fake::pushWithFault(*stream, device, fault, [product, device, scratch, scratchBytes] {
    constexpr int notANumber = 0xff; // of every type
    if (scratchBytes)
      std::memset(scratch, notANumber, scratchBytes);
    fake::countWork("product");
    if (std::string wrong = fake::multiply(product); !wrong.empty())
      fake::failCuda(device, 700, wrong);
  });
  return success;
}
