//===- LinkedStep.cpp - A step whose code is linked -----------------------===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "ds/Target/Cpu/LinkedStep.h"

#include "CpuStep.h"
#include "Library/LibraryCpu.h"
#include "ds/Support/UserError.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/TargetParser/Host.h"
#include "llvm/TargetParser/Triple.h"

using namespace ds;
using llvm::StringRef;

llvm::Error ds::useCpu(StringRef cpu) {
  auto [architecture, list] = cpu.split(' ');
  const StringRef here =
      llvm::Triple::getArchTypeName(llvm::Triple(llvm::sys::getProcessTriple()).getArch());
  if (architecture != here)
    return userError("the step was compiled for " + architecture + ", this machine is " + here);
  llvm::SmallVector<StringRef> features;
  list.split(features, ',', /*MaxSplit=*/-1, /*KeepEmpty=*/false);
  const llvm::StringMap<bool> has = llvm::sys::getHostCPUFeatures();
  std::vector<std::string> missing;
  for (StringRef feature : features)
    if (!has.lookup(feature))
      missing.push_back(feature.str());
  if (!missing.empty())
    return userError("the step was compiled for a CPU with " + llvm::join(missing, ", ") +
                     ", which this machine lacks");
  limitLibraryTo([&](const char *feature) { return llvm::is_contained(features, feature); });
  return llvm::Error::success();
}

llvm::Expected<std::unique_ptr<CompiledStep>>
ds::useLinkedStep(Executable executable, EntryFunction entry, StringRef cpu) {
  if (llvm::Error error = useCpu(cpu))
    return error;
  return std::make_unique<CpuStep>(std::move(executable), nullptr, entry, std::vector<StageTime>());
}
