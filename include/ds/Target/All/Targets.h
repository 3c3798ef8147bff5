//===- Targets.h - All targets ----------------------------------*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef DS_TARGET_ALL_TARGETS_H
#define DS_TARGET_ALL_TARGETS_H

#include "ds/Target/Target.h"

namespace ds {

/// Returns the target of that name, or an error that lists the targets there are.
llvm::Expected<const Target &> findTarget(llvm::StringRef name);

/// Returns the name of the target for a device of this machine: `cpu` for `cpu`, and `cuda:sm_90`
/// for H100s by `cuda` or by their numbers, as in `cuda:0,2`. An error if there is no such device.
llvm::Expected<std::string> findDeviceTarget(llvm::StringRef device);

/// Sets the GPUs of the runtime's nccl by their numbers, if there are any. Called before a process
/// joins a world, which it does once.
void listDevices(const std::string &numbers);

/// Call Target::compile, load and emit of the target that the options or the executable name.
llvm::Expected<Executable> buildStep(mlir::ModuleOp module, const CompileOptions &options,
                                     std::vector<StageTime> &times);
llvm::Expected<std::unique_ptr<CompiledStep>> loadStep(Executable executable,
                                                       llvm::StringRef devices = "");
llvm::Error emitStep(mlir::ModuleOp module, const CompileOptions &options, CodeForm form,
                     llvm::raw_ostream &stream);

/// Builds and loads a step.
llvm::Expected<std::unique_ptr<CompiledStep>> compileStep(mlir::ModuleOp module,
                                                          const CompileOptions &options = {});

} // namespace ds

#endif // DS_TARGET_ALL_TARGETS_H
