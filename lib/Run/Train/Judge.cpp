//===- Judge.cpp - Judges the values of a training --------------*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "ds/Run/Train/Judge.h"

#include "ds/Run/Train/Kept.h"
#include "ds/Support/UserError.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/Twine.h"

namespace ds {

using llvm::Error;
using llvm::Expected;

Expected<std::unique_ptr<Judge>>
Judge::create(const RunOptions &options, const Embedding &embedding, const Manifest &trained,
              int64_t numRanks, llvm::ArrayRef<std::string> metrics, Report &report) {
  std::unique_ptr<Judge> judge(new Judge(report));
  std::vector<std::string> names = metrics.vec(), ofEval;
  if (!options.eval.empty()) {
    if (Error error =
            loadEvaluator(options, embedding, trained, numRanks, report).moveInto(judge->evaluator))
      return error;
    ofEval = judge->evaluator->names();
    llvm::append_range(names, ofEval);
  }
  if (const EarlyStoppingRequest &asked = options.earlyStopping; !asked.metric.empty()) {
    const bool isOfEval = llvm::is_contained(ofEval, asked.metric);
    if (options.steps && !isOfEval && llvm::is_contained(names, asked.metric))
      return userError("--early-stopping looks at '" + asked.metric +
                       "' of the training at the end of an epoch, so --steps cannot be given with "
                       "it; expected --epochs, or a metric of --eval");
    const char *unit = isOfEval && options.evalEvery ? "evaluations" : "epochs";
    if (Error error = EarlyStopping::create(asked, names, unit).moveInto(judge->stopper))
      return error;
  }
  if (!options.keepBest.empty())
    if (Error error = Best::create(options.keepBest, options.bestIsLargest, options.save,
                                   options.resume, names)
                          .moveInto(judge->best))
      return error;
  return judge;
}

std::map<std::string, double> Judge::evaluate(Rank &rank, const JudgedStep &at) {
  const Report::Clock::time_point begin = Report::Clock::now();
  Evaluation evaluation = evaluator->evaluate(rank);
  const Report::Clock::duration took = Report::Clock::now() - begin;
  report.leaveOut(took);
  llvm::json::Object object = evaluation.json();
  object["step"] = at.step;
  object["seconds"] = std::chrono::duration<double>(took).count();
  if (evaluation.confusion) {
    llvm::json::Array counts;
    for (const std::vector<int64_t> &row : *evaluation.confusion)
      counts.push_back(llvm::json::Array(row));
    report.logOnly("confusion",
                   llvm::json::Object{{"step", at.step}, {"counts", std::move(counts)}});
  }
  std::string text = evaluation.describe();
  if (!at.endsEpoch)
    text = "step " + std::to_string(at.step) + ": " + text;
  report.fact("evaluation", text, std::move(object));
  return evaluation.values();
}

Error Judge::judge(Rank &rank, const JudgedStep &at, std::map<std::string, double> metrics,
                   Values values) {
  if (evaluator)
    for (const std::string &name : evaluator->names())
      metrics.erase(name); // never compared with a metric of the training of the same name
  if (at.evaluates)
    for (const auto &[name, value] : evaluate(rank, at))
      metrics[name] = value;
  noBetter = stopper && stopper->consider(metrics);
  return best ? keepBest(*best, metrics, at.step, report, values) : Error::success();
}

static constexpr const char *countedKey = "ds.early_stopping";

void Judge::addTo(std::map<std::string, std::string> &metadata) const {
  if (stopper)
    metadata[countedKey] = stopper->toText();
}

void Judge::restore(const std::map<std::string, std::string> &metadata) {
  auto found = metadata.find(countedKey);
  if (!stopper || found == metadata.end())
    return;
  stopper->restore(found->second);
  noBetter = stopper->ends();
}

void Judge::reportEnd(int64_t step) const {
  report.fact("early_stopping", stopper->describe(), llvm::json::Object{{"step", step}});
}

} // namespace ds
