//===- CudaRun.cpp - One rank's step on a GPU -------------------*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The driver is host code, as on a CPU, whose buffers are the device's and whose calls only queue
// work. After a first step, in which libraries load what they need, the calls are captured once and
// launched as one graph: of each rank where NCCL exchanges, of all ranks together where they are
// threads of one process. Exchanges through the host are not captured. A step ends when its report
// is there, or with the timeout. The next one may be queued before that, so that the device does
// not wait for the host: an error still belongs to its step.
//
//===----------------------------------------------------------------------===//
#include "CudaInstance.h"
#include "dsrt/dsrt.h"

#include "llvm/Support/ErrorHandling.h"

using namespace ds;
using namespace ds::gpu;

CudaInstance::Way CudaInstance::wayOf(dsrt_context *context) {
  if (!context || !step.executable.communicates)
    return Way::none;
  if (!dsrt_can_queue(context))
    return Way::staged;
  dsrt_capabilities capabilities = {};
  capabilities.struct_size = sizeof capabilities;
  if (dsrt_get_capabilities(context, &capabilities) == DSRT_OK && capabilities.device)
    return Way::byBackend;
  // Kernels are made for the number of members that the step was compiled for.
  const int64_t numRanks = dsrt_num_ranks(context);
  const bool fits = numRanks == step.manifest().numRanks && numRanks <= kMostReducedRanks;
  return fits && step.ranksReachEachOther() ? Way::byMover : Way::staged;
}

/// Queues a step. `mayRun`: the next one may be queued before this one has ended.
void CudaInstance::begin(dsrt_context *runContext, bool mayRun) {
  queue.bind();
  context = runContext;
  contextNumber = dsrt_context_number(context);
  takeArena();
  slots.setContext(context);
  marks.start();
  isRestored = false;
  if (++numSteps == 1)
    way = wayOf(context);
  numExchanges = 0;
  setWork("");
  queue.bind(); // wayOf() looks at other devices
  if (events)
    events->start();
  if (!queue.hasFailed()) {
    UseExchanges guard(exchanges);
    queueStep();
  }
  if (reports)
    reports->queueCopies(numSteps, mayRun && canRunAhead());
  for (std::optional<ArgumentFeed> &feed : feeds)
    if (feed)
      feed->stepBegun();
  dsrt_queue_note(context, nullptr);
}

void CudaInstance::runBeside(dsrt_context *runContext, llvm::function_ref<void()> work) {
  begin(runContext, /*mayRun=*/false);
  work();
  finish();
  tellFailure();
}

/// True if the next step may be queued before this one has ended. The first step waits while
/// libraries load what they need, exchanges through the host wait by themselves, and a step whose
/// calls are checked or timed one by one ends within itself.
bool CudaInstance::canRunAhead() const {
  return numSteps > 1 && way != Way::staged && !step.checksLaunches && !events;
}

void CudaInstance::runAhead(dsrt_context *runContext, llvm::function_ref<void()> work) {
  begin(runContext, /*mayRun=*/true);
  work();
  if (canRunAhead()) {
    endStepsUntil(numSteps - 1);
    if (hasCopied)
      queue.waitFor(copiedIn);
    hasCopied = false;
  } else {
    finish();
  }
  tellFailure();
}

void CudaInstance::finish() {
  if (!isRunning())
    return;
  queue.bind();
  endStepsUntil(numSteps);
  hasCopied = false;
  for (std::optional<ArgumentFeed> &feed : feeds)
    if (feed)
      feed->stepsEnded();
}

void CudaInstance::endStepsUntil(int64_t number) {
  for (; lastEnded < number; ++lastEnded)
    endStep(lastEnded + 1);
}

void CudaInstance::queueStep() {
  // Ranks of NCCL that share a device wait for one another, and graphs of a device need not run at
  // the same time.
  const bool waits = way == Way::byBackend && step.ranksShareDevices();
  const bool isGraph = step.isCaptured && way != Way::staged && !waits && numSteps > 1;
  exchanges.areStaged = !waitsTogether();
  if (waitsTogether())
    return queueAmongRanks(isGraph);
  if (!isGraph)
    return step.entry(slots.data());
  if (!graph)
    capture();
  launchGraph();
}

/// Queues a step whose exchanges the runtime queues.
void CudaInstance::queueAmongRanks(bool isGraph) {
  if (way == Way::byMover && !mover)
    mover.emplace(queue, code);
  if (!progress && dsrt_num_ranks(context) > 1)
    progress.emplace(queue, code.events);
  // The arena holds the buckets.
  if (!registeredWith && step.executable.arenaBytes > 0 &&
      dsrt_buffer_register(context, address(arena), step.executable.arenaBytes) == DSRT_OK)
    registeredWith = dsrt_context_number(context);
  // Ranks do not meet in a capture: a graph's collectives are compared once, before it runs.
  if (dsrt_queue_begin(context, queue.stream, mover ? mover->table() : nullptr,
                       /*checked=*/!isGraph) != DSRT_OK)
    return;
  if (mover)
    mover->startStep();
  if (progress)
    progress->start();
  const bool isShared = isGraph && way == Way::byMover;
  const bool isNew = isGraph && (isShared ? numSteps == 2 : !graph);
  if (!isGraph)
    queueCalls();
  else if (isNew && isShared)
    captureTogether();
  else if (isNew)
    capture();
  if (isShared)
    mover->meet(context, RankMover::Meeting::lead, [this] { launchGraph(); });
  if (dsrt_queue_end(context) != DSRT_OK)
    return;
  if (isNew && !isShared && dsrt_queue_compare(context) != DSRT_OK)
    return;
  if (isGraph && !isShared)
    launchGraph();
}

void CudaInstance::queueCalls() {
  if (progress)
    progress->reset();
  step.entry(slots.data());
  if (progress)
    progress->join();
}

void CudaInstance::capture() {
  if (!queue.check(queue.device.api->cuStreamBeginCapture_v2(queue.stream, cuda::captureOfThread),
                   "cuStreamBeginCapture"))
    return;
  queueCalls();
  endCapture();
}

/// Captures the streams of all ranks, which join rank 0's, in one graph.
void CudaInstance::captureTogether() {
  const bool leads = dsrt_rank(context) == 0;
  if (leads)
    queue.check(queue.device.api->cuStreamBeginCapture_v2(queue.stream, cuda::captureOfThread),
                "cuStreamBeginCapture");
  mover->turn = &step.captureTurn;
  bool hasEnded = false;
  if (mover->meet(context, RankMover::Meeting::fork)) {
    turn = std::unique_lock<std::mutex>(step.captureTurn);
    queueCalls();
    turn = {};
    mover->meet(context, RankMover::Meeting::lead, [&] {
      endCapture();
      hasEnded = true;
    });
  }
  mover->turn = nullptr;
  // A capture that has failed would keep the streams of all ranks.
  if (void *captured = nullptr; leads && !hasEnded) {
    std::lock_guard<std::mutex> lock(step.captureTurn);
    if (queue.device.api->cuStreamEndCapture(queue.stream, &captured) == 0)
      (void)queue.device.api->cuGraphDestroy(captured);
  }
}

void CudaInstance::endCapture() {
  const CudaApi &cuda = *queue.device.api;
  void *captured = nullptr;
  if (!queue.check(cuda.cuStreamEndCapture(queue.stream, &captured), "cuStreamEndCapture"))
    return;
  queue.check(cuda.cuGraphInstantiateWithFlags(&graph, captured, 0), "cuGraphInstantiate");
  queue.check(cuda.cuGraphDestroy(captured), "cuGraphDestroy");
}

void CudaInstance::launchGraph() {
  if (!queue.hasFailed())
    queue.check(queue.device.api->cuGraphLaunch(graph, queue.stream), "cuGraphLaunch");
}

static std::string nameOfStep(int64_t number) { return "step " + std::to_string(number); }

void CudaInstance::endStep(int64_t number) {
  if (queue.hasFailed())
    return;
  const std::string name = nameOfStep(number);
  queue.doing(name + ": ", /*isNamed=*/false);
  dsrt_queue_note(context, name.c_str());
  waitFor(reports->event(number));
  dsrt_queue_note(context, nullptr);
  if (queue.hasFailed())
    return;
  if (events)
    events->report(marks);
  if (const int32_t word = reports->assertion(number))
    queue.fail(llvm::Twine("the step asserts: ") + step.assertions.messages[word - 1]);
}

/// Returns the step in which the device failed: "step 3: ".
std::string CudaInstance::firstUnended() const {
  for (int64_t number = lastEnded + 1; number <= numSteps; ++number)
    if (!reports->hasCome(number))
      return nameOfStep(number) + ": ";
  return "";
}

int32_t CudaInstance::look(void *state, int64_t *exchanges) {
  auto *self = static_cast<CudaInstance *>(state);
  const int result = self->queue.device.api->cuEventQuery(self->awaited);
  if (result == cuda::errorNotReady) {
    *exchanges = self->progress ? self->progress->reached() : 0;
    return 0;
  }
  self->queue.check(result, "cuEventQuery");
  return 1;
}

/// Returns when all queued work has ended, or can no longer be waited for.
void CudaInstance::waitForDevice() {
  queue.record(ended);
  waitFor(ended);
}

/// Does the same for the work queued before the event.
void CudaInstance::waitFor(void *event) {
  if (!context)
    return queue.waitFor(event);
  awaited = event;
  if (queue.hasFailed() || dsrt_queue_wait(context, waitsTogether(), look, this) == DSRT_OK ||
      queue.hasFailed())
    return;
  queue.abandon(dsrt_last_error(context));
  code.isAbandoned = true;
}
