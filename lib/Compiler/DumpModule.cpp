//===- DumpModule.cpp - A stage of compiling, in a file ---------*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "ds/Compiler/DumpModule.h"

#include "mlir/Support/FileUtilities.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/ToolOutputFile.h"

using namespace mlir;

LogicalResult ds::dumpModule(ModuleOp module, StringRef directory, unsigned number,
                             StringRef stage) {
  llvm::SmallString<128> path(directory);
  llvm::sys::path::append(path, llvm::formatv("{0,0+2}-{1}.mlir", number, stage).str());
  std::string message;
  if (std::error_code error = llvm::sys::fs::create_directories(directory))
    return module.emitError("cannot write '") << directory << "': " << error.message();
  std::unique_ptr<llvm::ToolOutputFile> output = openOutputFile(path, &message);
  if (!output)
    return module.emitError("cannot write '") << path << "': " << message;
  module.print(output->os());
  output->keep();
  return success();
}

namespace {

struct DumpModule final : PassWrapper<DumpModule, OperationPass<ModuleOp>> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(DumpModule)

  DumpModule(StringRef directory, unsigned number, StringRef stage)
      : directory(directory), stage(stage), number(number) {}

  void runOnOperation() final {
    if (failed(ds::dumpModule(getOperation(), directory, number, stage)))
      return signalPassFailure();
    markAllAnalysesPreserved();
  }

private:
  std::string directory, stage;
  unsigned number;
};

} // namespace

std::unique_ptr<Pass> ds::createDumpModulePass(StringRef directory, unsigned number,
                                               StringRef stage) {
  return std::make_unique<DumpModule>(directory, number, stage);
}
