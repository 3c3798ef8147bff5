//===- Options.h - The command line of ds-run-bundle ------------*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef DS_LIB_BUNDLE_OPTIONS_H
#define DS_LIB_BUNDLE_OPTIONS_H

#include "ds-c/ds.h"
#include "ds/Run/Report/Compare.h"

#include "llvm/Support/Error.h"

#include <map>
#include <optional>
#include <string>
#include <vector>

namespace ds {

/// Options have the meaning that they have in ds-run.
struct BundleOptions {
  std::string library; // libNAME.so of ds-compile
  std::string data;
  std::optional<int64_t> epochs, steps; // never both
  ds_last_batch lastBatch = DS_LAST_AS_STEP;
  ds_on_index onIndex = DS_INDEX_STOP;
  uint64_t seed = 0;
  std::map<std::string, double> arguments;
  std::string init, save;
  std::string replay, dumpResults;
  Tolerance tolerance;
  std::string device; // cpu | cuda | cuda:0,2; empty: the device that the step was compiled for
  bool checkLaunches = false;
};

llvm::Expected<BundleOptions> parseBundleOptions(const std::vector<std::string> &arguments);

} // namespace ds

#endif // DS_LIB_BUNDLE_OPTIONS_H
