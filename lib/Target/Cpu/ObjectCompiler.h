//===- ObjectCompiler.h - LLVM dialect to machine code ----------*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef DS_LIB_TARGET_CPU_OBJECTCOMPILER_H
#define DS_LIB_TARGET_CPU_OBJECTCOMPILER_H

#include "ds/Target/Target.h"

#include "mlir/IR/BuiltinOps.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/IR/PassManager.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/MemoryBuffer.h"

namespace llvm {
class Module;
class PassBuilder;
} // namespace llvm

namespace ds {

/// Kernels are loops worth optimising; a driver is a list of calls that should compile fast, as
/// kernels that run once should.
enum class CodeKind { kernels, driver };

/// Runs LLVM's passes, with the analyses that they ask for.
void runModulePasses(llvm::Module &module, llvm::PassBuilder &builder,
                     llvm::ModulePassManager passes);

/// Compiles a module in the LLVM dialect to an object file. `edit` may add to the LLVM module
/// first. May run on several threads at once, for different modules.
llvm::Expected<std::unique_ptr<llvm::MemoryBuffer>>
compileToObject(mlir::ModuleOp module, CodeKind kind, const TargetCpu &target,
                llvm::function_ref<void(llvm::Module &)> edit = {});

/// Compiles all parts as one module of kernels; `editFirst` may add to the first one.
llvm::Error compileTogether(llvm::ArrayRef<mlir::ModuleOp> parts, const TargetCpu &target,
                            llvm::function_ref<void(llvm::Module &)> editFirst, CodeForm form,
                            llvm::raw_pwrite_stream &stream);

} // namespace ds

#endif // DS_LIB_TARGET_CPU_OBJECTCOMPILER_H
