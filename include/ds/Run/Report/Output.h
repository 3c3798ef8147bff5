//===- Output.h - Standard output that blocks no rank -----------*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One thread writes, from a queue. While the reader keeps up, a line is written before write()
// returns. If the reader stops, ranks continue after a moment, lines of progress are refused once
// the queue is long, and all other lines are kept until the reader continues.
//
//===----------------------------------------------------------------------===//
#ifndef DS_RUN_REPORT_OUTPUT_H
#define DS_RUN_REPORT_OUTPUT_H

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/StringRef.h"

#include <memory>
#include <string>

namespace ds {

/// The destination of a report.
class Sink {
public:
  virtual ~Sink() = default;
  enum class Need {
    always,
    ifRead, // may be refused
  };
  /// Writes whole lines. False if they are refused.
  virtual bool write(std::string text, Need need) = 0;
  /// True if earlier lines still wait for the reader.
  virtual bool isBehind() const = 0;
};

class Output final : public Sink {
public:
  /// The bytes in the queue beyond which lines are refused, if they may be.
  static constexpr size_t longQueue = size_t(1) << 20;

  explicit Output(int descriptor);
  ~Output() override; // drops what is left

  bool write(std::string text, Need need) override;
  bool isBehind() const override;
  /// Waits until everything is written, in a hurry for two seconds at most. Returns an empty text,
  /// or the cause of a loss, which is then also reported on standard error.
  std::string finish(llvm::function_ref<bool()> inHurry);

private:
  struct Queue;
  static void work(const std::shared_ptr<Queue> &queue, int descriptor);

  const int descriptor;
  // Shared with the thread, which is detached if its write does not return.
  std::shared_ptr<Queue> queue;
  bool started = false;
  bool alone = false; // there is no thread, so write() writes
};

/// Writes a sentence to standard error; in a hurry it waits for the reader for two seconds at most.
void tell(llvm::StringRef sentence, llvm::function_ref<bool()> inHurry);

} // namespace ds

#endif // DS_RUN_REPORT_OUTPUT_H
