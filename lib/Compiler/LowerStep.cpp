//===- LowerStep.cpp - From a step on tensors to the LLVM dialect -*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Reads the manifest, lowers the step to a driver of calls, reads its library calls as
// specifications, and splits the module: the driver in one part, kernels spread evenly over the
// others.
//
//===----------------------------------------------------------------------===//
#include "ds/Compiler/LowerStep.h"

#include "CallAssertions.h"
#include "DriverModule.h"
#include "ds/Compiler/BuildManifest.h"
#include "ds/Compiler/DumpModule.h"
#include "ds/Compiler/Pipelines.h"
#include "ds/Compiler/RunPasses.h"
#include "ds/Compiler/Upstream.h"
#include "ds/Dialect/IR/Ds.h"
#include "ds/Support/FirstError.h"

#include "mlir/Pass/PassManager.h"
#include "mlir/Target/LLVMIR/Dialect/Builtin/BuiltinToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Dialect/LLVMIR/LLVMToLLVMIRTranslation.h"

using namespace mlir;
using namespace ds;

LogicalResult Stages::run(StringRef name, llvm::function_ref<LogicalResult()> body) {
  LogicalResult result = success();
  {
    StageTimer timer(times, name.str());
    result = body();
  }
  if (succeeded(result) && !options.dumpDir.empty())
    return dumpModule(module, options.dumpDir, times.size(), name);
  return result;
}

llvm::Error ds::lowerToDriver(ModuleOp module, const LoweringOptions &options, Stages &stages,
                              Executable &executable) {
  MLIRContext *context = module.getContext();
  DialectRegistry registry;
  ds::registerUpstreamDialects(registry);
  registerBuiltinDialectTranslation(registry);
  registerLLVMDialectTranslation(registry);
  registry.insert<DsDialect>();
  registerBufferizableOpInterfaceExternalModels(registry);
  context->appendDialectRegistry(registry);

  FirstError error(context);
  func::FuncOp step = selectEntry(module, options.entry);
  if (!step)
    return error.take("the module has no step");
  FailureOr<Manifest> manifest = buildManifest(step);
  if (failed(manifest))
    return error.take("the step's roles cannot be read");
  executable.manifest = std::move(*manifest);

  const Lowering how = {options.effort != Effort::None, options.forGpu};
  auto lower = [&](StringRef stage, void (*build)(OpPassManager &, Lowering)) {
    return stages.run(stage, [&] {
      return runPasses(
          module, Verify::never, [&](OpPassManager &pm) { build(pm, how); }, options.instrument);
    });
  };
  if (failed(lower("tensors", buildPrepareTensorsPipeline)))
    return error.take("the step cannot be lowered to a driver");
  executable.manifest.starts = readStarts(step);
  if (failed(lower("driver", buildBufferizeToDriverPipeline)))
    return error.take("the step cannot be lowered to a driver");
  if (failed(checkDriver(module)))
    return error.take("the driver cannot be executed");
  readDriver(module, executable);
  return llvm::Error::success();
}

llvm::Expected<OwningOpRef<ModuleOp>> ds::lowerToLLVM(ModuleOp module,
                                                      const LoweringOptions &options,
                                                      unsigned numParts, Stages &stages) {
  FirstError error(module.getContext());
  OwningOpRef<ModuleOp> parts;
  if (failed(stages.run("llvm-dialect", [&] {
        parts = splitDriver(module, numParts);
        if (!options.forGpu) // a GPU reports them by words in its memory
          for (ModuleOp part : parts->getOps<ModuleOp>())
            callAssertions(part);
        // One pipeline serves both: a driver has no kernels left to lower to loops.
        return runPasses(
            *parts, Verify::never,
            [&](OpPassManager &pm) {
              buildToLLVMPipeline(pm.nest<ModuleOp>(), options.effort != Effort::Quick);
            },
            options.instrument);
      })))
    return error.take("the step cannot be lowered to LLVM");
  return parts;
}
