//===- CodeGenerators.cpp - All code generators of LLVM ---------*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ds/Target/CodeGenerators.h"

#include "llvm/Support/TargetSelect.h"

void ds::registerCodeGenerators() {
  [[maybe_unused]] static const bool known = [] {
    llvm::InitializeAllTargetInfos();
    llvm::InitializeAllTargets();
    llvm::InitializeAllTargetMCs();
    llvm::InitializeAllAsmPrinters();
    return true;
  }();
}
