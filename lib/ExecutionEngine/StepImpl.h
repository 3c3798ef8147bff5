//===- StepImpl.h - What a compiled step and its instances hold -*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef DS_LIB_EXECUTIONENGINE_STEPIMPL_H
#define DS_LIB_EXECUTIONENGINE_STEPIMPL_H

#include "Jit.h"
#include "LibraryPlan.h"
#include "ds/ExecutionEngine/CompiledStep.h"

#include <chrono>

namespace ds {

struct CompiledStep::Impl {
  Executable executable;   // without its objects, which are linked
  size_t scratchBytes = 0; // largest need of any library call; calls of one rank never overlap
  std::vector<std::unique_ptr<LibraryPlan>> plans; // of its library calls
  std::vector<StageTime> times;
  std::unique_ptr<llvm::orc::LLJIT> jit;
  EntryFunction entry = nullptr;
};

/// One rank's state of library calls; the driver hands its address through.
struct LibraryState {
  std::vector<std::unique_ptr<LibraryCall>> calls;
  char *scratch = nullptr;
  std::chrono::steady_clock::time_point lastMark;
  std::vector<std::pair<uint64_t, int64_t>>
      marks; // calls and nanoseconds of each call of the driver
};

/// What generated code calls, by the names of Jit.h.
std::vector<std::pair<const char *, void *>> libraryFunctions();

} // namespace ds

#endif // DS_LIB_EXECUTIONENGINE_STEPIMPL_H
