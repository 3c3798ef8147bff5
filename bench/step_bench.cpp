//===- step_bench.cpp - Times a compiled step on one rank -------*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//   step_bench STEP.mlir RECORDING.npz
//
// Compiles the step for one rank, loads the arguments of the recording's first step, and prints
// {"compile_s": C, "loss": L} after one step. Then, for every line N on standard input, it runs N
// steps and prints {"ms": M, "loss": L}, M per step. The caller decides when to measure, so that
// two systems can take turns in the same minutes; `loss` shows that both train the same network.
//
//===----------------------------------------------------------------------===//

#include "ds/Data/Npy.h"
#include "ds/ExecutionEngine/CompiledStep.h"
#include "ds/Run/Program.h"
#include "ds/Support/ToolMain.h"

#include "dsrt/dsrt.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/raw_ostream.h"

#include <chrono>
#include <cstring>
#include <iostream>
#include <string>

namespace {

double now() {
  using namespace std::chrono;
  return duration<double>(steady_clock::now().time_since_epoch()).count();
}

[[noreturn]] void fail(const llvm::Twine &message) {
  llvm::errs() << "error: " << message << "\n";
  std::exit(1);
}

template <typename T> T check(llvm::Expected<T> value) {
  if (!value)
    fail(llvm::toString(value.takeError()));
  return std::move(*value);
}

void loadArguments(const ds::Manifest &manifest, ds::StepInstance &instance, const char *path) {
  std::unique_ptr<ds::NpzReader> recording = check(ds::NpzReader::open(path));
  for (auto [slot, spec] : llvm::enumerate(manifest.arguments)) {
    std::string name = "step1_arg" + std::to_string(slot);
    ds::Array array = check(recording->read(name));
    if (array.type != ds::toDataType(spec.type) || array.shape != spec.shape)
      fail(llvm::Twine("'") + name + "' of the recording is " + ds::shapeToString(array.shape) +
           " " + ds::toString(array.type) + ", expected " + ds::shapeToString(spec.shape) + " " +
           ds::toString(spec.type) + " for '" + spec.name + "'");
    std::memcpy(instance.argument(slot), array.data, array.bytes());
  }
}

/// The value of the metric 'loss'.
float loss(const ds::Manifest &manifest, ds::StepInstance &instance) {
  for (auto [slot, spec] : llvm::enumerate(manifest.results))
    if (spec.isMetric && spec.name == "loss")
      return *static_cast<const float *>(instance.result(slot));
  fail("the step reports no metric 'loss'");
}

} // namespace

static int run(int argc, char **argv) {
  if (argc != 3)
    fail("usage: step_bench STEP.mlir RECORDING.npz");
  double start = now();
  std::unique_ptr<ds::Program> program = check(ds::Program::load(argv[1], "", {"batch=global"}));
  std::unique_ptr<ds::CompiledStep> step = check(program->compile(1));
  double compileSeconds = now() - start;
  std::unique_ptr<ds::StepInstance> instance = step->instantiate();
  loadArguments(step->manifest(), *instance, argv[2]);

  dsrt_context *rank = nullptr;
  if (dsrt_local_world_create(1, nullptr, &rank) != DSRT_OK)
    fail(dsrt_last_error(nullptr));
  dsrt_flush_denormals(); // as every rank's thread does in ds-run
  auto run = [&] {
    instance->run(rank);
    if (dsrt_failed(rank))
      fail(dsrt_last_error(rank));
  };
  run();
  llvm::outs() << "{\"compile_s\": " << compileSeconds
               << ", \"loss\": " << loss(step->manifest(), *instance) << "}\n";
  llvm::outs().flush();

  for (int64_t count; std::cin >> count && count > 0;) {
    start = now();
    for (int64_t i = 0; i < count; ++i)
      run();
    double milliseconds = (now() - start) * 1e3 / count;
    llvm::outs() << "{\"ms\": " << milliseconds
                 << ", \"loss\": " << loss(step->manifest(), *instance) << "}\n";
    llvm::outs().flush();
  }
  dsrt_shutdown(rank);
  return 0;
}

int main(int argc, char **argv) {
  return ds::toolMain("step_bench", [&] { return run(argc, argv); });
}
