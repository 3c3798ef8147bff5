//===- Library.h - Vendor libraries, loaded when they are asked for -*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef DSRT_SRC_DEVICE_LIBRARY_H
#define DSRT_SRC_DEVICE_LIBRARY_H

#include "dsrt/backend.h"

#include <mutex>
#include <string>
#include <vector>

namespace dsrt::device {

/// The name of a library, and how a user names another file.
struct LibraryName {
  const char *product;  // "NCCL", in messages
  const char *variable; // environment variable that names a file instead of `files`
  std::vector<const char *> files;
  const char *remedy; // "install NCCL 2.18 or newer"
};

/// A loaded library; it stays in the process, because vendor libraries own threads.
class Library {
public:
  /// Loads the file that the variable names, or else the first of `files` that can be loaded.
  /// DSRT_UNAVAILABLE with one sentence if there is none.
  [[nodiscard]] dsrt_status open(const LibraryName &name, dsrt_error *error);
  /// Returns null if the library has no such function.
  void *find(const char *function) const;
  /// Fills `out`, or returns DSRT_UNAVAILABLE: the library is too old or is another one.
  template <typename Function>
  [[nodiscard]] dsrt_status require(const char *function, Function *&out, dsrt_error *error) const {
    out = reinterpret_cast<Function *>(find(function));
    return out ? DSRT_OK : missing(function, error);
  }
  const std::string &file() const { return path; }

private:
  dsrt_status missing(const char *function, dsrt_error *error) const;

  void *handle = nullptr;
  std::string path;
  const char *product = "";
};

/// A table of functions that is filled once per process. After a failure the next call tries again.
template <typename Api> class Loaded {
public:
  template <typename Load>
  [[nodiscard]] dsrt_status get(Load load, const Api *&out, dsrt_error *error) {
    std::lock_guard<std::mutex> lock(mutex);
    if (!ready) {
      Api loading;
      if (dsrt_status status = load(loading, error); status != DSRT_OK)
        return status;
      api = loading;
      ready = true;
    }
    out = &api;
    return DSRT_OK;
  }

private:
  std::mutex mutex;
  Api api;
  bool ready = false;
};

} // namespace dsrt::device

#endif // DSRT_SRC_DEVICE_LIBRARY_H
