//===- Compiled.cpp - Programs that ds-compile has compiled ---------------===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Handles.h"

#include "ds/Step/Executable.h"
#include "ds/Step/SealedLibrary.h"
#include "ds/Support/UserError.h"
#include "ds/Support/Version.h"
#include "ds/Target/Cpu/LinkedStep.h"
#include "ds/Target/Gpu/LinkedGpuStep.h"

#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"

#include <dlfcn.h>

using namespace ds;
using namespace ds::capi;
using llvm::Error;
using llvm::StringRef;
using llvm::Twine;

namespace {

struct CompiledProgram final : ds_program {
  CompiledProgram(ds_context *context, const ds_compiled_step &given)
      : ds_program(context, given.name), entry(given.entry), device(given.device), cpu(given.cpu) {}

  const Config &config() const override { return settings; }
  std::optional<int64_t> compiledFor() const override { return executable.manifest.numRanks; }
  bool computesOnDevices() const override { return device != nullptr; }
  Error compile(ds_world *world, ds_step &step) override {
    if (!world)
      return userError("'" + name + "' was compiled for " + Twine(*compiledFor()) +
                       " ranks, expected a world");
    World &ranks = *world->world;
    auto load = [&]() -> Error {
      if (*compiledFor() != ranks.numRanks())
        return userError("'" + name + "' was compiled for " + Twine(*compiledFor()) +
                         " ranks, the world has " + Twine(ranks.numRanks()));
      if (!executable.sharedArguments.empty() && ranks.numLocalRanks() < ranks.numRanks())
        return userError("'" + name +
                         "' was compiled with shared_replicas=on, so all ranks are "
                         "threads of one process, but this one has " +
                         Twine(ranks.numLocalRanks()) + " of " + Twine(ranks.numRanks()));
      return (device ? useLinkedGpuStep(executable, entry, device, cpu)
                     : useLinkedStep(executable, entry, cpu))
          .moveInto(step.step);
    };
    if (Error error = ranks.agree(load()))
      return error;
    step.combinesMetrics = settings.syncMetrics();
    step.hash = executable.stepHash;
    return Error::success();
  }

  Config settings;
  Executable executable;
  const EntryFunction entry;
  const void *const device;
  const std::string cpu;
};

} // namespace

/// Refuses a file that changed after the compiler wrote it.
static Error checkFileOf(EntryFunction entry) {
  Dl_info found;
  if (!dladdr(reinterpret_cast<void *>(entry), &found) || !found.dli_fname ||
      !llvm::sys::fs::exists(found.dli_fname))
    return Error::success();
  auto isSealed = checkLibrary(found.dli_fname); // false for a program with its own step
  return isSealed ? Error::success() : isSealed.takeError();
}

/// The library stays loaded for the life of the process: the step's code is in it.
static llvm::Expected<const ds_compiled_step *> openLibrary(StringRef path) {
  StringRef name = llvm::sys::path::stem(path);
  if (!name.consume_front("lib") || llvm::sys::path::extension(path) != ".so")
    return userError("'" + path +
                     "' is no name of a compiled step, expected libNAME.so as "
                     "ds-compile writes it");
  llvm::SmallString<128> absolute(path); // dlopen would search for a bare name
  if (std::error_code code = llvm::sys::fs::make_absolute(absolute))
    return userError("'" + path + "' cannot be read: " + code.message());
  auto isSealed = checkLibrary(path);
  if (!isSealed)
    return isSealed.takeError();
  if (!*isSealed)
    return userError("'" + path +
                     "' cannot be loaded: it does not end with a seal of ds-compile, so it is no "
                     "compiled step, was cut short, or was changed by another program");
  void *library = dlopen(absolute.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (!library)
    return userError("'" + path + "' cannot be loaded: " + dlerror());
  const std::string symbol = (name + "_compiled").str();
  const auto *compiled = static_cast<const ds_compiled_step *>(dlsym(library, symbol.c_str()));
  if (!compiled)
    return userError("'" + path + "' has no '" + symbol + "': it has got another name");
  return compiled;
}

extern "C" {

ds_status ds_compiled_step_open(ds_context *context, const char *path,
                                const ds_compiled_step **out_step) {
  if (out_step)
    *out_step = nullptr;
  if (!context || !path || !out_step)
    return refuse(context, "ds_compiled_step_open takes a context, a path and an out parameter");
  return guarded(context, [&]() -> Error { return openLibrary(path).moveInto(*out_step); });
}

ds_status ds_program_load(ds_context *context, const ds_compiled_step *compiled,
                          ds_program **out_program) {
  if (out_program)
    *out_program = nullptr;
  if (!context || !compiled || !out_program)
    return refuse(context, "ds_program_load takes a context, a step and an out parameter");
  if (compiled->abi_version != DS_ABI_VERSION || compiled->struct_size < sizeof *compiled)
    return refuse(context, "the step was compiled by a ds-compile of version " +
                               Twine(compiled->abi_version) + " of the interface, expected " +
                               Twine(DS_ABI_VERSION) + "; compile it again");
  if (!compiled->name || !compiled->config || !compiled->cpu || !compiled->description ||
      !compiled->entry)
    return refuse(context, "a compiled step has a name, a config, a cpu, a description and an "
                           "entry, as the header of ds-compile declares it, got a null");
  return guarded(context, [&]() -> Error {
    if (Error error = checkFileOf(compiled->entry))
      return error;
    auto made = std::make_unique<CompiledProgram>(context, *compiled);
    std::optional<Executable> executable =
        readExecutable({static_cast<const char *>(compiled->description),
                        static_cast<size_t>(compiled->description_bytes)});
    if (!executable)
      return userError("'" + made->name +
                       "' was compiled by another version of ds-compile, "
                       "expected that of " DS_VERSION_STRING "; compile it again");
    made->executable = std::move(*executable);
    if (Error error = made->settings.setFromText(compiled->config))
      return error;
    *out_program = made.release();
    return Error::success();
  });
}

} // extern "C"
