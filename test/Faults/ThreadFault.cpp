//===- ThreadFault.cpp - Threads that the system refuses --------*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Loaded by LD_PRELOAD. DS_TEST_THREADS=N: the process gets N threads, and from then on EAGAIN, as
// at a limit of processes. DS_TEST_FLOCK=NUMBER: a file system without locks, which says so by that
// error.
//
//===----------------------------------------------------------------------===//
#include <atomic>
#include <cerrno>
#include <cstdlib>
#include <dlfcn.h>
#include <pthread.h>
#include <sys/file.h>

extern "C" int pthread_create(pthread_t *thread, const pthread_attr_t *attributes,
                              void *(*body)(void *), void *argument) {
  static std::atomic<int> made{0};
  using Create = int (*)(pthread_t *, const pthread_attr_t *, void *(*)(void *), void *);
  static const Create real = reinterpret_cast<Create>(dlsym(RTLD_NEXT, "pthread_create"));
  const char *most = std::getenv("DS_TEST_THREADS");
  if (most && made++ >= std::atoi(most))
    return EAGAIN;
  return real(thread, attributes, body, argument);
}

extern "C" int flock(int descriptor, int operation) {
  static const auto real = reinterpret_cast<int (*)(int, int)>(dlsym(RTLD_NEXT, "flock"));
  if (const char *error = std::getenv("DS_TEST_FLOCK")) {
    errno = std::atoi(error);
    return -1;
  }
  return real(descriptor, operation);
}
