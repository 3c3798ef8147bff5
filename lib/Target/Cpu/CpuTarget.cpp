//===- CpuTarget.cpp - Steps on the cores of this machine -----------------===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The step is lowered to a driver and kernels, in as many parts as there are cores. Parts are
// compiled to object files in parallel; up to this point the step is data. Loading it links them
// once and plans the library's calls.
//
// Emitting goes through the same stages, but driver and kernels become one module. Parts that only
// a running step has (plans of the library, the runtime) stay outside, as functions that the code
// calls.
//
//===----------------------------------------------------------------------===//
#include "ds/Target/Cpu/CpuTarget.h"

#include "CompleteDriver.h"
#include "CpuStep.h"
#include "Jit.h"
#include "Library/LibraryCpu.h"
#include "LibraryFunctions.h"
#include "ObjectCompiler.h"
#include "Symbols.h"
#include "ds/Support/FirstError.h"
#include "ds/Support/UserError.h"

#include "llvm/Support/ThreadPool.h"

using namespace mlir;
using namespace ds;

/// Returns the CPU without its features, of which there are a hundred.
static StringRef cpuOf(StringRef machine) { return machine.rsplit(' ').first; }

/// Returns the functions that the code of a step calls beside the runtime.
static std::vector<NamedFunction> libraryFunctions() {
  return {{kLibraryRunName, reinterpret_cast<void *>(ds_library_run)},
          {kProfileMarkName, reinterpret_cast<void *>(ds_profile_mark)},
          {kAssertionFailedName, reinterpret_cast<void *>(ds_assertion_failed)}};
}

/// Lowers to driver and kernels in the LLVM dialect, with up to `numParts` parts of kernels.
static llvm::Expected<OwningOpRef<ModuleOp>> lower(ModuleOp module, const CompileOptions &options,
                                                   unsigned numParts, Stages &stages,
                                                   Executable &executable) {
  if (llvm::Error error = lowerToDriver(module, options, stages, executable))
    return error;
  return lowerToLLVM(module, options, numParts, stages);
}

namespace {

class CpuTarget final : public Target {
public:
  StringRef name() const override { return kCpuTarget; }
  llvm::Expected<Executable> compile(ModuleOp module, const CompileOptions &options,
                                     std::vector<StageTime> &times) const override;
  llvm::Expected<std::unique_ptr<CompiledStep>>
  load(Executable executable, std::vector<StageTime> times, llvm::StringRef) const override;
  llvm::Error emit(ModuleOp module, const CompileOptions &options, CodeForm form,
                   llvm::raw_ostream &stream) const override;
  std::string describeLibrary(const std::string &targetCpu) const override {
    return ds::describeLibrary(targetCpu);
  }
};

} // namespace

const Target &ds::cpuTarget() {
  static const CpuTarget target;
  return target;
}

llvm::Expected<Executable> CpuTarget::compile(ModuleOp module, const CompileOptions &options,
                                              std::vector<StageTime> &times) const {
  if (llvm::Error refusal = checkRunsHere(options.targetCpu))
    return refusal;
  TargetCpu target = llvm::cantFail(findTargetCpu(options.targetCpu));
  Executable executable;
  executable.target = kCpuTarget;
  executable.targetCpu = options.targetCpu;
  executable.machine = toText(target);
  Stages stages(options, module, times);
  unsigned cores = std::max(1u, llvm::hardware_concurrency().compute_thread_count());
  auto parts = lower(module, options, cores, stages, executable);
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

llvm::Expected<std::unique_ptr<CompiledStep>>
CpuTarget::load(Executable executable, std::vector<StageTime> times, llvm::StringRef) const {
  if (llvm::Error refusal = checkRunsHere(executable.targetCpu))
    return refusal;
  TargetCpu target = llvm::cantFail(findTargetCpu(executable.targetCpu));
  if (std::string here = toText(target); here != executable.machine)
    return userError("the step was compiled for another machine: expected " + cpuOf(here) +
                     ", got " + cpuOf(executable.machine) +
                     (cpuOf(here) == cpuOf(executable.machine) ? " with other features" : ""));
  limitLibrary(executable.targetCpu);
  std::shared_ptr<llvm::orc::LLJIT> code;
  EntryFunction function = nullptr;
  {
    StageTimer timer(times, "link");
    std::vector<std::unique_ptr<llvm::MemoryBuffer>> objects;
    for (const std::string &object : executable.objects)
      objects.push_back(llvm::MemoryBuffer::getMemBufferCopy(object, "step"));
    if (llvm::Error error = linkObjects(std::move(objects), libraryFunctions()).moveInto(code))
      return error;
    auto entry = code->lookup(kEntryName);
    if (!entry)
      return entry.takeError();
    function = entry->toPtr<EntryFunction>();
  }
  executable.objects.clear();
  return std::make_unique<CpuStep>(std::move(executable), std::move(code), function,
                                   std::move(times));
}

llvm::Error CpuTarget::emit(ModuleOp module, const CompileOptions &options, CodeForm form,
                            llvm::raw_ostream &stream) const {
  if (form == CodeForm::nvvm || form == CodeForm::ptx)
    return userError("target 'cpu' has no NVVM or PTX, expected a target such as cuda:sm_90");
  auto target = findTargetCpu(options.targetCpu);
  if (!target)
    return target.takeError();
  Executable executable;
  std::vector<StageTime> times;
  Stages stages(options, module, times);
  auto parts = lower(module, options, /*numParts=*/1, stages, executable);
  if (!parts)
    return parts.takeError();
  llvm::SmallVector<ModuleOp> modules((*parts)->getOps<ModuleOp>());
  auto complete = [&](llvm::Module &driver) {
    completeDriver(driver, executable, options.profile);
  };
  llvm::SmallString<0> code;
  llvm::raw_svector_ostream buffer(code);
  if (llvm::Error error = compileTogether(modules, *target, complete, form, buffer))
    return error;
  if (form == CodeForm::object) {
    std::vector<NamedFunction> given = runtimeFunctions();
    llvm::append_range(given, libraryFunctions());
    if (llvm::Error error = checkSymbols(llvm::MemoryBufferRef(code, "step"), given))
      return error;
  }
  stream << code;
  return llvm::Error::success();
}
