//===- CpuInstance.cpp - One rank's memory and its step -------------------===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// All memory of a rank is one block: arena, scratch of library calls, arguments, results, each
// 64-byte aligned; where ranks share values, these and the arenas are in CpuSharedMemory. A step is
// one call of the entry with an array of addresses that is made once.
//
//===----------------------------------------------------------------------===//
#include "CpuMemory.h"
#include "LibraryFunctions.h"
#include "dsrt/dsrt.h"

#include "ds/Support/AssertionError.h"
#include "ds/Target/CallMarks.h"
#include "ds/Target/EntrySlots.h"
#include "ds/Target/OpenMPThreads.h"
#include "llvm/Support/ErrorHandling.h"
#include "llvm/Support/MathExtras.h"

#include <csetjmp>
#include <cstring>

using namespace ds;

/// One rank's state of library calls; the driver passes its address through.
struct ds::LibraryState {
  std::vector<std::unique_ptr<LibraryCall>> calls;
  char *scratch = nullptr;
  CallMarks marks;
};

namespace {

/// Library calls of one rank use one thread: other cores belong to other ranks.
class SingleThreaded {
public:
  SingleThreaded() : before(omp_get_max_threads()) {
    if (before != 1)
      omp_set_num_threads(1);
  }
  ~SingleThreaded() {
    if (before != 1)
      omp_set_num_threads(before);
  }

private:
  int before;
};

/// The frame that has called the entry, to which an assertion that does not hold jumps.
thread_local jmp_buf *stepEnd = nullptr;

/// Returns false if an assertion has ended the step. Code of a step has nothing to clean up, so it
/// is left by a jump, which costs a step nothing; no frame of C++ lies between.
[[gnu::noinline]] bool runToEnd(EntryFunction entry, void **slots) {
  jmp_buf here;
  jmp_buf *const before = stepEnd;
  stepEnd = &here;
  const bool ended = _setjmp(here) == 0;
  if (ended)
    entry(slots);
  stepEnd = before;
  return ended;
}

class CpuInstance final : public StepInstance {
public:
  CpuInstance(const CpuStep &step, std::shared_ptr<CpuSharedMemory> shared, int64_t rank);
  ~CpuInstance() override;

  void write(unsigned argument, llvm::function_ref<void(char *)> fill) override {
    if (shared && shared->argument(argument))
      shared->write(rank, argument, fill);
    else
      fill(arguments[argument]);
  }
  HostView readArgument(unsigned slot) const override { return viewOf(arguments[slot]); }
  HostView readResult(unsigned slot) const override { return viewOf(results[slot]); }
  void *argumentMemory(unsigned slot) override { return arguments[slot]; }
  void *resultMemory(unsigned slot) override { return results[slot]; }
  bool placeArgument(unsigned slot, void *memory) override;
  bool placeResult(unsigned slot, void *memory) override;
  char *spareMemory(unsigned slot) override {
    if (shared && shared->argument(slot))
      return nullptr;
    if (!spares[slot])
      spares[slot] = ownSpares
                         .emplace_back(allocatePages(
                             llvm::alignTo(slotBytesOf(step.manifest().arguments[slot]), hugePage)))
                         .get();
    return spares[slot];
  }
  void swapSpare(unsigned slot) override {
    std::swap(arguments[slot], spares[slot]);
    slots.setArgument(slot, arguments[slot]);
  }
  void run(dsrt_context *context) override;
  std::vector<CallProfile> profile() const override;
  std::vector<CallTime> lastCalls() const override { return library.marks.lastCalls(); }

private:
  /// Returns the slot itself, which the instance owns.
  static HostView viewOf(const char *slot) { return HostView(HostView(), slot); }
  void allocate();

  const CpuStep &step;
  std::shared_ptr<CpuSharedMemory> shared; // null: ranks share no value
  const int64_t rank;
  bool isAbandoned = false; // collectives that an ended step has started may still move the arena
  Memory memory;
  char *arena = nullptr;
  std::vector<char *> arguments, spares, results;
  std::vector<char *> ownArguments, ownResults; // used unless the caller has placed the slot
  std::vector<Memory> ownSpares;
  LibraryState library;
  EntrySlots slots;
};

} // namespace

void ds_library_run(LibraryState *state, int64_t plan, const float *lhs, const float *rhs,
                    float *out, const float *) {
  state->calls[plan]->run(lhs, rhs, out, state->scratch);
}

void ds_assertion_failed(const char *place, const char *message) {
  recordFailedAssertion(place, message);
  if (!stepEnd)
    llvm::report_fatal_error("an assertion outside of a step");
  longjmp(*stepEnd, 1);
}

void ds_profile_mark(LibraryState *state, int64_t call) { state->marks.mark(call); }

std::unique_ptr<StepInstance> CpuStep::instantiate(std::shared_ptr<SharedMemory> shared,
                                                   int64_t rank) const {
  return std::make_unique<CpuInstance>(
      *this, std::static_pointer_cast<CpuSharedMemory>(std::move(shared)), rank);
}

CpuInstance::CpuInstance(const CpuStep &step, std::shared_ptr<CpuSharedMemory> shared, int64_t rank)
    : step(step), shared(std::move(shared)), rank(rank),
      library{{}, nullptr, CallMarks(step.executable.callNames.size())} {
  if (!this->shared && !step.executable.sharedArguments.empty())
    llvm::report_fatal_error("the step shares values between ranks, got no memory for them");
  allocate();
  for (const std::unique_ptr<LibraryPlan> &plan : step.plans)
    library.calls.push_back(plan->instantiate());
  slots = EntrySlots(step.executable.driverArguments,
                     {&library, arena, [&](unsigned peer) { return this->shared->arena(peer); },
                      [&](unsigned slot) { return arguments[slot]; },
                      [&](unsigned slot) { return results[slot]; }});
}

CpuInstance::~CpuInstance() {
  if (!isAbandoned)
    return;
  (void)memory.release();
  new std::shared_ptr<CpuSharedMemory>(std::move(shared)); // never released
}

void CpuInstance::allocate() {
  const Manifest &manifest = step.manifest();
  std::vector<std::pair<char **, size_t>> wanted;
  if (!shared)
    wanted.emplace_back(&arena, slotBytes(step.executable.arenaBytes));
  wanted.emplace_back(&library.scratch, slotBytes(step.scratchBytes));
  arguments.resize(manifest.arguments.size());
  spares.resize(manifest.arguments.size());
  results.resize(manifest.results.size());
  const size_t firstArgument = wanted.size();
  for (auto [slot, argument] : llvm::enumerate(manifest.arguments))
    if (shared && shared->argument(slot))
      arguments[slot] = shared->argument(slot);
    else
      wanted.emplace_back(&arguments[slot], slotBytesOf(argument));
  for (size_t i = 0; i < manifest.results.size(); ++i)
    if (!manifest.results[i].updates)
      wanted.emplace_back(&results[i], slotBytesOf(manifest.results[i]));
  size_t total = 0;
  for (auto &[slot, bytes] : wanted)
    total += bytes;
  total = llvm::alignTo(total, hugePage);
  memory = allocatePages(total);
  char *next = memory.get(), *end = next + total;
  std::vector<char *> begins;
  for (auto &[slot, bytes] : wanted) {
    begins.push_back(*slot = next);
    next += bytes;
  }
  begins.push_back(next);
  // Arguments and results are zero, too, but take no memory before they get their values: until
  // then, or always where the caller places them, the values are in memory elsewhere.
  std::memset(memory.get(), 0, begins[firstArgument] - memory.get());
  zeroUntouched(begins[firstArgument], end);
  if (shared) {
    arena = shared->arena(rank);
    std::memset(arena, 0, step.executable.arenaBytes);
  }
  for (size_t i = 0; i < manifest.results.size(); ++i)
    if (manifest.results[i].updates)
      results[i] = arguments[*manifest.results[i].updates];
  ownArguments = arguments;
  ownResults = results;
}

bool CpuInstance::placeArgument(unsigned slot, void *memory) {
  bool isUpdated = llvm::any_of(step.manifest().results,
                                [&](const ResultSpec &result) { return result.updates == slot; });
  if (isUpdated || spares[slot] || (shared && shared->argument(slot)))
    return false;
  arguments[slot] = memory ? static_cast<char *>(memory) : ownArguments[slot];
  slots.setArgument(slot, arguments[slot]);
  return true;
}

bool CpuInstance::placeResult(unsigned slot, void *memory) {
  if (step.manifest().results[slot].updates)
    return false;
  results[slot] = memory ? static_cast<char *>(memory) : ownResults[slot];
  slots.setResult(slot, results[slot]);
  return true;
}

void CpuInstance::run(dsrt_context *context) {
  SingleThreaded guard;
  slots.setContext(context);
  library.marks.start();
  // The members of a bucket are neighbours in the arena; knowing that, the runtime moves them as
  // one span. Only for the time of the step, because the context may end before this memory or
  // after it. A failure stays in the context.
  bool registers = context && step.executable.communicates && step.executable.arenaBytes > 0 &&
                   dsrt_buffer_register(context, arena, step.executable.arenaBytes) == DSRT_OK;
  if (!runToEnd(step.entry, slots.data())) {
    isAbandoned = context && step.executable.communicates;
    return;
  }
  if (registers && dsrt_buffer_unregister(context, arena) != DSRT_OK)
    return; // the error of a collective, which the caller reads from the context
}

std::vector<CallProfile> CpuInstance::profile() const {
  return library.marks.report(step.executable.callNames);
}
