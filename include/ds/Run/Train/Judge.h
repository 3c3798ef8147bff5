//===- Judge.h - How good the values of a training are ----------*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What rank 0 does behind an epoch or every so many steps: --eval, --keep-best, --early-stopping.
//
//===----------------------------------------------------------------------===//
#ifndef DS_RUN_TRAIN_JUDGE_H
#define DS_RUN_TRAIN_JUDGE_H

#include "ds/Run/Feed/Best.h"
#include "ds/Run/Train/EarlyStopping.h"
#include "ds/Run/Train/Evaluate.h"

namespace ds {

/// Where a training is judged.
struct JudgedStep {
  int64_t step; // of the training, from 1
  bool endsEpoch, evaluates;
};

class Judge {
public:
  /// What the options ask for; `metrics` are the names of those of the training.
  static llvm::Expected<std::unique_ptr<Judge>>
  create(const RunOptions &options, const Embedding &embedding, const Manifest &trained,
         int64_t numRanks, llvm::ArrayRef<std::string> metrics, Report &report);

  /// Evaluates and reports it.
  std::map<std::string, double> evaluate(Rank &rank, const JudgedStep &at);

  using Values = llvm::function_ref<llvm::Expected<Safetensors>()>;
  /// Evaluates where that is due, and keeps what `values` gives if it is better than all before.
  /// `metrics` are the means of an epoch that ends; one of the same name of --eval goes before
  /// them.
  llvm::Error judge(Rank &rank, const JudgedStep &at, std::map<std::string, double> metrics,
                    Values values);

  /// Whether the last judgement was that nothing gets better.
  bool endsTraining() const { return noBetter; }
  void reportEnd(int64_t step) const;

  /// Adds to a checkpoint's metadata what --early-stopping has counted; `restore` goes on with it.
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
