//===- HcclTypes.h - HCCL's numbers for dtypes and reductions ---*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef DSRT_SRC_BACKENDS_HCCL_HCCLTYPES_H
#define DSRT_SRC_BACKENDS_HCCL_HCCLTYPES_H

#include "HcclApi.h"

namespace dsrt::hccl {

/// i1 travels as int8.
HcclDataType wireType(dsrt_dtype dtype);

/// Returns the reductions that HCCL has for a dtype on Atlas A2 and A3. i1 is a byte of 0 or 1, so
/// its and is min and its or is max. Older devices lack int16 and bfp16; they report that
/// themselves.
uint32_t reductionsOf(dsrt_dtype dtype);

/// Returns the operation of a reduction that reductionsOf allows; the mean is a sum, to be scaled.
HcclReduceOp operation(dsrt_reduction reduction);

} // namespace dsrt::hccl

#endif // DSRT_SRC_BACKENDS_HCCL_HCCLTYPES_H
