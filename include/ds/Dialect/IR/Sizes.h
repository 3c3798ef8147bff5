//===- Sizes.h - Sizes of dynamic dimensions --------------------*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef DS_DIALECT_IR_SIZES_H
#define DS_DIALECT_IR_SIZES_H

#include "ds/Dialect/IR/Config.h"

namespace ds {

/// The size of a dimension, by the name that the key 'sizes' gives it: 'batch', or 'x.1'.
struct DimensionSize {
  std::string name;
  int64_t size;
};

/// Returns what the key 'sizes' holds; empty if it is not set.
std::vector<DimensionSize> sizesOf(const Config &config);

/// Formats sizes like the key.
std::string toText(llvm::ArrayRef<DimensionSize> sizes);

} // namespace ds

#endif // DS_DIALECT_IR_SIZES_H
