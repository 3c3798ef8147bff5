//===- Evaluate.h - Accuracy and metrics of a forward function --*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A function of the same parameters and a batch gives logits [batch, ..., classes], floats of which
// the largest of the last dimension is the prediction, or predictions [batch, ...], integers, or
// metrics (ds.metric), or several of these. The last batch is padded, and the padding not counted:
// in metrics by ds.weight; without it they leave that batch out.
//
//===----------------------------------------------------------------------===//
#ifndef DS_RUN_TRAIN_EVALUATE_H
#define DS_RUN_TRAIN_EVALUATE_H

#include "ds/Data/Dataset.h"
#include "ds/Run/Options/Options.h"
#include "ds/Run/Program/Embedding.h"
#include "ds/Run/Ranks/Rank.h"
#include "ds/Run/Report/Report.h"
#include "ds/Target/CompiledStep.h"

#include "llvm/Support/JSON.h"

#include <map>
#include <optional>

namespace ds {

struct Accuracy {
  int64_t correct = 0, total = 0;
  double fraction() const { return total ? double(correct) / double(total) : 0; }
};

/// How often labels and predictions meet, where there are no more than so many classes.
class Confusion {
public:
  static constexpr int64_t most = 100;

  void add(llvm::ArrayRef<int64_t> labels, llvm::ArrayRef<int64_t> predictions);
  /// A row for each label with the number of each prediction; none where nothing was counted, or a
  /// class is too large. A label below zero is of no class.
  std::optional<std::vector<std::vector<int64_t>>> counts(int64_t classes) const;

private:
  std::map<std::pair<int64_t, int64_t>, int64_t> pairs;
  bool isTooLarge = false;
};

/// What is known after one pass over the data.
struct Evaluation {
  std::optional<Accuracy> accuracy;
  std::optional<std::vector<std::vector<int64_t>>> confusion; // by label, then prediction
  std::vector<std::pair<std::string, double>> metrics;
  int64_t samples = 0, leftOut = 0; // of the metrics

  /// By name, the accuracy among them.
  std::map<std::string, double> values() const;
  /// One line for people, and for programs.
  std::string describe() const;
  llvm::json::Object json() const;
};

class Evaluator {
public:
  /// `trained` is the manifest of the ranks whose parameters and states the function takes by name.
  static llvm::Expected<std::unique_ptr<Evaluator>>
  create(std::unique_ptr<CompiledStep> forward, const std::vector<DataSource> &sources,
         const Manifest &trained, int64_t numRanks, const RunOptions &options, Report &report);

  Evaluation evaluate(Rank &trained);
  /// Names of the values of an evaluation.
  std::vector<std::string> names() const;

private:
  Evaluator() = default;

  /// What the metrics of a batch count for, as a whole and up to now.
  struct MetricSum {
    unsigned slot;
    double value = 0;
    int64_t samples = 0;
  };
  void countPredictions(const StepRows &batch, int64_t real, Accuracy &accuracy,
                        Confusion &confusion);
  /// Labels of one sample.
  int64_t labelsPerSample() const;
  void addMetrics(int64_t real, std::vector<MetricSum> &sums) const;
  ArgumentSpec labelColumn() const;
  llvm::Error loadLabels(const std::vector<DataSource> &sources);

  std::unique_ptr<CompiledStep> compiled;
  std::unique_ptr<Rank> forward;
  std::vector<std::pair<unsigned, unsigned>>
      shared; // slot of the trained step, slot of the function
  Dataset data, labelData;
  std::string labels;
  int64_t rows = 0;
  std::optional<unsigned> predictions; // a result's slot
  int64_t classes = 0;                 // of its last dimension; 0: it holds predicted classes
  std::vector<unsigned> metrics;       // results' slots
  bool weighs = false;                 // padding does not count in metrics
};

/// Where the largest element of each row is, the first of equal ones.
std::vector<int64_t> largestOfRows(llvm::ArrayRef<double> logits, int64_t classes);

/// The evaluator of --eval and --eval-data.
llvm::Expected<std::unique_ptr<Evaluator>> loadEvaluator(const RunOptions &options,
                                                         const Embedding &embedding,
                                                         const Manifest &trained, int64_t numRanks,
                                                         Report &report);

} // namespace ds

#endif // DS_RUN_TRAIN_EVALUATE_H
