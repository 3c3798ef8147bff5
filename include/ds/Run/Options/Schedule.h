//===- Schedule.h - Hyper-parameters that change while a training runs --*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// `--arg lr=linear:0:0.1@0,cosine:0.1:0@5` has pieces that each last until the next one's start,
// the last one until the training's end. Starts are epochs, or steps if so written, counted like
// ds.step, so that a resumed training has the values of an uninterrupted one. Usual schedules have
// names: `cosine(0.1,warmup=500)` is `linear:0:0.1@0,cosine:0.1:0@500steps`.
//
//===----------------------------------------------------------------------===//
#ifndef DS_RUN_OPTIONS_SCHEDULE_H
#define DS_RUN_OPTIONS_SCHEDULE_H

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace ds {

class Schedule {
public:
  /// Parses a number; pieces `VALUE@START`, where VALUE is a number, linear:FROM:TO or
  /// cosine:FROM:TO; or NAME(PEAK[,OPTION=NUMBER..]) of constant, linear, cosine, exponential and
  /// piecewise. `name` is used in the message.
  static llvm::Expected<Schedule> parse(llvm::StringRef name, llvm::StringRef text);

  /// Returns the value in step `step`, from 0, of `total`.
  double at(int64_t step, int64_t stepsPerEpoch, int64_t total) const;
  double first() const { return pieces.front().from; }
  bool isConstant() const;
  /// Returns the text that was parsed.
  const std::string &written() const { return text; }
  /// True if the schedule takes values between the written ones.
  bool interpolates() const;
  /// Returns every written value.
  std::vector<double> values() const;

private:
  enum class Shape { constant, linear, cosine, exponential };
  /// A number of epochs or steps.
  struct Length {
    int64_t count = 0;
    bool areSteps = false;
  };
  struct Piece {
    Shape shape = Shape::constant;
    double from = 0, to = 0;
    int64_t start = 0;
    bool startsAtStep = false; // else at an epoch
    double rate = 1;           // the factor of an exponential piece
    Length every = {1, false}; // the interval of the factor
  };
  static llvm::Error parsePiece(llvm::StringRef text, Piece &piece);
  static llvm::Expected<std::vector<Piece>> parseCall(llvm::StringRef text);
  static int64_t stepsOf(Length length, int64_t stepsPerEpoch);
  static int64_t startOf(const Piece &piece, int64_t stepsPerEpoch);

  std::vector<Piece> pieces; // in their order
  std::string text;
};

/// The schedules of a training, by argument, and the lengths that their units refer to.
struct Schedules {
  std::map<std::string, Schedule> byName;
  int64_t stepsPerEpoch = 1, total = 0;

  /// Returns the values in step `step`, from 0.
  std::map<std::string, double> at(int64_t step) const;
};

} // namespace ds

#endif // DS_RUN_OPTIONS_SCHEDULE_H
