//===- Passes.h - The types of factors --------------------------*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// First in the lowering of a step, on generic form: products take factors of fewer bits, by the key
// `precision`.
//
//===----------------------------------------------------------------------===//
#ifndef DS_CONVERSION_PRECISION_PASSES_H
#define DS_CONVERSION_PRECISION_PASSES_H

#include "mlir/Pass/Pass.h"

namespace ds {

#define GEN_PASS_DECL
#include "ds/Conversion/Precision/Passes.h.inc"

#define GEN_PASS_REGISTRATION
#include "ds/Conversion/Precision/Passes.h.inc"

} // namespace ds

#endif // DS_CONVERSION_PRECISION_PASSES_H
