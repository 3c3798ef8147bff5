//===- CpuInstance.cpp - One rank's memory and its step -------------------===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// All memory of a rank is one block: arena, scratch of library calls, arguments, results, each
// 64-byte aligned. A step is one call of the entry with an array of addresses that is made once.
//
//===----------------------------------------------------------------------===//
#include "CpuStep.h"
#include "dsrt/dsrt.h"

#include "ds/Target/CallMarks.h"
#include "ds/Target/OpenMPThreads.h"
#include "llvm/Support/ErrorHandling.h"
#include "llvm/Support/MathExtras.h"

#include <cstdlib>
#include <cstring>
#include <sys/mman.h>
#include <unistd.h>

using namespace ds;

namespace {

constexpr size_t slotAlignment = 64;
constexpr size_t hugePage = size_t(2) << 20;

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

/// One rank's state of library calls; the driver hands its address through.
struct LibraryState {
  std::vector<std::unique_ptr<LibraryCall>> calls;
  char *scratch = nullptr;
  CallMarks marks;
};

void runLibraryCall(LibraryState *state, int64_t plan, const float *lhs, const float *rhs,
                    float *out) {
  state->calls[plan]->run(lhs, rhs, out, state->scratch);
}

void markProfile(LibraryState *state, int64_t call) { state->marks.mark(call); }

size_t slotBytes(ElementType type, const std::vector<int64_t> &shape) {
  return llvm::alignTo(static_cast<size_t>(elementCount(shape) * byteSize(type)), slotAlignment);
}

class CpuInstance final : public StepInstance {
public:
  explicit CpuInstance(const CpuStep &step);
  ~CpuInstance() override { std::free(memory); }

  void write(unsigned argument, llvm::function_ref<void(char *)> fill) override {
    fill(arguments[argument]);
  }
  HostView readArgument(unsigned slot) const override { return viewOf(arguments[slot]); }
  HostView readResult(unsigned slot) const override { return viewOf(results[slot]); }
  void *argumentMemory(unsigned slot) override { return arguments[slot]; }
  void *resultMemory(unsigned slot) override { return results[slot]; }
  void run(dsrt_context *context) override;
  std::vector<CallProfile> profile() const override;

private:
  /// The slot itself, which the instance owns.
  static HostView viewOf(const char *slot) { return HostView(HostView(), slot); }
  void allocate();
  void fillSlots();

  const CpuStep &step;
  char *memory = nullptr;
  char *arena = nullptr;
  std::vector<char *> arguments, results;
  LibraryState library;
  std::vector<void *> slots;    // of the entry
  std::vector<size_t> contexts; // slots that receive the rank's context
};

/// Zeroes memory; whole pages of it are the system's own zeroes until they are written.
void zeroUntouched(char *first, char *last) {
  size_t page = sysconf(_SC_PAGESIZE);
  auto *low = reinterpret_cast<char *>(llvm::alignTo(reinterpret_cast<uintptr_t>(first), page));
  auto *high = reinterpret_cast<char *>(llvm::alignDown(reinterpret_cast<uintptr_t>(last), page));
  if (low >= high || madvise(low, high - low, MADV_DONTNEED) != 0)
    low = high = last;
  std::memset(first, 0, low - first);
  std::memset(high, 0, last - high);
}

} // namespace

std::vector<NamedFunction> ds::libraryFunctions() {
  return {{kLibraryRunName, reinterpret_cast<void *>(runLibraryCall)},
          {kProfileMarkName, reinterpret_cast<void *>(markProfile)}};
}

int64_t CpuStep::memoryBytes() const {
  int64_t total = 0;
  auto add = [&](size_t bytes) {
    total += llvm::alignTo(std::max<size_t>(bytes, 1), slotAlignment);
  };
  add(executable.arenaBytes);
  add(scratchBytes);
  for (const ArgumentSpec &argument : executable.manifest.arguments)
    add(slotBytes(argument.type, argument.shape));
  for (const ResultSpec &result : executable.manifest.results)
    if (!result.updates)
      add(slotBytes(result.type, result.shape));
  return llvm::alignTo(total, hugePage);
}

std::unique_ptr<StepInstance> CpuStep::instantiate() const {
  return std::make_unique<CpuInstance>(*this);
}

CpuInstance::CpuInstance(const CpuStep &step)
    : step(step), library{{}, nullptr, CallMarks(step.executable.callNames.size())} {
  allocate();
  for (const std::unique_ptr<LibraryPlan> &plan : step.plans)
    library.calls.push_back(plan->instantiate());
  fillSlots();
}

void CpuInstance::allocate() {
  const Manifest &manifest = step.manifest();
  std::vector<std::pair<char **, size_t>> wanted;
  wanted.emplace_back(&arena, step.executable.arenaBytes);
  wanted.emplace_back(&library.scratch, step.scratchBytes);
  arguments.resize(manifest.arguments.size());
  results.resize(manifest.results.size());
  for (size_t i = 0; i < manifest.arguments.size(); ++i)
    wanted.emplace_back(&arguments[i],
                        slotBytes(manifest.arguments[i].type, manifest.arguments[i].shape));
  for (size_t i = 0; i < manifest.results.size(); ++i)
    if (!manifest.results[i].updates)
      wanted.emplace_back(&results[i],
                          slotBytes(manifest.results[i].type, manifest.results[i].shape));
  size_t total = step.memoryBytes();
  memory = static_cast<char *>(std::aligned_alloc(hugePage, total));
  if (!memory)
    llvm::report_bad_alloc_error("no memory for the step");
  // Only a hint: large arenas walk fewer page tables.
  (void)madvise(memory, total, MADV_HUGEPAGE);
  char *next = memory;
  for (auto &[slot, bytes] : wanted) {
    *slot = next;
    next += llvm::alignTo(std::max<size_t>(bytes, 1), slotAlignment);
  }
  // Arguments are zero, too, but take no memory before they get their values, which are in memory
  // elsewhere until then.
  char *end = memory + total;
  char *first = manifest.arguments.empty() ? end : arguments.front();
  char *last = manifest.arguments.empty()
                   ? end
                   : arguments.back() +
                         slotBytes(manifest.arguments.back().type, manifest.arguments.back().shape);
  std::memset(memory, 0, first - memory);
  zeroUntouched(first, last);
  std::memset(last, 0, end - last);
  for (size_t i = 0; i < manifest.results.size(); ++i)
    if (manifest.results[i].updates)
      results[i] = arguments[*manifest.results[i].updates];
}

void CpuInstance::fillSlots() {
  for (const DriverArgument &argument : step.executable.driverArguments) {
    switch (argument.kind) {
    case DriverArgument::context:
      contexts.push_back(slots.size());
      slots.push_back(nullptr);
      break;
    case DriverArgument::library:
      slots.push_back(&library);
      break;
    case DriverArgument::arena:
      slots.push_back(arena);
      break;
    case DriverArgument::argument:
      slots.push_back(arguments[argument.index]);
      break;
    case DriverArgument::result:
      slots.push_back(results[argument.index]);
      break;
    }
  }
}

void CpuInstance::run(dsrt_context *context) {
  SingleThreaded guard;
  for (size_t slot : contexts)
    slots[slot] = context;
  library.marks.start();
  // The members of a bucket lie next to each other in the arena; knowing it, the runtime moves them
  // as one span. Only for the time of the step, because the context may end before this memory or
  // after it. A failure stays in the context.
  bool registers = context && step.executable.communicates && step.executable.arenaBytes > 0 &&
                   dsrt_buffer_register(context, arena, step.executable.arenaBytes) == DSRT_OK;
  step.entry(slots.data());
  if (registers && dsrt_buffer_unregister(context, arena) != DSRT_OK)
    return; // the error of a collective, which the caller reads from the context
}

std::vector<CallProfile> CpuInstance::profile() const {
  return library.marks.report(step.executable.callNames);
}
