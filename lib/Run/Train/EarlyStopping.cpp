//===- EarlyStopping.cpp - Ends a training that stops improving -*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "ds/Run/Train/EarlyStopping.h"

#include "ds/Support/Suggestion.h"
#include "ds/Support/UserError.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/Twine.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/raw_ostream.h"

#include <cmath>

namespace ds {

llvm::Expected<std::unique_ptr<EarlyStopping>>
EarlyStopping::create(const EarlyStoppingRequest &request, llvm::ArrayRef<std::string> names,
                      const char *unit) {
  if (!llvm::is_contained(names, request.metric))
    return userError("--early-stopping names '" + request.metric +
                     "', which is no metric of this run (" +
                     (names.empty() ? "it has none" : llvm::join(names, ", ")) + ")" +
                     suggestion(request.metric, names.vec()));
  return std::unique_ptr<EarlyStopping>(new EarlyStopping(request, unit));
}

bool EarlyStopping::consider(const std::map<std::string, double> &metrics) {
  auto found = metrics.find(request.metric);
  if (found == metrics.end())
    return false;
  const double value = found->second;
  const double gain = !best ? INFINITY : request.isLargest ? value - *best : *best - value;
  if (!std::isnan(value) && gain > request.minDelta) {
    best = value;
    since = 0;
    return false;
  }
  ++since;
  return ends();
}

static std::string nameOf(const EarlyStoppingRequest &request) {
  return request.metric + (request.isLargest ? ":max" : ":min");
}

std::string EarlyStopping::toText() const {
  std::string value = "-";
  if (best) {
    llvm::raw_string_ostream stream(value = "");
    stream << llvm::format("%.17g", *best);
  }
  return nameOf(request) + " " + value + " " + std::to_string(since);
}

void EarlyStopping::restore(llvm::StringRef text) {
  auto [rest, counted] = text.rsplit(' ');
  auto [name, value] = rest.rsplit(' ');
  int64_t count;
  double number = 0;
  if (name != nameOf(request) || counted.getAsInteger(10, count) || count < 0 ||
      (value != "-" && value.getAsDouble(number)))
    return;
  since = count;
  best.reset();
  if (value != "-")
    best = number;
}

std::string EarlyStopping::describe() const {
  return llvm::formatv("early stopping: {0} was no better than {1} in {2} {3}", request.metric,
                       best ? llvm::formatv("{0:f4}", *best).str() : "nan", since, unit);
}

} // namespace ds
