//===- TargetCpu.h - The CPU that code is generated for ---------*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The meaning of --target-cpu in every tool.
//
//===----------------------------------------------------------------------===//
#ifndef DS_TARGET_TARGETCPU_H
#define DS_TARGET_TARGETCPU_H

#include "llvm/Support/Error.h"
#include "llvm/TargetParser/Triple.h"

#include <string>
#include <vector>

namespace ds {

/// This machine with all its instructions.
inline constexpr char kNativeCpu[] = "native";

/// The arguments of LLVM's target machines.
struct TargetCpu {
  llvm::Triple triple;
  std::string cpu, features;
};

/// Finds `native`, `x86-64` to `x86-64-v4`, `aarch64`, or any CPU of these two architectures that
/// LLVM knows.
llvm::Expected<TargetCpu> findTargetCpu(llvm::StringRef name);

/// Returns triple, CPU and features in a fixed order: code compiled for one text runs wherever the
/// text is the same.
std::string toText(const TargetCpu &target);

/// Returns an error that names the features of this CPU that the machine lacks.
llvm::Error checkRunsHere(llvm::StringRef name);

/// True if code for this CPU may hold the instructions of `feature`, such as avx2; false for
/// unknown CPUs.
bool hasFeature(llvm::StringRef name, llvm::StringRef feature);

/// Returns the instruction sets that code for this machine may hold, in order. None for a named
/// CPU, whose name implies them.
std::vector<std::string> generatedFeatures(llvm::StringRef name);

/// Returns the features that a machine must have to run code for this CPU, as text: `x86_64
/// avx,avx2,fma`.
std::string requiredFeatures(llvm::StringRef name);

/// Returns the default of --target-cpu: the environment's DS_TARGET_CPU, or native. Read by the
/// command lines of tools and by libds.so, so that whole suites of tests run for one CPU.
std::string defaultTargetCpu();

/// The text of --help, one for all tools.
inline constexpr char kTargetCpuHelp[] =
    "Generate code for this CPU: native, x86-64, x86-64-v2, x86-64-v3, x86-64-v4, aarch64 or a "
    "name of LLVM's (default: the environment's DS_TARGET_CPU, or native)";

} // namespace ds

#endif // DS_TARGET_TARGETCPU_H
