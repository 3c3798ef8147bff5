//===- Parsed.h - Programs that are still a module ------------ -*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef DS_LIB_CAPI_PARSED_H
#define DS_LIB_CAPI_PARSED_H

#include "Handles.h"

#include "ds/Run/Program/Program.h"
#include "ds/Support/UserError.h"

namespace ds::capi {

inline llvm::Expected<Program &> sourceOf(ds_program &program) {
  if (Program *source = program.source())
    return *source;
  return userError("'" + program.name + "' is compiled: nothing of how it was written is left");
}

} // namespace ds::capi

#endif // DS_LIB_CAPI_PARSED_H
