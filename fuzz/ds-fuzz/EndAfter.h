//===- EndAfter.h - A process that ends after some seconds ------*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef DS_FUZZ_DS_FUZZ_ENDAFTER_H
#define DS_FUZZ_DS_FUZZ_ENDAFTER_H

#include <csignal>
#include <sys/time.h>

namespace ds::fuzz {

inline volatile unsigned secondsLeft;

/// SIGALRM ends this process when it has run for so long. An alarm of the whole time would end one
/// that was stopped and continued; of ticks that are missed meanwhile only one comes.
inline void endAfter(unsigned seconds) {
  secondsLeft = seconds;
  signal(SIGALRM, [](int) {
    secondsLeft = secondsLeft - 1;
    if (secondsLeft > 0)
      return;
    signal(SIGALRM, SIG_DFL);
    raise(SIGALRM);
  });
  const itimerval everySecond = {{1, 0}, {1, 0}};
  setitimer(ITIMER_REAL, &everySecond, nullptr);
}

} // namespace ds::fuzz

#endif // DS_FUZZ_DS_FUZZ_ENDAFTER_H
