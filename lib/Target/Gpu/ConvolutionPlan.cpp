//===- ConvolutionPlan.cpp - Convolutions by cuDNN --------------*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A graph of one operation by cuDNN's backend interface. Whatever order memory has, a tensor is
// described by its strides, groups included: channels of all groups are one dimension where they
// lie at one distance.
//
//===----------------------------------------------------------------------===//
#include "DevicePlan.h"

#include "ds/Support/UserError.h"

#include <mutex>

using namespace ds;
using namespace ds::gpu;

namespace {

// Numbers of cudnn_graph.h.
enum Kind {
  aConvolution = 1,
  anEngineConfig = 3,
  aHeuristic = 4,
  aPlan = 5,
  aForward = 10,
  aWeightsGradient = 11,
  aSourceGradient = 12,
  aGraph = 15,
  aPack = 16,
  aTensor = 17
};
enum Type {
  typeHandle = 0,
  typeNumber = 1,
  typeInteger = 3,
  typePointer = 6,
  typeMode = 7,
  typeHeuristic = 8,
  typeDescriptor = 15
};
constexpr int real32 = 0, crossCorrelation = 1, instantHeuristic = 0;
constexpr int64_t sourceId = 'x', weightsId = 'w', destinationId = 'y';

using Sizes = std::vector<int64_t>;

/// Makes descriptors until one fails.
class Builder {
public:
  explicit Builder(const CudnnApi &api) : api(api) {}
  ~Builder() {
    for (void *descriptor : made)
      (void)api.cudnnBackendDestroyDescriptor(descriptor);
  }
  void *make(int kind) {
    void *descriptor = nullptr;
    if (check(api.cudnnBackendCreateDescriptor(kind, &descriptor), "cudnnBackendCreateDescriptor"))
      made.push_back(descriptor);
    return descriptor;
  }
  void set(void *descriptor, int name, int type, int64_t count, const void *values) {
    if (status == 0)
      check(api.cudnnBackendSetAttribute(descriptor, name, type, count, values),
            "cudnnBackendSetAttribute");
  }
  void set(void *descriptor, int name, const Sizes &values) {
    set(descriptor, name, typeInteger, static_cast<int64_t>(values.size()), values.data());
  }
  void setNumber(void *descriptor, int name, int type, int value) {
    set(descriptor, name, type, 1, &value);
  }
  void set(void *descriptor, int name, void *value) {
    set(descriptor, name, typeDescriptor, 1, &value);
  }
  void finish(void *descriptor) {
    if (status == 0)
      check(api.cudnnBackendFinalize(descriptor), "cudnnBackendFinalize");
  }
  bool check(int result, const char *name) {
    if (status == 0 && result != 0) {
      status = result;
      function = name;
    }
    return result == 0;
  }
  llvm::Error error() const {
    return status == 0 ? llvm::Error::success()
                       : userError(llvm::Twine(function) + " fails: cuDNN status " +
                                   llvm::Twine(status) + ", for a convolution");
  }

  const CudnnApi &api;
  int status = 0;

private:
  const char *function = "";
  std::vector<void *> made;
};

class CudnnPlan final : public DevicePlan {
public:
  explicit CudnnPlan(const CudnnApi &api, const Convolution &convolution)
      : convolution(convolution), builder(api) {}
  ~CudnnPlan() override {
    if (handle)
      (void)builder.api.cudnnDestroy(handle);
  }
  llvm::Error prepare();
  std::string implementation() const override { return "cudnn 1 convolution"; }
  size_t workspaceBytes() const override { return workspace; }
  unsigned numCalls() const override { return 1; }
  void run(CudaQueue &queue, DevicePointer lhs, DevicePointer rhs, DevicePointer out,
           DevicePointer memory) const override;

private:
  void *describe(int64_t id, const Convolution::Tensor &tensor, unsigned groupedDimension);
  void *describeWindow();

  const Convolution convolution;
  Builder builder;
  void *handle = nullptr, *plan = nullptr;
  int64_t workspace = 0;
  mutable std::mutex mutex; // a handle has one stream at a time
};

} // namespace

/// All groups as one tensor: what is the first dimension of weights, and the channels of others.
void *CudnnPlan::describe(int64_t id, const Convolution::Tensor &tensor,
                          unsigned groupedDimension) {
  Sizes sizes = tensor.sizes, strides = tensor.strides;
  if (convolution.groups > 1) {
    int64_t &size = sizes[groupedDimension], &stride = strides[groupedDimension];
    if (size == 1)
      stride = tensor.groupStride;
    else if (tensor.groupStride != size * stride)
      builder.status = 3000; // cuDNN has no such layout
    size *= convolution.groups;
  }
  void *made = builder.make(aTensor);
  builder.setNumber(made, 901, typeNumber, real32);
  builder.set(made, 902, sizes);
  builder.set(made, 903, strides);
  builder.set(made, 906, {id});
  builder.set(made, 900, {4}); // bytes
  builder.finish(made);
  return made;
}

void *CudnnPlan::describeWindow() {
  // Behind the source is what the last window needs, negative where rows at the end are not read.
  Sizes after;
  for (size_t d = 0; d < convolution.dimensions(); ++d) {
    int64_t window = (convolution.weights.sizes[d + 2] - 1) * convolution.dilation[d] + 1;
    int64_t reach = (convolution.destination.sizes[d + 2] - 1) * convolution.stride[d] + window;
    after.push_back(
        std::max<int64_t>(0, reach - convolution.padding[d] - convolution.source.sizes[d + 2]));
  }
  void *made = builder.make(aConvolution);
  builder.setNumber(made, 100, typeNumber, real32);
  builder.setNumber(made, 101, typeMode, crossCorrelation);
  builder.set(made, 102, convolution.dilation);
  builder.set(made, 103, convolution.stride);
  builder.set(made, 104, after);
  builder.set(made, 105, convolution.padding);
  builder.finish(made);
  return made;
}

llvm::Error CudnnPlan::prepare() {
  builder.check(builder.api.cudnnCreate(&handle), "cudnnCreate");
  void *window = describeWindow();
  void *source = describe(sourceId, convolution.source, 1);
  void *weights = describe(weightsId, convolution.weights, 0);
  void *destination = describe(destinationId, convolution.destination, 1);
  auto [kind, first] = convolution.kind == Convolution::forward ? std::pair(aForward, 700)
                       : convolution.kind == Convolution::sourceGradient
                           ? std::pair(aSourceGradient, 706)
                           : std::pair(aWeightsGradient, 712);
  void *operation = builder.make(kind);
  builder.set(operation, first + 2, window);
  builder.set(operation, first + 3, weights);
  builder.set(operation, first + 4, source);
  builder.set(operation, first + 5, destination);
  builder.finish(operation);
  void *graph = builder.make(aGraph);
  builder.set(graph, 800, typeHandle, 1, &handle);
  builder.set(graph, 801, operation);
  builder.finish(graph);
  void *heuristic = builder.make(aHeuristic), *config = builder.make(anEngineConfig);
  builder.setNumber(heuristic, 200, typeHeuristic, instantHeuristic);
  builder.set(heuristic, 201, graph);
  builder.finish(heuristic);
  int64_t found = 0;
  if (builder.status == 0)
    builder.check(
        builder.api.cudnnBackendGetAttribute(heuristic, 202, typeDescriptor, 1, &found, &config),
        "cudnnBackendGetAttribute");
  plan = builder.make(aPlan);
  builder.set(plan, 400, typeHandle, 1, &handle);
  builder.set(plan, 401, config);
  builder.finish(plan);
  if (builder.status == 0)
    builder.check(
        builder.api.cudnnBackendGetAttribute(plan, 402, typeInteger, 1, &found, &workspace),
        "cudnnBackendGetAttribute");
  return builder.error();
}

void CudnnPlan::run(CudaQueue &queue, DevicePointer lhs, DevicePointer rhs, DevicePointer out,
                    DevicePointer memory) const {
  if (queue.hasFailed())
    return;
  std::lock_guard<std::mutex> lock(mutex);
  auto at = [](DevicePointer base, int64_t elements) { return base + elements * sizeof(float); };
  DevicePointer first = at(lhs, convolution.lhsOffset), second = at(rhs, convolution.rhsOffset),
                result = at(out, convolution.outOffset);
  DevicePointer pointers[3]; // of source, weights and destination
  switch (convolution.kind) {
  case Convolution::forward:
    pointers[0] = first, pointers[1] = second, pointers[2] = result;
    break;
  case Convolution::sourceGradient:
    pointers[0] = result, pointers[1] = second, pointers[2] = first;
    break;
  case Convolution::weightsGradient:
    pointers[0] = first, pointers[1] = result, pointers[2] = second;
    break;
  }
  Builder call(builder.api);
  call.check(call.api.cudnnSetStream(handle, queue.stream), "cudnnSetStream");
  void *pack = call.make(aPack);
  call.set(pack, 1000, {sourceId, weightsId, destinationId});
  call.set(pack, 1001, typePointer, 3, pointers);
  if (workspace)
    call.set(pack, 1003, typePointer, 1, &memory);
  call.finish(pack);
  if (call.status == 0)
    call.check(call.api.cudnnBackendExecute(handle, plan, pack), "cudnnBackendExecute");
  if (call.status != 0)
    queue.fail(llvm::toString(call.error()));
}

llvm::Expected<std::unique_ptr<DevicePlan>>
ds::gpu::planConvolution(const Convolution &convolution) {
  auto api = loadCudnn();
  if (!api)
    return api.takeError();
  auto plan = std::make_unique<CudnnPlan>(**api, convolution);
  if (llvm::Error error = plan->prepare())
    return error;
  return plan;
}
