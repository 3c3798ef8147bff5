//===- KernelInputs.h - The inputs of a new kernel --------------*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A value that is read several times by one map is one input.
//
//===----------------------------------------------------------------------===//
#ifndef DS_CONVERSION_UTILS_KERNELINPUTS_H
#define DS_CONVERSION_UTILS_KERNELINPUTS_H

#include "mlir/IR/AffineMap.h"
#include "mlir/IR/Value.h"

namespace ds {

struct KernelInputs {
  llvm::SmallVector<mlir::Value> values;
  llvm::SmallVector<mlir::AffineMap> maps; // of each value

  /// Returns the number of the input that reads `value` by `map`; adds it if there is none yet.
  unsigned placeOf(mlir::Value value, mlir::AffineMap map) {
    unsigned place = 0;
    while (place < values.size() && !(values[place] == value && maps[place] == map))
      ++place;
    if (place == values.size()) {
      values.push_back(value);
      maps.push_back(map);
    }
    return place;
  }
};

} // namespace ds

#endif // DS_CONVERSION_UTILS_KERNELINPUTS_H
