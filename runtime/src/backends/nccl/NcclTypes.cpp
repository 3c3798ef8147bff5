//===- NcclTypes.cpp - NCCL's numbers for dtypes and reductions -*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tables in the order of the enum; test/device/NcclTest.cpp walks them with the numbers written
// out.
//
//===----------------------------------------------------------------------===//
#include "NcclTypes.h"

#include "base/DtypeRows.h"

namespace dsrt::nccl {

namespace {

constexpr uint32_t ordered = 1u << DSRT_MAX | 1u << DSRT_MIN;
constexpr uint32_t integer = ordered | 1u << DSRT_SUM | 1u << DSRT_PROD;
constexpr uint32_t floating = integer | 1u << DSRT_MEAN;
constexpr uint32_t boolean = ordered | 1u << DSRT_AND | 1u << DSRT_OR;

constexpr struct {
  dsrt_dtype dtype;
  WireType wire;
  uint32_t reductions;
} rows[] = {{DSRT_F64, {ncclFloat64, 1}, floating}, {DSRT_F32, {ncclFloat32, 1}, floating},
            {DSRT_F16, {ncclFloat16, 1}, floating}, {DSRT_BF16, {ncclBfloat16, 1}, floating},
            {DSRT_I64, {ncclInt64, 1}, integer},    {DSRT_I32, {ncclInt32, 1}, integer},
            {DSRT_I16, {ncclInt8, 2}, 0},           {DSRT_I8, {ncclInt8, 1}, integer},
            {DSRT_I1, {ncclUint8, 1}, boolean},     {DSRT_U64, {ncclUint64, 1}, integer},
            {DSRT_U32, {ncclUint32, 1}, integer},   {DSRT_U16, {ncclInt8, 2}, 0},
            {DSRT_U8, {ncclUint8, 1}, integer}};

static_assert(areByDtype(rows));

} // namespace

WireType wireType(dsrt_dtype dtype) { return rows[dtype].wire; }

uint32_t reductionsOf(dsrt_dtype dtype) { return rows[dtype].reductions; }

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
