//===- Output.h - Standard output that holds nobody up ----------*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One thread writes, from a queue. While somebody reads, a line is out before write() returns; when
// nobody does, ranks go on after a moment, lines of progress are refused once the queue is long,
// and all others are kept until somebody reads again.
//
//===----------------------------------------------------------------------===//
#ifndef DS_RUN_REPORT_OUTPUT_H
#define DS_RUN_REPORT_OUTPUT_H

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/StringRef.h"

#include <memory>
#include <string>

namespace ds {

/// Where a report goes.
class Sink {
public:
  virtual ~Sink() = default;
  enum class Need {
    always,
    ifRead, // may be refused
  };
  /// Whole lines. False: refused.
  virtual bool write(std::string text, Need need) = 0;
  /// Whether earlier lines still wait for their reader.
  virtual bool isBehind() const = 0;
};

class Output final : public Sink {
public:
  /// Bytes in the queue beyond which lines that may be refused are.
  static constexpr size_t longQueue = size_t(1) << 20;

  explicit Output(int descriptor);
  ~Output() override; // gives up what is left

  bool write(std::string text, Need need) override;
  bool isBehind() const override;
  /// Waits until everything is written; in a hurry for two seconds at most. Empty, or why something
  /// is lost, which standard error has been told.
  std::string finish(llvm::function_ref<bool()> inHurry);

private:
  struct Queue;
  static void work(const std::shared_ptr<Queue> &queue, int descriptor);

  const int descriptor;
  // Shared with the thread, which is left behind if it cannot be had back from its write.
  std::shared_ptr<Queue> queue;
  bool started = false;
  bool alone = false; // there is no thread, so lines are written as they come
};

/// Writes a sentence to standard error; in a hurry waits two seconds at most for its reader.
void tell(llvm::StringRef sentence, llvm::function_ref<bool()> inHurry);

} // namespace ds

#endif // DS_RUN_REPORT_OUTPUT_H
