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
  switch (type) {
  case ElementType::f64:
  case ElementType::i64:
    return 8;
  case ElementType::f32:
  case ElementType::i32:
    return 4;
  case ElementType::f16:
  case ElementType::bf16:
  case ElementType::i16:
    return 2;
  case ElementType::i8:
  case ElementType::i1:
    return 1;
  }
  abort(); // not an enumerator of the type
}

const char *toString(ElementType type) {
  switch (type) {
  case ElementType::f64:
    return "f64";
  case ElementType::f32:
    return "f32";
  case ElementType::f16:
    return "f16";
  case ElementType::bf16:
    return "bf16";
  case ElementType::i64:
    return "i64";
  case ElementType::i32:
    return "i32";
  case ElementType::i16:
    return "i16";
  case ElementType::i8:
    return "i8";
  case ElementType::i1:
    return "i1";
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
