//===- NamePasses.cpp - Which pass a crash is in ----------------*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Passes of one thread nest: a pass may run a pipeline of its own.
//
//===----------------------------------------------------------------------===//
#include "ds/Support/NamePasses.h"

#include "ds/Support/FaultReport.h"

#include "mlir/Pass/Pass.h"
#include "mlir/Pass/PassInstrumentation.h"
#include "mlir/Pass/PassManager.h"

#include <memory>
#include <vector>

namespace ds {

namespace {

thread_local std::vector<std::unique_ptr<Doing>> passes;

class NamePasses final : public mlir::PassInstrumentation {
  void runBeforePass(mlir::Pass *pass, mlir::Operation *) override {
    // Adaptors for nested operations have no argument.
    llvm::StringRef name = pass->getArgument().empty() ? pass->getName() : pass->getArgument();
    passes.push_back(std::make_unique<Doing>("running the pass", name));
  }
  void runAfterPass(mlir::Pass *, mlir::Operation *) override { passes.pop_back(); }
  void runAfterPassFailed(mlir::Pass *, mlir::Operation *) override { passes.pop_back(); }
};

} // namespace

void namePasses(mlir::PassManager &manager) {
  manager.addInstrumentation(std::make_unique<NamePasses>());
}

} // namespace ds
