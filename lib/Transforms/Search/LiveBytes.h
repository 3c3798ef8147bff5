//===- LiveBytes.h - The memory of live values within a step ----*- C++ -*-===//
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

/// Estimates the peak bytes of live values of a step on one rank, without its arguments; a value is
/// live from its definition to its last use. `task` lists the values that the ranks of the batch
/// shard. Values that are fused later are never stored, so the estimate serves to compare plans,
/// and is scaled by the measurement of one of them.
int64_t estimateLiveBytes(mlir::func::FuncOp step, const StrategyTask &task, bool gathersLate);

} // namespace ds

#endif // DS_TRANSFORMS_SEARCH_LIVEBYTES_H
