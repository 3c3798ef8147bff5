//===- EarlyStoppingRequest.cpp - The value of --early-stopping -*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "ds/Run/Options/EarlyStoppingRequest.h"

#include "ds/Support/UserError.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/Twine.h"

#include <cmath>

namespace ds {

using llvm::StringRef;

bool readMetric(StringRef text, std::string &metric, bool &isLargest) {
  auto [name, direction] = text.rsplit(':');
  if (!llvm::is_contained({"min", "max"}, direction)) {
    name = text;
    direction = text.contains_insensitive("accuracy") ? "max" : "min";
  }
  metric = name.trim().str();
  isLargest = direction == "max";
  return !metric.empty();
}

llvm::Error EarlyStoppingRequest::read(StringRef text) {
  auto bad = [&] {
    return userError("--early-stopping is '" + text +
                     "', expected METRIC[:min|max][,patience=N][,min_delta=D] with N from 1 and D "
                     "from 0");
  };
  auto [first, rest] = text.split(',');
  if (!readMetric(first, metric, isLargest))
    return bad();
  llvm::SmallVector<StringRef> words;
  rest.split(words, ',', /*MaxSplit=*/-1, /*KeepEmpty=*/rest.data() && text.contains(','));
  for (StringRef word : words) {
    auto [key, value] = word.trim().split('=');
    const bool isBad = key == "patience" ? value.getAsInteger(10, patience) || patience < 1
                       : key == "min_delta"
                           ? value.getAsDouble(minDelta) || !(minDelta >= 0) || std::isinf(minDelta)
                           : true;
    if (isBad)
      return bad();
  }
  return llvm::Error::success();
}

} // namespace ds
