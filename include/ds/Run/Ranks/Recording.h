//===- Recording.h - A recorded run of another framework --------*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A recording is an .npz file of arrays stepK_argI and stepK_resI. Step 1 holds every argument.
// Later steps hold the batch and seed arguments; the others come from the step before, or, for
// hyper-parameters, from the last step that has them. The recording ends where it has no more
// inputs; results may be missing.
//
//===----------------------------------------------------------------------===//
#ifndef DS_RUN_RANKS_RECORDING_H
#define DS_RUN_RANKS_RECORDING_H

#include "ds/Data/Array.h"
#include "ds/Run/Report/Compare.h"

#include "llvm/Support/Error.h"

namespace ds {

struct RecordedStep {
  std::map<unsigned, Array>
      arguments; // by slot, in the argument's type; batches hold the rows of all ranks
  std::map<unsigned, Array> results; // by slot, as recorded
};

/// Reads and checks a recording against the step. Batch arguments hold the rows of all ranks.
llvm::Expected<std::vector<RecordedStep>> readRecording(llvm::StringRef path,
                                                        const Manifest &manifest, int64_t numRanks);

/// Returns a hash of all recorded arrays.
std::string contentHash(llvm::ArrayRef<RecordedStep> recording);

} // namespace ds

#endif // DS_RUN_RANKS_RECORDING_H
