//===- Stream.h - Requests of one rank to another ---------------*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// On a stream one rank asks and the other answers, in order, one request at a time. Both run the
// same build for the same step, which ranks compare before they start, so both know what a request
// holds.
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

/// A time limit. Between two looks 100 ms count at most, so that a job that was stopped and
/// continued as a whole has not waited meanwhile.
class Patience {
public:
  explicit Patience(int64_t timeoutMs) : limit(timeoutMs) {}
  void restart() { waited = std::chrono::milliseconds(0); }
  /// A look.
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
    push,              // likewise, with values
    end,               // of a step, with metrics; `number`: 1 asks to meet
    awaitAll,          // with `number` steps done
    awaitEndOfMeeting, // behind `number` steps
    read,              // of `shard` what it holds
    order,             // of `shard`, steps from `number` to `upTo`
    leave,             // there will be no more; has no answer
    // Answers.
    waits, // it will be answered later
    done,  // `number` is a result
    failed // with a sentence
  };
  Kind kind = begin;
  int32_t shard = 0;
  int64_t number = 0, upTo = 0;
  uint64_t bytes = 0; // that follow
};

/// One end of a connection. Waits ask every 50 ms whether to go on; an error ends them.
class Stream {
public:
  using Look = llvm::function_ref<llvm::Error()>;

  /// Owns the descriptor of a socket that does not block.
  explicit Stream(int descriptor) : descriptor(descriptor) {}
  Stream(Stream &&other) noexcept : descriptor(std::exchange(other.descriptor, -1)) {}
  Stream &operator=(Stream &&) = delete;
  ~Stream();
  explicit operator bool() const { return descriptor >= 0; }

  /// False: the other end has gone.
  llvm::Expected<bool> send(const Message &message, llvm::ArrayRef<llvm::ArrayRef<char>> parts,
                            Look look);
  llvm::Expected<bool> receive(void *into, size_t bytes, Look look);
  /// Waits for a message as long as it takes; false: the other end has gone, or close() was called.
  bool await(Message &message);

  /// That an answer is under way, if there is room to say so.
  void sendWaits();
  bool otherEndIsOpen() const;
  /// Both ends see the end. From any thread.
  void close();

private:
  int descriptor;
};

/// Of a rank whose stream has ended, where nobody knows more.
std::string describeLost(int64_t rank);

} // namespace ds

#endif // DS_LIB_RUN_ASYNCHRONOUS_STREAM_H
