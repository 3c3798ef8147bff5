//===- FaultReport.cpp - Reports the cause of a crash -----------*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The handler allocates nothing and runs on a stack of its own, because a full stack is one of the
// causes. It looks up the files of the innermost frames; the unwinder was loaded before. An alarm
// ends the process if the handler hangs nevertheless. Signals from another process keep their
// default effect.
//
//===----------------------------------------------------------------------===//
#include "ds/Support/FaultReport.h"

#include "ds/Support/Escape.h"

#include "llvm/Support/Signals.h"

#include <atomic>
#include <csignal>
#include <cstdint>
#include <cstring>
#include <dlfcn.h>
#include <execinfo.h>
#include <initializer_list>
#include <memory>
#include <unistd.h>

namespace ds {

namespace {

struct Fault {
  int signal;
  const char *name;
};
constexpr Fault faults[] = {{SIGSEGV, "SIGSEGV"},
                            {SIGBUS, "SIGBUS"},
                            {SIGILL, "SIGILL"},
                            {SIGFPE, "SIGFPE"},
                            {SIGABRT, "SIGABRT"}};

std::atomic<const char *> toolName{nullptr};
thread_local const Doing *innermost = nullptr;

/// Memory for the handler in case a thread has used up its stack.
class SpareStack {
public:
  SpareStack() : memory(new char[bytes]) {
    stack_t stack = {};
    stack.ss_sp = memory.get();
    stack.ss_size = bytes;
    sigaltstack(&stack, nullptr);
  }
  ~SpareStack() {
    stack_t stack = {};
    stack.ss_flags = SS_DISABLE;
    sigaltstack(&stack, nullptr);
  }

private:
  static constexpr size_t bytes = size_t(1) << 16;
  std::unique_ptr<char[]> memory;
};

void haveSpareStack() {
  static thread_local SpareStack stack;
  (void)stack;
}

/// A line that is assembled without allocating.
class Line {
public:
  Line &operator<<(const char *more) {
    while (*more && length < sizeof text - 1)
      text[length++] = *more++;
    return *this;
  }
  void print() {
    text[length++] = '\n';
    (void)!write(STDERR_FILENO, text, length);
  }

private:
  char text[700];
  size_t length = 0;
};

bool isOneOf(const char *name, std::initializer_list<const char *> starts) {
  for (const char *start : starts)
    if (std::strncmp(name, start, std::strlen(start)) == 0)
      return true;
  return false;
}

/// Returns the file of the innermost frame that belongs neither to the system nor to this handler;
/// null for code in no file, such as that of a step.
const char *culprit() {
  void *frames[40];
  const int count = backtrace(frames, 40);
  for (int i = 2; i < count; ++i) { // after this function and the handler
    Dl_info info = {};
    if (reinterpret_cast<uintptr_t>(frames[i]) < 4096)
      continue; // a call of a null function
    if (dladdr(frames[i], &info) == 0 || !info.dli_fname)
      return nullptr;
    const char *slash = std::strrchr(info.dli_fname, '/');
    const char *name = slash ? slash + 1 : info.dli_fname;
    if (!isOneOf(name,
                 {"libc.", "libm.", "libpthread", "libstdc++", "libgcc", "ld-", "linux-vdso"}))
      return name;
  }
  return nullptr;
}

void tellAndEnd(int signal, siginfo_t *info, void *) {
  std::signal(signal, SIG_DFL);
  // Sent by kill(): not a fault.
  if (info && info->si_code == SI_USER) {
    raise(signal);
    return;
  }
  std::signal(SIGALRM, SIG_DFL);
  alarm(5);
  const char *name = "a signal";
  for (const Fault &fault : faults)
    if (fault.signal == signal)
      name = fault.name;
  Line line;
  line << toolName.load() << ": error: " << name;
  if (signal == SIGFPE && info && info->si_code == FPE_INTDIV)
    line << " (an integer is divided by zero)";
  const char *file = culprit();
  line << " in " << (file ? file : "the compiled step");
  if (innermost)
    line << " while " << innermost->text();
  const bool divides = !file && signal == SIGFPE; // a division by zero in the step
  if (!divides)
    line << "; this is a mistake of ds or of a library that it uses, not a verdict on the input";
  line.print();
  llvm::sys::RunInterruptHandlers(); // removes output that is not whole
  _exit(divides ? 1 : exitFault);
}

bool isOurs(int signal) {
  struct sigaction now = {};
  return sigaction(signal, nullptr, &now) == 0 && (now.sa_flags & SA_SIGINFO) &&
         now.sa_sigaction == tellAndEnd;
}

bool isDefault(const struct sigaction &action) {
  return !(action.sa_flags & SA_SIGINFO) && action.sa_handler == SIG_DFL;
}

void install(bool overOthers) {
  struct sigaction action = {};
  action.sa_sigaction = tellAndEnd;
  action.sa_flags = SA_SIGINFO | SA_ONSTACK;
  for (const Fault &fault : faults) {
    struct sigaction now = {};
    if (sigaction(fault.signal, nullptr, &now) != 0)
      continue;
    if (overOthers || isDefault(now))
      sigaction(fault.signal, &action, nullptr);
  }
}

} // namespace

void reportFaults(const char *tool) {
  struct sigaction now = {};
  if (sigaction(SIGSEGV, nullptr, &now) != 0 || !isDefault(now))
    return; // a sanitizer reports more
  toolName = tool;
  void *frame;
  backtrace(&frame, 1); // loads the unwinder
  haveSpareStack();
  install(/*overOthers=*/false);
}

Doing::Doing(llvm::StringRef what, llvm::StringRef name) : outer(innermost) {
  haveSpareStack();
  size_t length = 0;
  auto add = [&](llvm::StringRef text) {
    for (char c : text)
      if (length < sizeof words - 2)
        words[length++] = c;
  };
  add(what);
  if (!name.empty()) {
    add(" '");
    add(oneLine(name));
    words[length++] = '\'';
  }
  words[length] = '\0';
  std::atomic_signal_fence(std::memory_order_seq_cst);
  innermost = this;
}

Doing::~Doing() { innermost = outer; }

FaultsUnreported::FaultsUnreported() : reported(isOurs(SIGSEGV)) {
  if (reported)
    for (const Fault &fault : faults)
      if (isOurs(fault.signal))
        std::signal(fault.signal, SIG_DFL);
}

FaultsUnreported::~FaultsUnreported() {
  if (reported)
    install(/*overOthers=*/true);
}

} // namespace ds
