//===- Guard.h - Calls that have no context yet -----------------*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef DSRT_SRC_CORE_GUARD_H
#define DSRT_SRC_CORE_GUARD_H

#include "Context.h"
#include "base/Messages.h"

#include <new>
#include <string>
#include <system_error>

namespace dsrt {

/// Runs `work(error)`, the body of a call that has no context yet. An error or an exception of it
/// becomes the message of this thread (dsrt_last_error of null), after the name of the call.
template <typename Work> dsrt_status guarded(const char *call, Work work) {
  dsrt_error error = {};
  dsrt_status status = DSRT_OK;
  try {
    status = work(&error);
  } catch (const std::bad_alloc &) {
    status = failWith(&error, DSRT_OUT_OF_MEMORY, "out of memory");
  } catch (const std::system_error &failure) {
    status = failWith(&error, DSRT_INTERNAL, "no thread: %s", failure.what());
  }
  return status == DSRT_OK ? status
                           : failWithoutContext(status, std::string(call) + ": " + error.text);
}

} // namespace dsrt

#endif // DSRT_SRC_CORE_GUARD_H
