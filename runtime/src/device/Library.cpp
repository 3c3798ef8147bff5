//===- Library.cpp - Vendor libraries, loaded when they are asked for -*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Library.h"
#include "base/Messages.h"

#include <cstdlib>
#include <cstring>
#include <dlfcn.h>

namespace dsrt::device {

dsrt_status Library::open(const LibraryName &name, dsrt_error *error) {
  product = name.product;
  std::vector<const char *> files = name.files;
  const char *chosen = std::getenv(name.variable);
  if (chosen && *chosen) {
    // A name without a slash is looked for in the library folders of the system.
    if (*chosen != '/' && std::strchr(chosen, '/'))
      return failWith(error, DSRT_INVALID_ARGUMENT,
                      "%s is '%.300s', expected an absolute path or the name of a library",
                      name.variable, chosen);
    files = {chosen};
  }
  std::string reason;
  for (const char *file : files) {
    // Global: HCCL's libraries look for each other's symbols in the process.
    handle = dlopen(file, RTLD_NOW | RTLD_GLOBAL);
    if (handle) {
      path = file;
      return DSRT_OK;
    }
    const char *why = dlerror();
    reason += (reason.empty() ? "" : "; ") + std::string(why ? why : file);
  }
  return failWith(error, DSRT_UNAVAILABLE,
                  "%s cannot be loaded (%.400s); %s, or name its library in %s", name.product,
                  reason.c_str(), name.remedy, name.variable);
}

void *Library::find(const char *function) const { return dlsym(handle, function); }

dsrt_status Library::missing(const char *function, dsrt_error *error) const {
  return failWith(error, DSRT_UNAVAILABLE, "%s in '%.400s' has no function '%s'", product,
                  path.c_str(), function);
}

} // namespace dsrt::device
