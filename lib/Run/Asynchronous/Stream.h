//===- Stream.h - Requests of one rank to another ---------------*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One rank sends requests on a stream and the other answers them, in order, one at a time. Both run
// the same build for the same step, which ranks compare before they start, so both know the layout
// of a request.
//
//===----------------------------------------------------------------------===//
#ifndef DS_LIB_RUN_ASYNCHRONOUS_STREAM_H
#define DS_LIB_RUN_ASYNCHRONOUS_STREAM_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/Support/Error.h"

#include <chrono>
#include <cstdint>
#include <string>
#include <utility>

namespace ds {

/// A time limit: the sum of polling intervals, each capped at 100 ms, so that a job that was
/// suspended and continued as a whole does not time out.
class Patience {
public:
  explicit Patience(int64_t timeoutMs) : limit(timeoutMs) {}
  void restart() { waited = std::chrono::milliseconds(0); }
  /// Counts the time since the last call. True if the limit is reached.
  bool isOver();

private:
  using Clock = std::chrono::steady_clock;
  const std::chrono::milliseconds limit;
  Clock::duration waited{};
  Clock::time_point last = Clock::now();
};

struct Message {
  enum Kind : uint32_t {
    // Requests.
    begin,             // a step
    pull,              // of `shard` in step `number`
    push,              // of `shard` in step `number`, with values
    end,               // of a step, with metrics; `number`: 1 asks to meet
    awaitAll,          // when all have done `number` steps
    awaitEndOfMeeting, // of the meeting after `number` steps
    read,              // of the contents of `shard`
    order,             // of the order of `shard`, steps from `number` to `upTo`
    leave,             // no more requests follow; has no answer
    // Answers.
    waits, // the answer follows later
    done,  // `number` is a result
    failed // an error message follows
  };
  Kind kind = begin;
  int32_t shard = 0;
  int64_t number = 0, upTo = 0;
  uint64_t bytes = 0; // that follow
};

/// One end of a connection. A waiting call calls `look` every 50 ms; an error ends the wait.
class Stream {
public:
  using Look = llvm::function_ref<llvm::Error()>;

  /// Takes ownership of the descriptor of a non-blocking socket.
  explicit Stream(int descriptor) : descriptor(descriptor) {}
  Stream(Stream &&other) noexcept : descriptor(std::exchange(other.descriptor, -1)) {}
  Stream &operator=(Stream &&) = delete;
  ~Stream();
  explicit operator bool() const { return descriptor >= 0; }

  /// False if the other end has gone.
  llvm::Expected<bool> send(const Message &message, llvm::ArrayRef<llvm::ArrayRef<char>> parts,
                            Look look);
  llvm::Expected<bool> receive(void *into, size_t bytes, Look look);
  /// Waits for a message without a time limit. False if the other end has gone or close() was
  /// called.
  bool await(Message &message);

  /// Sends `waits`, if the socket has room for it.
  void sendWaits();
  bool otherEndIsOpen() const;
  /// Closes the connection for both ends. May be called from any thread.
  void close();

private:
  int descriptor;
};

/// Returns the message about a rank whose stream ended for an unknown reason.
std::string describeLost(int64_t rank);

} // namespace ds

#endif // DS_LIB_RUN_ASYNCHRONOUS_STREAM_H
