//===- CompiledStep.h - A step compiled to a driver of calls ----*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A CompiledStep owns code and plans that all ranks share; a StepInstance owns one rank's memory
// (arena and slots). After the instance exists a step allocates nothing.
//
//===----------------------------------------------------------------------===//
#ifndef DS_EXECUTIONENGINE_COMPILEDSTEP_H
#define DS_EXECUTIONENGINE_COMPILEDSTEP_H

#include "ds/Step/Executable.h"
#include "ds/Target/TargetCpu.h"

#include "llvm/Support/Error.h"

#include <cstddef>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace mlir {
class ModuleOp;
class PassManager;
} // namespace mlir

struct dsrt_context;

namespace ds {

/// How much is done to make a step fast.
enum class Effort {
  Full,
  Quick, ///< LLVM does not optimise kernels: they compile faster and run slower
  None,  ///< nor does ds: each operation is a kernel of its own, as a reference for the others
};

struct CompileOptions {
  std::string entry;    // empty: the only public function
  std::string dumpDir;  // numbered IR stages are written here when not empty
  bool profile = false; // time every call of the driver
  Effort effort = Effort::Full;
  std::string targetCpu = kNativeCpu;
  /// Called for every pass manager before it runs, to time or print its passes.
  std::function<void(mlir::PassManager &)> instrument;
};

/// Time that one stage of the compilation took: on the clock, and on all cores together.
struct StageTime {
  std::string stage;
  double milliseconds, cpuMilliseconds;
};

/// What one call of the driver cost in all steps so far; name of the kernel, contraction or
/// collective.
struct CallProfile {
  std::string name;
  uint64_t calls;
  double milliseconds;
};

class StepInstance;

class CompiledStep {
public:
  /// Lowers `module` (the step after the `ds-data-parallel` pipeline, on tensors) and compiles it
  /// for a CPU that this machine can stand in for. The module is consumed. Fails with one located
  /// sentence.
  static llvm::Expected<std::unique_ptr<CompiledStep>> compile(mlir::ModuleOp module,
                                                               const CompileOptions &options = {});
  /// The two halves of it. The first is as well for another process of this version, on a machine
  /// with the same CPU: the second fails where the CPU is another one.
  static llvm::Expected<Executable> build(mlir::ModuleOp module, const CompileOptions &options,
                                          std::vector<StageTime> &times);
  static llvm::Expected<std::unique_ptr<CompiledStep>> load(Executable executable);
  ~CompiledStep();

  const Manifest &manifest() const;
  /// Bytes of scratch memory that each instance holds.
  size_t arenaBytes() const;
  /// Bytes that each instance takes: arguments, results and arena.
  int64_t memoryBytes() const;
  /// Where the time of compile() or load() went, in order.
  const std::vector<StageTime> &compileTimes() const;
  /// Hashes of the distinct kernels, in order of their first call.
  const std::vector<std::string> &kernelNames() const;
  /// The distinct library calls, and what the library runs for each, such as "convolution
  /// brgconv:avx512_core".
  std::vector<std::pair<std::string, std::string>> libraryCalls() const;
  /// The memory of one rank: zero-filled slots, 64-byte aligned.
  std::unique_ptr<StepInstance> instantiate() const;

  struct Impl;

private:
  explicit CompiledStep(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl;
};

class StepInstance {
public:
  ~StepInstance();
  /// The buffer of an argument slot, dense row-major. Parameters and states hold their new value
  /// after run().
  void *argument(unsigned slot);
  /// The buffer of a result slot; for a result that updates an argument, that argument's buffer.
  void *result(unsigned slot);
  /// Executes one step on the calling thread, which is the rank's. `context` may be null for a step
  /// without collectives. Errors of collectives are sticky in the context: check it after the call.
  void run(dsrt_context *context);
  /// One entry per call in the text of the driver; empty unless compiled with `profile`.
  std::vector<CallProfile> profile() const;

  struct Impl;

private:
  friend class CompiledStep;
  explicit StepInstance(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl;
};

} // namespace ds

#endif // DS_EXECUTIONENGINE_COMPILEDSTEP_H
