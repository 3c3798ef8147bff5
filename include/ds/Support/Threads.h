//===- Threads.h - Threads that the system may refuse -----------*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A limit of processes, of memory or of a container's tasks makes std::thread throw.
//
//===----------------------------------------------------------------------===//
#ifndef DS_SUPPORT_THREADS_H
#define DS_SUPPORT_THREADS_H

#include <system_error>
#include <thread>
#include <utility>

namespace ds {

/// Starts `thread` to run `body`; if that fails, returns false and sets `error` to the errno.
template <typename Body> bool startThread(std::thread &thread, Body &&body, int *error = nullptr) {
  try {
    thread = std::thread(std::forward<Body>(body));
    return true;
  } catch (const std::system_error &failure) {
    if (error)
      *error = failure.code().value();
  }
  return false;
}

} // namespace ds

#endif // DS_SUPPORT_THREADS_H
