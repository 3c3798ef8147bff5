//===- PlanFiles.h - costs and ready times from files -----------*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef DS_TRANSFORMS_COLLECTIVES_PLANFILES_H
#define DS_TRANSFORMS_COLLECTIVES_PLANFILES_H

#include "ds/Plan/StepPlanner.h"

#include "llvm/ADT/StringMap.h"
#include "llvm/Support/Error.h"

namespace ds {

/// Returns the cost model of an all-reduce over `numRanks` ranks, from the key `comm_costs`: a
/// link, or a file that ds-run --probe-link wrote. An error states what is wrong with the file.
llvm::Expected<ChannelModel> readChannel(llvm::StringRef costs, int64_t numRanks);

/// The times of a step that ds-run --profile measured, in ps.
struct StepProfile {
  struct Gradient {
    int64_t ready, update;
  };
  llvm::StringMap<Gradient> gradients; // by the names of their parameters, joined by ','
  std::vector<OtherExchange> others;   // in the order of `ready`
  int64_t launch = 0, computeEnds = 0;
};
llvm::Expected<StepProfile> readProfile(llvm::StringRef path, int64_t numRanks);

} // namespace ds

#endif // DS_TRANSFORMS_COLLECTIVES_PLANFILES_H
