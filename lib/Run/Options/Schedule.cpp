//===- Schedule.cpp - Hyper-parameters that change while a training runs --*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A value depends on the step alone. A piece of n steps has `from` at its first step and would have
// `to` at the first step of the next piece; an exponential one is `from` times a power of its rate.
//
//===----------------------------------------------------------------------===//
#include "ds/Run/Options/Schedule.h"

#include "ds/Support/Suggestion.h"
#include "ds/Support/UserError.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSwitch.h"
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

/// Parses a length. Without a unit, `areSteps` keeps the unit that the caller has set.
static bool readLength(StringRef text, int64_t &count, bool &areSteps) {
  StringRef rest = text.trim();
  if (rest.consumeInteger(10, count) || count < 0)
    return false;
  rest = rest.trim();
  if (!llvm::is_contained({"", "epoch", "epochs", "step", "steps"}, rest))
    return false;
  if (!rest.empty())
    areSteps = rest.starts_with("step");
  return true;
}

Expected<std::vector<Schedule::Piece>> Schedule::parseCall(StringRef text) {
  auto [name, rest] = text.split('(');
  rest.consume_back(")");
  const Shape shape = llvm::StringSwitch<Shape>(name.trim())
                          .Case("linear", Shape::linear)
                          .Case("cosine", Shape::cosine)
                          .Case("exponential", Shape::exponential)
                          .Default(Shape::constant);
  const bool steps = name.trim() == "piecewise";
  auto bad = [&](const Twine &what) { return userError("'" + text + "', expected " + what); };
  if (shape == Shape::constant && name.trim() != "constant" && !steps)
    return bad(
        "constant, cosine, exponential, linear or piecewise before the bracket" +
        suggestion(name.trim(), {"constant", "cosine", "exponential", "linear", "piecewise"}));
  llvm::SmallVector<StringRef> words;
  rest.split(words, ',');
  Piece warm, piece;
  warm.shape = Shape::linear;
  piece.shape = shape;
  piece.startsAtStep = true;
  piece.rate = 0;
  if (words.front().trim().getAsDouble(piece.from) || !std::isfinite(piece.from))
    return bad("a number after the bracket: the highest value");
  piece.to = shape == Shape::constant ? piece.from : 0;
  bool decays = shape == Shape::exponential,
       falls = shape == Shape::linear || shape == Shape::cosine;
  const char *options = falls    ? "warmup= and end="
                        : decays ? "warmup=, rate= and every="
                        : steps  ? "VALUE@START and warmup="
                                 : "warmup=";
  std::vector<Piece> later;
  for (StringRef word : llvm::ArrayRef(words).drop_front()) {
    if (steps && word.contains('@')) {
      Piece next;
      if (Error error = parsePiece(word.trim(), next))
        return error;
      const Piece &last = later.empty() ? piece : later.back();
      if (next.startsAtStep == last.startsAtStep && next.start <= last.start)
        return bad("values in the order of their starts, got '" + word.trim() + "'");
      later.push_back(next);
      continue;
    }
    auto [key, value] = word.split('=');
    key = key.trim();
    bool good = false;
    if (key == "warmup")
      good = readLength(value, piece.start, piece.startsAtStep);
    else if (key == "end" && falls)
      good = !value.trim().getAsDouble(piece.to) && std::isfinite(piece.to);
    else if (key == "rate" && decays)
      good = !value.trim().getAsDouble(piece.rate) && piece.rate > 0 && std::isfinite(piece.rate);
    else if (key == "every" && decays)
      good = readLength(value, piece.every.count, piece.every.areSteps) && piece.every.count > 0;
    else
      return bad(Twine("no option but ") + options + ", got '" + word.trim() + "'");
    if (good)
      continue;
    if (key == "end" || key == "rate")
      return bad("a number such as 0.5 as " + key + ", got '" + value.trim() + "'");
    return bad("steps, or epochs such as 5epochs, as " + key + ", got '" + value.trim() + "'");
  }
  if (decays && piece.rate == 0)
    return bad("rate=, by which the value is multiplied every epoch or every=");
  warm.to = piece.from;
  std::vector<Piece> pieces{warm, piece};
  if (piece.start == 0)
    pieces.erase(pieces.begin());
  pieces.insert(pieces.end(), later.begin(), later.end());
  return pieces;
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
    bad |= !readLength(start, piece.start, piece.startsAtStep);
  }
  return bad || !std::isfinite(piece.from) || !std::isfinite(piece.to) ? badPiece(text)
                                                                       : Error::success();
}

Expected<Schedule> Schedule::parse(StringRef name, StringRef text) {
  auto mistake = [&](const Twine &what) { return userError("--arg " + name + " is " + what); };
  Schedule schedule;
  schedule.text = text.str();
  if (text.contains('(')) {
    auto pieces =
        text.ends_with(")") && text.count('(') == 1
            ? parseCall(text)
            : Expected<std::vector<Piece>>(userError("'" + text +
                                                     "', expected one name with brackets, such as "
                                                     "cosine(0.1,warmup=500)"));
    if (!pieces)
      return mistake(llvm::toString(pieces.takeError()));
    schedule.pieces = std::move(*pieces);
    return schedule;
  }
  llvm::SmallVector<StringRef> parts;
  text.split(parts, ',');
  // Some countries write 0,1 for 0.1.
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
      return mistake("'" + text + "', expected @START after '" + part.trim() + "'");
    if (isFirst && piece.start != 0)
      return mistake("'" + text + "', expected a first piece that starts at 0");
    if (!isFirst && piece.startsAtStep == schedule.pieces.back().startsAtStep &&
        piece.start <= schedule.pieces.back().start)
      return mistake("'" + text + "', expected pieces in the order of their starts");
    schedule.pieces.push_back(piece);
  }
  return schedule;
}

int64_t Schedule::stepsOf(Length length, int64_t stepsPerEpoch) {
  return length.areSteps
             ? length.count
             : llvm::SaturatingMultiply<uint64_t>(length.count, stepsPerEpoch) & INT64_MAX;
}

int64_t Schedule::startOf(const Piece &piece, int64_t stepsPerEpoch) {
  return stepsOf({piece.start, piece.startsAtStep}, stepsPerEpoch);
}

double Schedule::at(int64_t step, int64_t stepsPerEpoch, int64_t total) const {
  size_t now = pieces.size() - 1;
  while (now > 0 && startOf(pieces[now], stepsPerEpoch) > step)
    --now;
  const Piece &piece = pieces[now];
  if (piece.shape == Shape::constant)
    return piece.from;
  int64_t start = startOf(piece, stepsPerEpoch);
  if (piece.shape == Shape::exponential)
    return piece.from *
           std::pow(piece.rate, double(step - start) / double(stepsOf(piece.every, stepsPerEpoch)));
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
