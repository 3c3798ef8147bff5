//===- HcclTypes.cpp - HCCL's numbers for dtypes and reductions -*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tables in the order of the enum; test/device/HcclTest.cpp walks them with the numbers written
// out.
//
//===----------------------------------------------------------------------===//
#include "HcclTypes.h"

#include "base/DtypeRows.h"

namespace dsrt::hccl {

namespace {

constexpr uint32_t ordered = 1u << DSRT_SUM | 1u << DSRT_MAX | 1u << DSRT_MIN;
constexpr uint32_t integer = ordered | 1u << DSRT_PROD;
constexpr uint32_t floating = integer | 1u << DSRT_MEAN;
constexpr uint32_t boolean = 1u << DSRT_MAX | 1u << DSRT_MIN | 1u << DSRT_AND | 1u << DSRT_OR;

constexpr struct {
  dsrt_dtype dtype;
  HcclDataType wire;
  uint32_t reductions;
} rows[] = {{DSRT_F64, HCCL_DATA_TYPE_FP64, 0},
            {DSRT_F32, HCCL_DATA_TYPE_FP32, floating},
            {DSRT_F16, HCCL_DATA_TYPE_FP16, floating},
            {DSRT_BF16, HCCL_DATA_TYPE_BFP16, ordered | 1u << DSRT_MEAN},
            {DSRT_I64, HCCL_DATA_TYPE_INT64, integer},
            {DSRT_I32, HCCL_DATA_TYPE_INT32, integer},
            {DSRT_I16, HCCL_DATA_TYPE_INT16, ordered},
            {DSRT_I8, HCCL_DATA_TYPE_INT8, integer},
            {DSRT_I1, HCCL_DATA_TYPE_INT8, boolean},
            {DSRT_U64, HCCL_DATA_TYPE_UINT64, 0},
            {DSRT_U32, HCCL_DATA_TYPE_UINT32, 0},
            {DSRT_U16, HCCL_DATA_TYPE_UINT16, 0},
            {DSRT_U8, HCCL_DATA_TYPE_UINT8, 0}};

static_assert(areByDtype(rows));

} // namespace

HcclDataType wireType(dsrt_dtype dtype) { return rows[dtype].wire; }

uint32_t reductionsOf(dsrt_dtype dtype) { return rows[dtype].reductions; }

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
