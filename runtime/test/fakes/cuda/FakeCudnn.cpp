//===- FakeCudnn.cpp - cuDNN's graphs without a GPU -------------*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The backend API with graphs of one convolution or one of its gradients, in f32, f16 or bf16 with
// sums in f32. Enumerations have the numbers of cuDNN 9's header. A heuristic offers first what a
// step must not take: engines with TF32, and one that no plan can be made of. None needs a
// workspace.
//
//===----------------------------------------------------------------------===//
#include "CudnnGraph.h"
#include "FakeCuda.h"

#include <algorithm>

#define EXPORT extern "C" __attribute__((visibility("default")))

using namespace fake::cudnn;

namespace {

struct Handle {
  int32_t device = 0;
  void *stream = nullptr;
};
fake::Handles &handles() {
  static auto *made = new fake::Handles;
  return *made;
}
size_t sizeOf(int type) {
  switch (type) {
  case booleanType:
    return 1;
  case handleType:
  case int64Type:
  case doubleType:
  case pointerType:
  case descriptorType:
    return 8;
  default:
    return 4; // floats and enumerations
  }
}

} // namespace

EXPORT size_t cudnnGetVersion() { return 91900; }

EXPORT int cudnnCreate(void **out) {
  if (fake::cudaReady() != success)
    return notInitialized;
  if (!out)
    return badParameter;
  auto *made = new Handle{fake::currentCudaDevice(), nullptr};
  handles().add(made);
  *out = made;
  return success;
}

EXPORT int cudnnDestroy(void *handle) {
  if (!handles().remove(handle))
    return badParameter;
  delete static_cast<Handle *>(handle);
  return success;
}

EXPORT int cudnnSetStream(void *handle, void *stream) {
  if (!handles().has(handle) || !fake::cudaStream(stream, static_cast<Handle *>(handle)->device))
    return badParameter;
  static_cast<Handle *>(handle)->stream = stream;
  return success;
}

EXPORT int cudnnBackendCreateDescriptor(int kind, void **out) {
  switch (kind) {
  case convolutionKind:
  case engineKind:
  case configKind:
  case heuristicKind:
  case planKind:
  case forwardKind:
  case filterGradientKind:
  case dataGradientKind:
  case graphKind:
  case packKind:
  case tensorKind:
    break;
  default:
    return notSupported;
  }
  auto *made = new Descriptor{kind, false, {}};
  descriptors().add(made);
  *out = made;
  return success;
}

EXPORT int cudnnBackendDestroyDescriptor(void *handle) {
  if (!descriptors().remove(handle))
    return badParameter;
  delete static_cast<Descriptor *>(handle);
  return success;
}

EXPORT int cudnnBackendSetAttribute(void *handle, int name, int type, int64_t count,
                                    const void *values) {
  if (!descriptors().has(handle) || count < 0 || (count > 0 && !values))
    return badParameter;
  auto &descriptor = *static_cast<Descriptor *>(handle);
  if (descriptor.final)
    return notInitialized;
  descriptor.attributes[name] = {type, std::string(static_cast<const char *>(values),
                                                   static_cast<size_t>(count) * sizeOf(type))};
  return success;
}

EXPORT int cudnnBackendFinalize(void *handle) {
  if (!descriptors().has(handle))
    return badParameter;
  auto &descriptor = *static_cast<Descriptor *>(handle);
  Operation operation;
  int status = success;
  switch (descriptor.kind) {
  case tensorKind: {
    fake::Tensor tensor;
    int64_t id = 0;
    descriptor.final = true;
    status = makeTensor(handle, tensor, id);
    if (status == success &&
        (tensor.sizes.empty() || tensor.sizes.size() != tensor.strides.size() ||
         !descriptor.attributes.count(906) || !descriptor.attributes.count(900)))
      status = badParameter;
    break;
  }
  case forwardKind:
  case filterGradientKind:
  case dataGradientKind:
    status = makeOperation(descriptor, operation);
    break;
  case graphKind:
    descriptor.final = true;
    status =
        handles().has(descriptor.one<void *>(800)) ? operationOf(handle, operation) : badParameter;
    break;
  case heuristicKind:
    status = operationOf(descriptor.one<void *>(201), operation);
    break;
  case engineKind:
    status = operationOf(descriptor.one<void *>(1300), operation);
    break;
  case configKind:
    status = finished(descriptor.one<void *>(300), engineKind) ? success : notFinalized;
    break;
  case planKind:
    status = operationOf(graphOfPlan(descriptor), operation);
    if (status == success && engineOf(descriptor)->one<int64_t>(1301) == brokenEngine)
      status = notSupported;
    break;
  default:
    break;
  }
  descriptor.final = status == success;
  return status;
}

/// Whether tensor cores round the factors.
static bool rounds(const Operation &operation) {
  return operation.convolution.x.type == fake::Scalar::f32;
}

static int configure(const Descriptor &heuristic, int64_t number, void *config) {
  void *engine = nullptr, *graph = heuristic.one<void *>(201);
  if (!descriptors().has(config) || static_cast<Descriptor *>(config)->kind != configKind)
    return badParameter;
  cudnnBackendCreateDescriptor(engineKind, &engine);
  cudnnBackendSetAttribute(engine, 1300, descriptorType, 1, &graph);
  cudnnBackendSetAttribute(engine, 1301, int64Type, 1, &number);
  if (int status = cudnnBackendFinalize(engine); status != success)
    return status;
  cudnnBackendSetAttribute(config, 300, descriptorType, 1, &engine);
  return cudnnBackendFinalize(config);
}

EXPORT int cudnnBackendGetAttribute(void *handle, int name, int type, int64_t wanted,
                                    int64_t *count, void *values) {
  constexpr int results = 202, workspace = 402, note = 1303;
  if (!descriptors().has(handle))
    return badParameter;
  auto &descriptor = *static_cast<Descriptor *>(handle);
  if (!descriptor.final)
    return notFinalized;
  int64_t found = 0;
  if (descriptor.kind == heuristicKind && name == results) {
    if (type != descriptorType)
      return attributeType;
    constexpr int fallback = 2;
    const int64_t first = descriptor.one<int>(200) == fallback ? plainEngine : 0;
    found = numEngines - first;
    // The caller made the configurations; they get engines.
    for (int64_t i = 0; values && i < std::min(wanted, found); ++i)
      if (int status = configure(descriptor, first + i, static_cast<void **>(values)[i]);
          status != success)
        return status;
  } else if (descriptor.kind == planKind && name == workspace) {
    if (type != int64Type || wanted < 1 || !values)
      return attributeType;
    found = 1;
    *static_cast<int64_t *>(values) = 0;
  } else if (descriptor.kind == configKind && name == 300) {
    if (type != descriptorType || wanted < 1 || !values)
      return attributeType;
    // The caller made the engine; it becomes the configuration's.
    void *given = *static_cast<void **>(values);
    if (!descriptors().has(given) || static_cast<Descriptor *>(given)->kind != engineKind)
      return badParameter;
    found = 1;
    *static_cast<Descriptor *>(given) = *static_cast<Descriptor *>(descriptor.one<void *>(300));
  } else if (descriptor.kind == engineKind && name == note) {
    const int usesTensorCores = 0;
    Operation operation;
    if (type != noteType)
      return attributeType;
    if (int status = operationOf(descriptor.one<void *>(1300), operation); status != success)
      return status;
    found = descriptor.one<int64_t>(1301) < numTensorEngines;
    if (values && std::min(wanted, found) > 0)
      *static_cast<int *>(values) = usesTensorCores;
  } else {
    return notSupported;
  }
  if (count)
    *count = found;
  return success;
}

EXPORT int cudnnBackendExecute(void *handle, void *planHandle, void *packHandle) {
  if (!handles().has(handle))
    return badParameter;
  const auto &library = *static_cast<Handle *>(handle);
  fake::Stream *stream = fake::cudaStream(library.stream, library.device);
  const Descriptor *plan = finished(planHandle, planKind), *pack = finished(packHandle, packKind);
  if (!plan || !pack || !stream)
    return badParameter;
  if (fake::cudaReady() != success)
    return executionFailed;
  Operation operation;
  if (int status = operationOf(graphOfPlan(*plan), operation); status != success)
    return status;
  const std::vector<int64_t> ids = pack->list<int64_t>(1000);
  const std::vector<void *> pointers = pack->list<void *>(1001);
  if (ids.size() != pointers.size())
    return sizeInsufficient;
  for (size_t index = 0; index < ids.size(); ++index)
    for (auto [id, tensor] : {std::make_pair(operation.x, &operation.convolution.x),
                              std::make_pair(operation.w, &operation.convolution.w),
                              std::make_pair(operation.y, &operation.convolution.y)})
      if (id == ids[index])
        tensor->address = reinterpret_cast<uintptr_t>(pointers[index]);
  operation.convolution.tf32 =
      rounds(operation) && engineOf(*plan)->one<int64_t>(1301) < numTensorEngines;
  for (const fake::Tensor *tensor :
       {&operation.convolution.x, &operation.convolution.w, &operation.convolution.y})
    if (tensor->address % operation.alignment)
      return badParameter;
  if (!operation.convolution.x.address || !operation.convolution.w.address ||
      !operation.convolution.y.address)
    return badParameter;
  const fake::CudaFault fault = fake::nextCudaFault("convolution");
  if (fault == fake::CudaFault::error)
    return executionFailed;
  fake::pushWithFault(*stream, library.device, fault,
                      [convolution = operation.convolution, device = library.device] {
                        fake::countWork("convolution");
                        if (std::string wrong = fake::convolve(convolution); !wrong.empty())
                          fake::failCuda(device, 700, wrong);
                      });
  return success;
}
