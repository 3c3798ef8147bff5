//===- Interrupt.cpp - Ctrl-C as a request ----------------------*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A handler sets a flag; the default action comes back for the second signal. The deadline is the
// kernel's alarm, which comes whatever the threads of this process are waiting for.
//
//===----------------------------------------------------------------------===//
#include "ds/Run/Interrupt.h"

#include <atomic>
#include <csignal>
#include <string>
#include <unistd.h>

namespace ds {

// Every rank looks, whichever thread the signal came to.
static std::atomic<bool> requested{false}, requeue{false};
static_assert(std::atomic<bool>::is_always_lock_free, "a handler must not wait");

static constexpr int caught[] = {SIGINT, SIGTERM, SIGUSR1, SIGHUP};

static std::atomic<unsigned> deadline{0}; // seconds
static std::string lastWords;             // not changed while handlers can run

static void endLate(int) {
  (void)!write(STDERR_FILENO, lastWords.data(), lastWords.size());
  _exit(exitRequeue);
}

static void request(int signal) {
  if (signal != SIGINT) {
    requeue = true;
    alarm(deadline);
  }
  requested = true;
  // The second signal may be another one than the first.
  for (int other : caught) {
    struct sigaction now = {};
    if (sigaction(other, nullptr, &now) == 0 && now.sa_handler == request)
      std::signal(other, SIG_DFL);
  }
}

void catchInterrupts() {
  struct sigaction action = {};
  action.sa_handler = request;
  action.sa_flags = SA_RESTART;
  for (int signal : caught) {
    struct sigaction now = {};
    sigaction(signal, nullptr, &now);
    // Shells let what runs in the background ignore SIGINT, too; whoever sends it then means it.
    if (signal != SIGHUP || now.sa_handler != SIG_IGN)
      sigaction(signal, &action, nullptr);
  }
}

void limitSaving(unsigned seconds, bool tells) {
  if (tells)
    lastWords = "ds-run: error: the training was not saved within " + std::to_string(seconds) +
                " s of the signal (--save-within); its newest generation is whole\n";
  std::signal(SIGALRM, endLate);
  deadline = seconds;
}

void endedInTime() {
  deadline = 0;
  alarm(0);
}

void survivePipes() {
  // Not SIG_IGN, which programs that this one starts would inherit.
  struct sigaction action = {};
  action.sa_handler = [](int) {};
  action.sa_flags = SA_RESTART;
  sigaction(SIGPIPE, &action, nullptr);
}

bool interruptRequested() { return requested; }
bool requeueRequested() { return requeue; }

} // namespace ds
