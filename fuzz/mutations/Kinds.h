//===- Kinds.h - What is mutated, and what reads it -------------*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One object per kind of input. An input follows from its seed alone, so that a finding can be
// repeated; reading it may end in an error of one sentence, and in nothing else.
//
//===----------------------------------------------------------------------===//
#ifndef DS_UNITTESTS_MUTATIONS_KINDS_H
#define DS_UNITTESTS_MUTATIONS_KINDS_H

#include <cstdint>
#include <functional>
#include <memory>
#include <string>

namespace ds {

/// What came of one input.
struct Outcome {
  bool accepted = false; // it was read to the end
  bool reached = true;   // it came past the parser that is not ours
  std::string complaint; // not empty: the error is no sentence
};

class Kind {
public:
  virtual ~Kind() = default;
  /// Mutates and reads the input of that seed; `folder` is for its files. With `keep` the input is
  /// left there.
  virtual Outcome run(uint64_t seed, const std::string &folder) = 0;
  /// The largest single allocation that an input of this kind can justify.
  virtual size_t largestAllocation() const = 0;
  /// Seconds after which an input hangs.
  virtual unsigned patience() const { return 20; }
};

std::unique_ptr<Kind> makeFiles();
std::unique_ptr<Kind> makeTables();
std::unique_ptr<Kind> makeEnvironments();
std::unique_ptr<Kind> makeCommands();
std::unique_ptr<Kind> makeBundles();
std::unique_ptr<Kind> makeSeals();
std::unique_ptr<Kind> makeSteps();
std::unique_ptr<Kind> makeStrategies();

/// Accepts an error that is one sentence and begins as it must.
Outcome judge(const std::string &message, const std::string &start);

void writeBytes(const std::string &path, const std::string &bytes);
std::string readBytes(const std::string &path);

} // namespace ds

#endif // DS_UNITTESTS_MUTATIONS_KINDS_H
