//===- Precision.h - In what types a step multiplies ------------*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef DS_DIALECT_IR_PRECISION_H
#define DS_DIALECT_IR_PRECISION_H

#include "ds/Dialect/IR/Config.h"

namespace ds {

/// True with `precision = bf16`: factors of products and convolutions of f32 are rounded.
inline bool roundsFactors(const Config &config) {
  return llvm::cantFail(config.get("precision")) == ConfigValue(std::string("bf16"));
}

/// The line of a report about rounded factors.
inline constexpr llvm::StringLiteral kRoundsFactors =
    "precision=bf16: factors of products and convolutions are rounded to bf16, sums are in f32";

} // namespace ds

#endif // DS_DIALECT_IR_PRECISION_H
