//===- PlanAttrs.h - What a module says of a searched plan ------*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef DS_DIALECT_IR_PLANATTRS_H
#define DS_DIALECT_IR_PLANATTRS_H

#include "mlir/Support/LLVM.h"

namespace ds {

/// A dictionary of the figures of the plan that was found.
inline constexpr mlir::StringLiteral planAttrName = "ds.plan";

/// For a search within a memory limit, of each plan that has been compiled: its mesh and optimizer
/// level, the bytes that a rank took in all and within a step, and those that were estimated of the
/// latter.
inline constexpr mlir::StringLiteral planMemoryAttrName = "ds.plan_memory";

} // namespace ds

#endif // DS_DIALECT_IR_PLANATTRS_H
