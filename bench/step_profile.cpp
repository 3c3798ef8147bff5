//===- step_profile.cpp - Where the time of a step goes ---------*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//   step_profile STEP.mlir RECORDING.npz [STEPS] [DUMP-DIR]
//
// Compiles a step for one rank as it stands (no data-parallel passes), runs it STEPS times (default
// 50) from the recording's first arguments, and prints one JSON object: milliseconds of every
// compilation stage, bytes of scratch memory, fastest step, and every call of the driver with its
// share and, of the library, the implementation that runs. With DUMP-DIR the stages' IR is written
// there.
//
//===----------------------------------------------------------------------===//

#include "ds/Data/Npy.h"
#include "ds/Dialect/IR/Ds.h"
#include "ds/Support/ToolMain.h"
#include "ds/Target/All/Targets.h"

#include "dsrt/dsrt.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/InitAllDialects.h"
#include "mlir/Parser/Parser.h"

#include "llvm/ADT/StringMap.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/raw_ostream.h"

#include <chrono>
#include <cstring>

namespace {

[[noreturn]] void fail(const llvm::Twine &message) {
  llvm::errs() << "error: " << message << "\n";
  std::exit(1);
}

template <typename T> T check(llvm::Expected<T> value) {
  if (!value)
    fail(llvm::toString(value.takeError()));
  return std::move(*value);
}

std::unique_ptr<ds::StepInstance> start(const ds::CompiledStep &step, const char *recordingPath) {
  auto instance = step.instantiate();
  auto recording = check(ds::NpzReader::open(recordingPath));
  for (auto [slot, spec] : llvm::enumerate(step.manifest().arguments)) {
    ds::Array array = check(recording->read("step1_arg" + std::to_string(slot)));
    if (array.shape != spec.shape)
      fail("the recording does not fit the step");
    instance->write(slot, [&](char *bytes) { std::memcpy(bytes, array.data, array.bytes()); });
  }
  return instance;
}

} // namespace

static int run(int argc, char **argv) {
  if (argc < 3)
    fail("usage: step_profile STEP.mlir RECORDING.npz [STEPS] [DUMP-DIR]");
  dsrt_flush_denormals(); // as ranks do
  int steps = argc > 3 ? std::atoi(argv[3]) : 50;
  mlir::DialectRegistry registry;
  mlir::registerAllDialects(registry);
  registry.insert<ds::DsDialect>();
  mlir::MLIRContext context(registry);
  auto parse = [&] { return mlir::parseSourceFile<mlir::ModuleOp>(argv[1], &context); };
  auto module = parse(), again = parse();
  if (!module || !again)
    fail(llvm::Twine("cannot parse '") + argv[1] + "'");

  ds::CompileOptions options;
  auto plain = check(ds::compileStep(*module, options));
  auto instance = start(*plain, argv[2]);
  double best = 1e30;
  for (int i = 0; i < steps; ++i) {
    auto begin = std::chrono::steady_clock::now();
    instance->run(nullptr);
    best = std::min(
        best, std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - begin)
                  .count());
  }

  options.profile = true;
  if (argc > 4)
    options.dumpDir = argv[4];
  auto profiled = check(ds::compileStep(*again, options));
  instance = start(*profiled, argv[2]);
  for (int i = 0; i < steps; ++i)
    instance->run(nullptr);

  llvm::json::OStream json(llvm::outs(), 1);
  json.object([&] {
    json.attribute("step_ms", best);
    json.attribute("scratch_bytes", static_cast<int64_t>(plain->arenaBytes()));
    json.attributeObject("compile_ms", [&] {
      for (const ds::StageTime &time : plain->compileTimes())
        json.attribute(time.stage, time.milliseconds);
    });
    llvm::StringMap<std::string> implementations;
    for (auto &[name, implementation] : profiled->libraryCalls())
      implementations[name] = implementation;
    json.attributeArray("calls", [&] {
      for (const ds::CallProfile &call : instance->profile())
        json.object([&] {
          json.attribute("name", call.name);
          if (auto known = implementations.find(call.name); known != implementations.end())
            json.attribute("implementation", known->second);
          json.attribute("ms", call.milliseconds / steps);
        });
    });
  });
  llvm::outs() << "\n";
  return 0;
}

int main(int argc, char **argv) {
  return ds::toolMain("step_profile", [&] { return run(argc, argv); });
}
