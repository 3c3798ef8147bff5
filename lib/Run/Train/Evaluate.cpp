//===- Evaluate.cpp - Accuracy and metrics of a forward function *- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Predictions are the result called `logits` or `predictions`, else the first suitable one. Labels
// are the source of the same ds.name, else `y`, else the only source that is no argument.
//
//===----------------------------------------------------------------------===//
#include "ds/Run/Train/Evaluate.h"

#include "ds/Data/Convert.h"
#include "ds/Run/Feed/OutOfRange.h"
#include "ds/Run/Program/Program.h"
#include "ds/Run/Ranks/Batch.h"
#include "ds/Support/Escape.h"
#include "ds/Support/UserError.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/Twine.h"
#include "llvm/Support/FormatVariadic.h"

#include <algorithm>
#include <cmath>
#include <cstring>

namespace ds {

using llvm::Error;
using llvm::Expected;
using llvm::Twine;

std::vector<int64_t> largestOfRows(llvm::ArrayRef<double> logits, int64_t classes) {
  std::vector<int64_t> places;
  for (; !logits.empty(); logits = logits.drop_front(classes)) {
    auto row = logits.take_front(classes);
    places.push_back(std::max_element(row.begin(), row.end()) - row.begin());
  }
  return places;
}

void Confusion::add(llvm::ArrayRef<int64_t> labels, llvm::ArrayRef<int64_t> predictions) {
  for (auto [label, prediction] : llvm::zip_equal(labels, predictions)) {
    if (label < 0)
      continue;
    isTooLarge |= std::max(label, prediction) >= most || prediction < 0;
    if (!isTooLarge)
      ++pairs[{label, prediction}];
  }
}

std::optional<std::vector<std::vector<int64_t>>> Confusion::counts(int64_t classes) const {
  if (isTooLarge || pairs.empty() || classes > most)
    return std::nullopt;
  for (const auto &[pair, count] : pairs)
    classes = std::max({classes, pair.first + 1, pair.second + 1});
  std::vector<std::vector<int64_t>> rows(classes, std::vector<int64_t>(classes));
  for (const auto &[pair, count] : pairs)
    rows[pair.first][pair.second] = count;
  return rows;
}

static Expected<std::string> chooseLabels(const ResultSpec &predictions,
                                          const std::vector<DataSource> &sources,
                                          const Manifest &function) {
  std::vector<std::string> free;
  for (const DataSource &source : sources)
    if (llvm::none_of(function.arguments, [&](const ArgumentSpec &argument) {
          return argument.name == source.argument;
        }))
      free.push_back(source.argument);
  for (const std::string &name : {predictions.name, std::string("y")})
    if (llvm::any_of(sources, [&](const DataSource &s) { return s.argument == name; }))
      return name;
  if (free.size() == 1)
    return free.front();
  return userError("--eval-data holds no labels, expected 'y=FILE' beside the arguments");
}

/// True for floats [batch, ..., classes] or integers [batch, ...].
static bool mayBePredictions(const ResultSpec &result) {
  const size_t least = isFloat(toDataType(result.type)) ? 2 : 1;
  return !result.isMetric && result.shape.size() >= least && elementCount(result.shape) > 0;
}

static std::optional<unsigned> predictionsOf(const Manifest &function) {
  std::optional<unsigned> first;
  for (unsigned slot = 0; slot < function.results.size(); ++slot) {
    const ResultSpec &result = function.results[slot];
    if (!mayBePredictions(result))
      continue;
    if (result.name == "logits" || result.name == "predictions")
      return slot;
    if (!first)
      first = slot;
  }
  return first;
}

static std::vector<unsigned> metricsOf(const Manifest &function) {
  std::vector<unsigned> slots;
  for (unsigned slot = 0; slot < function.results.size(); ++slot)
    if (function.results[slot].isMetric && elementCount(function.results[slot].shape) == 1)
      slots.push_back(slot);
  return slots;
}

Expected<std::unique_ptr<Evaluator>> Evaluator::create(std::unique_ptr<CompiledStep> compiled,
                                                       const std::vector<DataSource> &sources,
                                                       const Manifest &trained, int64_t numRanks,
                                                       const RunOptions &options, Report &report) {
  const Manifest &function = compiled->manifest();
  std::unique_ptr<Evaluator> evaluator(new Evaluator());
  evaluator->predictions = predictionsOf(function);
  evaluator->metrics = metricsOf(function);
  if (!evaluator->predictions && evaluator->metrics.empty())
    return userError("the function of --eval returns nothing to judge, expected logits [batch, "
                     "classes] of floats, predicted classes [batch] of integers, or a scalar with "
                     "ds.metric");
  for (const ArgumentSpec &argument : function.arguments) {
    if (argument.role == ArgumentRole::batch && evaluator->rows == 0)
      evaluator->rows =
          argument.entries == 0 ? 0 : argument.shape[*argument.batchDim] / argument.entries;
    evaluator->weighs |= argument.isWeight;
  }
  if (evaluator->rows == 0)
    return userError("the function of --eval has no batch argument (ds.batch)");

  InitialValues values;
  values.values.resize(function.arguments.size());
  std::vector<ArgumentSpec> columns;
  for (unsigned slot = 0; slot < function.arguments.size(); ++slot) {
    const ArgumentSpec &argument = function.arguments[slot];
    if (argument.role == ArgumentRole::batch) {
      columns.push_back(argument);
      continue;
    }
    if (argument.role == ArgumentRole::hyperparameter) {
      auto found = options.arguments.find(argument.name);
      if (found == options.arguments.end() || elementCount(argument.shape) != 1)
        return userError("the function of --eval takes '" + argument.name +
                         "', for which there is no value: give --arg " +
                         shellWord(argument.name + "=NUMBER"));
      Array wide = Array::copy(DataType::f64, argument.shape, &found->second);
      auto value = convertArray(wide, argument.type);
      if (!value)
        return userError("--arg " + argument.name + ": " + llvm::toString(value.takeError()));
      values.values[slot] = std::move(*value);
      continue;
    }
    if (argument.role == ArgumentRole::seed)
      continue; // zero: an evaluation is not random
    auto same = llvm::find_if(trained.arguments, [&](const ArgumentSpec &other) {
      // Ranks hold shards of a sharded argument, but the function gets the global value.
      return other.name == argument.name && other.type == argument.type &&
             (other.isSharded() ? wholeShape(trained, other, numRanks) : other.shape) ==
                 argument.shape;
    });
    if (same == trained.arguments.end())
      return userError("the function of --eval takes '" + argument.name + "' (" +
                       shapeToString(argument.shape) + " of " + toString(argument.type) +
                       "), which the step does not have");
    evaluator->shared.push_back({unsigned(same - trained.arguments.begin()), slot});
  }
  if (evaluator->predictions) {
    const ResultSpec &result = function.results[*evaluator->predictions];
    if (result.shape[0] != evaluator->rows)
      return userError("the function of --eval takes " + Twine(evaluator->rows) +
                       " samples, but its " +
                       (isFloat(toDataType(result.type)) ? "logits" : "predictions") + " hold " +
                       Twine(result.shape[0]));
    evaluator->classes = isFloat(toDataType(result.type)) ? result.shape.back() : 0;
  }
  evaluator->compiled = std::move(compiled);
  if (evaluator->predictions) {
    // A function with metrics of its own, such as a regression, need not be a classifier.
    if (Error error = evaluator->loadLabels(sources)) {
      if (evaluator->metrics.empty())
        return error;
      llvm::consumeError(std::move(error));
      evaluator->predictions.reset();
    }
  }
  std::vector<DataSource> inputs;
  for (const DataSource &source : sources)
    if (!evaluator->predictions || source.argument != evaluator->labels ||
        llvm::any_of(columns,
                     [&](const ArgumentSpec &column) { return column.name == source.argument; }))
      inputs.push_back(source);
  auto data = Dataset::load(inputs, columns);
  if (!data)
    return data.takeError();
  evaluator->data = std::move(*data);
  if (Error error = checkIndices(evaluator->data, columns, options.onIndex, report))
    return error;
  const int64_t samples = evaluator->data.samples();
  if (evaluator->predictions)
    if (Error error =
            checkIndices(evaluator->labelData, {evaluator->labelColumn()}, options.onIndex, report))
      return error;
  if (evaluator->predictions && evaluator->labelData.samples() != samples)
    return userError("'" + evaluator->labels + "' of --eval-data has " +
                     Twine(evaluator->labelData.samples()) + " samples, but '" +
                     columns.front().name + "' has " + Twine(samples));
  if (!evaluator->predictions && !evaluator->weighs && samples < evaluator->rows)
    return userError("--eval-data has " + Twine(samples) +
                     " samples, but the function of --eval "
                     "takes " +
                     Twine(evaluator->rows) +
                     " and has no ds.weight, so its metrics "
                     "would count padding");
  evaluator->forward = std::make_unique<Rank>(*evaluator->compiled, 0, 1, nullptr);
  evaluator->forward->set(values);
  return evaluator;
}

/// Describes the labels as a column of their own, even if the function takes them, too. A label
/// below zero belongs to no class.
ArgumentSpec Evaluator::labelColumn() const {
  const ResultSpec &result = compiled->manifest().results[*predictions];
  ArgumentSpec column;
  column.name = labels;
  column.role = ArgumentRole::batch;
  column.type = ElementType::i64;
  column.shape.assign(result.shape.begin(), result.shape.end() - (classes ? 1 : 0));
  column.batchDim = 0;
  if (classes)
    column.indexRange = IntegerRange{std::numeric_limits<int64_t>::min(), classes, {}};
  return column;
}

Error Evaluator::loadLabels(const std::vector<DataSource> &sources) {
  const ResultSpec &result = compiled->manifest().results[*predictions];
  if (Error error = chooseLabels(result, sources, compiled->manifest()).moveInto(labels))
    return error;
  std::vector<DataSource> own;
  for (const DataSource &source : sources)
    if (source.argument == labels)
      own.push_back(source);
  if (Error error = Dataset::load(own, {labelColumn()}).moveInto(labelData))
    return error;
  return Error::success();
}

int64_t Evaluator::labelsPerSample() const {
  const ResultSpec &spec = compiled->manifest().results[*predictions];
  return elementCount(spec.shape) / rows / std::max<int64_t>(classes, 1);
}

void Evaluator::countPredictions(const StepRows &batch, int64_t real, Accuracy &accuracy,
                                 Confusion &confusion) {
  const ResultSpec &spec = compiled->manifest().results[*predictions];
  const std::vector<double> values = toDoubles(
      Array::view(toDataType(spec.type), spec.shape, forward->instance().readResult(*predictions)));
  const std::vector<int64_t> predicted =
      classes ? largestOfRows(values, classes) : std::vector<int64_t>(values.begin(), values.end());
  std::vector<int64_t> expected(rows * labelsPerSample());
  labelData.gather(labels, batch.samples, expected.data());
  const int64_t count = real * labelsPerSample(); // without padding
  for (int64_t i = 0; i < count; ++i)
    accuracy.correct += predicted[i] == expected[i];
  accuracy.total += count;
  confusion.add(llvm::ArrayRef(expected).take_front(count),
                llvm::ArrayRef(predicted).take_front(count));
}

void Evaluator::addMetrics(int64_t real, std::vector<MetricSum> &sums) const {
  for (MetricSum &sum : sums) {
    const ResultSpec &spec = compiled->manifest().results[sum.slot];
    double value = toDoubles(
        Array::view(toDataType(spec.type), {}, forward->instance().readResult(sum.slot)))[0];
    bool isFirst = sum.samples == 0;
    if (spec.reduce == "max" || spec.reduce == "min") {
      bool isBetter = spec.reduce == "max" ? value > sum.value : value < sum.value;
      sum.value = isFirst || isBetter || std::isnan(value) ? value : sum.value;
    } else {
      sum.value += spec.reduce == "sum" ? value : value * real;
    }
    sum.samples += real;
  }
}

Evaluation Evaluator::evaluate(Rank &trained) {
  const Manifest &function = compiled->manifest();
  for (auto [from, to] : shared) {
    forward->setWhole(to, trained.whole(from));
  }
  Evaluation evaluation;
  if (predictions)
    evaluation.accuracy.emplace();
  Confusion confusion;
  std::vector<MetricSum> sums;
  for (unsigned slot : metrics)
    sums.push_back({slot});
  StepRows batch{std::vector<int64_t>(rows), std::vector<bool>(rows)};
  for (int64_t first = 0; first < data.samples(); first += rows) {
    int64_t real = std::min(rows, data.samples() - first);
    for (int64_t i = 0; i < rows; ++i) {
      batch.samples[i] = i < real ? first + i : 0;
      batch.counts[i] = i < real;
    }
    forward->load(data, batch);
    llvm::cantFail(forward->run()); // no collective can fail
    if (predictions)
      countPredictions(batch, real, *evaluation.accuracy, confusion);
    bool counts = weighs || real == rows;
    (counts ? evaluation.samples : evaluation.leftOut) += real;
    if (counts)
      addMetrics(real, sums);
  }
  evaluation.confusion = confusion.counts(classes);
  for (const MetricSum &sum : sums) {
    const ResultSpec &spec = function.results[sum.slot];
    bool isMean = spec.reduce != "sum" && spec.reduce != "max" && spec.reduce != "min";
    evaluation.metrics.emplace_back(
        spec.name, isMean ? sum.value / std::max<int64_t>(1, sum.samples) : sum.value);
  }
  return evaluation;
}

std::vector<std::string> Evaluator::names() const {
  std::vector<std::string> all;
  if (predictions)
    all.push_back("accuracy");
  for (unsigned slot : metrics)
    all.push_back(compiled->manifest().results[slot].name);
  return all;
}

std::map<std::string, double> Evaluation::values() const {
  std::map<std::string, double> all(metrics.begin(), metrics.end());
  if (accuracy)
    all["accuracy"] = accuracy->fraction();
  return all;
}

std::string Evaluation::describe() const {
  std::string text;
  if (accuracy)
    text = llvm::formatv("accuracy {0:f2} % ({1} of {2})", 100 * accuracy->fraction(),
                         accuracy->correct, accuracy->total);
  for (const auto &[name, value] : metrics)
    text += llvm::formatv("{0}{1} {2:f4}", text.empty() ? "" : "  ", name, value);
  if (!metrics.empty() && leftOut > 0)
    text += llvm::formatv("  (without the last {0} of {1} samples, which do not fill a batch)",
                          leftOut, samples + leftOut);
  return text;
}

llvm::json::Object Evaluation::json() const {
  llvm::json::Object object;
  if (accuracy) {
    object["accuracy"] = accuracy->fraction();
    object["correct"] = accuracy->correct;
    object["total"] = accuracy->total;
  }
  if (metrics.empty())
    return object;
  llvm::json::Object values;
  for (const auto &[name, value] : metrics)
    // JSON has no NaN.
    values[name] = std::isfinite(value) ? llvm::json::Value(value) : nullptr;
  object["metrics"] = std::move(values);
  object["samples"] = samples;
  return object;
}

Expected<std::unique_ptr<Evaluator>> loadEvaluator(const RunOptions &options,
                                                   const Embedding &embedding,
                                                   const Manifest &trained, int64_t numRanks,
                                                   Report &report) {
  if (namesRank(options.evalData))
    return userError("--eval-data names files by {rank}, but rank 0 alone evaluates");
  auto sources = parseDataSpec(options.evalData);
  if (!sources)
    return sources.takeError();
  auto forward = Program::load(options.eval, "", {}, options.targetCpu, embedding);
  if (!forward)
    return forward.takeError();
  auto compiled = (*forward)->compileFunction();
  if (!compiled)
    return compiled.takeError();
  return Evaluator::create(std::move(*compiled), *sources, trained, numRanks, options, report);
}

} // namespace ds
