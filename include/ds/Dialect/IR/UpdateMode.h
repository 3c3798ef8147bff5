//===- UpdateMode.h - When ranks exchange parameters ------------*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The values of the keys 'update' and 'gradient_compression', read from their text:
//
//   update                gradient | accumulate=K | average_parameters=H | delayed=S
//                         after average_parameters, in any order: outer=nesterov(LR, MOMENTUM) |
//                         outer=momentum(LR, MOMENTUM), warmup=N, states=keep | mean | reset
//   gradient_compression  none | f16 | bf16 | power_sgd(RANK), error_feedback after these
//
//===----------------------------------------------------------------------===//

#ifndef DS_DIALECT_IR_UPDATEMODE_H
#define DS_DIALECT_IR_UPDATEMODE_H

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"

#include <cstdint>
#include <optional>
#include <string>

namespace ds {

struct UpdateMode {
  enum class Kind { Gradient, Accumulate, AverageParameters, Delayed, Asynchronous };
  enum class States { Keep, Mean, Reset };
  /// The optimizer that treats the mean difference of parameters as a gradient.
  struct Outer {
    bool nesterov = true;
    double learningRate = 1, momentum = 0;
  };

  Kind kind = Kind::Gradient;
  int64_t steps = 1; // microbatches of an update, steps between averages, of delay, or of staleness
  int64_t warmup = 0; // AverageParameters: first steps, each followed by an average
  States states = States::Keep;
  std::optional<Outer> outer;
  double elastic =
      0; // AverageParameters: how far a rank and the shared values pull each other; 0: a mean
};

struct GradientCompression {
  enum class Kind { None, F16, BF16, PowerSgd, TopK };
  Kind kind = Kind::None;
  int64_t rank = 0;    // PowerSgd
  int64_t count = 0;   // TopK: elements of a gradient, or
  double fraction = 0; // of its elements
  bool errorFeedback = false;
};

/// Parses the key 'update'. The error names the key, the expected and the given value.
llvm::Expected<UpdateMode> parseUpdateMode(llvm::StringRef text);

/// Parses the key 'gradient_compression', with an error likewise.
llvm::Expected<GradientCompression> parseGradientCompression(llvm::StringRef text);

/// Returns the text that is parsed as the same mode.
std::string toText(const UpdateMode &mode);
std::string toText(const GradientCompression &compression);

} // namespace ds

#endif // DS_DIALECT_IR_UPDATEMODE_H
