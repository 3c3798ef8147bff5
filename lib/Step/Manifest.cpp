//===- Manifest.cpp - The slots of a compiled step --------------*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Sizes and spellings of the element types at a step's boundary.
//
//===----------------------------------------------------------------------===//
#include "ds/Step/Manifest.h"

#include <cstdlib>

namespace ds {

int64_t byteSize(ElementType type) {
#define DS_BYTES(type, bytes, stored, natural) bytes,
  static constexpr int64_t sizes[] = {DS_ELEMENT_TYPES(DS_BYTES)};
#undef DS_BYTES
  return sizes[static_cast<size_t>(type)];
}

const char *toString(ElementType type) {
#define DS_NAME(type, bytes, stored, natural) #type,
  static constexpr const char *names[] = {DS_ELEMENT_TYPES(DS_NAME)};
#undef DS_NAME
  return names[static_cast<size_t>(type)];
}

const char *toString(ArgumentRole role) {
  switch (role) {
  case ArgumentRole::parameter:
    return "param";
  case ArgumentRole::state:
    return "state";
  case ArgumentRole::batch:
    return "batch";
  case ArgumentRole::seed:
    return "seed";
  case ArgumentRole::hyperparameter:
    return "hyper";
  }
  abort(); // not an enumerator of the type
}

ShardLayout sampleLayout(const ArgumentSpec &argument) {
  int64_t dim = *argument.batchDim, rows = argument.shape[dim];
  int64_t parts = argument.apart ? std::max<int64_t>(1, argument.entries) : 1;
  return {dim, parts, rows / parts};
}

const ShardLayout *alongFirstAxis(const AxisShards &shards) {
  return shards.empty() || shards.back().axis != 0 ? nullptr : &shards.back().layout;
}

std::string Manifest::mesh() const {
  std::string text;
  for (const AxisSpec &axis : axes)
    text += (text.empty() ? "" : " x ") + axis.name + "=" + std::to_string(axis.size);
  return text;
}

int64_t Manifest::ranksBehind(int64_t axis) const {
  int64_t ranks = 1;
  for (size_t i = axis + 1; i < axes.size(); ++i)
    ranks *= axes[i].size;
  return ranks;
}

int64_t elementCount(const std::vector<int64_t> &shape) {
  int64_t count = 1;
  for (int64_t size : shape)
    count *= size;
  return count;
}

} // namespace ds
