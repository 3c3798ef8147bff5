//===- Schedule.cpp - Hyper-parameters that change while a training runs --*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A value follows from the step alone. A piece of n steps has `from` at its first step and would
// have `to` at the first step of the next one.
//
//===----------------------------------------------------------------------===//
#include "ds/Run/Options/Schedule.h"

#include "ds/Support/UserError.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/Twine.h"
#include "llvm/Support/MathExtras.h"

#include <algorithm>
#include <cmath>

namespace ds {

using llvm::Error;
using llvm::Expected;
using llvm::StringRef;
using llvm::Twine;

static Error badPiece(StringRef text) {
  return userError("'" + text +
                   "', expected VALUE@START with a number, linear:FROM:TO or cosine:FROM:TO as "
                   "VALUE, and epochs or steps such as 5 or 500steps as START");
}

Error Schedule::parsePiece(StringRef text, Piece &piece) {
  auto [value, start] = text.split('@');
  llvm::SmallVector<StringRef, 3> words;
  value.trim().split(words, ':');
  bool bad = false;
  if (words.size() == 3 && (words[0] == "linear" || words[0] == "cosine")) {
    piece.shape = words[0] == "linear" ? Shape::linear : Shape::cosine;
    bad = words[1].getAsDouble(piece.from) || words[2].getAsDouble(piece.to);
  } else {
    bad = words.size() != 1 || words[0].getAsDouble(piece.from);
    piece.to = piece.from;
  }
  if (text.contains('@')) {
    StringRef rest = start.trim();
    bad |= rest.consumeInteger(10, piece.start) || piece.start < 0;
    rest = rest.trim();
    bad |= !llvm::is_contained({"", "epoch", "epochs", "step", "steps"}, rest);
    piece.startsAtStep = rest.starts_with("step");
  }
  return bad || !std::isfinite(piece.from) || !std::isfinite(piece.to) ? badPiece(text)
                                                                       : Error::success();
}

Expected<Schedule> Schedule::parse(StringRef name, StringRef text) {
  auto mistake = [&](const Twine &what) { return userError("--arg " + name + " is " + what); };
  Schedule schedule;
  schedule.text = text.str();
  llvm::SmallVector<StringRef> parts;
  text.split(parts, ',');
  // 0,1 as half of the world writes it.
  if (parts.size() == 2 && llvm::all_of(parts, [](StringRef part) {
        return !part.empty() && llvm::all_of(part, llvm::isDigit);
      }))
    return mistake("'" + text + "', expected a decimal point: " + parts[0] + "." + parts[1]);
  for (StringRef part : parts) {
    Piece piece;
    if (Error error = parsePiece(part.trim(), piece))
      return mistake(llvm::toString(std::move(error)));
    bool isFirst = schedule.pieces.empty();
    if (!isFirst && !part.contains('@'))
      return mistake("'" + text + "', expected @START behind '" + part.trim() + "'");
    if (isFirst && piece.start != 0)
      return mistake("'" + text + "', expected a first piece that starts at 0");
    if (!isFirst && piece.startsAtStep == schedule.pieces.back().startsAtStep &&
        piece.start <= schedule.pieces.back().start)
      return mistake("'" + text + "', expected pieces in the order of their starts");
    schedule.pieces.push_back(piece);
  }
  return schedule;
}

int64_t Schedule::startOf(const Piece &piece, int64_t stepsPerEpoch) {
  return piece.startsAtStep
             ? piece.start
             : llvm::SaturatingMultiply<uint64_t>(piece.start, stepsPerEpoch) & INT64_MAX;
}

double Schedule::at(int64_t step, int64_t stepsPerEpoch, int64_t total) const {
  size_t now = pieces.size() - 1;
  while (now > 0 && startOf(pieces[now], stepsPerEpoch) > step)
    --now;
  const Piece &piece = pieces[now];
  if (piece.shape == Shape::constant)
    return piece.from;
  int64_t start = startOf(piece, stepsPerEpoch);
  int64_t end = now + 1 < pieces.size() ? startOf(pieces[now + 1], stepsPerEpoch) : total;
  double part = end > start ? std::min(1.0, double(step - start) / double(end - start)) : 1.0;
  if (piece.shape == Shape::linear)
    return piece.from + (piece.to - piece.from) * part;
  return piece.to + (piece.from - piece.to) * (1 + std::cos(M_PI * part)) / 2;
}

std::map<std::string, double> Schedules::at(int64_t step) const {
  std::map<std::string, double> values;
  for (const auto &[name, schedule] : byName)
    values[name] = schedule.at(step, stepsPerEpoch, total);
  return values;
}

bool Schedule::isConstant() const {
  return pieces.size() == 1 && pieces.front().shape == Shape::constant;
}

bool Schedule::interpolates() const {
  return llvm::any_of(pieces, [](const Piece &piece) { return piece.shape != Shape::constant; });
}

std::vector<double> Schedule::values() const {
  std::vector<double> all;
  for (const Piece &piece : pieces)
    all.insert(all.end(), {piece.from, piece.to});
  return all;
}

} // namespace ds
