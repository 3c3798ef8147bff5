//===- WriteModels.cpp - Models of choices as JSON ------------------------===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "WriteModels.h"

#include "ds/Support/File.h"

#include "llvm/Support/JSON.h"

#include <map>

namespace ds {

namespace json = llvm::json;

static json::Array toJson(const std::vector<int64_t> &costs) {
  json::Array array;
  for (int64_t cost : costs)
    array.push_back(cost >= StrategyModel::forbidden ? json::Value(nullptr) : json::Value(cost));
  return array;
}

static json::Object toJson(const SearchedModel &searched) {
  const StrategyModel &model = searched.choices;
  json::Array variables, pairs, tables;
  for (unsigned i = 0; i < model.size(); ++i)
    variables.push_back(toJson(model.costs(i)));
  std::map<unsigned, int64_t> numbers;
  for (const StrategyModel::Pair &pair : model.pairs()) {
    auto [number, isNew] = numbers.try_emplace(pair.table, numbers.size());
    if (isNew)
      tables.push_back(toJson(model.table(pair)));
    pairs.push_back(json::Array{int64_t(pair.first), int64_t(pair.second), number->second});
  }
  return json::Object{{"axis", searched.axis},     {"cost", searched.cost},
                      {"bound", searched.bound},   {"variables", std::move(variables)},
                      {"pairs", std::move(pairs)}, {"tables", std::move(tables)}};
}

llvm::Error writeModels(llvm::StringRef path, const std::vector<SearchedModel> &models) {
  return writeFileAtomically(path, [&](llvm::raw_ostream &out) {
    json::Array array;
    for (const SearchedModel &model : models)
      array.push_back(toJson(model));
    out << json::Value(std::move(array)) << "\n";
  });
}

} // namespace ds
