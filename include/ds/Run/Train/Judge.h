//===- Judge.h - Judges the values of a training ----------------*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The work of rank 0 after an epoch or an interval of steps: --eval, --keep-best, --early-stopping.
//
//===----------------------------------------------------------------------===//
#ifndef DS_RUN_TRAIN_JUDGE_H
#define DS_RUN_TRAIN_JUDGE_H

#include "ds/Run/Feed/Best.h"
#include "ds/Run/Train/EarlyStopping.h"
#include "ds/Run/Train/Evaluate.h"

namespace ds {

/// A point of the training at which it is judged.
struct JudgedStep {
  int64_t step; // of the training, from 1
  bool endsEpoch, evaluates;
};

class Judge {
public:
  /// Makes a judge by the options; `metrics` are the names of the training's metrics.
  static llvm::Expected<std::unique_ptr<Judge>>
  create(const RunOptions &options, const Embedding &embedding, const Manifest &trained,
         int64_t numRanks, llvm::ArrayRef<std::string> metrics, Report &report);

  /// Evaluates and reports the result.
  std::map<std::string, double> evaluate(Rank &rank, const JudgedStep &at);

  using Values = llvm::function_ref<llvm::Expected<Safetensors>()>;
  /// Evaluates if that is due, and keeps the result of `values` if it is better than all before.
  /// `metrics` are the means of an epoch that ends; metrics of --eval replace those of the same
  /// name.
  llvm::Error judge(Rank &rank, const JudgedStep &at, std::map<std::string, double> metrics,
                    Values values);

  /// True if the last judgement ended the training for lack of improvement.
  bool endsTraining() const { return noBetter; }
  void reportEnd(int64_t step) const;

  /// Adds the count of --early-stopping to a checkpoint's metadata; `restore` continues it.
  void addTo(std::map<std::string, std::string> &metadata) const;
  void restore(const std::map<std::string, std::string> &metadata);

private:
  explicit Judge(Report &report) : report(report) {}

  Report &report;
  std::unique_ptr<Evaluator> evaluator;
  std::unique_ptr<Best> best;
  std::unique_ptr<EarlyStopping> stopper;
  bool noBetter = false;
};

} // namespace ds

#endif // DS_RUN_TRAIN_JUDGE_H
