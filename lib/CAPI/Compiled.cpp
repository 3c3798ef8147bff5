//===- Compiled.cpp - Programs that ds-compile has compiled ---------------===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Handles.h"

#include "ds/Step/Executable.h"
#include "ds/Support/UserError.h"
#include "ds/Support/Version.h"
#include "ds/Target/Cpu/LinkedStep.h"
#include "ds/Target/Gpu/LinkedGpuStep.h"

using namespace ds;
using namespace ds::capi;
using llvm::Error;
using llvm::Twine;

namespace {

struct CompiledProgram final : ds_program {
  CompiledProgram(ds_context *context, const ds_compiled_step &given)
      : ds_program(context, given.name), entry(given.entry), device(given.device), cpu(given.cpu) {}

  const Config &config() const override { return settings; }
  Error compile(ds_world *world, ds_step &step) override {
    const int64_t compiledFor = executable.manifest.numRanks;
    if (!world)
      return userError("'" + name + "' was compiled for " + Twine(compiledFor) +
                       " ranks, expected a world");
    World &ranks = *world->world;
    auto load = [&]() -> Error {
      if (compiledFor != ranks.numRanks())
        return userError("'" + name + "' was compiled for " + Twine(compiledFor) +
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

extern "C" {

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
