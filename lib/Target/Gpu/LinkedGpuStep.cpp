//===- LinkedGpuStep.cpp - A step on a GPU whose driver is here -*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// An executable has its kernels for one or several chips, oldest first: as PTX, which the driver
// compiles at load, or as fat binaries that hold machine code of the chip, too. A GPU takes those
// of its own chip or of an older one.
//
//===----------------------------------------------------------------------===//
#include "ds/Target/Gpu/LinkedGpuStep.h"

#include "CudaStep.h"
#include "TargetName.h"
#include "ds/Support/UserError.h"
#include "ds/Target/DeviceVariables.h"
#include "dsrt/dsrt.h"

#include "llvm/ADT/STLExtras.h"

#include <cstdlib>

using namespace ds;
using namespace ds::gpu;
using llvm::StringRef;

/// Fills the addresses that the driver calls through.
static llvm::Error resolve(const ImportRecord *imports) {
  const std::vector<NamedFunction> functions = deviceFunctions();
  for (const ImportRecord *record = imports; record->name; ++record) {
    auto given = llvm::find_if(functions, [&](const NamedFunction &function) {
      return StringRef(function.first) == record->name;
    });
    if (given == functions.end())
      return userError(llvm::Twine("the step calls '") + record->name + "', which is not known");
    *record->address = given->second;
  }
  return llvm::Error::success();
}

llvm::Expected<std::unique_ptr<CompiledStep>>
ds::gpu::loadOnDevices(Executable executable, EntryFunction entry, const DeviceTables &tables,
                       std::shared_ptr<const void> code, std::vector<StageTime> times,
                       StringRef listed) {
  if (llvm::Error error = resolve(tables.imports))
    return error;
  auto devices = usedDevices(listed);
  if (!devices)
    return devices.takeError();
  auto step = std::make_unique<CudaStep>();
  step->devices = std::move(*devices);
  std::vector<StringRef> chips = chipsOf(executable.target);
  for (size_t i = 0; i < chips.size() && i + 1 < executable.objects.size(); ++i)
    step->kernels.emplace_back(chips[i].str(), std::move(executable.objects[i + 1]));
  step->times = std::move(times);
  step->code = std::move(code);
  step->tables = &tables;
  step->entry = entry;
  step->assertions = *tables.assertions;
  const char *checks = std::getenv(kCheckLaunchesVariable);
  step->checksLaunches = checks && *checks && StringRef(checks) != "0";
  step->isCaptured =
      !step->checksLaunches && !isByCalls(executable.target) && executable.callNames.empty();
  executable.objects.clear();
  step->executable = std::move(executable);
  // Reports now what a device lacks: that of this process's rank, if a launcher started it, else
  // rank 0's.
  int32_t rank = 0, numRanks = 1;
  if (!dsrt_launched(&rank, &numRanks))
    rank = 0;
  StageTimer timer(step->times, "load");
  if (auto loaded = step->codeFor(rank); !loaded)
    return loaded.takeError();
  return step;
}

llvm::Expected<std::unique_ptr<CompiledStep>> ds::useLinkedGpuStep(Executable executable,
                                                                   EntryFunction entry,
                                                                   const void *tables,
                                                                   StringRef cpu) {
  if (llvm::Error error = useCpu(cpu))
    return error;
  return loadOnDevices(std::move(executable), entry, *static_cast<const DeviceTables *>(tables),
                       nullptr, {}, /*listed=*/"");
}
