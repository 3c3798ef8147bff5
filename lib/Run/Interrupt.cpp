//===- Interrupt.cpp - Ctrl-C as a request ----------------------*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A handler sets a flag; the default action comes back for the second signal.
//
//===----------------------------------------------------------------------===//
#include "ds/Run/Interrupt.h"

#include <atomic>
#include <csignal>

namespace ds {

// Every rank looks, whichever thread the signal came to.
static std::atomic<bool> requested{false};
static_assert(std::atomic<bool>::is_always_lock_free, "a handler must not wait");

static void request(int) { requested = true; }

void catchInterrupts() {
  struct sigaction action = {};
  action.sa_handler = request;
  action.sa_flags = SA_RESETHAND | SA_RESTART;
  sigaction(SIGINT, &action, nullptr);
  sigaction(SIGTERM, &action, nullptr);
}

void survivePipes() {
  // Not SIG_IGN, which programs that this one starts would inherit.
  struct sigaction action = {};
  action.sa_handler = [](int) {};
  action.sa_flags = SA_RESTART;
  sigaction(SIGPIPE, &action, nullptr);
}

bool interruptRequested() { return requested; }

} // namespace ds
