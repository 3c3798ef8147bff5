//===- CudaInstance.cpp - One rank's memory on a GPU -----------*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "CudaInstance.h"

#include "../Cpu/LibraryFunctions.h"
#include "dsrt/dsrt.h"
#include "dsrt/queue.h"

#include "llvm/Support/ErrorHandling.h"

#include <algorithm>
#include <cstring>

using namespace ds;
using namespace ds::gpu;

/// True if the result comes to the host after each step.
static bool isReported(const ResultSpec &result) {
  return result.isMetric && !result.updates && elementCount(result.shape) == 1;
}

namespace {

void launchKernel(CudaInstance *instance, int64_t number, void **parameters) {
  instance->launch(number, parameters);
}
void *findConstant(CudaInstance *instance, int64_t number) { return instance->constant(number); }
void runLibraryCall(CudaInstance *instance, int64_t plan, void *lhs, void *rhs, void *out,
                    void *bias) {
  auto address = [](void *data) { return reinterpret_cast<DevicePointer>(data); };
  instance->callLibrary(plan, address(lhs), address(rhs), address(out), address(bias));
}
void markProfile(CudaInstance *instance, int64_t call) { instance->mark(call); }

} // namespace

std::vector<NamedFunction> ds::gpu::deviceFunctions() {
  std::vector<NamedFunction> functions = exchangeFunctions();
  llvm::append_range(functions, std::initializer_list<NamedFunction>{
                                    {kLaunchName, reinterpret_cast<void *>(launchKernel)},
                                    {kConstantName, reinterpret_cast<void *>(findConstant)},
                                    {kLibraryRunName, reinterpret_cast<void *>(runLibraryCall)},
                                    {kProfileMarkName, reinterpret_cast<void *>(markProfile)}});
  return functions;
}

std::unique_ptr<StepInstance> CudaStep::instantiate(std::shared_ptr<SharedMemory> shared,
                                                    int64_t rank) const {
  auto code = codeFor(rank);
  std::string failure = code ? "" : llvm::toString(code.takeError());
  BorrowedSlots borrowed;
  if (shared)
    borrowed = static_cast<BorrowedMemory &>(*shared).ofRank[rank];
  return std::make_unique<CudaInstance>(*this, failure.empty() ? **code : someCode(),
                                        std::move(failure), rank, borrowed);
}

CudaInstance::CudaInstance(const CudaStep &step, const DeviceCode &code, std::string failure,
                           int64_t rank, const BorrowedSlots &borrowed)
    : step(step), code(code), rank(rank), queue(code.device), exchanges(queue),
      marks(step.executable.callNames.size()) {
  const Manifest &manifest = step.manifest();
  arguments.resize(manifest.arguments.size());
  feeds = std::vector<std::optional<ArgumentFeed>>(arguments.size());
  batches = std::vector<std::optional<BatchFeed>>(arguments.size());
  results.resize(manifest.results.size());
  metricOffsets.resize(results.size());
  if (!step.executable.callNames.empty())
    events.emplace(queue);
  if (!failure.empty())
    queue.fail(failure);
  if (!fits(borrowed))
    return;
  step.count(rank, 1);
  hasMemory = true;
  workspace = allocate(step.workspaceBytes());
  pinnedBytes = 1;
  for (auto [i, argument] : llvm::enumerate(manifest.arguments)) {
    auto elsewhere = borrowed.find(i);
    arguments[i] = elsewhere == borrowed.end() ? allocate(slotBytesOf(argument))
                                               : reinterpret_cast<DevicePointer>(elsewhere->second);
    pinnedBytes = std::max(pinnedBytes, slotBytesOf(argument));
  }
  for (auto [i, result] : llvm::enumerate(manifest.results))
    if (isReported(result)) {
      metricOffsets[i] = metricBytes;
      metricBytes += slotBytesOf(result);
    }
  metrics = allocate(metricBytes + StepReports::endBytes);
  for (auto [i, result] : llvm::enumerate(manifest.results))
    results[i] = metricOffsets[i] ? metrics + *metricOffsets[i]
                 : result.updates ? arguments[*result.updates]
                                  : allocate(slotBytesOf(result));
  for (const ResultSpec &result : manifest.results)
    pinnedBytes = std::max(pinnedBytes, slotBytesOf(result));
  if (!queue.hasFailed())
    queue.check(queue.device.api->cuMemHostAlloc(&pinned, pinnedBytes, 0), "cuMemHostAlloc");
  queue.follow(code.loaded);
  int result = 0;
  for (void **event : {&ended, &handover, &copiedIn}) {
    *event = code.events.take(result);
    queue.check(result, "cuEventCreate");
  }
  queue.whereLate = [this] { return firstUnended(); };

  exchanges.wait = [this] { waitForDevice(); };
  exchanges.begins = [this] {
    ++numExchanges;
    if (progress)
      progress->note();
  };
  exchanges.before = [this] {
    if (this->step.checksLaunches)
      setWork("exchange " + std::to_string(numExchanges));
    if (queue.hasFailed()) // the others need not wait for this rank
      dsrt_abort(context, queue.error().c_str());
    if (turn.mutex())
      turn.unlock();
  };
  exchanges.after = [this] {
    if (turn.mutex())
      turn.lock();
    endWork();
  };
}

CudaInstance::~CudaInstance() {
  if (hasMemory)
    step.count(rank, -1);
  if (queue.isAbandoned())
    return;
  queue.bind();
  // Waits for a step that still runs and whose end the caller has not awaited.
  if (isRunning() && !queue.hasFailed() && isContextWell())
    queue.waitFor(reports->event(numSteps));
  // Waits for values written for a step that never ran, or queued before an error.
  const bool isQuiet = queue.drain(kFarewellMs);
  if (!isQuiet)
    code.isAbandoned = true;
  // The others' graph may hold work of a rank that has failed: its memory is freed with the code.
  if (!isQuiet || (queue.hasFailed() && waitsTogether())) {
    code.keep(memory);
    queue.abandon("");
    return;
  }
  batches.clear();
  feeds.clear();
  copies.reset();
  reports.reset();
  if (graph)
    (void)queue.device.api->cuGraphExecDestroy(graph);
  if (registeredWith && dsrt_context_exists(registeredWith))
    (void)dsrt_buffer_unregister(context, address(arena));
  if (arenaOf && dsrt_context_exists(arenaOf)) {
    (void)dsrt_memory_free(context, address(arena));
    queue.bind();
  }
  for (DevicePointer data : memory)
    queue.release(data);
  if (pinned)
    (void)queue.device.api->cuMemFreeHost(pinned);
  for (void *event : {ended, handover, copiedIn})
    if (event)
      code.events.give(event);
}

/// Reports a lack of memory before any is allocated. Second buffers are left out where one of them
/// would take memory that a later rank needs.
bool CudaInstance::fits(const BorrowedSlots &borrowed) {
  size_t free = 0, total = 0;
  if (queue.hasFailed() ||
      !queue.check(queue.device.api->cuMemGetInfo_v2(&free, &total), "cuMemGetInfo"))
    return false;
  const MemoryNeeds needs = step.memoryNeeds(borrowed);
  const int64_t ranks = step.ranksToCome(rank), wanted = ranks * needs.total();
  hasRoomAhead = static_cast<size_t>(wanted + ranks * needs.ahead) <= free;
  if (static_cast<size_t>(wanted) <= free)
    return true;
  queue.fail("the step needs " + llvm::Twine(wanted) + " bytes of GPU " +
             llvm::Twine(queue.device.number) + ", of which it has " + llvm::Twine(free) +
             " free: " + (ranks > 1 ? "for each of " + std::to_string(ranks) + " ranks " : "") +
             needs.describe());
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
  const ArgumentSpec &spec = step.manifest().arguments[argument];
  const size_t bytes = slotBytesOf(spec);
  if (spec.role != ArgumentRole::parameter && spec.role != ArgumentRole::state) {
    if (!feeds[argument])
      feeds[argument].emplace(queue, arguments[argument], bytes);
    return feeds[argument]->write(fill);
  }
  awaitSteps();
  if (queue.hasFailed()) { // the next run reports the error
    std::vector<char> nowhere(bytes);
    fill(nowhere.data());
    return;
  }
  fill(static_cast<char *>(pinned));
  queue.upload(arguments[argument], pinned, bytes);
  queue.wait();
}

char *CudaInstance::spareMemory(unsigned slot) {
  if (!hasRoomAhead)
    return nullptr;
  if (!batches[slot]) {
    queue.bind();
    if (!copies)
      copies.emplace(queue);
    batches[slot].emplace(queue, code.events, copies->get(), arguments[slot],
                          slotBytesOf(step.manifest().arguments[slot]));
  }
  return batches[slot]->spare();
}

void CudaInstance::swapSpare(unsigned slot) {
  queue.bind();
  if (feeds[slot])
    feeds[slot]->forget();
  batches[slot]->take();
}

void CudaInstance::join(dsrt_context *ofRank) {
  context = ofRank;
  contextNumber = dsrt_context_number(context);
  queue.patienceMs = dsrt_timeout_ms(context);
  queue.bind();
  takeArena();
}

/// True if the runtime makes the exchanges: then the buckets lie in memory that its library can
/// register.
bool CudaInstance::isArenaRegistered() const {
  dsrt_capabilities capabilities = {};
  capabilities.struct_size = sizeof capabilities;
  return context && step.executable.communicates && step.executable.arenaBytes > 0 &&
         dsrt_can_queue(context) && dsrt_get_capabilities(context, &capabilities) == DSRT_OK &&
         capabilities.registers;
}

/// Sets up the parts that depend on the ranks' world: the arena, and the pointers to it.
void CudaInstance::takeArena() {
  if (!hasMemory || reports)
    return;
  if (!queue.hasFailed() && isArenaRegistered()) {
    void *data = nullptr;
    if (dsrt_memory_alloc(context, step.executable.arenaBytes, &data) == DSRT_OK)
      arenaOf = contextNumber;
    else
      queue.fail(dsrt_last_error(context));
    arena = reinterpret_cast<DevicePointer>(data);
    queue.bind();
    if (arena)
      queue.zero(arena, step.executable.arenaBytes);
  } else {
    arena = allocate(step.executable.arenaBytes);
  }
  reports.emplace(queue, code.events, metrics, metricBytes, arena + step.assertions.offset,
                  step.assertions.bytes);
  slots = EntrySlots(step.executable.driverArguments,
                     {this, address(arena),
                      [](unsigned) -> void * { llvm_unreachable("refused by GpuTarget.cpp"); },
                      [&](unsigned slot) { return address(arguments[slot]); },
                      [&](unsigned slot) { return address(results[slot]); }});
}

/// True if the ranks that a step may wait for are there, as far as this rank knows.
bool CudaInstance::isContextWell() const {
  return !contextNumber || (dsrt_context_exists(contextNumber) && !dsrt_failed(context));
}

/// Makes a failure an error of the rank, before its results are used.
void CudaInstance::tellFailure() const {
  if (!queue.hasFailed())
    return;
  if (!context)
    llvm::reportFatalUsageError(llvm::Twine(queue.error()));
  if (!dsrt_failed(context))
    dsrt_abort(context, queue.error().c_str());
}

HostView CudaInstance::download(DevicePointer data, size_t bytes) const {
  std::shared_ptr<char> copy(new char[bytes](), std::default_delete<char[]>());
  copyOut(copy.get(), data, bytes);
  tellFailure();
  return copy;
}

void CudaInstance::copyOut(char *to, DevicePointer from, size_t bytes) const {
  queue.bind();
  awaitSteps();
  for (size_t done = 0; done < bytes && !queue.hasFailed(); done += pinnedBytes) {
    const size_t piece = std::min(pinnedBytes, bytes - done);
    queue.download(pinned, from + done, piece);
    queue.wait();
    if (!queue.hasFailed())
      std::memcpy(to + done, pinned, piece);
  }
}

HostView CudaInstance::readResult(unsigned slot) const {
  awaitSteps();
  return readMetric(slot);
}

HostView CudaInstance::readMetric(unsigned slot) const {
  if (!metricOffsets[slot] || lastEnded == 0 || isRestored || queue.hasFailed())
    return download(results[slot], slotBytesOf(step.manifest().results[slot]));
  return HostView(reports->metric(lastEnded, *metricOffsets[slot]), [](const void *) {});
}

void CudaInstance::launch(int64_t number, void **parameters) {
  const LoadedLaunch &launch = code.launches[number];
  if (queue.hasFailed())
    return;
  if (step.checksLaunches)
    setWork(describe(launch.record));
  queue.check(queue.device.api->cuLaunchKernel(launch.function,
                                               static_cast<unsigned>(launch.record.blocks), 1, 1,
                                               static_cast<unsigned>(launch.record.threadsX),
                                               static_cast<unsigned>(launch.record.threadsY), 1, 0,
                                               queue.stream, parameters, nullptr),
              "cuLaunchKernel");
  endWork();
}

/// Returns "kernel 'k' of step.mlir:60:11, 3 blocks of 256 threads".
std::string CudaInstance::describe(const LaunchRecord &record) {
  return "kernel '" + std::string(record.kernel) + "'" +
         (*record.source ? " of " + std::string(record.source) : "") + ", " +
         std::to_string(record.blocks) + (record.blocks == 1 ? " block of " : " blocks of ") +
         std::to_string(record.threadsX * record.threadsY) + " threads";
}

/// Returns "product 'contraction_0' over 16 x 32 x 64".
std::string CudaInstance::describe(const LibraryCallSpec &call) {
  const auto *product = std::get_if<StridedContraction>(&call.what);
  std::string text = (product ? "product '" : "convolution '") + call.name + "'";
  for (size_t i = 0; product && i < product->sizes.size(); ++i)
    text += (i == 0 ? " over " : " x ") + std::to_string(product->sizes[i]);
  return text;
}

/// Sets the work for messages; empty: the step as a whole.
void CudaInstance::setWork(const std::string &what) {
  work = "step " + std::to_string(numSteps) + (what.empty() ? "" : " (" + what + ")");
  queue.doing(work + ": ", /*isNamed=*/!what.empty());
  dsrt_queue_note(context, work.c_str());
}

/// With --check-launches, waits for the work that setWork named.
void CudaInstance::endWork() {
  if (!step.checksLaunches)
    return;
  if (!queue.hasFailed())
    waitForDevice();
  setWork("");
}

void CudaInstance::callLibrary(int64_t plan, DevicePointer lhs, DevicePointer rhs,
                               DevicePointer out, DevicePointer bias) {
  if (step.checksLaunches)
    setWork(describe(step.executable.libraryCalls[plan]));
  code.plans[plan]->run(queue, {lhs, rhs, out, bias, workspace}, tables);
  endWork();
}

std::vector<CallProfile> CudaInstance::profile() const {
  return marks.report(step.executable.callNames);
}
