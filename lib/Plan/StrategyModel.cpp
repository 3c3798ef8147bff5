//===- StrategyModel.cpp - Variables, labels and their costs --------------===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "ds/Plan/StrategySearch.h"

#include <algorithm>
#include <cassert>

using namespace ds;

unsigned StrategyModel::addVariable(std::vector<int64_t> costs) {
  assert(!costs.empty() && "a variable has a label");
  variables.push_back(std::move(costs));
  return variables.size() - 1;
}

void StrategyModel::addCosts(unsigned variable, const std::vector<int64_t> &costs) {
  for (size_t label = 0; label < costs.size(); ++label)
    variables[variable][label] = std::min(forbidden, variables[variable][label] + costs[label]);
}

unsigned StrategyModel::intern(std::vector<int64_t> costs) {
  auto table = std::make_shared<const std::vector<int64_t>>(std::move(costs));
  auto [it, isNew] = known.try_emplace(table, tables.size());
  if (isNew)
    tables.push_back(std::move(table));
  return it->second;
}

void StrategyModel::addPair(unsigned first, unsigned second, std::vector<int64_t> costs) {
  size_t rows = variables[first].size(), columns = variables[second].size();
  assert(first != second && costs.size() == rows * columns && "a cost for each pair of labels");
  if (first > second) {
    std::vector<int64_t> turned(costs.size());
    for (size_t i = 0; i < rows; ++i)
      for (size_t j = 0; j < columns; ++j)
        turned[j * rows + i] = costs[i * columns + j];
    return addPair(second, first, std::move(turned));
  }
  auto [it, isNew] = pairOf.try_emplace({first, second}, allPairs.size());
  if (isNew) {
    allPairs.push_back({first, second, intern(std::move(costs))});
    return;
  }
  Pair &pair = allPairs[it->second];
  for (size_t i = 0; i < costs.size(); ++i)
    costs[i] = std::min(forbidden, costs[i] + table(pair)[i]);
  pair.table = intern(std::move(costs));
}

StrategyModel StrategyModel::restricted(unsigned variable,
                                        const std::vector<unsigned> &labels) const {
  StrategyModel model = *this;
  for (unsigned label = 0; label < variables[variable].size(); ++label)
    if (std::find(labels.begin(), labels.end(), label) == labels.end())
      model.variables[variable][label] = forbidden;
  return model;
}

int64_t StrategyModel::costOf(const std::vector<unsigned> &labels) const {
  int64_t cost = 0;
  for (unsigned i = 0; i < size(); ++i)
    cost += variables[i][labels[i]];
  for (const Pair &pair : allPairs)
    cost += table(pair)[labels[pair.first] * variables[pair.second].size() + labels[pair.second]];
  return cost;
}
