//===- RandomData.cpp - Values that a step starts from ----------*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "RandomData.h"

#include "Random.h"
#include "ds/Data/Convert.h"

#include "llvm/ADT/StringRef.h"

namespace ds::fuzz {

static Random randomFor(llvm::StringRef name, uint64_t seed, int64_t step) {
  uint64_t hash = seed * 1000003 + step;
  for (char letter : name)
    hash = hash * 1099511628211u + static_cast<unsigned char>(letter);
  return Random(hash);
}

static Array toArray(const ArgumentSpec &argument, const std::vector<int64_t> &shape,
                     const std::vector<double> &values) {
  return llvm::cantFail(
      convertArray(Array::copy(DataType::f64, shape, values.data()), argument.type));
}

Array initialValue(const ArgumentSpec &argument, uint64_t seed) {
  Random random = randomFor(argument.name, seed, -1);
  std::vector<double> values(elementCount(argument.shape));
  bool real = isFloat(toDataType(argument.type));
  for (double &value : values) {
    if (argument.role == ArgumentRole::hyperparameter)
      value = 0.25;
    else if (!real)
      value = random.below(2);
    else if (argument.role == ArgumentRole::parameter)
      value = 0.5 * random.normal();
    else // positive: a state may be a variance
      value = 0.5 + random.uniform();
  }
  return toArray(argument, argument.shape, values);
}

Array batchValue(const Manifest &manifest, const ArgumentSpec &argument, int64_t rows,
                 uint64_t seed, int64_t step) {
  Random random = randomFor(argument.name, seed, step);
  std::vector<int64_t> shape = argument.shape;
  for (const AxisShard &shard : argument.shards)
    if (shard.axis > 0)
      shape[shard.layout.dim] *= manifest.axes[shard.axis].size;
  int64_t dim = *argument.batchDim, inner = 1, limit = 2;
  shape[dim] = rows;
  for (size_t i = dim + 1; i < shape.size(); ++i)
    inner *= shape[i];
  llvm::StringRef(argument.name).rsplit('.').second.getAsInteger(10, limit);
  std::vector<double> sizes(rows);
  for (double &size : sizes)
    size = random.pick({0.25, 0.5, 1.0, 1.5});
  bool real = isFloat(toDataType(argument.type));
  std::vector<double> values(elementCount(shape));
  for (size_t i = 0; i < values.size(); ++i)
    values[i] = real ? sizes[i / inner % rows] * (random.normal() + 0.25)
                     : static_cast<double>(random.below(limit));
  return toArray(argument, shape, values);
}

} // namespace ds::fuzz
