//===- Evaluate.h - The accuracy of a forward function ----------*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A function of the same parameters and a batch gives logits [batch, ..., classes]; the prediction
// is the largest of the last dimension. The last batch is padded, and the padding not counted.
//
//===----------------------------------------------------------------------===//
#ifndef DS_RUN_EVALUATE_H
#define DS_RUN_EVALUATE_H

#include "ds/Data/Dataset.h"
#include "ds/ExecutionEngine/CompiledStep.h"
#include "ds/Run/Rank.h"

namespace ds {

struct Accuracy {
  int64_t correct = 0, total = 0;
  double fraction() const { return total ? double(correct) / double(total) : 0; }
};

class Evaluator {
public:
  /// `trained` is the manifest whose parameters and states the function takes by name; `arguments`
  /// are those of --arg.
  static llvm::Expected<std::unique_ptr<Evaluator>>
  create(std::unique_ptr<CompiledStep> forward, const std::vector<DataSource> &sources,
         const Manifest &trained, const std::map<std::string, double> &arguments);

  Accuracy evaluate(Rank &trained);

private:
  Evaluator() = default;

  std::unique_ptr<CompiledStep> compiled;
  std::unique_ptr<Rank> forward;
  std::vector<std::pair<unsigned, unsigned>>
      shared; // slot of the trained step, slot of the function
  Dataset data, labelData;
  std::string labels;
  int64_t rows = 0;
};

/// How many rows of `logits` have their largest element at the label's place.
int64_t countCorrect(llvm::ArrayRef<double> logits, int64_t classes,
                     llvm::ArrayRef<int64_t> labels);

} // namespace ds

#endif // DS_RUN_EVALUATE_H
