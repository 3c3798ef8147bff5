//===- Answer.h - What a program that leads a training says -----*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef DS_RUN_RANKS_ANSWER_H
#define DS_RUN_RANKS_ANSWER_H

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"

#include <map>
#include <optional>
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

} // namespace ds

#endif // DS_RUN_RANKS_ANSWER_H
