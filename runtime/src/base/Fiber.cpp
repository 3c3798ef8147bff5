//===- Fiber.cpp - A function that runs in pieces on its caller's thread ---===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Uses swapcontext, with the calls that the sanitizers need. The stack is mapped with a page below
// it that faults; pages that are never touched cost nothing.
//
//===----------------------------------------------------------------------===//
#include "Fiber.h"

#include <cstdint>
#include <new>
#include <sys/mman.h>
#include <ucontext.h>
#include <unistd.h>
#include <utility>

#if defined(__has_feature)
#define DSRT_HAS_FEATURE(name) __has_feature(name)
#else
#define DSRT_HAS_FEATURE(name) 0
#endif
#if defined(__SANITIZE_ADDRESS__) || DSRT_HAS_FEATURE(address_sanitizer)
#define DSRT_ASAN 1
#include <sanitizer/common_interface_defs.h>
#endif
#if defined(__SANITIZE_THREAD__) || DSRT_HAS_FEATURE(thread_sanitizer)
#define DSRT_TSAN 1
#include <sanitizer/tsan_interface.h>
#endif

namespace dsrt {

/// The calls inside an MPI library may be deep.
constexpr size_t stackBytes = size_t(1) << 21;

/// One side of a switch, as the sanitizers see it.
struct Side {
  ucontext_t context = {};
  const void *stack = nullptr;
  size_t bytes = 0;
  void *shadow = nullptr; // of AddressSanitizer: its fake stack
  void *thread = nullptr; // of ThreadSanitizer
};

struct Fiber::State {
  std::function<void()> body;
  char *memory = nullptr;
  size_t mapped = 0;
  Side caller, own;
  bool ended = false;

  void enter(Side &left) {
#ifdef DSRT_ASAN
    __sanitizer_finish_switch_fiber(own.shadow, &left.stack, &left.bytes);
#endif
    (void)left;
  }

  /// Returns when the other side switches back.
  void change(Side &from, Side &to, bool forGood) {
#ifdef DSRT_ASAN
    __sanitizer_start_switch_fiber(forGood ? nullptr : &from.shadow, to.stack, to.bytes);
#endif
#ifdef DSRT_TSAN
    from.thread = __tsan_get_current_fiber();
    __tsan_switch_to_fiber(to.thread, 0);
#endif
    (void)forGood;
    swapcontext(&from.context, &to.context);
#ifdef DSRT_ASAN
    __sanitizer_finish_switch_fiber(from.shadow, &to.stack, &to.bytes);
#endif
  }

  static void start(unsigned high, unsigned low) {
    auto *state = reinterpret_cast<State *>(uintptr_t(high) << 32 | uintptr_t(low));
    state->enter(state->caller);
    state->body();
    state->ended = true;
    state->change(state->own, state->caller, /*forGood=*/true);
  }
};

Fiber::Fiber(std::function<void()> body) : state(new State) {
  state->body = std::move(body);
  const size_t page = static_cast<size_t>(sysconf(_SC_PAGESIZE));
  state->mapped = stackBytes + page;
  void *memory = mmap(nullptr, state->mapped, PROT_READ | PROT_WRITE,
                      MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_STACK, -1, 0);
  if (memory == MAP_FAILED)
    throw std::bad_alloc();
  mprotect(memory, page, PROT_NONE);
  state->memory = static_cast<char *>(memory);
  state->own.stack = state->memory + page;
  state->own.bytes = stackBytes;
  getcontext(&state->own.context);
  state->own.context.uc_stack.ss_sp = state->memory + page;
  state->own.context.uc_stack.ss_size = stackBytes;
  const auto address = reinterpret_cast<uintptr_t>(state.get());
  makecontext(&state->own.context, reinterpret_cast<void (*)()>(State::start), 2,
              static_cast<unsigned>(address >> 32), static_cast<unsigned>(address));
#ifdef DSRT_TSAN
  state->own.thread = __tsan_create_fiber(0);
#endif
}

Fiber::~Fiber() {
#ifdef DSRT_TSAN
  __tsan_destroy_fiber(state->own.thread);
#endif
  munmap(state->memory, state->mapped);
}

void Fiber::resume() { state->change(state->caller, state->own, /*forGood=*/false); }
void Fiber::yield() { state->change(state->own, state->caller, /*forGood=*/false); }
bool Fiber::ended() const { return state->ended; }

} // namespace dsrt
