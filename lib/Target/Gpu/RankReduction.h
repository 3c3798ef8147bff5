//===- RankReduction.h - Kernels that reduce over ranks ---------*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef DS_LIB_TARGET_GPU_RANKREDUCTION_H
#define DS_LIB_TARGET_GPU_RANKREDUCTION_H

#include "dsrt/types.h"

#include <set>
#include <string>
#include <tuple>

namespace llvm {
class Module;
} // namespace llvm
namespace mlir {
class ModuleOp;
} // namespace mlir

namespace ds::gpu {

/// The work of one kernel: out[i] = in0[i] op in1[i] op .., from left to right, where every `in` is
/// a member's buffer. `toAll`: the result goes into each of them, else into one more buffer.
struct RankReduction {
  dsrt_dtype dtype = DSRT_F32;
  dsrt_reduction reduction = DSRT_SUM;
  int64_t members = 1;
  bool toAll = false;

  bool operator<(const RankReduction &other) const {
    return std::tie(dtype, reduction, members, toAll) <
           std::tie(other.dtype, other.reduction, other.members, other.toAll);
  }
};

/// Threads of a block of these kernels, one element each. Arguments: members' addresses, that of
/// the result unless `toAll`, and the number of elements as 64 bits.
inline constexpr unsigned kRankReductionThreads = 256;

/// The bytes of arguments of a launch before PTX 8.1, which chips before Blackwell are given.
inline constexpr int64_t kMostArgumentBytes = 4352;
/// The most members of a kernel. Exchanges of more ranks go through the host.
inline constexpr int64_t kMostReducedRanks = kMostArgumentBytes / 8 - 2;

/// Returns "ds_reduce_sum_f32_of_4_to_all".
std::string nameOf(const RankReduction &reduction);

/// Returns the kernels that a driver's collectives need, where its world has `numRanks`.
std::set<RankReduction> findRankReductions(mlir::ModuleOp driver, int64_t numRanks);

/// Adds the kernel to a module of kernels for a GPU. It has the bits of dsrt's reduceInRankOrder.
void addRankReduction(llvm::Module &module, const RankReduction &reduction);

} // namespace ds::gpu

#endif // DS_LIB_TARGET_GPU_RANKREDUCTION_H
