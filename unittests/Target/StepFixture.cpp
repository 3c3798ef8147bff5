//===- StepFixture.cpp - Compile and run steps in tests ---------*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "StepFixture.h"

#include "ds/Dialect/IR/Ds.h"

#include "mlir/InitAllDialects.h"
#include "mlir/Parser/Parser.h"

#include <mutex>

using namespace ds;

static std::unique_ptr<mlir::MLIRContext> makeContext() {
  mlir::DialectRegistry registry;
  mlir::registerAllDialects(registry);
  registry.insert<DsDialect>();
  return std::make_unique<mlir::MLIRContext>(registry);
}

static llvm::Expected<std::unique_ptr<CompiledStep>>
compile(mlir::OwningOpRef<mlir::ModuleOp> module, const CompileOptions &options) {
  if (!module)
    return llvm::createStringError("the test's MLIR does not parse");
  std::vector<StageTime> times;
  auto built = buildStep(*module, options, times);
  if (!built)
    return built.takeError();
  // All that a step needs is what a file holds of it.
  std::optional<Executable> read = readExecutable(writeExecutable(*built));
  if (!read)
    return llvm::createStringError("the step is not read as it was written");
  return loadStep(std::move(*read));
}

static std::unique_ptr<CompiledStep>
expectSuccess(llvm::Expected<std::unique_ptr<CompiledStep>> step) {
  if (step)
    return std::move(*step);
  ADD_FAILURE() << llvm::toString(step.takeError());
  return nullptr;
}

std::unique_ptr<CompiledStep> ds::compileText(const std::string &text,
                                              const CompileOptions &options) {
  auto context = makeContext();
  return expectSuccess(
      compile(mlir::parseSourceString<mlir::ModuleOp>(text, context.get()), options));
}

std::unique_ptr<CompiledStep> ds::compileFile(const std::string &path,
                                              const CompileOptions &options) {
  auto context = makeContext();
  return expectSuccess(
      compile(mlir::parseSourceFile<mlir::ModuleOp>(path, context.get()), options));
}

std::vector<std::string> ds::compileMessages(const std::string &text) {
  auto context = makeContext();
  std::vector<std::string> messages;
  std::mutex mutex;
  mlir::ScopedDiagnosticHandler handler(context.get(), [&](mlir::Diagnostic &diagnostic) {
    std::lock_guard<std::mutex> lock(mutex);
    messages.push_back(diagnostic.str());
    return mlir::success();
  });
  expectSuccess(
      compile(mlir::parseSourceString<mlir::ModuleOp>(text, context.get()), defaultOptions()));
  return messages;
}

std::string ds::compileFailure(const std::string &text, const CompileOptions &options) {
  auto context = makeContext();
  auto step = compile(mlir::parseSourceString<mlir::ModuleOp>(text, context.get()), options);
  return step ? "" : llvm::toString(step.takeError());
}
