//===- Passes.h - Collectives for other compilers ---------------*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// After `ds-data-parallel`, for compilers that generate code themselves: collectives become calls
// of functions that the compiler provides, or operations of upstream's dialects and of StableHLO.
//
//===----------------------------------------------------------------------===//
#ifndef DS_CONVERSION_COLLECTIVES_PASSES_H
#define DS_CONVERSION_COLLECTIVES_PASSES_H

#include "mlir/Pass/Pass.h"

namespace ds {

#define GEN_PASS_DECL
#include "ds/Conversion/Collectives/Passes.h.inc"

#define GEN_PASS_REGISTRATION
#include "ds/Conversion/Collectives/Passes.h.inc"

} // namespace ds

#endif // DS_CONVERSION_COLLECTIVES_PASSES_H
