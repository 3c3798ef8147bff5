//===- CompiledStep.cpp - From a step on tensors to code --------*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The step is lowered to a driver and kernels, in as many parts as there are cores. Parts are
// compiled to object files in parallel and linked once.
//
//===----------------------------------------------------------------------===//
#include "ds/ExecutionEngine/CompiledStep.h"

#include "DriverModule.h"
#include "LibraryCpu.h"
#include "LowerStep.h"
#include "ObjectCompiler.h"
#include "ds/Support/FirstError.h"

#include "llvm/Support/ThreadPool.h"

using namespace mlir;
using namespace ds;

llvm::Expected<std::unique_ptr<CompiledStep>> CompiledStep::compile(ModuleOp module,
                                                                    const CompileOptions &options) {
  if (llvm::Error refusal = checkRunsHere(options.targetCpu))
    return refusal;
  TargetCpu target = llvm::cantFail(findTargetCpu(options.targetCpu));
  limitLibrary(options.targetCpu);
  auto impl = std::make_unique<Impl>();
  unsigned cores = std::max(1u, llvm::hardware_concurrency().compute_thread_count());
  auto parts = lowerStep(module, options, cores, *impl);
  if (!parts)
    return parts.takeError();
  FirstError error(module.getContext());
  Stages stages(*impl, options, module);
  std::vector<ModuleOp> partModules((*parts)->getOps<ModuleOp>().begin(),
                                    (*parts)->getOps<ModuleOp>().end());
  std::vector<std::unique_ptr<llvm::MemoryBuffer>> objects(partModules.size());
  std::vector<std::string> failures(partModules.size());
  (void)stages.run("machine-code", [&] {
    llvm::DefaultThreadPool pool(llvm::hardware_concurrency(cores));
    for (size_t i = 0; i < partModules.size(); ++i)
      pool.async([&, i] {
        bool isDriver = i == 0;
        bool isFast = isDriver || options.effort != Effort::Full;
        auto object = compileToObject(partModules[i], isFast ? CodeKind::driver : CodeKind::kernels,
                                      target, [&](llvm::Module &llvmModule) {
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
std::vector<std::pair<std::string, std::string>> CompiledStep::libraryCalls() const {
  std::vector<std::pair<std::string, std::string>> calls;
  for (size_t i = 0; i < impl->plans.size(); ++i)
    calls.emplace_back(impl->planNames[i], impl->plans[i]->implementation());
  return calls;
}
