//===- Interrupt.cpp - Ctrl-C as a request ----------------------*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// While a training runs, a handler sets a flag, and restores the default action for the second
// signal. Before the training nothing can be lost, and neither compilation nor waits check a flag,
// so the handler ends the process, with the same code. The deadline is the kernel's alarm, which
// arrives no matter where the threads of this process wait.
//
//===----------------------------------------------------------------------===//
#include "ds/Run/Ranks/Interrupt.h"

#include <atomic>
#include <csignal>
#include <cstring>
#include <ctime>
#include <fcntl.h>
#include <string>
#include <unistd.h>

namespace ds {

// Every rank checks these, so it does not matter which thread the signal interrupts.
static std::atomic<bool> trains{false}, requested{false}, requeue{false};
static std::atomic<bool> mayLeave{false}, leaves{false};
static_assert(std::atomic<bool>::is_always_lock_free, "a handler must not wait");

static constexpr int caught[] = {SIGINT, SIGTERM, SIGUSR1, SIGHUP};

static std::atomic<unsigned> deadline{0}; // seconds
static std::string lastWords;             // constant while handlers can run

static const char *launcher = nullptr; // in the kernel's environment

void tellLauncher(int code) {
  const int pipe = launcher ? open(launcher, O_WRONLY | O_NONBLOCK | O_CLOEXEC) : -1;
  if (pipe < 0)
    return;
  const auto byte = static_cast<unsigned char>(code);
  (void)!write(pipe, &byte, 1);
  close(pipe);
}

static void endLate(int) {
  (void)!write(STDERR_FILENO, lastWords.data(), lastWords.size());
  tellLauncher(exitRequeue);
  _exit(exitRequeue);
}

/// MPICH's mpirun needs output of rank 0 after the other ranks have ended (Main.cpp).
static std::atomic<bool> isOther{false}, endsLast{false};

static void pauseFor(long ms) {
  timespec time = {0, ms * 1'000'000};
  nanosleep(&time, nullptr);
}

static void endBeforeTraining(int signal) {
  static constexpr char words[] =
      "ds-run: ended by a signal before the first step: there was nothing to save\n";
  tellLauncher(signal == SIGINT ? exitInterrupted : exitRequeue);
  if (endsLast)
    pauseFor(400);
  if (!isOther)
    (void)!write(STDERR_FILENO, words, sizeof words - 1);
  if (endsLast)
    pauseFor(200);
  _exit(signal == SIGINT ? exitInterrupted : exitRequeue);
}

static void request(int signal) {
  if (!trains)
    endBeforeTraining(signal);
  if (signal != SIGINT) {
    requeue = !(mayLeave && signal == SIGTERM);
    alarm(deadline);
  }
  (mayLeave && signal == SIGTERM ? leaves : requested) = true;
  // The second signal may differ from the first.
  for (int other : caught) {
    struct sigaction now = {};
    if (sigaction(other, nullptr, &now) == 0 && now.sa_handler == request)
      std::signal(other, SIG_DFL);
  }
}

/// Installs an empty handler, not SIG_IGN, which programs started by this one would inherit.
static void surviveSignal(int signal) {
  struct sigaction action = {};
  action.sa_handler = [](int) {};
  action.sa_flags = SA_RESTART;
  sigaction(signal, &action, nullptr);
}

/// Finds whether a launcher has started this process as a rank other than 0, and the pipe that
/// receives its exit code. It is called before libraries are initialised, so it reads only the
/// environment that the kernel passes.
static void findRank(char **environment) {
  static constexpr const char *names[] = {
      "DS_RANK=", "OMPI_COMM_WORLD_RANK=", "PMI_RANK=", "RANK=", "SLURM_PROCID="};
  const size_t length = sizeof kLauncherVariable - 1;
  for (char **variable = environment; variable && *variable; ++variable)
    if (strncmp(*variable, kLauncherVariable, length) == 0 && (*variable)[length] == '=')
      launcher = *variable + length + 1;
  for (const char *name : names)
    for (char **variable = environment; variable && *variable; ++variable) {
      if (strncmp(*variable, name, strlen(name)) != 0)
        continue;
      const bool isFirst = strcmp(*variable + strlen(name), "0") == 0;
      isOther = !isFirst;
      endsLast = isFirst && strcmp(name, "PMI_RANK=") == 0;
      return;
    }
}

void catchSignals(char **environment) {
  findRank(environment);
  struct sigaction action = {};
  action.sa_handler = request;
  action.sa_flags = SA_RESTART;
  for (int signal : caught) {
    struct sigaction now = {};
    sigaction(signal, nullptr, &now);
    // Shells make background jobs ignore SIGINT, too; if one is sent then, it is meant.
    if (signal != SIGHUP || now.sa_handler != SIG_IGN)
      sigaction(signal, &action, nullptr);
  }
  // Exceeding a limit of file sizes becomes an error of the write, with its own sentence.
  surviveSignal(SIGXFSZ);
}

void catchInterrupts() { trains = true; }

void limitSaving(unsigned seconds, bool prints) {
  if (prints)
    lastWords = "ds-run: error: the training was not saved within " + std::to_string(seconds) +
                " s of the signal (--save-within); its newest checkpoint is whole\n";
  std::signal(SIGALRM, endLate);
  deadline = seconds;
}

void endedInTime() {
  deadline = 0;
  alarm(0);
}

void survivePipes() { surviveSignal(SIGPIPE); }

void leaveOnTerm() { mayLeave = true; }
bool leaveRequested() { return leaves; }
bool interruptRequested() { return requested; }
bool requeueRequested() { return requeue; }

} // namespace ds
