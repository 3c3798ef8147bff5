//===- CompiledStep.cpp - From a step on tensors to code --------*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The step is lowered to a driver and kernels, in as many parts as there are cores. Parts are
// compiled to object files in parallel: until there it is data. Loading it links them once and
// makes the library's plans.
//
//===----------------------------------------------------------------------===//
#include "ds/ExecutionEngine/CompiledStep.h"

#include "DriverModule.h"
#include "LibraryCpu.h"
#include "LowerStep.h"
#include "ObjectCompiler.h"
#include "StageTimer.h"
#include "StepImpl.h"
#include "ds/Support/FirstError.h"
#include "ds/Support/UserError.h"

#include "llvm/Support/ThreadPool.h"

using namespace mlir;
using namespace ds;

/// Without the features, of which there are a hundred.
static StringRef cpuOf(StringRef machine) { return machine.rsplit(' ').first; }

llvm::Expected<Executable> CompiledStep::build(ModuleOp module, const CompileOptions &options,
                                               std::vector<StageTime> &times) {
  if (llvm::Error refusal = checkRunsHere(options.targetCpu))
    return refusal;
  TargetCpu target = llvm::cantFail(findTargetCpu(options.targetCpu));
  Executable executable;
  executable.targetCpu = options.targetCpu;
  executable.machine = toText(target);
  Stages stages(options, module, times);
  unsigned cores = std::max(1u, llvm::hardware_concurrency().compute_thread_count());
  auto parts = lowerStep(module, options, cores, stages, executable);
  if (!parts)
    return parts.takeError();
  FirstError error(module.getContext());
  std::vector<ModuleOp> partModules((*parts)->getOps<ModuleOp>().begin(),
                                    (*parts)->getOps<ModuleOp>().end());
  executable.objects.resize(partModules.size());
  std::vector<std::string> failures(partModules.size());
  if (failed(stages.run("machine-code", [&] {
        llvm::DefaultThreadPool pool(llvm::hardware_concurrency(cores));
        for (size_t i = 0; i < partModules.size(); ++i)
          pool.async([&, i] {
            bool isDriver = i == 0;
            bool isFast = isDriver || options.effort != Effort::Full;
            auto object =
                compileToObject(partModules[i], isFast ? CodeKind::driver : CodeKind::kernels,
                                target, [&](llvm::Module &llvmModule) {
                                  if (isDriver)
                                    completeDriver(llvmModule, executable, options.profile);
                                });
            if (object)
              executable.objects[i] = (*object)->getBuffer().str();
            else
              failures[i] = llvm::toString(object.takeError());
          });
        pool.wait();
        return success();
      })))
    return error.take("the step cannot be compiled");
  for (const std::string &failure : failures)
    if (!failure.empty())
      return error.take(failure);
  return executable;
}

static std::unique_ptr<LibraryPlan> plan(const LibraryCallSpec &call) {
  if (const auto *contraction = std::get_if<StridedContraction>(&call.what))
    return planContraction(*contraction);
  return planConvolution(std::get<Convolution>(call.what));
}

llvm::Expected<std::unique_ptr<CompiledStep>> CompiledStep::load(Executable executable) {
  if (llvm::Error refusal = checkRunsHere(executable.targetCpu))
    return refusal;
  TargetCpu target = llvm::cantFail(findTargetCpu(executable.targetCpu));
  if (std::string here = toText(target); here != executable.machine)
    return userError("the step was compiled for another machine: expected " + cpuOf(here) +
                     ", got " + cpuOf(executable.machine) +
                     (cpuOf(here) == cpuOf(executable.machine) ? " with other features" : ""));
  limitLibrary(executable.targetCpu);
  auto impl = std::make_unique<Impl>();
  {
    StageTimer timer(impl->times, "plans");
    for (const LibraryCallSpec &call : executable.libraryCalls) {
      impl->plans.push_back(plan(call));
      impl->scratchBytes = std::max(impl->scratchBytes, impl->plans.back()->scratchBytes());
    }
  }
  StageTimer timer(impl->times, "link");
  std::vector<std::unique_ptr<llvm::MemoryBuffer>> objects;
  for (const std::string &object : executable.objects)
    objects.push_back(llvm::MemoryBuffer::getMemBufferCopy(object, "step"));
  auto jit = linkObjects(std::move(objects), libraryFunctions());
  if (!jit)
    return jit.takeError();
  impl->jit = std::move(*jit);
  auto entry = impl->jit->lookup(kEntryName);
  if (!entry)
    return entry.takeError();
  impl->entry = entry->toPtr<EntryFunction>();
  executable.objects.clear();
  impl->executable = std::move(executable);
  return std::unique_ptr<CompiledStep>(new CompiledStep(std::move(impl)));
}

llvm::Expected<std::unique_ptr<CompiledStep>> CompiledStep::compile(ModuleOp module,
                                                                    const CompileOptions &options) {
  std::vector<StageTime> times;
  auto executable = build(module, options, times);
  if (!executable)
    return executable.takeError();
  auto step = load(std::move(*executable));
  if (step)
    (*step)->impl->times.insert((*step)->impl->times.begin(), times.begin(), times.end());
  return step;
}

CompiledStep::CompiledStep(std::unique_ptr<Impl> impl) : impl(std::move(impl)) {}
CompiledStep::~CompiledStep() = default;
const Manifest &CompiledStep::manifest() const { return impl->executable.manifest; }
size_t CompiledStep::arenaBytes() const { return impl->executable.arenaBytes + impl->scratchBytes; }
const std::vector<StageTime> &CompiledStep::compileTimes() const { return impl->times; }
const std::vector<std::string> &CompiledStep::kernelNames() const {
  return impl->executable.kernels;
}
std::vector<std::pair<std::string, std::string>> CompiledStep::libraryCalls() const {
  std::vector<std::pair<std::string, std::string>> calls;
  for (size_t i = 0; i < impl->plans.size(); ++i)
    calls.emplace_back(impl->executable.libraryCalls[i].name, impl->plans[i]->implementation());
  return calls;
}
