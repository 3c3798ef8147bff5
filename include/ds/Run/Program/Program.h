//===- Program.h - The step of a file, ready to be compiled for n ranks --*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Parses the module, overrides its ds.config by --config, and compiles it: for n ranks through the
// pipeline `ds-data-parallel`, or as the one-device reference that n ranks are compared with. An
// error is one located sentence.
//
//===----------------------------------------------------------------------===//
#ifndef DS_RUN_PROGRAM_PROGRAM_H
#define DS_RUN_PROGRAM_PROGRAM_H

#include "ds/Compiler/RunPasses.h"
#include "ds/Dialect/IR/Config.h"
#include "ds/Run/Options/Settings.h"
#include "ds/Run/Program/Embedding.h"
#include "ds/Run/Program/Ranks.h"
#include "ds/Step/Executable.h"
#include "ds/Target/CompiledStep.h"
#include "ds/Target/TargetCpu.h"

#include "mlir/IR/BuiltinOps.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/MemoryBuffer.h"

#include <memory>
#include <string>
#include <vector>

namespace ds {

class Program {
public:
  static llvm::Expected<std::unique_ptr<Program>> load(llvm::StringRef path, llvm::StringRef entry,
                                                       llvm::ArrayRef<std::string> given,
                                                       std::string targetCpu = kNativeCpu,
                                                       const Embedding &embedding = {});
  /// Parses text, or bytecode, in memory; locations name it `path`.
  static llvm::Expected<std::unique_ptr<Program>> parse(std::unique_ptr<llvm::MemoryBuffer> text,
                                                        llvm::StringRef path, llvm::StringRef entry,
                                                        llvm::ArrayRef<std::string> given,
                                                        std::string targetCpu = kNativeCpu,
                                                        const Embedding &embedding = {});
  ~Program();

  mlir::ModuleOp written() const; // as it was parsed
  const std::string &entry() const;
  const std::string &targetCpu() const;
  /// Compiles for a target by its name (ds/Target/Target.h), even if this machine lacks the device.
  void setTarget(std::string target);
  /// Sets the device: `cpu`, the default, or `cuda`, the GPUs of this machine or those with the
  /// numbers given as in `cuda:0,2`. A step on GPUs is one graph, or is queued `byCalls`.
  llvm::Error setDevice(llvm::StringRef device, bool byCalls);
  /// Returns the numbers of GPUs, as in `0,2`, if they are given.
  const std::string &devices() const;
  /// True if steps compute on the host.
  bool isOnHost() const;
  /// Returns the configuration in force: the module's, overridden by the command line.
  const Config &config() const;
  /// The same with origins, for the program of one of `numRanks` ranks, a number that `source`
  /// gave.
  Settings settings(int64_t numRanks, llvm::StringRef source) const;

  /// The configuration to write keys to that the user left open.
  Config &openConfig();

  /// Compiles the program of one of `numRanks` ranks; with `profile` it times its calls.
  llvm::Expected<std::unique_ptr<CompiledStep>> compile(int64_t numRanks, bool profile = false);
  /// Compiles the same program as data.
  llvm::Expected<Executable> compileExecutable(int64_t numRanks);
  /// Compiles the reference for one device: in `global` semantics the step itself; in `local` the
  /// step cut at its gradients, which takes the rows of all ranks.
  llvm::Expected<std::unique_ptr<CompiledStep>> compileReference(int64_t numRanks);
  /// Compiles the reference with one more argument, the last one, that perturbs it
  /// (PerturbRounding.h).
  llvm::Expected<std::unique_ptr<CompiledStep>> compilePerturbed(int64_t numRanks);
  /// Compiles a function without updates, such as a forward pass, for one device.
  llvm::Expected<std::unique_ptr<CompiledStep>> compileFunction();

  using Work = llvm::function_ref<llvm::Error(mlir::ModuleOp)>;
  enum class Side { ranks, oneDevice };
  /// Calls `work` with the module that compile() compiles, or compileReference().
  llvm::Error withDistributed(int64_t numRanks, Side side, Work work);

  /// A pass order such as `distribute` (Compiler/RunPasses.h).
  using Order = llvm::LogicalResult (*)(mlir::ModuleOp, llvm::StringRef entry, Verify);
  /// Runs passes on a copy of the module for one of `numRanks` ranks, with `settings` over the
  /// configuration. Calls `before` and `after` with the copy before and after the passes.
  llvm::Error transform(int64_t numRanks, const Config &settings, Order order, Work before,
                        Work after);

  /// Returns the hash of the step that compile() made last, after all passes on tensors.
  const std::string &stepHash() const;
  /// Returns the collectives of the step that compile() made last, as a JSON object.
  const std::string &collectives() const;
  /// Returns the hash of the module as it was parsed.
  std::string writtenHash() const;

  /// Returns the warnings since the last call, each one line.
  std::vector<std::string> takeWarnings();

  struct Impl;

private:
  explicit Program(std::unique_ptr<Impl> impl);
  llvm::Expected<std::unique_ptr<CompiledStep>>
  compileOneDevice(llvm::StringRef purpose, int64_t numRanks,
                   llvm::function_ref<void(mlir::ModuleOp)> change);
  std::unique_ptr<Impl> impl;
};

} // namespace ds

#endif // DS_RUN_PROGRAM_PROGRAM_H
