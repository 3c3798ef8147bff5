//===- TargetCpu.h - The CPU that code is generated for ---------*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What --target-cpu means in every tool.
//
//===----------------------------------------------------------------------===//
#ifndef DS_TARGET_TARGETCPU_H
#define DS_TARGET_TARGETCPU_H

#include "llvm/Support/Error.h"
#include "llvm/TargetParser/Triple.h"

#include <string>
#include <vector>

namespace ds {

/// This machine with all that it has.
inline constexpr char kNativeCpu[] = "native";

/// What LLVM's target machines are made from.
struct TargetCpu {
  llvm::Triple triple;
  std::string cpu, features;
};

/// `native`, `x86-64` to `x86-64-v4`, `aarch64`, or any CPU of these two architectures that LLVM
/// knows.
llvm::Expected<TargetCpu> findTargetCpu(llvm::StringRef name);

/// Triple, CPU and features in an order of their own: what is compiled for one text runs where
/// there is the same.
std::string toText(const TargetCpu &target);

/// An error that says what of this CPU the machine lacks.
llvm::Error checkRunsHere(llvm::StringRef name);

/// Whether code for this CPU may hold the instructions of `feature`, such as avx2; CPUs that are
/// not known have none.
bool hasFeature(llvm::StringRef name, llvm::StringRef feature);

/// The instruction sets that code for this machine may hold, in order. None for a named CPU, whose
/// name says it.
std::vector<std::string> generatedFeatures(llvm::StringRef name);

/// What a machine must have to run code for this CPU, as text: `x86_64 avx,avx2,fma`.
std::string requiredFeatures(llvm::StringRef name);

/// What --target-cpu is where it is not given: the environment's DS_TARGET_CPU, or native. Read by
/// the command lines of tools and by libds.so, so that whole suites of tests run for one CPU.
std::string defaultTargetCpu();

/// The words of --help, one text for all tools.
inline constexpr char kTargetCpuHelp[] =
    "Generate code for this CPU: native, x86-64, x86-64-v2, x86-64-v3, x86-64-v4, aarch64 or a "
    "name of LLVM's (default: the environment's DS_TARGET_CPU, or native)";

} // namespace ds

#endif // DS_TARGET_TARGETCPU_H
