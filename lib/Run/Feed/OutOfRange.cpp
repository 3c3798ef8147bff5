//===- OutOfRange.cpp - Labels beyond what a step indexes -------*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "ds/Run/Feed/OutOfRange.h"

#include "ds/Data/IndexCheck.h"
#include "ds/Support/UserError.h"

namespace ds {

using llvm::Error;

const char *textOf(OnIndex policy) {
  switch (policy) {
  case OnIndex::stop:
    return "stop";
  case OnIndex::warn:
    return "warn";
  case OnIndex::off:
    return "off";
  }
  llvm_unreachable("all kinds are handled");
}

static Error tell(llvm::ArrayRef<std::string> sentences, OnIndex policy, Report &report) {
  if (sentences.empty())
    return Error::success();
  if (policy == OnIndex::stop)
    return userError(sentences.front() + " (--on-index=warn trains nevertheless)");
  for (const std::string &sentence : sentences)
    report.fact("warning", "warning: " + sentence, llvm::json::Object{{"warning", sentence}});
  return Error::success();
}

Error checkIndices(Dataset &data, llvm::ArrayRef<ArgumentSpec> columns, OnIndex policy,
                   Report &report) {
  data.checkIndices(policy == OnIndex::stop);
  if (policy == OnIndex::off)
    return Error::success();
  return tell(data.findOutOfRange(columns), policy, report);
}

Error checkIndices(llvm::ArrayRef<RecordedStep> recording, const Manifest &manifest, OnIndex policy,
                   Report &report) {
  if (policy == OnIndex::off)
    return Error::success();
  std::vector<std::string> sentences;
  for (auto [number, step] : llvm::enumerate(recording))
    for (const auto &[slot, array] : step.arguments) {
      const ArgumentSpec &argument = manifest.arguments[slot];
      if (!argument.indexRange)
        continue;
      auto values = Converter::create(array, argument.type);
      if (!values)
        return values.takeError();
      if (auto found = findOutOfRange(*values, 0, array.elements(), argument))
        sentences.push_back("'" + argument.name + "' of step " + std::to_string(number + 1) +
                            " holds " +
                            describeOutOfRange(*found, array.elements(), *argument.indexRange));
    }
  return tell(sentences, policy, report);
}

} // namespace ds
