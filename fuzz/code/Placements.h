//===- Placements.h - Ranks of several processes ----------------*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef DS_LIB_FUZZ_PLACEMENTS_H
#define DS_LIB_FUZZ_PLACEMENTS_H

#include "dsrt/dsrt.h"

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/Support/Error.h"

namespace ds::fuzz {

/// Runs `body` on all ranks of a job whose processes share this one: they exchange over tcp, and
/// the ranks of each through memory. Returns the first error.
llvm::Error runOnProcesses(int32_t processes, int32_t numRanks,
                           llvm::function_ref<llvm::Error(int64_t rank, dsrt_context *)> body);

} // namespace ds::fuzz

#endif // DS_LIB_FUZZ_PLACEMENTS_H
