//===- Program.cpp - A step, parsed and compiled ----------------*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Parsed.h"

#include "ds/Analysis/StepRoles.h"
#include "ds/Compiler/BuildManifest.h"
#include "ds/Run/Options/Device.h"
#include "ds/Run/Program/OpenKeys.h"
#include "ds/Run/Ranks/Batch.h"
#include "ds/Support/FirstError.h"
#include "ds/Support/UserError.h"
#include "ds/Target/All/Targets.h"

#include "mlir/Bytecode/BytecodeWriter.h"
#include "llvm/ADT/ScopeExit.h"
#include "llvm/Support/xxhash.h"

using namespace ds;
using namespace ds::capi;
using llvm::Error;

namespace {

struct ParsedProgram final : ds_program {
  using ds_program::ds_program;
  const Config &config() const override { return program->config(); }
  Program *source() override { return program.get(); }
  std::string writtenHash() const override { return program->writtenHash(); }
  void joins() const override { listDevices(program->devices()); }
  bool computesOnDevices() const override { return !program->isOnHost(); }
  Error compile(ds_world *world, ds_step &step) override;
  void tellWarnings() override {
    for (const std::string &warning : program->takeWarnings())
      context->tell(DS_WARNING, warning);
  }

  std::unique_ptr<Program> program;
  bool perProcess = false;
};

} // namespace

Error ParsedProgram::compile(ds_world *world, ds_step &step) {
  step.combinesMetrics = config().syncMetrics();
  if (!world) {
    if (Error error = program->compileFunction().moveInto(step.step))
      return error;
    const Manifest &manifest = step.step->manifest();
    for (const ResultSpec &result : manifest.results)
      if (result.updates)
        return misuse("the step updates '" + manifest.arguments[*result.updates].name +
                      "', expected a world, which may have one rank");
    return Error::success();
  }
  World &ranks = *world->world;
  // Keys that this world fills in, because the user left them open, are not kept for the next
  // world.
  auto restore = llvm::make_scope_exit([&, kept = config()] { program->openConfig() = kept; });
  fillSharing(*program, /*sharingRanks=*/1); // a caller may write each rank's memory
  if (Error error = fillOpenKeys(*program, ranks, RunOptions()))
    return error;
  auto compile = [&]() -> Error {
    if (Error error = program->compile(ranks.numRanks()).moveInto(step.step))
      return error;
    return checkUpdates(step.step->manifest());
  };
  if (perProcess) {
    if (Error error = compile())
      return error;
    step.exchanges = llvm::xxh3_64bits(program->collectives()) | 1; // never 0
    return Error::success();
  }
  if (Error error = ranks.agree(compile()))
    return error;
  step.hash = program->stepHash();
  return Error::success();
}

/// Completes the options: fields that a caller of an earlier version lacks keep the values of
/// ds_program_options_init.
static llvm::Expected<ds_program_options> completed(const ds_program_options *given) {
  ds_program_options options;
  ds_program_options_init(&options);
  if (!given)
    return options;
  if (Error error = checkSize(given->struct_size, offsetof(ds_program_options, entry),
                              alignof(ds_program_options), "ds_program_options_init to set it"))
    return error;
  memcpy(&options, given, std::min<size_t>(given->struct_size, sizeof options));
  return options;
}

static Error setDevice(Program &program, const ds_program_options &options) {
  const llvm::StringRef device = options.device ? options.device : "cpu";
  if (Error error = checkDevice("device", device))
    return error;
  if (options.no_graph && device == "cpu")
    return userError("no_graph sets how a GPU's steps are queued, expected device 'cuda'");
  return program.setDevice(device, options.no_graph);
}

static const char *orEmpty(const char *text) { return text ? text : ""; }

static llvm::Expected<std::unique_ptr<llvm::MemoryBuffer>> copyOf(llvm::StringRef text,
                                                                  llvm::StringRef name) {
  constexpr size_t most = size_t(2) << 30;
  if (text.size() > most)
    return userError("'" + name + "' has " + llvm::Twine(text.size()) +
                     " bytes, expected at most 2 GiB");
  return llvm::MemoryBuffer::getMemBufferCopy(text, name);
}

extern "C" {

void ds_program_options_init_sized(ds_program_options *options, uint32_t struct_size) {
  ds_program_options defaults = {};
  defaults.struct_size = struct_size;
  memcpy(options, &defaults, std::min<size_t>(struct_size, sizeof defaults));
}

ds_status ds_program_parse(ds_context *context, const char *data, size_t length,
                           const ds_program_options *given, ds_program **out_program) {
  if (out_program)
    *out_program = nullptr;
  if (!context || !data || !out_program)
    return refuse(context, "ds_program_parse takes a context, a text and an out parameter");
  return guarded(context, [&]() -> Error {
    auto known = completed(given);
    if (!known)
      return known.takeError();
    const ds_program_options &options = *known;
    auto made = std::make_unique<ParsedProgram>(context, options.name ? options.name : "step.mlir");
    std::vector<std::string> config;
    if (options.config && *options.config)
      config.push_back(options.config);
    auto text = copyOf({data, length}, made->name);
    if (!text)
      return text.takeError();
    auto program = Program::parse(std::move(*text), made->name, orEmpty(options.entry), config,
                                  options.target_cpu ? options.target_cpu : defaultTargetCpu());
    if (!program)
      return program.takeError();
    made->program = std::move(*program);
    made->perProcess = options.per_process;
    if (Error error = setDevice(*made->program, options))
      return error;
    made->tellWarnings();
    *out_program = made.release();
    return Error::success();
  });
}

ds_status ds_program_roles(ds_program *program, ds_string_callback out, void *user_data) {
  if (!program)
    return DS_INVALID_ARGUMENT;
  return guarded(program->context, [&]() -> Error {
    auto source = sourceOf(*program);
    if (!source)
      return source.takeError();
    mlir::ModuleOp module = source->written();
    FirstError first(module.getContext(), FirstError::Others::dropped);
    mlir::func::FuncOp step = getStep(module, source->entry());
    auto manifest = step ? buildManifest(step) : llvm::FailureOr<Manifest>();
    if (failed(manifest))
      return first.take("'" + program->name + "' has no step");
    giveJson(out, user_data, toJson(*manifest));
    return Error::success();
  });
}

ds_status ds_program_config(ds_program *program, int64_t num_ranks, ds_string_callback out,
                            void *user_data) {
  if (!program || num_ranks < 1)
    return refuse(program ? program->context : nullptr, "there is one rank at least");
  return guarded(program->context, [&]() -> Error {
    auto source = sourceOf(*program);
    if (!source)
      return source.takeError();
    auto ranks = resolveRanks(source->config(), num_ranks, std::nullopt);
    if (!ranks)
      return ranks.takeError();
    giveJson(out, user_data, settingsObject(source->settings(*ranks, "ranks")));
    return Error::success();
  });
}

ds_status ds_program_emit(ds_program *program, ds_stage stage, int64_t num_ranks, ds_format format,
                          ds_string_callback out, void *user_data) {
  if (!program || !out)
    return DS_INVALID_ARGUMENT;
  if (num_ranks < 1 || (stage != DS_STAGE_WRITTEN && stage != DS_STAGE_DISTRIBUTED) ||
      (format != DS_FORMAT_TEXT && format != DS_FORMAT_BYTECODE))
    return refuse(program->context,
                  "ds_program_emit takes one rank at least, a ds_stage and a ds_format");
  ds_status status = guarded(program->context, [&]() -> Error {
    auto source = sourceOf(*program);
    if (!source)
      return source.takeError();
    auto print = [&](mlir::ModuleOp module) -> Error {
      std::string text;
      llvm::raw_string_ostream stream(text);
      if (format == DS_FORMAT_TEXT)
        module.print(stream);
      else if (failed(mlir::writeBytecodeToFile(module, stream)))
        return userError("the module cannot be written as bytecode");
      give(out, user_data, text);
      return Error::success();
    };
    if (stage == DS_STAGE_WRITTEN)
      return print(source->written());
    return source->withDistributed(num_ranks, Program::Side::ranks, print);
  });
  program->tellWarnings();
  return status;
}

} // extern "C"
