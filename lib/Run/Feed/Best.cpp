//===- Best.cpp - The best values of a training so far ----------*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// NaN is never better. The first of equal values stays.
//
//===----------------------------------------------------------------------===//
#include "ds/Run/Feed/Best.h"

#include "ds/Data/Checksum.h"
#include "ds/Run/Feed/Checkpoints.h"
#include "ds/Support/Suggestion.h"
#include "ds/Support/UserError.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/Twine.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"

#include <cmath>

namespace ds {

namespace path = llvm::sys::path;
using llvm::Expected;
using llvm::StringRef;

static constexpr const char *metricKey = "ds.best_metric", *valueKey = "ds.best_value";

std::string Best::path(StringRef save) {
  llvm::SmallString<128> full(ds::path::parent_path(save));
  ds::path::append(full, ds::path::stem(save) + "-best" + ds::path::extension(save));
  return full.str().str();
}

Expected<std::unique_ptr<Best>> Best::create(StringRef metric, bool isLargest, StringRef save,
                                             bool resumes, llvm::ArrayRef<std::string> names) {
  if (!llvm::is_contained(names, metric))
    return userError("--keep-best names '" + metric + "', which is no metric of this run (" +
                     (names.empty() ? "it has none" : llvm::join(names, ", ")) + ")" +
                     suggestion(metric, names.vec()));
  std::unique_ptr<Best> best(new Best());
  best->metric = metric.str();
  best->isLargest = isLargest;
  best->filePath = path(save);
  if (!resumes || !llvm::sys::fs::exists(best->filePath))
    return best;
  auto before = SafetensorsFile::open(best->filePath);
  llvm::Error unusable = before ? checkSeal(*before, best->filePath) : before.takeError();
  if (unusable)
    return userError(llvm::toString(std::move(unusable)) +
                     "; remove it, and the best of later epochs is kept");
  double value = NAN;
  const std::map<std::string, std::string> &said = before->metadata();
  auto named = said.find(metricKey), number = said.find(valueKey);
  bool same = named != said.end() && named->second == metric;
  if (!same || number == said.end() || StringRef(number->second).getAsDouble(value))
    return userError("'" + best->filePath + "' does not say its '" + metric +
                     "', so later epochs cannot be compared with it; give --save another name, or "
                     "remove it");
  best->best = value;
  return best;
}

Expected<bool> Best::consider(const std::map<std::string, double> &metrics,
                              llvm::function_ref<Expected<Safetensors>()> values) {
  auto found = metrics.find(metric);
  if (found == metrics.end() || std::isnan(found->second))
    return false;
  if (best && !(isLargest ? found->second > *best : found->second < *best))
    return false;
  best = found->second;
  auto contents = values();
  if (!contents)
    return contents.takeError();
  contents->metadata[metricKey] = metric;
  llvm::raw_string_ostream(contents->metadata[valueKey]) << llvm::format("%.17g", *best);
  if (llvm::Error error = writeCheckpoint(filePath, std::move(*contents)))
    return error;
  return true;
}

} // namespace ds
