//===- Session.h - A step of ds-compile, loaded -----------------*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The step's code and this program meet in libdsaot.so, so every run goes through its interface.
// The step's description is read once more here.
//
//===----------------------------------------------------------------------===//
#ifndef DS_LIB_BUNDLE_SESSION_H
#define DS_LIB_BUNDLE_SESSION_H

#include "Options.h"

#include "ds/Data/Array.h"
#include "ds/Step/Manifest.h"

#include <memory>

namespace ds {

class Session {
public:
  /// Loads the library, joins the launcher's ranks or creates them, and allocates their memory.
  static llvm::Expected<std::unique_ptr<Session>> open(const BundleOptions &options);
  ~Session();
  Session(const Session &) = delete;

  const Manifest &manifest() const { return description; }
  const std::vector<std::string> &metrics() const { return metricNames; }
  /// True if this process has rank 0.
  bool isRoot() const { return ds_world_first_rank(world) == 0; }
  int64_t numRanks() const { return ds_world_num_ranks(world); }

  /// Returns the error message of a failed status.
  llvm::Error check(ds_status status);
  llvm::Error write(unsigned argument, const Array &whole);
  /// Reads a global value; collective over processes.
  llvm::Expected<Array> readArgument(unsigned slot);
  llvm::Expected<Array> readResult(unsigned slot);

  ds_context *context = nullptr;
  ds_program *program = nullptr;
  ds_world *world = nullptr;
  ds_step *step = nullptr;
  ds_instance *instance = nullptr;

private:
  Session() = default;
  llvm::Error load(const BundleOptions &options);
  static void hear(const ds_diagnostic *diagnostic, void *session);

  std::string said;
  Manifest description;
  std::vector<std::string> metricNames;
};

/// Run --data and --replay. Return 1 if results differ, 130 after a signal.
llvm::Expected<int> trainBundle(Session &session, const BundleOptions &options);
llvm::Expected<int> replayBundle(Session &session, const BundleOptions &options);

} // namespace ds

#endif // DS_LIB_BUNDLE_SESSION_H
