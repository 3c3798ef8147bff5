//===- LiveBytes.h - What a rank keeps at once within a step ----*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef DS_TRANSFORMS_SEARCH_LIVEBYTES_H
#define DS_TRANSFORMS_SEARCH_LIVEBYTES_H

#include "ds/Analysis/Search/StepStrategy.h"

namespace ds {

/// Bytes of the values that are alive at the widest point of a step, beside its arguments; each
/// value counts from where it is made to where it is read last. The ranks of the batch divide what
/// `task` says. What is fused later is never stored: an estimate to compare plans by, and to be
/// scaled by what one of them takes.
int64_t estimateLiveBytes(mlir::func::FuncOp step, const StrategyTask &task, bool gathersLate);

} // namespace ds

#endif // DS_TRANSFORMS_SEARCH_LIVEBYTES_H
