//===- CodeGenerators.cpp - Code for the host and for GPUs ------*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Each further target of LLVM is 2 to 40 MB. DS_LLVM_TARGETS is the list of CMake's option.
//
//===----------------------------------------------------------------------===//

#include "ds/Target/CodeGenerators.h"

extern "C" {
#define DS_TARGET(name)                                                                            \
  void LLVMInitialize##name##TargetInfo();                                                         \
  void LLVMInitialize##name##Target();                                                             \
  void LLVMInitialize##name##TargetMC();                                                           \
  void LLVMInitialize##name##AsmPrinter();
DS_LLVM_TARGETS
#undef DS_TARGET
}

void ds::registerCodeGenerators() {
  [[maybe_unused]] static const bool known = [] {
#define DS_TARGET(name)                                                                            \
  LLVMInitialize##name##TargetInfo();                                                              \
  LLVMInitialize##name##Target();                                                                  \
  LLVMInitialize##name##TargetMC();                                                                \
  LLVMInitialize##name##AsmPrinter();
    DS_LLVM_TARGETS
#undef DS_TARGET
    return true;
  }();
}
