//===- Output.cpp - Standard output that blocks no rank ---------*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The descriptor keeps its mode: making it non-blocking would affect all processes that share it,
// including the shell. Waiting time is counted in slices, so that a suspension does not count.
//
//===----------------------------------------------------------------------===//
#include "ds/Run/Report/Output.h"

#include "ds/Support/Escape.h"
#include "ds/Support/Threads.h"

#include <cerrno>
#include <condition_variable>
#include <csignal>
#include <cstring>
#include <deque>
#include <mutex>
#include <poll.h>
#include <thread>
#include <unistd.h>

namespace ds {

static constexpr std::chrono::milliseconds slice(20);
static constexpr int slicesInHurry = 100;

struct Output::Queue {
  std::mutex mutex;
  std::condition_variable news, progress;
  std::deque<std::string> lines;
  size_t bytes = 0; // queued, or being written
  bool nobodyReads = false, stop = false;
  std::string failure;
  std::thread thread;
};

/// Writes all of the text. Returns 0, or the error. Blocks while the reader does.
static int writeAll(int descriptor, llvm::StringRef text) {
  while (!text.empty()) {
    const ssize_t written = ::write(descriptor, text.data(), text.size());
    if (written >= 0) {
      text = text.drop_front(written);
    } else if (errno == EAGAIN) { // another process made it non-blocking
      pollfd entry = {descriptor, POLLOUT, 0};
      (void)poll(&entry, 1, -1);
    } else if (errno != EINTR) {
      return errno;
    }
  }
  return 0;
}

void tell(llvm::StringRef sentence, llvm::function_ref<bool()> inHurry) {
  pollfd entry = {STDERR_FILENO, POLLOUT, 0};
  for (int slices = 0; poll(&entry, 1, slice.count()) == 0;)
    if (inHurry() && ++slices > slicesInHurry)
      return;
  (void)writeAll(STDERR_FILENO, printable(sentence) + "\n");
}

Output::Output(int descriptor) : descriptor(descriptor), queue(std::make_shared<Queue>()) {}

Output::~Output() {
  (void)finish([] { return true; });
}

static std::string failureOf(int error) {
  return std::string("cannot write standard output: ") + std::strerror(error);
}

static void tellFailure(const std::string &failure) {
  tell("ds-run: error: " + failure + "; the run goes on without it", [] { return true; });
}

void Output::work(const std::shared_ptr<Queue> &queue, int descriptor) {
  // Signals are for the threads that handle them.
  sigset_t all;
  sigfillset(&all);
  pthread_sigmask(SIG_BLOCK, &all, nullptr);
  std::unique_lock<std::mutex> lock(queue->mutex);
  while (true) {
    queue->news.wait(lock, [&] { return queue->stop || !queue->lines.empty(); });
    if (queue->lines.empty())
      return;
    const std::string text = std::move(queue->lines.front());
    queue->lines.pop_front();
    lock.unlock();
    const int error = writeAll(descriptor, text);
    lock.lock();
    if (!queue->failure.empty())
      return; // the text was given up meanwhile
    queue->bytes -= text.size();
    if (error) {
      queue->failure = failureOf(error);
      queue->lines.clear();
      queue->bytes = 1; // until the failure is reported
      lock.unlock();
      tellFailure(queue->failure);
      lock.lock();
      queue->bytes = 0;
    }
    if (queue->bytes == 0)
      queue->nobodyReads = false;
    queue->progress.notify_all();
  }
}

bool Output::write(std::string text, Need need) {
  std::unique_lock<std::mutex> lock(queue->mutex);
  if (!queue->failure.empty())
    return true; // already reported
  if (need == Need::ifRead && queue->bytes > longQueue)
    return false;
  if (!started && !alone)
    alone = !startThread(queue->thread,
                         [queue = queue, descriptor = descriptor] { work(queue, descriptor); });
  if (alone) {
    if (const int error = writeAll(descriptor, text)) {
      queue->failure = failureOf(error);
      lock.unlock();
      tellFailure(queue->failure);
    }
    return true;
  }
  started = true;
  queue->bytes += text.size();
  queue->lines.push_back(std::move(text));
  queue->news.notify_one();
  if (!queue->nobodyReads)
    queue->nobodyReads = !queue->progress.wait_for(lock, slice, [&] { return queue->bytes == 0; });
  return true;
}

bool Output::isBehind() const {
  std::lock_guard<std::mutex> lock(queue->mutex);
  return queue->bytes > 0;
}

std::string Output::finish(llvm::function_ref<bool()> inHurry) {
  if (!started)
    return queue->failure;
  std::unique_lock<std::mutex> lock(queue->mutex);
  for (int slices = 0; queue->bytes > 0 && slices <= slicesInHurry; slices += inHurry())
    queue->progress.wait_for(lock, slice, [&] { return queue->bytes == 0; });
  const bool stuck = queue->bytes > 0;
  if (stuck) {
    queue->failure = "standard output is not read";
    queue->lines.clear();
  }
  queue->stop = true;
  started = false;
  std::thread thread = std::move(queue->thread);
  const std::string failure = queue->failure;
  lock.unlock();
  queue->news.notify_one();
  if (stuck) {
    thread.detach();
    tell("ds-run: error: " + failure + "; its last lines are lost", inHurry);
  } else {
    thread.join();
  }
  return failure;
}

} // namespace ds
