//===- ConvolutionPlan.cpp - Convolutions by cuDNN --------------*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A graph of one operation by cuDNN's backend interface. A tensor of any memory order is described
// by its strides, groups included: channels of all groups are one dimension where they lie at one
// distance. Of all engines that cuDNN offers, the first one is taken that computes in f32 and gives
// the same bits in each run: heuristics put those with TF32 and atomics first, more than twenty of
// them. With 16 bits tensor cores multiply exactly and sum in f32, so those are taken, and with
// precision=tf32, too.
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

constexpr int64_t sourceId = 'x', weightsId = 'w', destinationId = 'y';

/// True if a note on an engine's arithmetic is one that a step must not take. FFT and Winograd
/// round elsewhere, but in f32.
bool isRefused(int note, const Convolution &convolution) {
  const bool inF32 = convolution.type == ElementType::f32 && !convolution.tf32;
  return (note == tensorCores && inF32) || note == downConverted || note == reducedPrecision ||
         note == nondeterministic;
}

int numberOf(ElementType type) {
  return type == ElementType::bf16 ? brain16 : type == ElementType::f16 ? real16 : real32;
}

class CudnnPlan final : public DevicePlan {
public:
  CudnnPlan(const CudnnApi &api, const Convolution &convolution, void *handle, std::mutex &turn)
      : convolution(convolution), handle(handle), turn(turn), builder(api) {}
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
  void *const handle;
  std::mutex &turn; // to use the handle
  Builder builder;
  Engine aligned, unaligned; // where all addresses are multiples of 16 bytes, and of an element
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
  builder.setNumber(made, tensorType, typeNumber, numberOf(convolution.type));
  builder.set(made, tensorSizes, sizes);
  builder.set(made, tensorStrides, strides);
  builder.set(made, tensorId, {id});
  builder.set(made, tensorAlignment, {alignment});
  builder.finish(made);
  return made;
}

void *CudnnPlan::describeWindow() {
  // The padding after the source is that before it where the windows are the same ones: several
  // engines have no other. Else it is what the last window needs.
  Sizes after;
  for (size_t d = 0; d < convolution.dimensions(); ++d) {
    const int64_t window = (convolution.weights.sizes[d + 2] - 1) * convolution.dilation[d] + 1,
                  last = (convolution.destination.sizes[d + 2] - 1) * convolution.stride[d],
                  before = convolution.padding[d],
                  needed = last + window - before - convolution.source.sizes[d + 2];
    const bool isSame = needed <= before && before < needed + convolution.stride[d];
    after.push_back(isSame ? before : std::max<int64_t>(0, needed));
  }
  void *made = builder.make(aConvolution);
  builder.setNumber(made, convolutionType, typeNumber, real32);
  builder.setNumber(made, convolutionMode, typeMode, crossCorrelation);
  builder.set(made, convolutionDilations, convolution.dilation);
  builder.set(made, convolutionStrides, convolution.stride);
  builder.set(made, convolutionAfter, after);
  builder.set(made, convolutionBefore, convolution.padding);
  builder.set(made, convolutionDimensions, {static_cast<int64_t>(convolution.dimensions())});
  builder.finish(made);
  return made;
}

void *CudnnPlan::describeGraph(void *window, int64_t alignment) {
  void *source = describe(sourceId, convolution.source, 1, alignment);
  void *weights = describe(weightsId, convolution.weights, 0, alignment);
  void *destination = describe(destinationId, convolution.destination, 1, alignment);
  auto [kind, first] = convolution.kind == Convolution::forward
                           ? std::pair(aForward, forwardAttributes)
                       : convolution.kind == Convolution::sourceGradient
                           ? std::pair(aSourceGradient, sourceGradientAttributes)
                           : std::pair(aWeightsGradient, weightsGradientAttributes);
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
  builder.set(graph, graphHandle, typeHandle, 1, &handle);
  builder.set(graph, graphOperations, operation);
  builder.finish(graph);
  return graph;
}

CudnnPlan::Engine CudnnPlan::choose(void *graph) {
  Engine chosen;
  for (int mode : {heuristicA, heuristicFallback}) {
    void *heuristic = builder.make(aHeuristic);
    builder.setNumber(heuristic, heuristicMode, typeHeuristic, mode);
    builder.set(heuristic, heuristicGraph, graph);
    builder.finish(heuristic);
    const int64_t offered = builder.get(heuristic, heuristicResults, typeDescriptor, 0, nullptr);
    std::vector<void *> configs;
    for (int64_t i = 0; i < offered; ++i)
      configs.push_back(builder.make(anEngineConfig));
    const int64_t found =
        builder.get(heuristic, heuristicResults, typeDescriptor, offered, configs.data());
    builder.forget(); // a heuristic that has no answer
    for (int64_t i = 0; i < std::min(found, offered) && !chosen.plan; ++i)
      if (chosen = tryEngine(configs[i]); chosen.plan)
        std::swap(configs[i], configs.back());
    if (chosen.plan)
      configs.pop_back();
    for (void *config : configs)
      builder.drop(config);
    if (chosen.plan)
      break;
  }
  return chosen;
}

CudnnPlan::Engine CudnnPlan::tryEngine(void *config) {
  int notes[16] = {};
  void *described = builder.make(anEngine);
  builder.get(config, configEngine, typeDescriptor, 1, &described);
  const int64_t count = builder.get(described, engineNotes, typeNote, std::size(notes), notes);
  builder.drop(described);
  if (std::any_of(notes, notes + std::min<int64_t>(count, std::size(notes)),
                  [&](int note) { return isRefused(note, convolution); }))
    return {};
  Engine engine;
  engine.plan = builder.make(aPlan);
  builder.set(engine.plan, planHandle, typeHandle, 1, &handle);
  builder.set(engine.plan, planConfig, config);
  builder.finish(engine.plan);
  builder.get(engine.plan, planWorkspace, typeInteger, 1, &engine.workspace);
  if (builder.status == 0)
    return engine;
  builder.drop(engine.plan);
  builder.forget(); // heuristics offer engines that do not work on every device
  return {};
}

llvm::Error CudnnPlan::prepare() {
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
  std::lock_guard<std::mutex> lock(turn);
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
  call.set(pack, packIds, {sourceId, weightsId, destinationId});
  call.set(pack, packPointers, typePointer, 3, pointers);
  if (engine.workspace)
    call.set(pack, packWorkspace, typePointer, 1, &buffers.workspace);
  call.finish(pack);
  if (call.status == 0)
    call.check(call.api.cudnnBackendExecute(handle, engine.plan, pack), "cudnnBackendExecute");
  if (call.status != 0)
    queue.fail(llvm::toString(call.error()));
}

llvm::Expected<std::unique_ptr<DevicePlan>> ds::gpu::planConvolution(const Convolution &convolution,
                                                                     LibraryHandles &handles) {
  auto handle = handles.forConvolutions();
  if (!handle)
    return handle.takeError();
  auto plan =
      std::make_unique<CudnnPlan>(*llvm::cantFail(loadCudnn()), convolution, *handle, handles.turn);
  if (llvm::Error error = plan->prepare())
    return error;
  return plan;
}
