//===- Names.cpp - The names and sizes of the enums -------------*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Switches without default: the compiler finds a forgotten enumerator, and test/EnumTest.cpp walks
// every number. The fall-through after each switch serves numbers that are not enumerators, which a
// C caller can pass.
//
//===----------------------------------------------------------------------===//
#include "dsrt/dsrt.h"

const char *dsrt_status_name(dsrt_status status) {
  switch (status) {
  case DSRT_OK:
    return "ok";
  case DSRT_INVALID_ARGUMENT:
    return "invalid argument";
  case DSRT_UNSUPPORTED:
    return "unsupported";
  case DSRT_UNAVAILABLE:
    return "unavailable";
  case DSRT_FAILED_PRECONDITION:
    return "failed precondition";
  case DSRT_MISMATCH:
    return "mismatch";
  case DSRT_TIMEOUT:
    return "timeout";
  case DSRT_ABORTED:
    return "aborted";
  case DSRT_PEER_FAILED:
    return "peer failed";
  case DSRT_OUT_OF_MEMORY:
    return "out of memory";
  case DSRT_INTERNAL:
    return "internal";
  }
  return "unknown status";
}

const char *dsrt_dtype_name(dsrt_dtype dtype) {
  switch (dtype) {
  case DSRT_F64:
    return "f64";
  case DSRT_F32:
    return "f32";
  case DSRT_F16:
    return "f16";
  case DSRT_BF16:
    return "bf16";
  case DSRT_I64:
    return "i64";
  case DSRT_I32:
    return "i32";
  case DSRT_I16:
    return "i16";
  case DSRT_I8:
    return "i8";
  case DSRT_I1:
    return "i1";
  case DSRT_U64:
    return "ui64";
  case DSRT_U32:
    return "ui32";
  case DSRT_U16:
    return "ui16";
  case DSRT_U8:
    return "ui8";
  }
  return "unknown dtype";
}

int64_t dsrt_dtype_size(dsrt_dtype dtype) {
  switch (dtype) {
  case DSRT_F64:
  case DSRT_I64:
  case DSRT_U64:
    return 8;
  case DSRT_F32:
  case DSRT_I32:
  case DSRT_U32:
    return 4;
  case DSRT_F16:
  case DSRT_BF16:
  case DSRT_I16:
  case DSRT_U16:
    return 2;
  case DSRT_I8:
  case DSRT_I1:
  case DSRT_U8:
    return 1;
  }
  return 0;
}

const char *dsrt_reduction_name(dsrt_reduction reduction) {
  switch (reduction) {
  case DSRT_SUM:
    return "sum";
  case DSRT_MEAN:
    return "mean";
  case DSRT_MAX:
    return "max";
  case DSRT_MIN:
    return "min";
  case DSRT_PROD:
    return "prod";
  case DSRT_AND:
    return "and";
  case DSRT_OR:
    return "or";
  }
  return "unknown reduction";
}

const char *dsrt_op_name(dsrt_op op) {
  switch (op) {
  case DSRT_OP_ALL_REDUCE:
    return "all_reduce";
  case DSRT_OP_REDUCE_SCATTER:
    return "reduce_scatter";
  case DSRT_OP_ALL_GATHER:
    return "all_gather";
  case DSRT_OP_BROADCAST:
    return "broadcast";
  case DSRT_OP_BARRIER:
    return "barrier";
  case DSRT_OP_ALL_TO_ALL:
    return "all_to_all";
  case DSRT_OP_COLLECTIVE_PERMUTE:
    return "collective_permute";
  }
  return "unknown op";
}
