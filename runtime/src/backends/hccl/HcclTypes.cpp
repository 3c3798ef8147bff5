//===- HcclTypes.cpp - HCCL's numbers for dtypes and reductions -*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Switches without default; test/device/HcclTest.cpp walks them with the numbers written out.
//
//===----------------------------------------------------------------------===//
#include "HcclTypes.h"

namespace dsrt::hccl {

HcclDataType wireType(dsrt_dtype dtype) {
  switch (dtype) {
  case DSRT_F64:
    return HCCL_DATA_TYPE_FP64;
  case DSRT_F32:
    return HCCL_DATA_TYPE_FP32;
  case DSRT_F16:
    return HCCL_DATA_TYPE_FP16;
  case DSRT_BF16:
    return HCCL_DATA_TYPE_BFP16;
  case DSRT_I64:
    return HCCL_DATA_TYPE_INT64;
  case DSRT_I32:
    return HCCL_DATA_TYPE_INT32;
  case DSRT_I16:
    return HCCL_DATA_TYPE_INT16;
  case DSRT_I8:
  case DSRT_I1:
    return HCCL_DATA_TYPE_INT8;
  case DSRT_U64:
    return HCCL_DATA_TYPE_UINT64;
  case DSRT_U32:
    return HCCL_DATA_TYPE_UINT32;
  case DSRT_U16:
    return HCCL_DATA_TYPE_UINT16;
  case DSRT_U8:
    return HCCL_DATA_TYPE_UINT8;
  }
  return HCCL_DATA_TYPE_INT8;
}

uint32_t reductionsOf(dsrt_dtype dtype) {
  constexpr uint32_t ordered = 1u << DSRT_SUM | 1u << DSRT_MAX | 1u << DSRT_MIN;
  switch (dtype) {
  case DSRT_F32:
  case DSRT_F16:
    return ordered | 1u << DSRT_PROD | 1u << DSRT_MEAN;
  case DSRT_BF16:
    return ordered | 1u << DSRT_MEAN;
  case DSRT_I64:
  case DSRT_I32:
  case DSRT_I8:
    return ordered | 1u << DSRT_PROD;
  case DSRT_I16:
    return ordered;
  case DSRT_I1:
    return 1u << DSRT_MAX | 1u << DSRT_MIN | 1u << DSRT_AND | 1u << DSRT_OR;
  case DSRT_F64:
  case DSRT_U64:
  case DSRT_U32:
  case DSRT_U16:
  case DSRT_U8:
    return 0;
  }
  return 0;
}

HcclReduceOp operation(dsrt_reduction reduction) {
  switch (reduction) {
  case DSRT_SUM:
  case DSRT_MEAN:
    return HCCL_REDUCE_SUM;
  case DSRT_MAX:
  case DSRT_OR:
    return HCCL_REDUCE_MAX;
  case DSRT_MIN:
  case DSRT_AND:
    return HCCL_REDUCE_MIN;
  case DSRT_PROD:
    return HCCL_REDUCE_PROD;
  }
  return HCCL_REDUCE_SUM;
}

} // namespace dsrt::hccl
