//===- HostTable.h - The common part of host backends -----------*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef DSRT_SRC_BACKENDS_HOSTTABLE_H
#define DSRT_SRC_BACKENDS_HOSTTABLE_H

#include "base/Kernels.h"
#include "dsrt/backend.h"

namespace dsrt {

/// Makes the table of a backend whose collectives reduce by the kernels, on the host; without its
/// functions.
inline dsrt_backend makeHostTable(const char *name, uint32_t capabilities) {
  dsrt_backend table = {};
  table.abi_version = DSRT_BACKEND_ABI_VERSION;
  table.struct_size = sizeof(dsrt_backend);
  table.name = name;
  table.capabilities = capabilities;
  table.alignment = 64;
  for (int d = 0; d < DSRT_NUM_DTYPES; ++d)
    table.reductions[d] = definedReductions(static_cast<dsrt_dtype>(d));
  return table;
}

} // namespace dsrt

#endif // DSRT_SRC_BACKENDS_HOSTTABLE_H
