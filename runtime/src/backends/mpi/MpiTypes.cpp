//===- MpiTypes.cpp - Element types and reductions for MPI ------*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// MPI's own types and operations where they mean what dsrt.h says; otherwise operations made from
// the runtime's kernels: f16 and bf16, which MPI lacks, and max and min of floats, whose NaN MPI
// leaves open. An MPI operation carries no argument, so there is one function per dtype and
// reduction. Integers are no safe ground either: Open MPI 4.1 saturates narrow sums, and MPICH 4.0
// compares unsigned integers as signed ones.
//
//===----------------------------------------------------------------------===//
#include "Kernels.h"
#include "MpiState.h"

namespace dsrt::mpi {

MPI_Datatype elementType(dsrt_dtype dtype) {
  switch (dtype) {
  case DSRT_F64:
    return MPI_DOUBLE;
  case DSRT_F32:
    return MPI_FLOAT;
  case DSRT_F16:
  case DSRT_BF16:
    return MPI_UINT16_T; // only ever with an operation of our own, or moved as bytes
  case DSRT_I64:
    return MPI_INT64_T;
  case DSRT_I32:
    return MPI_INT32_T;
  case DSRT_I16:
    return MPI_INT16_T;
  case DSRT_I8:
    return MPI_INT8_T;
  case DSRT_U64:
    return MPI_UINT64_T;
  case DSRT_U32:
    return MPI_UINT32_T;
  case DSRT_U16:
    return MPI_UINT16_T;
  case DSRT_I1:
  case DSRT_U8:
    return MPI_UINT8_T;
  }
  return MPI_DATATYPE_NULL;
}

namespace {

template <dsrt_dtype dtype, dsrt_reduction reduction>
void combine(void *in, void *inout, int *length, MPI_Datatype *) {
  const void *sources[] = {in, inout};
  reduceInRankOrder(dtype, reduction, 2, sources, *length, 1, &inout);
}

MPI_Op operations[DSRT_NUM_DTYPES][DSRT_NUM_REDUCTIONS];
bool made[DSRT_NUM_DTYPES][DSRT_NUM_REDUCTIONS];

MPI_Op make(dsrt_dtype dtype, dsrt_reduction reduction, MPI_User_function *function) {
  if (!made[dtype][reduction]) {
    MPI_Op_create(function, /*commute=*/1, &operations[dtype][reduction]);
    made[dtype][reduction] = true;
  }
  return operations[dtype][reduction];
}

template <dsrt_dtype dtype> MPI_Op floatOperation(dsrt_reduction reduction) {
  constexpr bool wide = dtype == DSRT_F64 || dtype == DSRT_F32;
  switch (reduction) {
  case DSRT_SUM:
  case DSRT_MEAN:
    return wide ? MPI_SUM : make(dtype, DSRT_SUM, combine<dtype, DSRT_SUM>);
  case DSRT_PROD:
    return wide ? MPI_PROD : make(dtype, DSRT_PROD, combine<dtype, DSRT_PROD>);
  case DSRT_MAX:
    return make(dtype, DSRT_MAX, combine<dtype, DSRT_MAX>);
  case DSRT_MIN:
    return make(dtype, DSRT_MIN, combine<dtype, DSRT_MIN>);
  case DSRT_AND:
  case DSRT_OR:
    break;
  }
  return MPI_OP_NULL;
}

template <dsrt_dtype dtype> MPI_Op integerOperation(dsrt_reduction reduction) {
  const bool narrow = dsrt_dtype_size(dtype) < 4;
  constexpr bool isUnsigned =
      dtype == DSRT_U64 || dtype == DSRT_U32 || dtype == DSRT_U16 || dtype == DSRT_U8;
  switch (reduction) {
  case DSRT_SUM:
    return narrow ? make(dtype, DSRT_SUM, combine<dtype, DSRT_SUM>) : MPI_SUM;
  case DSRT_PROD:
    return narrow ? make(dtype, DSRT_PROD, combine<dtype, DSRT_PROD>) : MPI_PROD;
  case DSRT_MAX:
    return isUnsigned ? make(dtype, DSRT_MAX, combine<dtype, DSRT_MAX>) : MPI_MAX;
  case DSRT_MIN:
    return isUnsigned ? make(dtype, DSRT_MIN, combine<dtype, DSRT_MIN>) : MPI_MIN;
  case DSRT_AND:
    return MPI_BAND;
  case DSRT_OR:
    return MPI_BOR;
  case DSRT_MEAN:
    break;
  }
  return MPI_OP_NULL;
}

} // namespace

MPI_Op operation(dsrt_dtype dtype, dsrt_reduction reduction) {
  switch (dtype) {
  case DSRT_F64:
    return floatOperation<DSRT_F64>(reduction);
  case DSRT_F32:
    return floatOperation<DSRT_F32>(reduction);
  case DSRT_F16:
    return floatOperation<DSRT_F16>(reduction);
  case DSRT_BF16:
    return floatOperation<DSRT_BF16>(reduction);
  case DSRT_I64:
    return integerOperation<DSRT_I64>(reduction);
  case DSRT_I32:
    return integerOperation<DSRT_I32>(reduction);
  case DSRT_I16:
    return integerOperation<DSRT_I16>(reduction);
  case DSRT_I8:
    return integerOperation<DSRT_I8>(reduction);
  case DSRT_I1:
    return integerOperation<DSRT_I1>(reduction);
  case DSRT_U64:
    return integerOperation<DSRT_U64>(reduction);
  case DSRT_U32:
    return integerOperation<DSRT_U32>(reduction);
  case DSRT_U16:
    return integerOperation<DSRT_U16>(reduction);
  case DSRT_U8:
    return integerOperation<DSRT_U8>(reduction);
  }
  return MPI_OP_NULL;
}

void freeOperations() {
  for (int d = 0; d < DSRT_NUM_DTYPES; ++d) {
    for (int r = 0; r < DSRT_NUM_REDUCTIONS; ++r) {
      if (made[d][r])
        MPI_Op_free(&operations[d][r]);
      made[d][r] = false;
    }
  }
}

} // namespace dsrt::mpi
