//===- DtypeRows.h - Tables with a row for each dtype -----------*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef DSRT_SRC_BASE_DTYPEROWS_H
#define DSRT_SRC_BASE_DTYPEROWS_H

#include "dsrt/dsrt.h"

#include <cstddef>

namespace dsrt {

/// Returns true if a table has one row for each dtype, in the order of the enum.
template <typename Row, size_t size> constexpr bool areByDtype(const Row (&rows)[size]) {
  for (size_t dtype = 0; dtype < size; ++dtype)
    if (rows[dtype].dtype != static_cast<int>(dtype))
      return false;
  return size == DSRT_NUM_DTYPES;
}

} // namespace dsrt

#endif // DSRT_SRC_BASE_DTYPEROWS_H
