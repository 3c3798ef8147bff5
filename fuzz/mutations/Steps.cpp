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

#include "ds/Compiler/Pipelines.h"
#include "ds/Compiler/Registration.h"
#include "ds/Compiler/RunPasses.h"
#include "ds/Run/Program/Program.h"
#include "ds/Support/Nesting.h"
#include "ds/Transforms/Passes.h"

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
    if (hitsUpstreamDefect(text) || !isShallow(text)) // as the tools, which look before they parse
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

const std::string strategyStep = R"(
module attributes {ds.config = #ds.config<mesh = "dp=2,tp=2">} {
  func.func @step(%w: tensor<4x4xf32> {ds.param = "w"}, %x: tensor<8x4xf32> {ds.batch = 0 : i64, ds.name = "x"},
      %rate: f32 {ds.name = "rate"}) -> (tensor<4x4xf32> {ds.updates = "w"}) {
    return %w : tensor<4x4xf32>
  }
})";
const std::string strategy = R"({"ds_strategy": 1, "mesh": "dp=2,tp=2",
  "arguments": {
    "w": [[], ["tp"]],
    "x": [["dp"], []]
  }})";

/// Files that a configuration names, which the compiler reads.
class Strategies final : public Kind {
public:
  Strategies() : context(MLIRContext::Threading::DISABLED) {
    DialectRegistry registry;
    registerDialects(registry);
    context.appendDialectRegistry(registry);
  }

  Outcome run(uint64_t seed, const std::string &folder) override {
    Mutator mutator(seed);
    const std::string path = folder + "/strategy.json";
    writeBytes(path, mutator.text(strategy, strategy));
    std::string message;
    ScopedDiagnosticHandler handler(&context, [&](Diagnostic &said) { message += said.str(); });
    OwningOpRef<ModuleOp> module = parseSourceString<ModuleOp>(strategyStep, &context);
    if (!module)
      return {false, false, "the step is not sound"};
    if (succeeded(runPasses(*module, Verify::behindEachPass, [&](OpPassManager &passes) {
          passes.addPass(createCheckConfigPass({"strategy_ckpt_load_file=" + path}));
          passes.addPass(createLoadStrategyPass());
        })))
      return {true};
    return judge(message, "strategy file '" + path);
  }

  size_t largestAllocation() const override { return size_t(16) << 20; }

private:
  MLIRContext context; // one for all: making it takes longer than an input
};

} // namespace

std::unique_ptr<Kind> makeSteps() { return std::make_unique<Steps>(); }
std::unique_ptr<Kind> makeStrategies() { return std::make_unique<Strategies>(); }

} // namespace ds
