//===- compile_time.cpp - Where compile time goes, for one size -*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//   compile_time OPS [--config=KEY=VALUE,...] [--distribute-only] [--print]
//
// Makes a training step of about OPS operations, distributes it over 4 ranks and compiles it, and
// prints one JSON object: the time of every pass on the processor (other programs do not count),
// whether the pass is ours, and the peak of memory. bench/compile_time.py compares sizes.
//
//===----------------------------------------------------------------------===//
#include "LayeredStep.h"

#include "ds/Compiler/Pipelines.h"
#include "ds/Compiler/Registration.h"
#include "ds/Dialect/IR/Ds.h"
#include "ds/Support/ToolMain.h"
#include "ds/Target/All/Targets.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/IR/Verifier.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Pass/Pass.h"
#include "mlir/Pass/PassInstrumentation.h"
#include "mlir/Pass/PassManager.h"

#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/raw_ostream.h"

#include <ctime>
#include <sys/resource.h>

namespace {

double processorSeconds() { return double(std::clock()) / CLOCKS_PER_SEC; }

int64_t peakBytes() {
  rusage usage;
  getrusage(RUSAGE_SELF, &usage);
  return int64_t(usage.ru_maxrss) * 1024;
}

[[noreturn]] void fail(const llvm::Twine &message) {
  llvm::errs() << "error: " << message << "\n";
  std::exit(1);
}

/// Times by name, in the order of first use.
class Times {
public:
  void add(llvm::StringRef name, bool ours, double seconds) {
    Entry &entry = entries[name.str()];
    entry.ours = ours;
    entry.seconds += seconds;
    entry.peak = std::max(entry.peak, peakBytes());
    total += seconds;
  }
  double sum() const { return total; }
  void print(llvm::json::OStream &json) const {
    for (const auto &[name, entry] : entries)
      json.object([&] {
        json.attribute("name", name);
        json.attribute("ours", entry.ours);
        json.attribute("s", entry.seconds);
        json.attribute("peak_bytes", entry.peak);
      });
  }

private:
  struct Entry {
    bool ours = false;
    double seconds = 0;
    int64_t peak = 0;
  };
  llvm::MapVector<std::string, Entry, llvm::StringMap<unsigned>> entries;
  double total = 0;
};

/// The time inside of each pass without that of passes it runs.
class PassTimer final : public mlir::PassInstrumentation {
public:
  explicit PassTimer(Times &times) : times(times) {}

  void runBeforePass(mlir::Pass *, mlir::Operation *) override {
    charge();
    running.push_back(0);
  }
  void runAfterPass(mlir::Pass *pass, mlir::Operation *) override {
    charge();
    llvm::StringRef name = pass->getArgument();
    // Adaptors have no name; what they do is upstream's.
    bool ours = name.starts_with("ds-") || name == "convert-ds-to-runtime";
    times.add(name.empty() ? "(pass manager)" : name, ours, running.pop_back_val());
  }

private:
  void charge() {
    double now = processorSeconds();
    if (!running.empty())
      running.back() += now - last;
    last = now;
  }

  Times &times;
  llvm::SmallVector<double> running;
  double last = 0;
};

struct Arguments {
  int64_t ops = 0;
  std::string config = "batch=global,device_num=4";
  bool distributeOnly = false, print = false;

  Arguments(int argc, char **argv) {
    for (llvm::StringRef argument : llvm::ArrayRef(argv + 1, argc - 1)) {
      if (argument.consume_front("--config="))
        config = argument.str();
      else if (argument == "--distribute-only")
        distributeOnly = true;
      else if (argument == "--print")
        print = true;
      else if (argument.getAsInteger(10, ops))
        fail("unexpected argument '" + argument + "'");
    }
    if (ops < 1)
      fail("usage: compile_time OPS [--config=KEY=VALUE,...] [--distribute-only] [--print]");
  }
};

int64_t countOps(mlir::ModuleOp module) {
  int64_t count = 0;
  module->walk([&](mlir::Operation *) { ++count; });
  return count;
}

/// Stages whose time is not that of passes: planning library calls and splitting the driver is
/// ours, code generation is LLVM's.
void addStages(const ds::CompiledStep &step, double passSeconds, Times &times) {
  double others = 0;
  for (const ds::StageTime &stage : step.compileTimes()) {
    double seconds = stage.cpuMilliseconds / 1e3;
    if (stage.stage == "plans" || stage.stage == "machine-code" || stage.stage == "link")
      times.add(stage.stage, stage.stage == "plans", seconds);
    else
      others += seconds;
  }
  times.add("(between passes)", true, std::max(0.0, others - passSeconds));
}

} // namespace

static int run(int argc, char **argv) {
  Arguments arguments(argc, argv);
  ds::bench::LayeredStep step = ds::bench::makeLayeredStep(ds::bench::blocksForOps(arguments.ops));
  if (arguments.print) {
    llvm::outs() << step.text;
    return 0;
  }
  mlir::DialectRegistry registry;
  ds::registerDialects(registry);
  mlir::MLIRContext context(registry, mlir::MLIRContext::Threading::DISABLED);
  context.loadDialect<ds::DsDialect>();
  Times times;
  double start = processorSeconds();
  mlir::ParserConfig parser(&context, /*verifyAfterParse=*/false);
  auto module = mlir::parseSourceString<mlir::ModuleOp>(step.text, parser);
  if (!module)
    fail("the step cannot be parsed");
  step.text = {};
  times.add("(parse)", false, processorSeconds() - start);
  int64_t ops = countOps(*module);

  {
    mlir::PassManager manager(&context);
    manager.enableVerifier(false);
    manager.addInstrumentation(std::make_unique<PassTimer>(times));
    ds::DataParallelOptions options;
    options.config = arguments.config;
    ds::buildDataParallelPipeline(manager, options);
    if (failed(manager.run(*module)))
      fail("the step cannot be distributed");
  }
  // What the machine asks for looking at each operation once: a large step does not fit its caches.
  start = processorSeconds();
  int64_t left = countOps(*module);
  double walkSeconds = processorSeconds() - start;
  start = processorSeconds();
  if (failed(mlir::verify(*module)))
    fail("the distributed step is not valid");
  times.add("(verify once)", false, processorSeconds() - start);
  if (!arguments.distributeOnly) {
    double before = times.sum();
    ds::CompileOptions options;
    options.instrument = [&](mlir::PassManager &manager) {
      manager.addInstrumentation(std::make_unique<PassTimer>(times));
    };
    auto compiled = ds::compileStep(*module, options);
    if (!compiled)
      fail(llvm::toString(compiled.takeError()));
    addStages(**compiled, times.sum() - before, times);
  }

  llvm::json::OStream json(llvm::outs());
  json.object([&] {
    json.attribute("ops", ops);
    json.attribute("ops_distributed", left);
    json.attribute("walk_s", walkSeconds);
    json.attribute("config", arguments.config);
    json.attribute("peak_bytes", peakBytes());
    json.attributeArray("passes", [&] { times.print(json); });
  });
  llvm::outs() << "\n";
  // Taking a million operations apart again is nobody's compile time.
  std::_Exit(ds::endTool("compile_time", 0));
}

int main(int argc, char **argv) {
  return ds::toolMain("compile_time", [&] { return run(argc, argv); });
}
