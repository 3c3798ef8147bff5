//===- Target.h - Devices that steps are compiled for -----------*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The seam between what ds does for every kind of device and what it does for one. Code that trains
// knows a step by CompiledStep.h alone; code that compiles a step asks for a target by its name.
//
//===----------------------------------------------------------------------===//
#ifndef DS_TARGET_TARGET_H
#define DS_TARGET_TARGET_H

#include "ds/Compiler/LowerStep.h"
#include "ds/Target/CompiledStep.h"
#include "ds/Target/TargetCpu.h"

#include "llvm/Support/raw_ostream.h"

namespace ds {

/// The default target.
inline constexpr char kCpuTarget[] = "cpu";

struct CompileOptions : LoweringOptions {
  std::string target = kCpuTarget;    // or `cuda:sm_90`, with the chip
  std::string targetCpu = kNativeCpu; // of the driver, on every target
  bool profile = false;               // time every call of the driver
};

enum class CodeForm { llvmIR, assembly, object, nvvm, ptx, cubin };

/// Has no state: one object serves all threads.
class Target {
public:
  virtual ~Target() = default;
  /// The name in `Executable::target`.
  virtual llvm::StringRef name() const = 0;

  /// Compiles `module` (the step after the `ds-data-parallel` pipeline, on tensors) for a device
  /// that this machine can stand in for, and adds the time of each stage to `times`. The module is
  /// consumed. Fails with one located sentence.
  virtual llvm::Expected<Executable> compile(mlir::ModuleOp module, const CompileOptions &options,
                                             std::vector<StageTime> &times) const = 0;
  /// Makes an executable ready to run, on the machine that compiled it or one with the same device:
  /// fails if the device is another one. `times` are those of compiling it, if they are known;
  /// `devices` the numbers of GPUs, as in `0,2`, that ranks compute on; empty: the default.
  virtual llvm::Expected<std::unique_ptr<CompiledStep>>
  load(Executable executable, std::vector<StageTime> times, llvm::StringRef devices) const = 0;

  /// Writes the code that `compile` makes of `module`: driver and kernels, optimised for
  /// `options.targetCpu`, which this machine need not be; for a GPU, its kernels alone. The module
  /// is consumed. Fails with one located sentence, and also if the target has no such form, or the
  /// code needs a function that a machine may lack.
  virtual llvm::Error emit(mlir::ModuleOp module, const CompileOptions &options, CodeForm form,
                           llvm::raw_ostream &stream) const = 0;

  /// Describes the library that steps call, its version, and the instructions that it uses in this
  /// process for steps of a target CPU: `oneDNN 2.6.0 (52b5f107) with AVX512_CORE_BF16`. The call
  /// settles them.
  virtual std::string describeLibrary(const std::string &targetCpu) const = 0;
};

} // namespace ds

#endif // DS_TARGET_TARGET_H
