//===- CompiledStep.cpp - From a step on tensors to code --------*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The manifest is read, passes turn the step into a driver of calls, library calls get their plans,
// and the module is split: the driver in one part, kernels spread evenly over as many parts as
// there are cores. Parts are lowered and compiled to object files in parallel and linked once.
//
//===----------------------------------------------------------------------===//
#include "ds/ExecutionEngine/CompiledStep.h"

#include "DriverModule.h"
#include "LibraryCpu.h"
#include "ObjectCompiler.h"
#include "StepImpl.h"
#include "ds/Conversion/Passes.h"
#include "ds/Dialect/IR/Ds.h"
#include "ds/ExecutionEngine/BuildManifest.h"

#include "mlir/IR/Diagnostics.h"
#include "mlir/InitAllDialects.h"
#include "mlir/InitAllExtensions.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Target/LLVMIR/Dialect/Builtin/BuiltinToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Dialect/LLVMIR/LLVMToLLVMIRTranslation.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/ThreadPool.h"

#include <ctime>

using namespace mlir;
using namespace ds;

namespace {

/// Keeps the first error as one sentence; remarks and warnings go on to whoever else listens.
class FirstError {
public:
  explicit FirstError(MLIRContext *context)
      : handler(context, [this](Diagnostic &diagnostic) {
          if (diagnostic.getSeverity() != DiagnosticSeverity::Error)
            return failure();
          if (text.empty()) {
            llvm::raw_string_ostream stream(text);
            if (auto at = diagnostic.getLocation()->findInstanceOf<FileLineColLoc>())
              stream << at.getFilename().getValue() << ":" << at.getLine() << ":" << at.getColumn()
                     << ": error: ";
            stream << diagnostic;
          }
          return success();
        }) {}

  llvm::Error take(const llvm::Twine &otherwise) {
    return llvm::createStringError(llvm::inconvertibleErrorCode(),
                                   text.empty() ? otherwise : llvm::Twine(text));
  }

private:
  std::string text;
  ScopedDiagnosticHandler handler;
};

/// Runs one stage, timed and dumped.
class Stages {
public:
  Stages(CompiledStep::Impl &impl, const CompileOptions &options, ModuleOp module)
      : impl(impl), options(options), module(module) {}

  LogicalResult run(StringRef name, llvm::function_ref<LogicalResult()> body) {
    auto start = std::chrono::steady_clock::now();
    std::clock_t cpuStart = std::clock();
    LogicalResult result = body();
    double cpu = 1e3 * double(std::clock() - cpuStart) / CLOCKS_PER_SEC;
    std::chrono::duration<double, std::milli> elapsed = std::chrono::steady_clock::now() - start;
    impl.times.push_back({name.str(), elapsed.count(), cpu});
    if (!options.dumpDir.empty() && succeeded(result))
      dump(name);
    return result;
  }

private:
  void dump(StringRef name) {
    std::error_code code = llvm::sys::fs::create_directories(options.dumpDir);
    std::string number = std::to_string(impl.times.size());
    std::string path = options.dumpDir + "/compile-" + (number.size() < 2 ? "0" : "") + number +
                       "-" + name.str() + ".mlir";
    llvm::raw_fd_ostream stream(path, code);
    if (!code)
      module.print(stream);
  }

  CompiledStep::Impl &impl;
  const CompileOptions &options;
  ModuleOp module;
};

LogicalResult runPipeline(ModuleOp module, const CompileOptions &options,
                          llvm::function_ref<void(OpPassManager &)> build) {
  PassManager pm(module->getContext());
  pm.enableVerifier(false);
  if (options.instrument)
    options.instrument(pm);
  build(pm);
  return pm.run(module);
}

} // namespace

llvm::Expected<std::unique_ptr<CompiledStep>> CompiledStep::compile(ModuleOp module,
                                                                    const CompileOptions &options) {
  if (llvm::Error refusal = checkRunsHere(options.targetCpu))
    return refusal;
  TargetCpu target = llvm::cantFail(findTargetCpu(options.targetCpu));
  limitLibrary(options.targetCpu);
  MLIRContext *context = module.getContext();
  DialectRegistry registry;
  registerAllDialects(registry);
  registerAllExtensions(registry);
  registerBuiltinDialectTranslation(registry);
  registerLLVMDialectTranslation(registry);
  registry.insert<DsDialect>();
  registerBufferizableOpInterfaceExternalModels(registry);
  context->appendDialectRegistry(registry);

  FirstError error(context);
  auto impl = std::make_unique<Impl>();
  Stages stages(*impl, options, module);
  func::FuncOp step = selectEntry(module, options.entry);
  if (!step)
    return error.take("the module has no step");
  FailureOr<Manifest> manifest = buildManifest(step);
  if (failed(manifest))
    return error.take("the step's roles cannot be read");
  impl->manifest = std::move(*manifest);

  if (failed(stages.run(
          "tensors", [&] { return runPipeline(module, options, buildPrepareTensorsPipeline); })) ||
      failed(stages.run(
          "driver", [&] { return runPipeline(module, options, buildBufferizeToDriverPipeline); })))
    return error.take("the step cannot be lowered to a driver");
  if (failed(checkDriver(module)) ||
      failed(stages.run("plans", [&] { return readDriver(module, *impl); })))
    return error.take("the driver cannot be executed");

  unsigned cores = std::max(1u, llvm::hardware_concurrency().compute_thread_count());
  OwningOpRef<ModuleOp> parts;
  if (failed(stages.run("llvm-dialect", [&] {
        parts = splitDriver(module, cores);
        return runPipeline(*parts, options, [](OpPassManager &pm) {
          // One pipeline serves both: a driver has no kernels left to lower to loops.
          buildKernelsToLLVMPipeline(pm.nest<ModuleOp>());
        });
      })))
    return error.take("the step cannot be lowered to LLVM");

  std::vector<ModuleOp> partModules(parts->getOps<ModuleOp>().begin(),
                                    parts->getOps<ModuleOp>().end());
  std::vector<std::unique_ptr<llvm::MemoryBuffer>> objects(partModules.size());
  std::vector<std::string> failures(partModules.size());
  (void)stages.run("machine-code", [&] {
    llvm::DefaultThreadPool pool(llvm::hardware_concurrency(cores));
    for (size_t i = 0; i < partModules.size(); ++i)
      pool.async([&, i] {
        bool isDriver = i == 0;
        auto object =
            compileToObject(partModules[i], isDriver ? CodeKind::driver : CodeKind::kernels, target,
                            [&](llvm::Module &llvmModule) {
                              if (isDriver)
                                completeDriver(llvmModule, *impl, options.profile);
                            });
        if (object)
          objects[i] = std::move(*object);
        else
          failures[i] = llvm::toString(object.takeError());
      });
    pool.wait();
    return success();
  });
  for (const std::string &failure : failures)
    if (!failure.empty())
      return error.take(failure);

  llvm::Error linkError = llvm::Error::success();
  (void)stages.run("link", [&] {
    auto link = [&]() -> llvm::Error {
      auto jit = linkObjects(std::move(objects), libraryFunctions());
      if (!jit)
        return jit.takeError();
      impl->jit = std::move(*jit);
      auto entry = impl->jit->lookup(kEntryName);
      if (!entry)
        return entry.takeError();
      impl->entry = entry->toPtr<EntryFunction>();
      return llvm::Error::success();
    };
    linkError = llvm::joinErrors(std::move(linkError), link());
    return success();
  });
  if (linkError)
    return linkError;
  return std::unique_ptr<CompiledStep>(new CompiledStep(std::move(impl)));
}

CompiledStep::CompiledStep(std::unique_ptr<Impl> impl) : impl(std::move(impl)) {}
CompiledStep::~CompiledStep() = default;
const Manifest &CompiledStep::manifest() const { return impl->manifest; }
size_t CompiledStep::arenaBytes() const { return impl->arenaBytes + impl->scratchBytes; }
const std::vector<StageTime> &CompiledStep::compileTimes() const { return impl->times; }
const std::vector<std::string> &CompiledStep::kernelNames() const { return impl->kernels; }
