//===- MetricSums.cpp - Sums of the metrics of steps ------------*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "ds/Run/Report/MetricSums.h"

#include "llvm/ADT/SmallVector.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/raw_ostream.h"

#include <cstdlib>

namespace ds {

void MetricSums::add(llvm::ArrayRef<double> metrics) {
  sums.resize(metrics.size());
  for (size_t i = 0; i < metrics.size(); ++i)
    sums[i] += metrics[i];
  ++steps;
}

std::vector<double> MetricSums::means(size_t metrics) const {
  std::vector<double> result = sums;
  result.resize(metrics);
  for (double &value : result)
    value /= steps > 0 ? steps : 1;
  return result;
}

std::string MetricSums::toText() const {
  std::string text = std::to_string(steps);
  llvm::raw_string_ostream stream(text);
  for (double sum : sums)
    stream << llvm::format(" %a", sum);
  return text;
}

MetricSums MetricSums::fromText(llvm::StringRef text, size_t metrics) {
  llvm::SmallVector<llvm::StringRef> words;
  text.split(words, ' ', /*MaxSplit=*/-1, /*KeepEmpty=*/false);
  MetricSums read;
  if (words.size() != metrics + 1 || words[0].getAsInteger(10, read.steps) || read.steps < 1)
    return {};
  for (llvm::StringRef word : llvm::ArrayRef(words).drop_front()) {
    std::string number = word.str();
    char *end = nullptr;
    read.sums.push_back(std::strtod(number.c_str(), &end));
    if (*end)
      return {};
  }
  return read;
}

} // namespace ds
