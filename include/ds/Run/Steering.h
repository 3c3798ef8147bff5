//===- Steering.h - A training that another program leads --------*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// --wait-after-epoch: between two epochs rank 0 has written the values, says so, and waits for a
// line of standard input. `fit` of the Python package lets callbacks and validation run meanwhile,
// and the step is compiled once for all epochs.
//
//===----------------------------------------------------------------------===//
#ifndef DS_RUN_STEERING_H
#define DS_RUN_STEERING_H

#include "ds/Run/Rank.h"

#include <map>
#include <string>

namespace ds {

/// What the other program answers, a JSON object in one line: {"go": false} ends the training, and
/// so does the end of the input; {"go": true, "values": FILE, "arguments": {"lr": 0.1}} goes on
/// from other values.
struct Answer {
  bool go = false;
  std::string values; // a .safetensors of all parameters and states; empty: those of the training
  std::map<std::string, double> arguments;
};

llvm::Expected<Answer> parseAnswer(llvm::StringRef line);

/// Lines of standard input, of which one may be late.
class AnswerReader {
public:
  explicit AnswerReader(int descriptor = 0) : descriptor(descriptor) {}
  /// The next answer if it comes within `ms`.
  llvm::Expected<std::optional<Answer>> wait(int ms);

private:
  int descriptor;
  std::string text; // of the line that has begun
};

enum class Steered { goOn, end, interrupted, requeue };

/// Collective: rank 0 waits, and all learn what comes next. Meanwhile the ranks meet five times a
/// second, so that nobody takes another for late. What `wanted` says on any rank, a signal for one,
/// comes before every answer.
llvm::Expected<Steered> awaitAnswer(Rank &rank, const Manifest &manifest, AnswerReader &reader,
                                    uint64_t seed, llvm::function_ref<Steered()> wanted);

} // namespace ds

#endif // DS_RUN_STEERING_H
