//===- ConvolutionPlan.cpp - Convolutions by cuDNN --------------*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A graph of one operation by cuDNN's backend interface. A tensor of any memory order is described
// by its strides, groups included: channels of all groups are one dimension where they lie at one
// distance. Of the engines that cuDNN offers, the first one is taken that computes in f32 and gives
// the same bits in each run: heuristics put those with TF32 and atomics first. With 16 bits tensor
// cores multiply exactly and sum in f32, so those are taken.
//
//===----------------------------------------------------------------------===//
#include "CudnnBuilder.h"
#include "DevicePlan.h"

#include <algorithm>
#include <mutex>

using namespace ds;
using namespace ds::gpu;
using namespace ds::gpu::cudnn;

namespace {

constexpr int real32 = 0, real16 = 2, brain16 = 9, crossCorrelation = 1;
constexpr int byDecisionTree = 3, fallback = 2; // heuristics
constexpr int64_t mostEngines = 16;             // that a heuristic is asked for
constexpr int64_t sourceId = 'x', weightsId = 'w', destinationId = 'y';

/// An engine's notes on its arithmetic, which decide whether a step may use it. FFT and Winograd
/// round elsewhere, but in f32.
enum Note { tensorCores = 0, downConverted, reducedPrecision, fft, nondeterministic };
bool isRefused(int note, ElementType type) {
  return (note == tensorCores && type == ElementType::f32) || note == downConverted ||
         note == reducedPrecision || note == nondeterministic;
}

int numberOf(ElementType type) {
  return type == ElementType::bf16 ? brain16 : type == ElementType::f16 ? real16 : real32;
}

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
  size_t workspaceBytes() const override {
    return std::max(aligned.workspace, unaligned.workspace);
  }
  void run(CudaQueue &queue, const CallBuffers &buffers, AddressTables &) const override;

private:
  /// How the graph is computed; no plan if no engine can.
  struct Engine {
    void *plan = nullptr;
    int64_t workspace = 0;
  };
  void *describe(int64_t id, const Convolution::Tensor &tensor, unsigned groupedDimension,
                 int64_t alignment);
  void *describeWindow();
  void *describeGraph(void *window, int64_t alignment);
  Engine choose(void *graph);
  Engine tryEngine(void *config);

  const Convolution convolution;
  Builder builder;
  void *handle = nullptr;
  Engine aligned, unaligned; // where all addresses are multiples of 16 bytes, and of an element
  mutable std::mutex mutex;  // a handle has one stream at a time
};

} // namespace

/// Describes all groups as one tensor, in the first dimension of weights, or in the channels of the
/// others.
void *CudnnPlan::describe(int64_t id, const Convolution::Tensor &tensor, unsigned groupedDimension,
                          int64_t alignment) {
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
  builder.setNumber(made, 901, typeNumber, numberOf(convolution.type));
  builder.set(made, 902, sizes);
  builder.set(made, 903, strides);
  builder.set(made, 906, {id});
  builder.set(made, 900, {alignment});
  builder.finish(made);
  return made;
}

void *CudnnPlan::describeWindow() {
  // The padding after the source is what the last window needs, negative where rows at the end are
  // not read.
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
  builder.set(made, 106, {static_cast<int64_t>(convolution.dimensions())});
  builder.finish(made);
  return made;
}

void *CudnnPlan::describeGraph(void *window, int64_t alignment) {
  void *source = describe(sourceId, convolution.source, 1, alignment);
  void *weights = describe(weightsId, convolution.weights, 0, alignment);
  void *destination = describe(destinationId, convolution.destination, 1, alignment);
  auto [kind, first] = convolution.kind == Convolution::forward ? std::pair(aForward, 700)
                       : convolution.kind == Convolution::sourceGradient
                           ? std::pair(aSourceGradient, 706)
                           : std::pair(aWeightsGradient, 712);
  const float alpha = 1, beta = 0;
  void *operation = builder.make(kind);
  builder.set(operation, first, typeFloat, 1, &alpha);
  builder.set(operation, first + 1, typeFloat, 1, &beta);
  builder.set(operation, first + 2, window);
  builder.set(operation, first + 3, weights);
  builder.set(operation, first + 4, source);
  builder.set(operation, first + 5, destination);
  builder.finish(operation);
  void *graph = builder.make(aGraph);
  builder.set(graph, 800, typeHandle, 1, &handle);
  builder.set(graph, 801, operation);
  builder.finish(graph);
  return graph;
}

CudnnPlan::Engine CudnnPlan::choose(void *graph) {
  for (int mode : {byDecisionTree, fallback}) {
    void *heuristic = builder.make(aHeuristic);
    builder.setNumber(heuristic, 200, typeHeuristic, mode);
    builder.set(heuristic, 201, graph);
    builder.finish(heuristic);
    std::vector<void *> configs;
    for (int64_t i = 0; i < mostEngines; ++i)
      configs.push_back(builder.make(anEngineConfig));
    int64_t found = builder.get(heuristic, 202, typeDescriptor, mostEngines, configs.data());
    builder.forget(); // a heuristic that has no answer
    for (int64_t i = 0; i < std::min(found, mostEngines); ++i)
      if (Engine engine = tryEngine(configs[i]); engine.plan)
        return engine;
  }
  return {};
}

CudnnPlan::Engine CudnnPlan::tryEngine(void *config) {
  int notes[16] = {};
  void *described = builder.make(anEngine);
  builder.get(config, 300, typeDescriptor, 1, &described);
  int64_t count = builder.get(described, 1303, typeNote, std::size(notes), notes);
  if (std::any_of(notes, notes + std::min<int64_t>(count, std::size(notes)),
                  [&](int note) { return isRefused(note, convolution.type); }))
    return {};
  Engine engine;
  engine.plan = builder.make(aPlan);
  builder.set(engine.plan, 400, typeHandle, 1, &handle);
  builder.set(engine.plan, 401, config);
  builder.finish(engine.plan);
  builder.get(engine.plan, 402, typeInteger, 1, &engine.workspace);
  const bool works = builder.status == 0;
  builder.forget(); // heuristics offer engines that do not work on every device
  return works ? engine : Engine();
}

llvm::Error CudnnPlan::prepare() {
  builder.check(builder.api.cudnnCreate(&handle), "cudnnCreate");
  void *window = describeWindow();
  for (auto [engine, alignment] :
       {std::pair(&aligned, int64_t(16)), std::pair(&unaligned, byteSize(convolution.type))}) {
    void *graph = describeGraph(window, alignment);
    if (builder.status != 0)
      return builder.error();
    *engine = choose(graph);
  }
  if (!aligned.plan && !unaligned.plan)
    return userError("cuDNN has no engine with sums of f32 and without TF32 or atomics for a "
                     "convolution");
  return llvm::Error::success();
}

void CudnnPlan::run(CudaQueue &queue, const CallBuffers &buffers, AddressTables &) const {
  if (queue.hasFailed())
    return;
  std::lock_guard<std::mutex> lock(mutex);
  auto at = [&](DevicePointer base, int64_t elements) {
    return base + elements * byteSize(convolution.type);
  };
  DevicePointer first = at(buffers.lhs, convolution.lhsOffset),
                second = at(buffers.rhs, convolution.rhsOffset),
                result = at(buffers.out, convolution.outOffset);
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
  constexpr DevicePointer whole = 16;
  const bool isAligned = ((pointers[0] | pointers[1] | pointers[2]) % whole) == 0;
  const Engine &engine = isAligned && aligned.plan ? aligned : unaligned;
  if (!engine.plan)
    return queue.fail("cuDNN has no engine for a convolution whose operands lie at addresses that "
                      "are no multiples of 16 bytes");
  Builder call(builder.api);
  call.check(call.api.cudnnSetStream(handle, queue.stream), "cudnnSetStream");
  void *pack = call.make(aPack);
  call.set(pack, 1000, {sourceId, weightsId, destinationId});
  call.set(pack, 1001, typePointer, 3, pointers);
  if (engine.workspace)
    call.set(pack, 1003, typePointer, 1, &buffers.workspace);
  call.finish(pack);
  if (call.status == 0)
    call.check(call.api.cudnnBackendExecute(handle, engine.plan, pack), "cudnnBackendExecute");
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
