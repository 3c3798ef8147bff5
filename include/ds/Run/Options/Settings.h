//===- Settings.h - The configuration in force, and where it comes from --*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The module's `ds.config` is overridden by the files of --config, and these by its assignments.
// Each place may give a key once.
//
//===----------------------------------------------------------------------===//
#ifndef DS_RUN_OPTIONS_SETTINGS_H
#define DS_RUN_OPTIONS_SETTINGS_H

#include "ds/Dialect/IR/Config.h"

#include "llvm/ADT/ArrayRef.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/raw_ostream.h"

#include <map>
#include <string>

namespace ds {

struct Settings {
  Config config;
  std::map<std::string, std::string> origins; // of the keys that are set
};

/// Overrides the module's configuration by the values of --config: assignments, and names of files.
llvm::Expected<Settings> readSettings(const Config &module, llvm::StringRef modulePath,
                                      llvm::ArrayRef<std::string> given);

/// Reads the keys of a YAML or JSON file; `origins` gets the line of each.
llvm::Expected<Config> readConfigFile(llvm::StringRef path,
                                      std::map<std::string, std::string> &origins);

/// Describes every key, its value in force and its origin: as a table, or as an object for JSON.
std::string describeSettings(const Settings &settings);
llvm::json::Object settingsObject(const Settings &settings);

/// Prints the table of keys, for 'ds-run --help-config'.
void printKeys(llvm::raw_ostream &out);

} // namespace ds

#endif // DS_RUN_OPTIONS_SETTINGS_H
