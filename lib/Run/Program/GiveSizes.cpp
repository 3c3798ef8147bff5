//===- GiveSizes.cpp - The static step of a file ----------------*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "GiveSizes.h"

#include "StepKey.h"

#include "ds/Compiler/RunPasses.h"
#include "ds/Dialect/IR/Sizes.h"
#include "ds/Transforms/Passes.h"

using namespace mlir;

namespace ds {

LogicalResult giveSizes(ModuleOp module, StringRef entry, Config &config, std::string &hash) {
  const std::string sizes = toText(sizesOf(config));
  if (!sizes.empty())
    hash = wholeHash(hash + sizes);
  auto addPass = [&](OpPassManager &manager) {
    manager.addPass(createSpecializePass({entry.str(), sizes}));
  };
  llvm::cantFail(config.reset("sizes"));
  return runPasses(module, Verify::atEnd, addPass);
}

} // namespace ds
