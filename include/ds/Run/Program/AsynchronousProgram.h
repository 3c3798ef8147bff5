//===- AsynchronousProgram.h - A step for ranks that run free ---*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef DS_RUN_PROGRAM_ASYNCHRONOUSPROGRAM_H
#define DS_RUN_PROGRAM_ASYNCHRONOUSPROGRAM_H

#include "ds/Run/Asynchronous/AsynchronousStep.h"
#include "ds/Run/Options/Options.h"
#include "ds/Run/Program/Program.h"
#include "ds/Run/Ranks/World.h"

namespace ds {

/// Compiles the step of one of `numRanks` ranks. With update = asynchronous it is cut at its
/// gradients, with a shard for each rank as far as there are parameters, and `asynchronous` is set
/// to it. Refuses options that exclude the mode, and options that need it.
llvm::Expected<std::unique_ptr<CompiledStep>>
compileForRanks(Program &program, const Embedding &embedding, const World &world,
                const RunOptions &options, int64_t numRanks, AsynchronousStep *&asynchronous);

/// Reads and checks the order to replay, or the recorded one to continue, for steps `begin` to
/// `steps`, on rank 0 for all ranks. `meets` is true where the training meets. Collective over
/// processes.
llvm::Error prepareOrder(AsynchronousStep &step, const RunOptions &options, World &world,
                         int64_t begin, int64_t steps, llvm::function_ref<bool(int64_t)> meets);

} // namespace ds

#endif // DS_RUN_PROGRAM_ASYNCHRONOUSPROGRAM_H
