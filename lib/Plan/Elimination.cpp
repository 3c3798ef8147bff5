//===- Elimination.cpp - Exact minimum, variable by variable --------------===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Elimination.h"

#include "llvm/ADT/STLExtras.h"

#include <algorithm>
#include <cassert>
#include <limits>

using namespace ds;

Elimination::Elimination(const StrategyModel &model)
    : model(model), tablesOf(model.size()), isLeft(model.size(), 1) {
  for (unsigned i = 0; i < model.size(); ++i)
    unary.push_back(model.costs(i));
  for (const StrategyModel::Pair &pair : model.pairs())
    addTable({{pair.first, pair.second}, nullptr, &model.table(pair)});
}

void Elimination::addTable(Table table) {
  llvm::erase_if(table.scope, [&](unsigned variable) { return unary[variable].size() == 1; });
  if (table.scope.empty())
    fixed = std::min(StrategyModel::forbidden, fixed + table.costs->front());
  for (unsigned variable : table.scope)
    tablesOf[variable].push_back(tables.size());
  tables.push_back(std::move(table));
}

std::vector<unsigned> Elimination::neighboursOf(unsigned variable) const {
  std::vector<unsigned> found;
  for (unsigned table : tablesOf[variable])
    for (unsigned other : tables[table].scope)
      if (other != variable)
        found.push_back(other);
  std::sort(found.begin(), found.end());
  found.erase(std::unique(found.begin(), found.end()), found.end());
  return found;
}

double Elimination::entriesOf(unsigned variable) const {
  double entries = 1;
  for (unsigned other : neighboursOf(variable))
    entries *= unary[other].size();
  return entries;
}

int64_t Elimination::at(const Table &table, const std::vector<unsigned> &labels) const {
  size_t index = 0;
  for (unsigned variable : table.scope)
    index = index * unary[variable].size() + labels[variable];
  return (*table.costs)[index];
}

void Elimination::eliminate(unsigned variable) {
  Taken step{variable, tablesOf[variable]};
  Table made{neighboursOf(variable), nullptr, nullptr};
  size_t entries = 1, own = unary[variable].size();
  for (unsigned other : made.scope)
    entries *= unary[other].size();
  // For each table: the distance to the next label of each variable of the new table, and of the
  // eliminated one.
  struct Walk {
    const int64_t *costs;
    std::vector<size_t> strides;
    size_t ownStride = 0, index = 0;
  };
  std::vector<Walk> walks;
  for (unsigned number : step.tables) {
    const Table &table = tables[number];
    Walk walk{table.costs->data(), std::vector<size_t>(made.scope.size())};
    size_t stride = 1;
    for (size_t i = table.scope.size(); i-- > 0;) {
      unsigned other = table.scope[i];
      if (other == variable)
        walk.ownStride = stride;
      else
        walk.strides[std::lower_bound(made.scope.begin(), made.scope.end(), other) -
                     made.scope.begin()] = stride;
      stride *= unary[other].size();
    }
    walks.push_back(std::move(walk));
  }
  std::vector<int64_t> best(entries);
  std::vector<unsigned> digits(made.scope.size());
  for (int64_t &entry : best) {
    entry = StrategyModel::forbidden;
    for (size_t label = 0; label < own; ++label) {
      int64_t cost = unary[variable][label];
      for (const Walk &walk : walks)
        cost += walk.costs[walk.index + label * walk.ownStride];
      entry = std::min(entry, cost);
    }
    for (size_t i = digits.size(); i-- > 0;) {
      bool wraps = ++digits[i] == unary[made.scope[i]].size();
      for (Walk &walk : walks)
        walk.index += walk.strides[i];
      if (!wraps)
        break;
      for (Walk &walk : walks)
        walk.index -= walk.strides[i] * digits[i];
      digits[i] = 0;
    }
  }
  for (unsigned other : made.scope)
    llvm::erase_if(tablesOf[other], [&](unsigned table) {
      return std::find(step.tables.begin(), step.tables.end(), table) != step.tables.end();
    });
  tablesOf[variable].clear();
  isLeft[variable] = 0;
  made.owned = std::make_shared<const std::vector<int64_t>>(std::move(best));
  made.costs = made.owned.get();
  addTable(std::move(made));
  taken.push_back(std::move(step));
}

void Elimination::run(int64_t largestTable, unsigned mostNeighbours) {
  using Candidate = std::pair<double, unsigned>;
  std::set<Candidate> open;
  std::vector<double> entries(model.size());
  auto enter = [&](unsigned variable) {
    entries[variable] = entriesOf(variable);
    open.insert({entries[variable], variable});
  };
  for (unsigned i = 0; i < model.size(); ++i)
    if (isLeft[i])
      enter(i);
  while (!open.empty()) {
    auto [size, variable] = *open.begin();
    if (size > largestTable)
      return;
    open.erase(open.begin());
    std::vector<unsigned> neighbours = neighboursOf(variable);
    if (neighbours.size() > mostNeighbours)
      continue;
    for (unsigned other : neighbours)
      open.erase({entries[other], other});
    eliminate(variable);
    for (unsigned other : neighbours)
      enter(other);
  }
}

bool Elimination::fits(int64_t largestTable) const {
  std::vector<std::vector<unsigned>> neighbours(model.size());
  using Candidate = std::pair<double, unsigned>;
  std::set<Candidate> open;
  std::vector<double> entries(model.size());
  auto enter = [&](unsigned variable) {
    entries[variable] = 1;
    for (unsigned other : neighbours[variable])
      entries[variable] *= unary[other].size();
    open.insert({entries[variable], variable});
  };
  for (unsigned i : left()) {
    neighbours[i] = neighboursOf(i);
    enter(i);
  }
  while (!open.empty()) {
    auto [size, variable] = *open.begin();
    if (size > largestTable)
      return false;
    open.erase(open.begin());
    const std::vector<unsigned> scope = std::move(neighbours[variable]);
    for (unsigned other : scope) {
      open.erase({entries[other], other});
      // A variable with one label has no neighbours.
      std::vector<unsigned> merged;
      std::set_union(neighbours[other].begin(), neighbours[other].end(), scope.begin(), scope.end(),
                     std::back_inserter(merged));
      llvm::erase_if(merged, [&](unsigned i) { return i == variable || i == other; });
      neighbours[other] = std::move(merged);
    }
    for (unsigned other : scope)
      enter(other);
  }
  return true;
}

std::vector<unsigned> Elimination::left() const {
  std::vector<unsigned> found;
  for (unsigned i = 0; i < model.size(); ++i)
    if (isLeft[i])
      found.push_back(i);
  return found;
}

StrategyModel Elimination::rest() const {
  StrategyModel smaller;
  std::vector<unsigned> number(model.size());
  for (unsigned i = 0; i < model.size(); ++i) {
    if (!isLeft[i])
      continue;
    std::vector<int64_t> costs = unary[i];
    for (unsigned table : tablesOf[i])
      if (tables[table].scope.size() == 1)
        for (size_t label = 0; label < costs.size(); ++label)
          costs[label] =
              std::min(StrategyModel::forbidden, costs[label] + (*tables[table].costs)[label]);
    number[i] = smaller.addVariable(std::move(costs));
  }
  for (unsigned i = 0; i < model.size(); ++i)
    for (unsigned table : tablesOf[i]) {
      const std::vector<unsigned> &scope = tables[table].scope;
      assert(scope.size() <= 2 && "what is left are pairs");
      if (scope.size() == 2 && scope.front() == i)
        smaller.addPair(number[scope[0]], number[scope[1]], *tables[table].costs);
    }
  return smaller;
}

void Elimination::complete(std::vector<unsigned> &labels) const {
  for (size_t i = taken.size(); i-- > 0;) {
    const Taken &step = taken[i];
    int64_t least = std::numeric_limits<int64_t>::max();
    unsigned best = 0;
    for (unsigned label = 0; label < unary[step.variable].size(); ++label) {
      labels[step.variable] = label;
      int64_t cost = unary[step.variable][label];
      for (unsigned table : step.tables)
        cost += at(tables[table], labels);
      if (cost < least) {
        least = cost;
        best = label;
      }
    }
    labels[step.variable] = best;
  }
}
