//===- DumpModule.cpp - write a stage to a file -----------------*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "DumpModule.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/Support/FileUtilities.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/ToolOutputFile.h"

using namespace mlir;

namespace {

struct DumpModule final : PassWrapper<DumpModule, OperationPass<ModuleOp>> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(DumpModule)

  DumpModule(StringRef directory, unsigned number, StringRef stage)
      : directory(directory),
        file((number < 10 ? "0" : "") + std::to_string(number) + "-" + stage.str() + ".mlir") {}

  void runOnOperation() final {
    llvm::SmallString<128> path(directory);
    llvm::sys::path::append(path, file);
    std::string message;
    if (std::error_code error = llvm::sys::fs::create_directories(directory))
      return fail(directory, error.message());
    std::unique_ptr<llvm::ToolOutputFile> output = openOutputFile(path, &message);
    if (!output)
      return fail(path, message);
    getOperation().print(output->os());
    output->keep();
    markAllAnalysesPreserved();
  }

private:
  void fail(StringRef path, StringRef reason) {
    getOperation().emitError("cannot write '") << path << "': " << reason;
    signalPassFailure();
  }

  std::string directory, file;
};

} // namespace

std::unique_ptr<Pass> ds::createDumpModulePass(StringRef directory, unsigned number,
                                               StringRef stage) {
  return std::make_unique<DumpModule>(directory, number, stage);
}
