//===- Evaluate.h - Accuracy and metrics of a forward function --*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A function of the same parameters and a batch returns logits [batch, ..., classes], floats whose
// largest element along the last dimension is the prediction, or predictions [batch, ...],
// integers, or metrics (ds.metric), or several of these. The last batch is padded. Padding does not
// count: in metrics it has ds.weight 0; metrics without ds.weight leave that batch out.
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

/// Counts the pairs of labels and predictions, for a limited number of classes.
class Confusion {
public:
  static constexpr int64_t most = 100;

  void add(llvm::ArrayRef<int64_t> labels, llvm::ArrayRef<int64_t> predictions);
  /// Returns a row for each label with the number of each prediction; none if nothing was counted,
  /// or a class is too large. A label below zero belongs to no class.
  std::optional<std::vector<std::vector<int64_t>>> counts(int64_t classes) const;

private:
  std::map<std::pair<int64_t, int64_t>, int64_t> pairs;
  bool isTooLarge = false;
};

/// The result of one pass over the data.
struct Evaluation {
  std::optional<Accuracy> accuracy;
  std::optional<std::vector<std::vector<int64_t>>> confusion; // by label, then prediction
  std::vector<std::pair<std::string, double>> metrics;
  int64_t samples = 0, leftOut = 0; // of the metrics

  /// Returns the values by name, including the accuracy.
  std::map<std::string, double> values() const;
  /// Describe the result in one line for people, and as JSON.
  std::string describe() const;
  llvm::json::Object json() const;
};

class Evaluator {
public:
  /// `trained` is the manifest of the ranks; the function takes their parameters and states by
  /// name.
  static llvm::Expected<std::unique_ptr<Evaluator>>
  create(std::unique_ptr<CompiledStep> forward, const std::vector<DataSource> &sources,
         const Manifest &trained, int64_t numRanks, const RunOptions &options, Report &report);

  Evaluation evaluate(Rank &trained);
  /// Returns the names of the values of an evaluation.
  std::vector<std::string> names() const;

private:
  Evaluator() = default;

  /// The sum of a metric over the batches so far.
  struct MetricSum {
    unsigned slot;
    double value = 0;
    int64_t samples = 0;
  };
  void countPredictions(const StepRows &batch, int64_t real, Accuracy &accuracy,
                        Confusion &confusion);
  /// Returns the number of labels of one sample.
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
  std::optional<unsigned> predictions; // the slot of a result
  int64_t classes = 0;                 // of the last dimension; 0: it holds classes
  std::vector<unsigned> metrics;       // slots of results
  bool weighs = false;                 // padding has no weight in metrics
};

/// Returns the index of the largest element of each row, the first of equal ones.
std::vector<int64_t> largestOfRows(llvm::ArrayRef<double> logits, int64_t classes);

/// Makes the evaluator of --eval and --eval-data.
llvm::Expected<std::unique_ptr<Evaluator>> loadEvaluator(const RunOptions &options,
                                                         const Embedding &embedding,
                                                         const Manifest &trained, int64_t numRanks,
                                                         Report &report);

} // namespace ds

#endif // DS_RUN_TRAIN_EVALUATE_H
