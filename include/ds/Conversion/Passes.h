//===- Passes.h - From a step on tensors to a driver of calls ---*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The passes that lower one rank's step: every operation becomes a call of an outlined kernel, of a
// library contraction or of a collective, and all memory becomes one arena with static offsets.
//
//===----------------------------------------------------------------------===//
#ifndef DS_CONVERSION_PASSES_H
#define DS_CONVERSION_PASSES_H

#include "mlir/Pass/Pass.h"

namespace ds {

#define GEN_PASS_DECL
#include "ds/Conversion/Passes.h.inc"

/// Steps of `ds-lower-to-driver` without options, declared by hand.
std::unique_ptr<mlir::Pass> createCutAliasesPass();
std::unique_ptr<mlir::Pass> createMergeKernelsPass();
std::unique_ptr<mlir::Pass> createReturnBuffersPass();

#define GEN_PASS_REGISTRATION
#include "ds/Conversion/Passes.h.inc"

} // namespace ds

#endif // DS_CONVERSION_PASSES_H
