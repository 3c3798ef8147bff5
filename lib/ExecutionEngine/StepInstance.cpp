//===- StepInstance.cpp - One rank's memory and its step --------*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// All memory of a rank is one block: arena, scratch of library calls, arguments, results, each
// 64-byte aligned. A step is one call of the entry with an array of addresses that is made once.
//
//===----------------------------------------------------------------------===//
#include "StepImpl.h"
#include "dsrt/dsrt.h"

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

void runLibraryCall(LibraryState *state, int64_t plan, const float *lhs, const float *rhs,
                    float *out) {
  state->calls[plan]->run(lhs, rhs, out, state->scratch);
}

void markProfile(LibraryState *state, int64_t call) {
  auto now = std::chrono::steady_clock::now();
  auto &[calls, nanoseconds] = state->marks[call];
  ++calls;
  nanoseconds +=
      std::chrono::duration_cast<std::chrono::nanoseconds>(now - state->lastMark).count();
  state->lastMark = std::chrono::steady_clock::now();
}

size_t slotBytes(ElementType type, const std::vector<int64_t> &shape) {
  return llvm::alignTo(static_cast<size_t>(elementCount(shape) * byteSize(type)), slotAlignment);
}

} // namespace

std::vector<std::pair<const char *, void *>> ds::libraryFunctions() {
  return {{kLibraryRunName, reinterpret_cast<void *>(runLibraryCall)},
          {kProfileMarkName, reinterpret_cast<void *>(markProfile)}};
}

struct StepInstance::Impl {
  const CompiledStep::Impl &step;
  char *memory = nullptr;
  char *arena = nullptr;
  std::vector<char *> arguments, results;
  LibraryState library;
  std::vector<void *> slots;    // of the entry
  std::vector<size_t> contexts; // slots that receive the rank's context

  explicit Impl(const CompiledStep::Impl &step) : step(step) {}
  ~Impl() { std::free(memory); }
};

StepInstance::StepInstance(std::unique_ptr<Impl> impl) : impl(std::move(impl)) {}
StepInstance::~StepInstance() = default;

int64_t CompiledStep::memoryBytes() const {
  int64_t total = 0;
  auto add = [&](size_t bytes) {
    total += llvm::alignTo(std::max<size_t>(bytes, 1), slotAlignment);
  };
  add(impl->executable.arenaBytes);
  add(impl->scratchBytes);
  for (const ArgumentSpec &argument : impl->executable.manifest.arguments)
    add(slotBytes(argument.type, argument.shape));
  for (const ResultSpec &result : impl->executable.manifest.results)
    if (!result.updates)
      add(slotBytes(result.type, result.shape));
  return llvm::alignTo(total, hugePage);
}

/// Zeroes memory; whole pages of it are the system's own zeroes until they are written.
static void zeroUntouched(char *first, char *last) {
  size_t page = sysconf(_SC_PAGESIZE);
  auto *low = reinterpret_cast<char *>(llvm::alignTo(reinterpret_cast<uintptr_t>(first), page));
  auto *high = reinterpret_cast<char *>(llvm::alignDown(reinterpret_cast<uintptr_t>(last), page));
  if (low >= high || madvise(low, high - low, MADV_DONTNEED) != 0)
    low = high = last;
  std::memset(first, 0, low - first);
  std::memset(high, 0, last - high);
}

std::unique_ptr<StepInstance> CompiledStep::instantiate() const {
  auto instance = std::make_unique<StepInstance::Impl>(*impl);
  std::vector<std::pair<char **, size_t>> wanted;
  wanted.emplace_back(&instance->arena, impl->executable.arenaBytes);
  wanted.emplace_back(&instance->library.scratch, impl->scratchBytes);
  const Manifest &manifest = impl->executable.manifest;
  instance->arguments.resize(manifest.arguments.size());
  instance->results.resize(manifest.results.size());
  for (size_t i = 0; i < manifest.arguments.size(); ++i)
    wanted.emplace_back(&instance->arguments[i],
                        slotBytes(manifest.arguments[i].type, manifest.arguments[i].shape));
  for (size_t i = 0; i < manifest.results.size(); ++i)
    if (!manifest.results[i].updates)
      wanted.emplace_back(&instance->results[i],
                          slotBytes(manifest.results[i].type, manifest.results[i].shape));
  size_t total = memoryBytes();
  instance->memory = static_cast<char *>(std::aligned_alloc(hugePage, total));
  if (!instance->memory)
    llvm::report_bad_alloc_error("no memory for the step");
  // Only a hint: large arenas walk fewer page tables.
  (void)madvise(instance->memory, total, MADV_HUGEPAGE);
  char *next = instance->memory;
  for (auto &[slot, bytes] : wanted) {
    *slot = next;
    next += llvm::alignTo(std::max<size_t>(bytes, 1), slotAlignment);
  }
  // Arguments are zero, too, but take no memory before they get their values, which are in memory
  // elsewhere until then.
  char *end = instance->memory + total;
  char *first = manifest.arguments.empty() ? end : instance->arguments.front();
  char *last = manifest.arguments.empty()
                   ? end
                   : instance->arguments.back() +
                         slotBytes(manifest.arguments.back().type, manifest.arguments.back().shape);
  std::memset(instance->memory, 0, first - instance->memory);
  zeroUntouched(first, last);
  std::memset(last, 0, end - last);
  for (size_t i = 0; i < manifest.results.size(); ++i)
    if (manifest.results[i].updates)
      instance->results[i] = instance->arguments[*manifest.results[i].updates];
  for (const std::unique_ptr<LibraryPlan> &plan : impl->plans)
    instance->library.calls.push_back(plan->instantiate());
  instance->library.marks.resize(impl->executable.callNames.size());
  for (const DriverArgument &argument : impl->executable.driverArguments) {
    switch (argument.kind) {
    case DriverArgument::context:
      instance->contexts.push_back(instance->slots.size());
      instance->slots.push_back(nullptr);
      break;
    case DriverArgument::library:
      instance->slots.push_back(&instance->library);
      break;
    case DriverArgument::arena:
      instance->slots.push_back(instance->arena);
      break;
    case DriverArgument::argument:
      instance->slots.push_back(instance->arguments[argument.index]);
      break;
    case DriverArgument::result:
      instance->slots.push_back(instance->results[argument.index]);
      break;
    }
  }
  return std::unique_ptr<StepInstance>(new StepInstance(std::move(instance)));
}

void *StepInstance::argument(unsigned slot) { return impl->arguments[slot]; }
void *StepInstance::result(unsigned slot) { return impl->results[slot]; }

void StepInstance::run(dsrt_context *context) {
  SingleThreaded guard;
  for (size_t slot : impl->contexts)
    impl->slots[slot] = context;
  impl->library.lastMark = std::chrono::steady_clock::now();
  // The members of a bucket lie next to each other in the arena; knowing it, the runtime moves them
  // as one span. Only for the time of the step, because the context may end before this memory or
  // after it. A failure stays in the context.
  bool registers =
      context && impl->step.executable.communicates && impl->step.executable.arenaBytes > 0 &&
      dsrt_buffer_register(context, impl->arena, impl->step.executable.arenaBytes) == DSRT_OK;
  impl->step.entry(impl->slots.data());
  if (registers && dsrt_buffer_unregister(context, impl->arena) != DSRT_OK)
    return; // the error of a collective, which the caller reads from the context
}

std::vector<CallProfile> StepInstance::profile() const {
  std::vector<CallProfile> calls;
  for (size_t i = 0; i < impl->library.marks.size(); ++i) {
    auto [count, nanoseconds] = impl->library.marks[i];
    calls.push_back({impl->step.executable.callNames[i], count, nanoseconds * 1e-6});
  }
  return calls;
}
