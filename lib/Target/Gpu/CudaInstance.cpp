//===- CudaInstance.cpp - One rank's memory and its step on a GPU -*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The driver is host code, as on a CPU, whose buffers are the device's and whose calls only queue
// work. After a first step, in which libraries load what they need, the calls are captured once and
// launched as one graph; steps with exchanges are not, because those go through the host. A step
// ends when its stream is empty: an error is that of its step.
//
//===----------------------------------------------------------------------===//
#include "CudaStep.h"
#include "StagedCollectives.h"
#include "dsrt/dsrt.h"

#include "ds/Target/CallMarks.h"
#include "ds/Target/EntrySlots.h"

#include "llvm/Support/ErrorHandling.h"

using namespace ds;
using namespace ds::gpu;

namespace {

class CudaInstance final : public StepInstance {
public:
  explicit CudaInstance(const CudaStep &step);
  ~CudaInstance() override;

  void write(unsigned argument, llvm::function_ref<void(char *)> fill) override;
  HostView readArgument(unsigned slot) const override {
    return download(arguments[slot], slotBytesOf(step.manifest().arguments[slot]));
  }
  HostView readResult(unsigned slot) const override {
    return download(results[slot], slotBytesOf(step.manifest().results[slot]));
  }
  void run(dsrt_context *context) override;
  std::vector<CallProfile> profile() const override;
  std::vector<CallTime> lastCalls() const override { return marks.lastCalls(); }

  void launch(int64_t number, void **parameters);
  void callLibrary(int64_t plan, DevicePointer lhs, DevicePointer rhs, DevicePointer out);
  void *constant(int64_t number) const { return reinterpret_cast<void *>(step.constants[number]); }
  void mark(int64_t call);

private:
  template <typename Spec> static size_t slotBytesOf(const Spec &spec) {
    return slotBytes(spec.type, spec.shape);
  }
  DevicePointer allocate(size_t bytes);
  HostView download(DevicePointer data, size_t bytes) const;
  bool fits();
  void checkAssertions();
  void queueStep();
  void capture();

  const CudaStep &step;
  mutable CudaQueue queue;
  Staging staging;
  std::vector<DevicePointer> memory; // all of it
  DevicePointer arena = 0, workspace = 0;
  std::vector<DevicePointer> arguments, results;
  void *pinned = nullptr; // what is written goes through it
  void *graph = nullptr;  // the step, once it is captured
  EntrySlots slots;
  int64_t numSteps = 0;
  CallMarks marks;
};

void launchKernel(CudaInstance *instance, int64_t number, void **parameters) {
  instance->launch(number, parameters);
}
void *findConstant(CudaInstance *instance, int64_t number) { return instance->constant(number); }
void runLibraryCall(CudaInstance *instance, int64_t plan, void *lhs, void *rhs, void *out) {
  auto address = [](void *data) { return reinterpret_cast<DevicePointer>(data); };
  instance->callLibrary(plan, address(lhs), address(rhs), address(out));
}
void markProfile(CudaInstance *instance, int64_t call) { instance->mark(call); }

} // namespace

std::vector<NamedFunction> ds::gpu::deviceFunctions() {
  std::vector<NamedFunction> functions = stagedFunctions();
  llvm::append_range(functions, std::initializer_list<NamedFunction>{
                                    {kLaunchName, reinterpret_cast<void *>(launchKernel)},
                                    {kConstantName, reinterpret_cast<void *>(findConstant)},
                                    {kLibraryRunName, reinterpret_cast<void *>(runLibraryCall)},
                                    {kProfileMarkName, reinterpret_cast<void *>(markProfile)}});
  return functions;
}

std::unique_ptr<StepInstance> CudaStep::instantiate(std::shared_ptr<SharedMemory>, int64_t) const {
  return std::make_unique<CudaInstance>(*this);
}

CudaInstance::CudaInstance(const CudaStep &step)
    : step(step), queue(step.device), staging(queue), marks(step.executable.callNames.size()) {
  const Manifest &manifest = step.manifest();
  arguments.resize(manifest.arguments.size());
  results.resize(manifest.results.size());
  if (!fits())
    return;
  arena = allocate(step.executable.arenaBytes);
  workspace = allocate(step.workspaceBytes);
  size_t largest = 1;
  for (auto [i, argument] : llvm::enumerate(manifest.arguments)) {
    arguments[i] = allocate(slotBytesOf(argument));
    largest = std::max(largest, slotBytesOf(argument));
  }
  for (auto [i, result] : llvm::enumerate(manifest.results))
    results[i] = result.updates ? arguments[*result.updates] : allocate(slotBytesOf(result));
  if (!queue.hasFailed())
    queue.check(step.device.api->cuMemHostAlloc(&pinned, largest, 0), "cuMemHostAlloc");
  queue.wait();

  auto address = [](DevicePointer data) { return reinterpret_cast<void *>(data); };
  slots = EntrySlots(step.executable.driverArguments,
                     {this, address(arena),
                      [](unsigned) -> void * { llvm_unreachable("refused by GpuTarget.cpp"); },
                      [&](unsigned slot) { return address(arguments[slot]); },
                      [&](unsigned slot) { return address(results[slot]); }});
}

CudaInstance::~CudaInstance() {
  queue.bind();
  for (DevicePointer data : memory)
    queue.release(data);
  if (pinned)
    (void)step.device.api->cuMemFreeHost(pinned);
  if (graph)
    (void)step.device.api->cuGraphExecDestroy(graph);
}

/// Says what does not fit, before any of it is allocated.
bool CudaInstance::fits() {
  size_t free = 0, total = 0;
  if (queue.hasFailed() ||
      !queue.check(step.device.api->cuMemGetInfo_v2(&free, &total), "cuMemGetInfo"))
    return false;
  auto wanted = static_cast<size_t>(step.memoryBytes());
  if (wanted <= free)
    return true;
  size_t slots = wanted - step.executable.arenaBytes - step.workspaceBytes;
  queue.fail("the step needs " + llvm::Twine(wanted) + " bytes of a GPU, of which it has " +
             llvm::Twine(free) + " free: " + llvm::Twine(slots) + " for arguments and results, " +
             llvm::Twine(step.executable.arenaBytes) + " for values within the step, " +
             llvm::Twine(step.workspaceBytes) + " for cuBLAS and cuDNN");
  return false;
}

DevicePointer CudaInstance::allocate(size_t bytes) {
  if (bytes == 0)
    return 0;
  DevicePointer data = queue.allocate(bytes);
  if (data)
    memory.push_back(data);
  queue.zero(data, bytes);
  return data;
}

void CudaInstance::write(unsigned argument, llvm::function_ref<void(char *)> fill) {
  queue.bind();
  size_t bytes = slotBytesOf(step.manifest().arguments[argument]);
  if (queue.hasFailed()) { // the next run says why
    std::vector<char> nowhere(bytes);
    fill(nowhere.data());
    return;
  }
  fill(static_cast<char *>(pinned));
  queue.upload(arguments[argument], pinned, bytes);
  queue.wait();
}

HostView CudaInstance::download(DevicePointer data, size_t bytes) const {
  std::shared_ptr<char> copy(new char[bytes](), std::default_delete<char[]>());
  queue.bind();
  queue.download(copy.get(), data, bytes);
  queue.wait();
  return copy;
}

void CudaInstance::launch(int64_t number, void **parameters) {
  const LoadedLaunch &launch = step.launches[number];
  if (queue.hasFailed())
    return;
  queue.check(step.device.api->cuLaunchKernel(launch.function,
                                              static_cast<unsigned>(launch.record.blocks), 1, 1,
                                              static_cast<unsigned>(launch.record.threadsX),
                                              static_cast<unsigned>(launch.record.threadsY), 1, 0,
                                              queue.stream, parameters, nullptr),
              "cuLaunchKernel");
}

void CudaInstance::callLibrary(int64_t plan, DevicePointer lhs, DevicePointer rhs,
                               DevicePointer out) {
  step.plans[plan]->run(queue, lhs, rhs, out, workspace);
}

void CudaInstance::run(dsrt_context *context) {
  queue.bind();
  slots.setContext(context);
  marks.start();
  ++numSteps;
  if (!queue.hasFailed()) {
    UseStaging guard(staging);
    queueStep();
  }
  checkAssertions();
  queue.wait();
  if (!queue.hasFailed())
    return;
  std::string text = "step " + std::to_string(numSteps) + ": " + queue.error();
  if (!context)
    llvm::reportFatalUsageError(llvm::Twine(text));
  if (!dsrt_failed(context))
    dsrt_abort(context, text.c_str());
}

void CudaInstance::queueStep() {
  if (!step.isCaptured || numSteps == 1) {
    step.entry(slots.data());
    return;
  }
  if (!graph)
    capture();
  if (!queue.hasFailed())
    queue.check(step.device.api->cuGraphLaunch(graph, queue.stream), "cuGraphLaunch");
}

void CudaInstance::capture() {
  const CudaApi &cuda = *step.device.api;
  constexpr int ofThisThread = 1; // calls of other ranks are not looked at
  if (!queue.check(cuda.cuStreamBeginCapture_v2(queue.stream, ofThisThread),
                   "cuStreamBeginCapture"))
    return;
  step.entry(slots.data());
  void *captured = nullptr;
  if (!queue.check(cuda.cuStreamEndCapture(queue.stream, &captured), "cuStreamEndCapture"))
    return;
  queue.check(cuda.cuGraphInstantiateWithFlags(&graph, captured, 0), "cuGraphInstantiate");
  queue.check(cuda.cuGraphDestroy(captured), "cuGraphDestroy");
}

void CudaInstance::checkAssertions() {
  std::vector<int32_t> words(step.assertions.bytes / sizeof(int32_t));
  queue.download(words.data(), arena + step.assertions.offset, step.assertions.bytes);
  queue.wait();
  for (int32_t word : words)
    if (word && !queue.hasFailed())
      queue.fail(llvm::Twine("the step asserts: ") + step.assertions.messages[word - 1]);
}

void CudaInstance::mark(int64_t call) {
  queue.wait(); // the time of the call, not of queueing it
  marks.mark(call);
}

std::vector<CallProfile> CudaInstance::profile() const {
  return marks.report(step.executable.callNames);
}
