//===- InsertReshards.h - Operands in required placements -------*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef DS_REWRITE_INSERTRESHARDS_H
#define DS_REWRITE_INSERTRESHARDS_H

namespace ds {

class StepFlow;
struct StepPlacement;

/// Writes a `ds.reshard` for every operand that is required in another placement: one for all
/// operands that require the same placement of a value, right after that value.
void insertReshards(const StepFlow &flow, StepPlacement &placement);

} // namespace ds

#endif // DS_REWRITE_INSERTRESHARDS_H
