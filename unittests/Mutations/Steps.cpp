//===- Steps.cpp - Mutated steps through the compiler -----------*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The cases of the lit tests, of the examples and of the exported graphs, cut at "// -----". Each
// goes through what ds-opt does (distribution, and lowering with and without it); one of eight also
// the whole way of ds-run, to machine code.
//
//===----------------------------------------------------------------------===//
#include "Kinds.h"
#include "Mutator.h"
#include "UpstreamDefects.h"

#include "ds/Conversion/Passes.h"
#include "ds/Pipelines/Pipelines.h"
#include "ds/Pipelines/Registration.h"
#include "ds/Run/Program.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Pass/PassManager.h"
#include "llvm/ADT/StringExtras.h"

#include <algorithm>
#include <filesystem>

namespace ds {
namespace {

using namespace mlir;

class Steps final : public Kind {
public:
  Steps() {
    std::vector<std::string> paths;
    for (const char *folder : {"test", "examples", "python/tests/graphs"})
      for (const auto &entry :
           std::filesystem::recursive_directory_iterator(std::string(DS_SOURCES "/") + folder))
        // The largest graphs take seconds each, in which hundreds of others are tried.
        if (entry.path().extension() == ".mlir" && entry.file_size() < 60000)
          paths.push_back(entry.path().string());
    std::sort(paths.begin(), paths.end());
    for (const std::string &path : paths) {
      std::string text = readBytes(path);
      SmallVector<StringRef> parts;
      StringRef(text).split(parts, "// -----");
      for (StringRef part : parts)
        cases.push_back(part.str());
    }
    registerDialects(registry);
  }

  Outcome run(uint64_t seed, const std::string &folder) override {
    Mutator mutator(seed);
    std::string text = mutator.text(mutator.oneOf(cases), mutator.oneOf(cases));
    writeBytes(folder + "/step.mlir", text);
    if (hitsUpstreamDefect(text))
      return {false, false};
    if (seed % 8 == 0)
      return compile(folder + "/step.mlir", seed);
    MLIRContext context(registry, MLIRContext::Threading::DISABLED);
    context.getDiagEngine().registerHandler([](Diagnostic &) {});
    OwningOpRef<ModuleOp> module = parseSourceString<ModuleOp>(text, ParserConfig(&context));
    if (!module)
      return {false, false};
    DataParallelOptions options;
    options.config = seed % 2 ? "device_num=2,batch=global" : "device_num=3";
    PassManager distribution(&context), lowering(&context);
    buildDataParallelPipeline(distribution, options);
    buildLowerToDriverPipeline(lowering);
    OwningOpRef<ModuleOp> undistributed = module->clone();
    bool good = succeeded(distribution.run(*module)) && succeeded(lowering.run(*module));
    // Lowering also sees what distribution refuses, which is most of what is mutated.
    (void)lowering.run(*undistributed);
    return {good};
  }

  size_t largestAllocation() const override { return size_t(1) << 30; }
  unsigned patience() const override { return 120; }

private:
  static Outcome compile(const std::string &path, uint64_t seed) {
    auto program = Program::load(path, "", {});
    if (!program)
      return judge(llvm::toString(program.takeError()), "");
    auto step = (*program)->compile(1 + seed / 8 % 3);
    if (!step)
      return judge(llvm::toString(step.takeError()), "");
    return {(*step)->memoryBytes() > 0};
  }

  std::vector<std::string> cases;
  DialectRegistry registry;
};

} // namespace

std::unique_ptr<Kind> makeSteps() { return std::make_unique<Steps>(); }

} // namespace ds
