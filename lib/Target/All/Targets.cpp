//===- Targets.cpp - All targets ------------------------------------------===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "ds/Target/All/Targets.h"

#include "ds/Support/UserError.h"
#include "ds/Target/Cpu/CpuTarget.h"
#include "ds/Target/DeviceVariables.h"
#include "ds/Target/Gpu/GpuTarget.h"
#include "ds/Target/OtherDevices.h"

#include "llvm/ADT/StringExtras.h"

#include <cstdlib>

using namespace mlir;
using namespace ds;

llvm::Expected<const Target &> ds::findTarget(StringRef name) {
  const Target *const targets[] = {&cpuTarget(), &gpuTarget()};
  std::vector<StringRef> names;
  for (const Target *target : targets) {
    if (target->name() == name.split(':').first) // before the chip
      return *target;
    names.push_back(target->name());
  }
  if (std::string other = describeOtherDevice(name); !other.empty())
    return userError(other);
  return userError("target '" + name + "' is not known, expected " + llvm::join(names, " or "));
}

llvm::Expected<std::string> ds::findDeviceTarget(StringRef device) {
  if (device == kCpuTarget)
    return kCpuTarget;
  return findGpu(device.split(':').second);
}

void ds::listDevices(const std::string &numbers) {
  if (!numbers.empty())
    setenv(kDevicesVariable, numbers.c_str(), /*overwrite=*/1);
}

llvm::Expected<Executable> ds::buildStep(ModuleOp module, const CompileOptions &options,
                                         std::vector<StageTime> &times) {
  auto target = findTarget(options.target);
  return target ? target->compile(module, options, times) : target.takeError();
}

static llvm::Expected<std::unique_ptr<CompiledStep>>
load(Executable executable, std::vector<StageTime> times, StringRef devices = "") {
  auto target = findTarget(executable.target);
  if (!target)
    return target.takeError();
  return target->load(std::move(executable), std::move(times), devices);
}

llvm::Expected<std::unique_ptr<CompiledStep>> ds::loadStep(Executable executable,
                                                           StringRef devices) {
  return load(std::move(executable), {}, devices);
}

llvm::Error ds::emitStep(ModuleOp module, const CompileOptions &options, CodeForm form,
                         llvm::raw_ostream &stream) {
  auto target = findTarget(options.target);
  return target ? target->emit(module, options, form, stream) : target.takeError();
}

llvm::Expected<std::unique_ptr<CompiledStep>> ds::compileStep(ModuleOp module,
                                                              const CompileOptions &options) {
  std::vector<StageTime> times;
  auto executable = buildStep(module, options, times);
  if (!executable)
    return executable.takeError();
  return load(std::move(*executable), std::move(times));
}
