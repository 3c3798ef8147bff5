//===- Evaluate.cpp - The accuracy of a forward function --------*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The labels are the source named by the ds.name of the logits, else `y`, else the only one that is
// no argument.
//
//===----------------------------------------------------------------------===//
#include "ds/Run/Evaluate.h"

#include "ds/Data/Convert.h"
#include "ds/Support/UserError.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/Twine.h"

#include <algorithm>
#include <cstring>

namespace ds {

using llvm::Error;
using llvm::Expected;
using llvm::Twine;

int64_t countCorrect(llvm::ArrayRef<double> logits, int64_t classes,
                     llvm::ArrayRef<int64_t> labels) {
  int64_t correct = 0;
  for (size_t i = 0; i < labels.size(); ++i) {
    auto row = logits.slice(i * classes, classes);
    correct += std::max_element(row.begin(), row.end()) - row.begin() == labels[i];
  }
  return correct;
}

static Expected<std::string> chooseLabels(const ResultSpec &logits,
                                          const std::vector<DataSource> &sources,
                                          const Manifest &function) {
  std::vector<std::string> free;
  for (const DataSource &source : sources)
    if (llvm::none_of(function.arguments, [&](const ArgumentSpec &argument) {
          return argument.name == source.argument;
        }))
      free.push_back(source.argument);
  for (const std::string &name : {logits.name, std::string("y")})
    if (llvm::any_of(sources, [&](const DataSource &s) { return s.argument == name; }))
      return name;
  if (free.size() == 1)
    return free.front();
  return userError("--eval-data holds no labels, expected 'y=FILE' beside the arguments");
}

Expected<std::unique_ptr<Evaluator>>
Evaluator::create(std::unique_ptr<CompiledStep> compiled, const std::vector<DataSource> &sources,
                  const Manifest &trained, const std::map<std::string, double> &arguments) {
  const Manifest &function = compiled->manifest();
  if (function.results.empty() || function.results[0].shape.size() < 2 ||
      elementCount(function.results[0].shape) == 0)
    return userError(
        "the function of --eval returns no logits, expected a tensor [batch, classes]");
  const ResultSpec &logits = function.results[0];
  std::unique_ptr<Evaluator> evaluator(new Evaluator());
  evaluator->rows = logits.shape[0];

  InitialValues values;
  values.values.resize(function.arguments.size());
  std::vector<ArgumentSpec> columns;
  for (unsigned slot = 0; slot < function.arguments.size(); ++slot) {
    const ArgumentSpec &argument = function.arguments[slot];
    if (argument.role == ArgumentRole::batch) {
      if (argument.shape[*argument.batchDim] != evaluator->rows)
        return userError("'" + argument.name + "' of the function of --eval takes " +
                         Twine(argument.shape[*argument.batchDim]) +
                         " samples, but its logits hold " + Twine(evaluator->rows));
      columns.push_back(argument);
      continue;
    }
    if (argument.role == ArgumentRole::hyperparameter) {
      auto found = arguments.find(argument.name);
      if (found == arguments.end() || elementCount(argument.shape) != 1)
        return userError("the function of --eval takes '" + argument.name +
                         "', for which there is no value: give --arg " + argument.name + "=NUMBER");
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
      return other.name == argument.name && other.type == argument.type &&
             other.shape == argument.shape;
    });
    if (same == trained.arguments.end())
      return userError("the function of --eval takes '" + argument.name + "' (" +
                       shapeToString(argument.shape) + " of " + toString(argument.type) +
                       "), which the step does not have");
    evaluator->shared.push_back({unsigned(same - trained.arguments.begin()), slot});
  }
  if (columns.empty())
    return userError("the function of --eval has no batch argument (ds.batch)");

  auto labels = chooseLabels(logits, sources, function);
  if (!labels)
    return labels.takeError();
  // The labels are a column of their own, even where the function takes them too.
  std::vector<DataSource> inputs, labelSource;
  for (const DataSource &source : sources) {
    if (source.argument == *labels)
      labelSource.push_back(source);
    if (source.argument != *labels || llvm::any_of(columns, [&](const ArgumentSpec &column) {
          return column.name == source.argument;
        }))
      inputs.push_back(source);
  }
  ArgumentSpec column;
  column.name = *labels;
  column.role = ArgumentRole::batch;
  column.type = ElementType::i64;
  column.shape.assign(logits.shape.begin(), logits.shape.end() - 1);
  column.batchDim = 0;
  auto data = Dataset::load(inputs, columns);
  if (!data)
    return data.takeError();
  auto labelData = Dataset::load(labelSource, {column});
  if (!labelData)
    return labelData.takeError();
  if (labelData->samples() != data->samples())
    return userError("'" + *labels + "' of --eval-data has " + Twine(labelData->samples()) +
                     " samples, but '" + columns.front().name + "' has " + Twine(data->samples()));
  evaluator->labels = *labels;
  evaluator->labelData = std::move(*labelData);
  evaluator->data = std::move(*data);
  evaluator->forward = std::make_unique<Rank>(*compiled, 0, 1, nullptr);
  evaluator->forward->set(values);
  evaluator->compiled = std::move(compiled);
  return evaluator;
}

Accuracy Evaluator::evaluate(Rank &trained) {
  const Manifest &function = compiled->manifest();
  for (auto [from, to] : shared) {
    const ArgumentSpec &argument = function.arguments[to];
    memcpy(forward->instance().argument(to), trained.instance().argument(from),
           elementCount(argument.shape) * byteSize(argument.type));
  }
  const ResultSpec &logits = function.results[0];
  int64_t classes = logits.shape.back();
  int64_t perSample = elementCount(logits.shape) / rows / classes; // labels of one sample
  StepRows batch{std::vector<int64_t>(rows), std::vector<bool>(rows)};
  std::vector<int64_t> expected(rows * perSample);
  Accuracy accuracy;
  for (int64_t first = 0; first < data.samples(); first += rows) {
    int64_t real = std::min(rows, data.samples() - first);
    for (int64_t i = 0; i < rows; ++i) {
      batch.samples[i] = i < real ? first + i : 0;
      batch.counts[i] = i < real;
    }
    forward->load(data, batch);
    llvm::cantFail(forward->run()); // it has no collectives
    Array result;
    result.type = toDataType(logits.type);
    result.shape = logits.shape;
    result.data = static_cast<const uint8_t *>(forward->instance().result(0));
    labelData.gather(labels, batch.samples, expected.data());
    int64_t count = real * perSample;
    accuracy.correct +=
        countCorrect(toDoubles(result), classes, llvm::ArrayRef(expected).take_front(count));
    accuracy.total += count;
  }
  return accuracy;
}

} // namespace ds
