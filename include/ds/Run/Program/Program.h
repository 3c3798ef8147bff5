//===- Program.h - The step of a file, ready to be compiled for n ranks --*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Parses the module, applies --config over its ds.config, and compiles it: for n ranks through the
// pipeline `ds-data-parallel`, or as the one-device reference that n ranks are compared with.
// Errors are one located sentence.
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
  /// The same of text, or bytecode, that is in memory; `path` is what places call it.
  static llvm::Expected<std::unique_ptr<Program>> parse(std::unique_ptr<llvm::MemoryBuffer> text,
                                                        llvm::StringRef path, llvm::StringRef entry,
                                                        llvm::ArrayRef<std::string> given,
                                                        std::string targetCpu = kNativeCpu,
                                                        const Embedding &embedding = {});
  ~Program();

  mlir::ModuleOp written() const; // as it was read
  const std::string &entry() const;
  const std::string &targetCpu() const;
  /// Compiles for a target by its name (ds/Target/Target.h), which need not be there.
  void setTarget(std::string target);
  /// What it is compiled for: `cpu`, which is meant where nobody says, or `cuda`, the GPUs of this
  /// machine or those of numbers as in `cuda:0,2`, whose steps are one graph unless they are queued
  /// `byCalls`.
  llvm::Error setDevice(llvm::StringRef device, bool byCalls);
  /// Numbers of GPUs, as in `0,2`, where they are named.
  const std::string &devices() const;
  /// Whether steps compute on the host.
  bool isOnHost() const;
  /// What is in force: the module's configuration under that of the command line.
  const Config &config() const;
  /// The same with origins, for the program of one of `numRanks` ranks, a number from `source`.
  Settings settings(int64_t numRanks, llvm::StringRef source) const;

  /// To fill what the configuration leaves open.
  Config &openConfig();

  /// The program of one of `numRanks` ranks; `profile`: it times its calls.
  llvm::Expected<std::unique_ptr<CompiledStep>> compile(int64_t numRanks, bool profile = false);
  /// The same as data.
  llvm::Expected<Executable> compileExecutable(int64_t numRanks);
  /// What it is compared with, on one device: in `global` the step itself, in `local` the step cut
  /// at its gradients, which takes the rows of all ranks.
  llvm::Expected<std::unique_ptr<CompiledStep>> compileReference(int64_t numRanks);
  /// The same with one more argument, the last one, that perturbs it (PerturbRounding.h).
  llvm::Expected<std::unique_ptr<CompiledStep>> compilePerturbed(int64_t numRanks);
  /// A function without updates, such as a forward pass, for one device.
  llvm::Expected<std::unique_ptr<CompiledStep>> compileFunction();

  using Work = llvm::function_ref<llvm::Error(mlir::ModuleOp)>;
  enum class Side { ranks, oneDevice };
  /// Hands over what compile() compiles, or what compileReference() does.
  llvm::Error withDistributed(int64_t numRanks, Side side, Work work);

  /// `distribute` and its like (Compiler/RunPasses.h).
  using Order = llvm::LogicalResult (*)(mlir::ModuleOp, llvm::StringRef entry, Verify);
  /// Takes a copy of the module through passes for one of `numRanks` ranks, with `settings` over
  /// the configuration, and hands it over before and behind them.
  llvm::Error transform(int64_t numRanks, const Config &settings, Order order, Work before,
                        Work behind);

  /// Of the step that compile() made last, after all passes on tensors.
  const std::string &stepHash() const;
  /// What a step that was compiled with a profile exchanges, as an object of JSON.
  const std::string &collectives() const;
  /// Of the module as it was read.
  std::string writtenHash() const;

  /// Warnings since the last call, each one line.
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
