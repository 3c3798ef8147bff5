//===- NcclTypes.cpp - NCCL's numbers for dtypes and reductions -*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Switches without default; test/device/NcclTest.cpp walks them with the numbers written out.
//
//===----------------------------------------------------------------------===//
#include "NcclTypes.h"

namespace dsrt::nccl {

WireType wireType(dsrt_dtype dtype) {
  switch (dtype) {
  case DSRT_F64:
    return {ncclFloat64, 1};
  case DSRT_F32:
    return {ncclFloat32, 1};
  case DSRT_F16:
    return {ncclFloat16, 1};
  case DSRT_BF16:
    return {ncclBfloat16, 1};
  case DSRT_I64:
    return {ncclInt64, 1};
  case DSRT_I32:
    return {ncclInt32, 1};
  case DSRT_I16:
  case DSRT_U16:
    return {ncclInt8, 2};
  case DSRT_I8:
    return {ncclInt8, 1};
  case DSRT_U64:
    return {ncclUint64, 1};
  case DSRT_U32:
    return {ncclUint32, 1};
  case DSRT_I1:
  case DSRT_U8:
    return {ncclUint8, 1};
  }
  return {ncclInt8, 1};
}

uint32_t reductionsOf(dsrt_dtype dtype) {
  constexpr uint32_t integer = 1u << DSRT_SUM | 1u << DSRT_PROD | 1u << DSRT_MAX | 1u << DSRT_MIN;
  switch (dtype) {
  case DSRT_F64:
  case DSRT_F32:
  case DSRT_F16:
  case DSRT_BF16:
    return integer | 1u << DSRT_MEAN;
  case DSRT_I64:
  case DSRT_I32:
  case DSRT_I8:
  case DSRT_U64:
  case DSRT_U32:
  case DSRT_U8:
    return integer;
  case DSRT_I1:
    return 1u << DSRT_MAX | 1u << DSRT_MIN | 1u << DSRT_AND | 1u << DSRT_OR;
  case DSRT_I16:
  case DSRT_U16:
    return 0;
  }
  return 0;
}

ncclRedOp_t operation(dsrt_reduction reduction, bool meanInside) {
  switch (reduction) {
  case DSRT_SUM:
    return ncclSum;
  case DSRT_MEAN:
    return meanInside ? ncclAvg : ncclSum;
  case DSRT_MAX:
  case DSRT_OR:
    return ncclMax;
  case DSRT_MIN:
  case DSRT_AND:
    return ncclMin;
  case DSRT_PROD:
    return ncclProd;
  }
  return ncclSum;
}

} // namespace dsrt::nccl
