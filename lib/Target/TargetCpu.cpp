//===- TargetCpu.cpp - The CPU that code is generated for -------*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The architecture follows from the CPU's name, that of this machine first: a name such as
// `generic` exists on both. The host's features are those that its own cpuid reports, not those
// that its name promises, because virtual machines hide instruction sets. Features that the host's
// list does not know tune the code and change nothing in what runs.
//
//===----------------------------------------------------------------------===//
#include "ds/Target/TargetCpu.h"

#include "ds/Support/Suggestion.h"
#include "ds/Support/UserError.h"
#include "ds/Target/CodeGenerators.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/MC/MCSubtargetInfo.h"
#include "llvm/MC/TargetRegistry.h"
#include "llvm/TargetParser/Host.h"
#include "llvm/TargetParser/SubtargetFeature.h"

#include <cstdlib>

using namespace llvm;

static Triple hostTriple() { return Triple(sys::getProcessTriple()); }

/// Returns this machine's triple with another architecture.
static Triple tripleOf(Triple::ArchType arch) {
  Triple triple = hostTriple();
  if (triple.getArch() != arch) {
    triple.setArch(arch);
    triple.setVendor(Triple::UnknownVendor);
  }
  return triple;
}

static std::unique_ptr<MCSubtargetInfo> subtargetOf(const Triple &triple, StringRef cpu) {
  ds::registerCodeGenerators();
  std::string message;
  const Target *target = TargetRegistry::lookupTarget(triple, message);
  return std::unique_ptr<MCSubtargetInfo>(target ? target->createMCSubtargetInfo(triple, cpu, "")
                                                 : nullptr);
}

/// False for 32-bit processors: LLVM's list has them, too, but no step is compiled for them.
static bool hasWideRegisters(const Triple &triple, StringRef cpu) {
  return !triple.isX86() || subtargetOf(triple, cpu)->checkFeatures("+64bit");
}

/// True for instructions that generated code never holds, because only the system or an intrinsic
/// of their own asks for them. Virtual machines hide most of these.
static bool isNeverGenerated(StringRef feature) {
  static constexpr StringLiteral names[] = {"avx512vp2intersect",
                                            "cldemote",
                                            "clflushopt",
                                            "clwb",
                                            "clzero",
                                            "enqcmd",
                                            "fsgsbase",
                                            "hreset",
                                            "invpcid",
                                            "kl",
                                            "lwp",
                                            "movdir64b",
                                            "movdiri",
                                            "mwaitx",
                                            "pconfig",
                                            "pku",
                                            "prfchw",
                                            "ptwrite",
                                            "rdpid",
                                            "rdpru",
                                            "rdrnd",
                                            "rdseed",
                                            "rtm",
                                            "serialize",
                                            "sgx",
                                            "shstk",
                                            "tsxldtrk",
                                            "uintr",
                                            "usermsr",
                                            "waitpkg",
                                            "wbnoinvd",
                                            "widekl",
                                            "xsave",
                                            "xsavec",
                                            "xsaveopt",
                                            "xsaves"};
  return is_contained(names, feature) || feature.starts_with("amx-");
}

Expected<ds::TargetCpu> ds::findTargetCpu(StringRef name) {
  if (name == kNativeCpu) {
    SubtargetFeatures features;
    for (const auto &feature : sys::getHostCPUFeatures())
      features.AddFeature(feature.first(), feature.second);
    return TargetCpu{hostTriple(), sys::getHostCPUName().str(), features.getString()};
  }
  if (name == "aarch64")
    return TargetCpu{tripleOf(Triple::aarch64), "generic", ""};
  std::vector<std::string> names = {kNativeCpu, "aarch64"};
  for (Triple::ArchType arch : {hostTriple().getArch(), Triple::x86_64, Triple::aarch64}) {
    Triple triple = tripleOf(arch);
    auto subtarget = subtargetOf(triple, "");
    if (!subtarget)
      continue;
    if (subtarget->isCPUStringValid(name) && hasWideRegisters(triple, name))
      return TargetCpu{triple, name.str(), ""};
    for (const SubtargetSubTypeKV &processor : subtarget->getAllProcessorDescriptions())
      if (hasWideRegisters(triple, processor.Key))
        names.push_back(processor.Key);
  }
  std::string near = suggestion(name, names);
  return userError("target cpu '" + name + "' is not known" +
                   (near.empty() ? ", expected native, x86-64, x86-64-v2, x86-64-v3, x86-64-v4, "
                                   "aarch64 or a CPU that LLVM knows"
                                 : near));
}

std::string ds::toText(const TargetCpu &target) {
  SmallVector<StringRef> features;
  StringRef(target.features).split(features, ',', -1, /*KeepEmpty=*/false);
  llvm::sort(features);
  return target.triple.str() + " " + target.cpu + " " + llvm::join(features, ",");
}

/// Returns the features of a named CPU that the system can detect, and whether this machine has
/// them.
static std::vector<std::pair<std::string, bool>> featuresOf(const ds::TargetCpu &target) {
  StringMap<bool> has = sys::getHostCPUFeatures();
  std::vector<std::pair<std::string, bool>> features;
  for (const SubtargetFeatureKV &feature :
       subtargetOf(target.triple, target.cpu)->getEnabledProcessorFeatures()) {
    auto found = has.find(feature.Key);
    if (found != has.end() && !isNeverGenerated(feature.Key))
      features.emplace_back(feature.Key, found->second);
  }
  return features;
}

Error ds::checkRunsHere(StringRef name) {
  auto target = findTargetCpu(name);
  if (!target)
    return target.takeError();
  if (name == kNativeCpu)
    return Error::success();
  Triple host = hostTriple();
  if (target->triple.getArch() != host.getArch())
    return userError("target cpu '" + name + "' is one of " + target->triple.getArchName() +
                     ", this machine is " + host.getArchName());
  std::vector<std::string> missing;
  for (const auto &[feature, isHere] : featuresOf(*target))
    if (!isHere)
      missing.push_back(feature);
  if (missing.empty())
    return Error::success();
  return userError("target cpu '" + name + "' has " + join(missing, ", ") +
                   ", which this machine lacks");
}

bool ds::hasFeature(StringRef name, StringRef feature) {
  auto target = findTargetCpu(name);
  if (!target) {
    consumeError(target.takeError());
    return false;
  }
  if (name == kNativeCpu)
    return sys::getHostCPUFeatures().lookup(feature);
  return subtargetOf(target->triple, target->cpu)->checkFeatures(("+" + feature).str());
}

std::vector<std::string> ds::generatedFeatures(StringRef name) {
  std::vector<std::string> features;
  if (name != kNativeCpu)
    return features;
  for (const auto &feature : sys::getHostCPUFeatures())
    if (feature.second && !isNeverGenerated(feature.first()))
      features.push_back(feature.first().str());
  llvm::sort(features);
  return features;
}

std::string ds::requiredFeatures(StringRef name) {
  ds::TargetCpu target = cantFail(findTargetCpu(name));
  std::vector<std::string> features = generatedFeatures(name);
  if (name != kNativeCpu)
    for (const auto &[feature, isHere] : featuresOf(target))
      features.push_back(feature);
  llvm::sort(features);
  return (Triple::getArchTypeName(target.triple.getArch()) + " " + llvm::join(features, ",")).str();
}

std::string ds::defaultTargetCpu() {
  const char *name = getenv("DS_TARGET_CPU");
  return name && *name ? name : kNativeCpu;
}
