//===- NcclTypes.h - NCCL's numbers for dtypes and reductions ---*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef DSRT_SRC_BACKENDS_NCCL_NCCLTYPES_H
#define DSRT_SRC_BACKENDS_NCCL_NCCLTYPES_H

#include "NcclApi.h"

namespace dsrt::nccl {

/// How elements travel: as `perElement` elements of `type`. Elements of a dtype that NCCL lacks can
/// still be moved as bytes.
struct WireType {
  ncclDataType_t type;
  int64_t perElement;
};
WireType wireType(dsrt_dtype dtype);

/// Returns the reductions that NCCL has for a dtype. Sixteen-bit integers have none. i1 is a byte
/// of 0 or 1, so its and is min and its or is max.
uint32_t reductionsOf(dsrt_dtype dtype);

/// Returns the operation of a reduction that reductionsOf allows. The mean is `meanInside` or a
/// sum, to be scaled afterwards.
ncclRedOp_t operation(dsrt_reduction reduction, bool meanInside);

} // namespace dsrt::nccl

#endif // DSRT_SRC_BACKENDS_NCCL_NCCLTYPES_H
