//===- plan_models.cpp - Random models of choices, solved -----------------===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// plan_models FILE [COUNT [SEED]] writes them as ds-plan --dump-model does, for
// bench/plan_oracle.py. They are like steps: a chain of variables with shortcuts, where a few
// labels of each cost work and pairs cost moves. Half of them are too wide for tables, so that the
// bound has to do it.
//
//===----------------------------------------------------------------------===//
#include "../lib/Preview/WriteModels.h"

#include "ds/Support/ToolMain.h"

#include <cstdlib>
#include <random>

using namespace ds;

static StrategyModel makeModel(std::mt19937_64 &random) {
  auto pick = [&](uint64_t bound) { return static_cast<int64_t>(random() % bound); };
  StrategyModel model;
  const unsigned size = 20 + pick(60);
  for (unsigned i = 0; i < size; ++i) {
    std::vector<int64_t> costs(2 + pick(5));
    for (int64_t &cost : costs)
      cost = pick(20) == 0 ? StrategyModel::forbidden : 1000 + pick(100000);
    costs.front() = 100000; // nothing is divided: always allowed
    model.addVariable(std::move(costs));
  }
  auto connect = [&](unsigned first, unsigned second) {
    std::vector<int64_t> costs(model.costs(first).size() * model.costs(second).size());
    for (int64_t &cost : costs)
      cost = pick(3) ? pick(30000) : pick(15) == 0 ? StrategyModel::forbidden : 0;
    costs.front() = 0;
    model.addPair(first, second, std::move(costs));
  };
  for (unsigned i = 1; i < size; ++i)
    connect(i - 1, i);
  for (unsigned shortcuts = pick(2) ? size / 4 : size; shortcuts > 0; --shortcuts)
    if (unsigned first = pick(size), second = pick(size); first != second)
      connect(first, second);
  return model;
}

static int run(int argc, char **argv) {
  if (argc < 2) {
    llvm::errs() << "plan_models: error: expected plan_models FILE [COUNT [SEED]]\n";
    return 1;
  }
  const int count = argc > 2 ? std::atoi(argv[2]) : 50;
  std::mt19937_64 random(argc > 3 ? std::atoi(argv[3]) : 1);
  std::vector<SearchedModel> models;
  for (int i = 0; i < count; ++i) {
    StrategyModel model = makeModel(random);
    // Every other one without tables to speak of.
    SearchOptions options;
    if (i % 2)
      options.largestTable = 64;
    std::optional<Strategy> found = searchStrategy(model, options);
    models.push_back({"random " + std::to_string(i), std::move(model), found ? found->cost : 0,
                      found ? found->bound : 0});
  }
  if (llvm::Error error = writeModels(argv[1], models)) {
    llvm::errs() << "plan_models: error: " << llvm::toString(std::move(error)) << "\n";
    return 1;
  }
  return 0;
}

int main(int argc, char **argv) {
  return toolMain("plan_models", [&] { return run(argc, argv); });
}
