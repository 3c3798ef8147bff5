//===- Executable.h - A compiled step as data -------------------*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef DS_STEP_EXECUTABLE_H
#define DS_STEP_EXECUTABLE_H

#include "ds/Step/LibraryCalls.h"
#include "ds/Step/Manifest.h"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace ds {

/// The value that one parameter of the driver receives.
struct DriverArgument {
  enum Kind { context, library, arena, argument, result, peerArena } kind = context;
  unsigned index = 0; // of the argument or result, or the number of the other rank
};

/// The step of one rank, compiled for a device: all that is needed to load it there, without
/// addresses.
struct Executable {
  std::string target;    // the target of the code (ds/Target/Target.h)
  std::string targetCpu; // as requested, maybe `native`
  std::string machine;   // resolved: triple, CPU and features
  std::string stepHash;  // of the step after all passes on tensors, if set by the caller
  std::vector<std::string> warnings; // of compiling, repeated at each start
  Manifest manifest;
  uint64_t arenaBytes = 0; // of scratch memory for values within a step
  bool communicates = false;
  std::vector<unsigned> sharedArguments; // with one copy for all ranks of one process
  std::vector<DriverArgument> driverArguments;
  std::vector<LibraryCallSpec> libraryCalls; // calls of one rank never overlap
  std::vector<std::string> callNames;        // with a profile: of each call in the driver's text
  std::string collectives;                   // with a profile: the collectives of a step, as JSON
  std::vector<std::string> kernels;          // hashes, in the order of their first call
  std::vector<std::string> objects;          // relocatable object files
};

/// Serializes the executable for a file: a line with format and version, the fields in order as
/// little-endian numbers, and a seal (ds/Support/Seal.h) for `name`.
std::string writeExecutable(const Executable &executable, std::string_view name = "");
/// Returns none for bytes that writeExecutable of this version has not written for that name, or
/// that are damaged. The contents are machine code: read only files that no other user can write.
std::optional<Executable> readExecutable(std::string_view bytes, std::string_view name = "");

} // namespace ds

#endif // DS_STEP_EXECUTABLE_H
