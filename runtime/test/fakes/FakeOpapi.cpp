//===- FakeOpapi.cpp - The operators of CANN without an NPU -----*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the hccl backend's mean needs: aclnnInplaceMuls of one-dimensional tensors, in its two
// steps.
//
//===----------------------------------------------------------------------===//
#include "FakeAscendcl.h"
#include "FakeWire.h"

#include <cstring>

#define EXPORT extern "C" __attribute__((visibility("default")))

namespace {
constexpr int success = 0, nullPointer = 161001, invalidParameter = 161002;

struct Tensor {
  fake::Element element;
  int64_t count;
  void *data;
};
uint64_t workspaceOf(const Tensor &tensor) { return 512 + static_cast<uint64_t>(tensor.count); }
struct Scalar {
  float value;
};
struct Executor {
  Tensor tensor;
  float factor;
};
fake::Handles &tensors() {
  static fake::Handles *instance = new fake::Handles;
  return *instance;
}
} // namespace

EXPORT void *aclCreateTensor(const int64_t *dims, uint64_t numDims, int type,
                             const int64_t *strides, int64_t offset, int format,
                             const int64_t *storageDims, uint64_t numStorageDims, void *data) {
  constexpr int nd = 2;
  if (!dims || numDims != 1 || numStorageDims != 1 || !strides || strides[0] != 1 || offset != 0 ||
      format != nd || storageDims[0] < dims[0] || !data)
    return nullptr;
  Tensor tensor = {fake::Element::f32, dims[0], data};
  switch (type) {
  case 0:
    break;
  case 1:
    tensor.element = fake::Element::f16;
    break;
  case 27:
    tensor.element = fake::Element::bf16;
    break;
  default:
    return nullptr;
  }
  auto *made = new Tensor(tensor);
  tensors().add(made);
  return made;
}

EXPORT int aclDestroyTensor(const void *tensor) {
  if (!tensors().remove(const_cast<void *>(tensor)))
    return nullPointer;
  delete static_cast<const Tensor *>(tensor);
  return success;
}

EXPORT void *aclCreateScalar(void *value, int type) {
  return value && type == 0 ? new Scalar{*static_cast<float *>(value)} : nullptr;
}

EXPORT int aclDestroyScalar(const void *scalar) {
  if (!scalar)
    return nullPointer;
  delete static_cast<const Scalar *>(scalar);
  return success;
}

EXPORT int aclnnInplaceMulsGetWorkspaceSize(void *tensor, const void *scalar, uint64_t *bytes,
                                            void **executor) {
  if (!tensors().has(tensor) || !scalar || !bytes || !executor)
    return nullPointer;
  *bytes = workspaceOf(*static_cast<Tensor *>(tensor));
  *executor =
      new Executor{*static_cast<Tensor *>(tensor), static_cast<const Scalar *>(scalar)->value};
  return success;
}

EXPORT int aclnnInplaceMuls(void *workspace, uint64_t bytes, void *executor, void *streamHandle) {
  if (!executor)
    return nullPointer;
  const Executor plan = *static_cast<Executor *>(executor);
  delete static_cast<Executor *>(executor);
  fake::Stream *stream = fake::aclStream(streamHandle, fake::currentAclDevice());
  char *data = fake::reach(plan.tensor.data,
                           static_cast<size_t>(plan.tensor.count) * sizeOf(plan.tensor.element));
  if (!stream || !data || bytes < workspaceOf(plan.tensor) || !fake::reach(workspace, bytes))
    return invalidParameter;
  char *scratch = fake::reach(workspace, bytes);
  stream->push([=] {
    std::memset(scratch, fake::poison, bytes);
    fake::scaleInF32(plan.tensor.element, data, static_cast<size_t>(plan.tensor.count),
                     plan.factor);
  });
  return success;
}
