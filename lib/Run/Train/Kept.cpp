//===- Kept.cpp - The values that a training may save -----------*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "ds/Run/Train/Kept.h"

#include "ds/Data/Finite.h"
#include "ds/Support/Nesting.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/JSON.h"

namespace ds {

static constexpr const char *namesKey = "ds.may_be_infinite", *epochKey = "ds.sums_of_epoch",
                            *trainingKey = "ds.sums_of_training";

static bool isState(const Manifest &manifest, llvm::StringRef name) {
  return llvm::any_of(manifest.arguments, [&](const ArgumentSpec &argument) {
    return argument.role == ArgumentRole::state && argument.name == name;
  });
}

NotFiniteNames notFiniteNames(const Manifest &manifest, const InitialValues &initial) {
  NotFiniteNames names;
  for (auto [argument, value] : llvm::zip(manifest.arguments, initial.values))
    if (argument.isCarried() && value && !firstNotFinite(*value).empty())
      names.insert(argument.name);
  return names;
}

std::string notKept(const std::string &name, const Array &array, const NotFiniteNames &mayBe,
                    const Manifest &manifest) {
  if (mayBe.count(name) && isState(manifest, name))
    return "";
  const std::string found = mayBe.count(name) ? firstNan(array) : firstNotFinite(array);
  return found.empty() ? "" : "'" + name + "' holds " + found;
}

std::string firstNotKept(const Safetensors &contents, const NotFiniteNames &mayBe,
                         const Manifest &manifest) {
  for (const auto &[name, array] : contents.tensors)
    if (std::string found = notKept(name, array, mayBe, manifest); !found.empty())
      return found;
  return "";
}

llvm::Error keepBest(Best &best, const std::map<std::string, double> &metrics, int64_t step,
                     Report &report, llvm::function_ref<llvm::Expected<Safetensors>()> values) {
  auto isBetter = best.consider(metrics, values);
  if (!isBetter)
    return isBetter.takeError();
  if (*isBetter)
    report.fact(
        "best",
        llvm::formatv("saved '{0}': the best {1} until now", best.file(), best.metricName()).str(),
        llvm::json::Object{{"file", best.file()},
                           {"step", step},
                           {"metric", best.metricName()},
                           {"value", best.value()}});
  return llvm::Error::success();
}

void logLast(Report &report, const Watchdog &watchdog, int64_t first) {
  for (auto [i, last] : llvm::enumerate(watchdog.last()))
    report.logOnly("rank_last", llvm::json::Object{{"rank", first + int64_t(i)},
                                                   {"doing", last.what},
                                                   {"step", last.step}});
}

static NotFiniteNames parseNames(llvm::StringRef text) {
  NotFiniteNames names;
  auto parsed = parseJson(text);
  if (!parsed)
    llvm::consumeError(parsed.takeError());
  else if (const llvm::json::Array *array = parsed->getAsArray())
    for (const llvm::json::Value &name : *array)
      names.insert(name.getAsString().value_or("").str());
  return names;
}

static std::string toText(const NotFiniteNames &names) {
  return llvm::formatv("{0}", llvm::json::Value(llvm::json::Array(names)));
}

llvm::Error CarriedFacts::shareNames(World &world) {
  auto texts = world.gatherOfProcesses(toText(mayBeInfinite));
  if (!texts)
    return texts.takeError();
  mayBeInfinite = parseNames(texts->front());
  return llvm::Error::success();
}

CarriedFacts CarriedFacts::from(const std::map<std::string, std::string> &metadata, size_t metrics,
                                int64_t done, int64_t perEpoch) {
  auto text = [&](const char *key) {
    auto found = metadata.find(key);
    return found == metadata.end() ? llvm::StringRef() : llvm::StringRef(found->second);
  };
  CarriedFacts facts;
  facts.mayBeInfinite = parseNames(text(namesKey));
  facts.ofEpoch = MetricSums::fromText(text(epochKey), metrics);
  facts.ofTraining = MetricSums::fromText(text(trainingKey), metrics);
  if (facts.ofEpoch.steps != done % perEpoch)
    facts.ofEpoch.clear();
  if (facts.ofTraining.steps != done)
    facts.ofTraining.clear();
  return facts;
}

void CarriedFacts::addTo(std::map<std::string, std::string> &metadata, bool sums) const {
  if (!mayBeInfinite.empty())
    metadata[namesKey] = toText(mayBeInfinite);
  if (!sums)
    return;
  metadata[epochKey] = ofEpoch.toText();
  metadata[trainingKey] = ofTraining.toText();
}

} // namespace ds
