//===- Threads.h - Denormals, waiting, and the clock ------------*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef DSRT_SRC_BASE_THREADS_H
#define DSRT_SRC_BASE_THREADS_H

#include <cstdint>
#include <string>
#include <system_error>
#include <thread>
#include <utility>

namespace dsrt {

/// Returns the nanoseconds of the steady clock.
uint64_t now();

/// Returns how many cores this process may use: its affinity mask, not the machine.
int32_t availableCores();

/// Starts a thread. The thread is not joinable if the system refused it, as when a user may have no
/// more of them; `why` is then the reason.
template <typename Body> std::thread startThread(Body body, std::string &why) {
  try {
    return std::thread(std::move(body));
  } catch (const std::system_error &error) {
    why = error.code().message();
    return std::thread();
  }
}

/// Hints to the core that this is a waiting loop.
inline void pauseCore() {
#if defined(__x86_64__)
  __builtin_ia32_pause();
#elif defined(__aarch64__)
  asm volatile("yield");
#endif
}

/// Flushes denormals to zero until the end of the scope, then restores the thread's mode.
/// Reductions run inside one, so that their bits do not depend on which thread computed which
/// share.
class FlushDenormalsScope {
public:
  FlushDenormalsScope();
  ~FlushDenormalsScope();
  FlushDenormalsScope(const FlushDenormalsScope &) = delete;
  FlushDenormalsScope &operator=(const FlushDenormalsScope &) = delete;

private:
  uint64_t saved;
};

} // namespace dsrt

#endif // DSRT_SRC_BASE_THREADS_H
