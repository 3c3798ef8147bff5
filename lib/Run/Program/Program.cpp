//===- Program.cpp - The step of a file, ready to be compiled for n ranks --*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The parsed module is never changed; each compilation works on a clone with its own configuration.
// Diagnostics of MLIR are collected, because a failure shall be one sentence: the first error.
//
//===----------------------------------------------------------------------===//
#include "ds/Run/Program/Program.h"

#include "GiveSizes.h"
#include "MemoryLimit.h"
#include "StepCache.h"
#include "StepFacts.h"
#include "StepKey.h"

#include "ds/Compiler/OneDevice.h"
#include "ds/Compiler/Registration.h"
#include "ds/Dialect/IR/Ds.h"
#include "ds/Support/FaultReport.h"
#include "ds/Support/File.h"
#include "ds/Support/FirstError.h"
#include "ds/Support/Nesting.h"
#include "ds/Support/StableHLO.h"
#include "ds/Support/UserError.h"
#include "ds/Target/All/Targets.h"

#include "mlir/Bytecode/BytecodeReader.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Pass/PassManager.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/SourceMgr.h"
#include "llvm/Support/raw_ostream.h"

namespace ds {

using llvm::Error;
using llvm::Expected;
using llvm::StringRef;
using llvm::Twine;
using mlir::LogicalResult;
using mlir::ModuleOp;
using mlir::OwningOpRef;

struct Program::Impl {
  std::string path, entry, targetCpu, target = kCpuTarget, devices;
  Embedding embedding;
  mlir::MLIRContext context;
  OwningOpRef<ModuleOp> module;
  Config config;
  std::map<std::string, std::string> origins;
  std::vector<std::string> warnings;
  std::string stepHash, collectives;
  std::string textHash; // of the file as it was read
  std::optional<StepCache> cache;

  explicit Impl(const mlir::DialectRegistry &registry)
      : context(registry, mlir::MLIRContext::Threading::DISABLED) {
    // A step without any attribute of ds needs the dialect, too: its configuration is set before a
    // pass loads the dialect.
    context.loadDialect<DsDialect>();
    context.printOpOnDiagnostic(false);
    // Unknown operations are parsed, to refuse them by name.
    context.allowUnregisteredDialects();
  }

  /// Lowers the operations of an embedding compiler to upstream's.
  LogicalResult lowerEmbedded(ModuleOp module) {
    if (!embedding.buildLowering)
      return mlir::success();
    return runPasses(module, Verify::behindEachPass, embedding.buildLowering);
  }

  Expected<Executable> build(ModuleOp module, FirstError &first, bool profile = false) {
    CompileOptions options;
    options.entry = entry;
    options.target = target;
    options.targetCpu = targetCpu;
    options.profile = profile;
    // Below the pipeline, warnings are about the lowering of ds, not about the user's step.
    size_t told = warnings.size();
    std::vector<StageTime> times;
    auto built = buildStep(module, options, times);
    warnings.resize(told);
    if (built || !first.isSet())
      return built;
    llvm::consumeError(built.takeError());
    return first.take("");
  }

  /// Opens the cache; it is off if passes of another compiler take part.
  const StepCache &openCache() {
    if (cache)
      return *cache;
    std::string warning;
    bool isEmbedded = embedding.buildLowering || embedding.registerDialects;
    cache = isEmbedded ? StepCache("", 0) : StepCache::open(warning);
    if (!warning.empty())
      warnings.push_back("ds-run: warning: " + warning);
    return *cache;
  }

  /// Loads the result of `compileNow`, or of an earlier run of this program with the same step.
  Expected<std::unique_ptr<CompiledStep>>
  compileOnce(StringRef purpose, const Config &settings,
              llvm::function_ref<Expected<Executable>()> compileNow) {
    auto executable = findOrBuild(purpose, settings, compileNow);
    if (!executable)
      return executable.takeError();
    if (!executable->stepHash.empty())
      stepHash = executable->stepHash;
    if (!executable->collectives.empty())
      collectives = executable->collectives;
    return loadStep(std::move(*executable), devices);
  }

  Expected<Executable> findOrBuild(StringRef purpose, const Config &settings,
                                   llvm::function_ref<Expected<Executable>()> compileNow) {
    const StepCache &cache = openCache();
    std::string key;
    if (!cache.isOff())
      key = stepKey(purpose, {path, textHash, entry, targetCpu, target}, settings);
    if (key.empty())
      return compileNow();
    auto find = [&]() -> std::optional<Executable> {
      std::optional<std::string> bytes = cache.find(key);
      std::optional<Executable> found = bytes ? readExecutable(*bytes, key) : std::nullopt;
      if (found)
        llvm::append_range(warnings, found->warnings);
      return found;
    };
    if (auto found = find())
      return std::move(*found);
    auto turn = cache.waitForTurn(key, StepCache::turnMs);
    if (auto found = find())
      return std::move(*found);
    size_t told = warnings.size();
    auto built = compileNow();
    if (!built)
      return built;
    built->warnings.assign(warnings.begin() + told, warnings.end());
    cache.keep(key, writeExecutable(*built, key));
    return built;
  }

  /// Sets the configuration; fails if keys of the file exclude the number of ranks.
  Error configure(ModuleOp module, const Config &settings) {
    if (Error error = settings.validate())
      return userError("'" + path + "': " + llvm::toString(std::move(error)));
    setConfig(module, settings);
    return Error::success();
  }

  /// Runs the whole pipeline with these settings over the configuration in force.
  Error distribute(ModuleOp module, Config settings, FirstError &first) {
    if (Error error = configure(module, settings))
      return error;
    if (failed(ds::distribute(module, entry, Verify::atEnd)) || failed(lowerEmbedded(module)))
      return first.take("'" + path + "' cannot be distributed");
    return Error::success();
  }

  /// Returns the configuration of the program of one of n ranks.
  Config ofRanks(int64_t numRanks) const {
    Config settings = config;
    llvm::cantFail(settings.set("device_num", numRanks));
    if (numRanks == 1 && !settings.isSet("parallel_mode"))
      llvm::cantFail(settings.set("parallel_mode", std::string("stand_alone")));
    return settings;
  }

  Expected<Executable> buildForRanks(int64_t numRanks, bool profile);

  /// Changes the step to the reference that n ranks are compared with, as input of the pipeline for
  /// one device.
  Error makeReference(ModuleOp module, int64_t numRanks, FirstError &first) {
    if (Error error = configure(module, ofRanks(numRanks)))
      return error;
    if (failed(cutForOneDevice(module, config, replicasOf(config, numRanks), entry, Verify::atEnd)))
      return first.take("'" + path + "' has no one-device reference");
    return Error::success();
  }
};

Program::Program(std::unique_ptr<Impl> impl) : impl(std::move(impl)) {}
Program::~Program() = default;
ModuleOp Program::written() const { return *impl->module; }
const std::string &Program::entry() const { return impl->entry; }
const std::string &Program::targetCpu() const { return impl->targetCpu; }
void Program::setTarget(std::string target) { impl->target = std::move(target); }
Error Program::setDevice(StringRef device, bool byCalls) {
  if (device == kCpuTarget)
    return Error::success();
  impl->devices = device.split(':').second.str();
  Expected<std::string> target = findDeviceTarget(device);
  if (target)
    impl->target = *target + (byCalls ? ":calls" : "");
  return target.takeError();
}
const std::string &Program::devices() const { return impl->devices; }
bool Program::isOnHost() const { return impl->target == kCpuTarget; }
const Config &Program::config() const { return impl->config; }
Config &Program::openConfig() { return impl->config; }
const std::string &Program::stepHash() const { return impl->stepHash; }
const std::string &Program::collectives() const { return impl->collectives; }
std::string Program::writtenHash() const { return moduleHash(*impl->module); }

Settings Program::settings(int64_t numRanks, StringRef source) const {
  Settings settings{impl->ofRanks(numRanks), impl->origins};
  settings.origins.try_emplace("device_num", source.str());
  if (settings.config.isSet("parallel_mode"))
    settings.origins.try_emplace("parallel_mode", "one rank");
  return settings;
}

std::vector<std::string> Program::takeWarnings() { return std::exchange(impl->warnings, {}); }

Expected<std::unique_ptr<Program>> Program::load(StringRef path, StringRef entry,
                                                 llvm::ArrayRef<std::string> given,
                                                 std::string targetCpu,
                                                 const Embedding &embedding) {
  const bool isInput = path == "-";
  auto text = openText(isInput ? "/dev/stdin" : path);
  if (!text)
    return text.takeError();
  if (isInput && (*text)->getBuffer().empty())
    return userError("standard input holds no step; a launcher may give it to one rank alone, so "
                     "let ranks on processes of their own read a file");
  if (isInput) { // locations use the buffer's name
    path = "<stdin>";
    *text = llvm::MemoryBuffer::getMemBufferCopy((*text)->getBuffer(), path);
  }
  return parse(std::move(*text), path, entry, given, std::move(targetCpu), embedding);
}

Expected<std::unique_ptr<Program>> Program::parse(std::unique_ptr<llvm::MemoryBuffer> text,
                                                  StringRef path, StringRef entry,
                                                  llvm::ArrayRef<std::string> given,
                                                  std::string targetCpu,
                                                  const Embedding &embedding) {
  StringRef buffer = text->getBuffer();
  if (!mlir::isBytecode(text->getMemBufferRef()) && !isShallow(buffer))
    return userError("cannot read '" + path + "': it has more than " + Twine(deepestNesting) +
                     " brackets inside each other");
  mlir::DialectRegistry registry;
  registerDialects(registry);
  if (embedding.registerDialects)
    embedding.registerDialects(registry);
  auto impl = std::make_unique<Impl>(registry);
  impl->textHash = wholeHash(buffer);
  impl->path = path.str();
  impl->entry = entry.str();
  impl->targetCpu = std::move(targetCpu);
  impl->embedding = embedding;
  FirstError first(&impl->context, impl->warnings);
  llvm::SourceMgr sources;
  sources.AddNewSourceBuffer(std::move(text), llvm::SMLoc());
  Doing reading("reading", path);
  impl->module = mlir::parseSourceFile<ModuleOp>(sources, &impl->context);
  if (!impl->module)
    return first.take("'" + path + "' is no MLIR module", adviceOnStableHLO(buffer, path));
  auto check = [](mlir::Operation *op) {
    if (op->isRegistered())
      return mlir::WalkResult::advance();
    op->emitError() << "operation '" << op->getName() << "' is not known";
    return mlir::WalkResult::interrupt();
  };
  if (impl->module->walk(check).wasInterrupted())
    return first.take("", adviceOnStableHLO(buffer, path));
  auto config = getConfig(*impl->module);
  if (failed(config))
    return first.take("the ds.config of '" + path + "' is not valid");
  auto settings = readSettings(*config, path, given);
  if (!settings)
    return settings.takeError();
  impl->config = std::move(settings->config);
  impl->origins = std::move(settings->origins);
  if (failed(giveSizes(*impl->module, entry, impl->config, impl->textHash)))
    return first.take("'" + path + "' has dynamic dimensions");
  return std::unique_ptr<Program>(new Program(std::move(impl)));
}

Expected<Executable> Program::Impl::buildForRanks(int64_t numRanks, bool profile) {
  for (MemoryLimit memory(config);;) {
    size_t told = warnings.size();
    FirstError first(&context, warnings);
    OwningOpRef<ModuleOp> copy(module->clone());
    memory.tell(*copy);
    if (Error error = distribute(*copy, ofRanks(numRanks), first))
      return error;
    std::string hash = moduleHash(*copy), collectives = collectivesOf(*copy);
    auto built = build(*copy, first, profile);
    if (!built)
      return built;
    built->stepHash = hash;
    built->collectives = collectives;
    if (!config.memoryLimit())
      return built;
    auto step = loadStep(*built);
    auto fits = step ? memory.fits(**step) : step.takeError();
    if (!fits)
      return fits.takeError();
    if (*fits)
      return built;
    warnings.resize(told); // the next plan has its own
  }
}

Expected<std::unique_ptr<CompiledStep>> Program::compile(int64_t numRanks, bool profile) {
  return impl->compileOnce(profile ? "timed ranks" : "ranks", impl->ofRanks(numRanks),
                           [&] { return impl->buildForRanks(numRanks, profile); });
}

Expected<Executable> Program::compileExecutable(int64_t numRanks) {
  return impl->findOrBuild("ranks", impl->ofRanks(numRanks),
                           [&] { return impl->buildForRanks(numRanks, /*profile=*/false); });
}

Error Program::transform(int64_t numRanks, const Config &settings, Order order, Work before,
                         Work after) {
  FirstError first(&impl->context, impl->warnings);
  OwningOpRef<ModuleOp> module(impl->module->clone());
  Config inForce = impl->ofRanks(numRanks);
  inForce.overrideWith(settings);
  if (Error error = impl->configure(*module, inForce))
    return error;
  auto work = [&](Work does) {
    Error error = does(*module);
    if (!error || !first.isSet())
      return error;
    llvm::consumeError(std::move(error));
    return first.take("");
  };
  if (Error error = work(before))
    return error;
  if (failed(order(*module, impl->entry, Verify::atEnd)))
    return first.take("'" + impl->path + "' cannot be distributed");
  return work(after);
}

Error Program::withDistributed(int64_t numRanks, Side side, Work work) {
  bool isReference = side == Side::oneDevice;
  if (isReference && impl->config.parallelMode() == ParallelMode::HybridParallel &&
      impl->config.mesh().size() > 1)
    return userError("--check compares with one device, but a step of hybrid_parallel is written "
                     "for one of the ranks of 'mesh'; compare with the same step for one device by "
                     "--replay");
  FirstError first(&impl->context, impl->warnings);
  OwningOpRef<ModuleOp> module(impl->module->clone());
  if (isReference)
    if (Error error = impl->makeReference(*module, numRanks, first))
      return error;
  Config config = isReference ? oneDeviceConfig(impl->config) : impl->ofRanks(numRanks);
  if (Error error = impl->distribute(*module, std::move(config), first))
    return error;
  return work(*module);
}

Expected<std::unique_ptr<CompiledStep>> Program::compileReference(int64_t numRanks) {
  return compileOneDevice("one device", numRanks, [](ModuleOp) {});
}

Expected<std::unique_ptr<CompiledStep>> Program::compilePerturbed(int64_t numRanks) {
  return compileOneDevice("perturbed", numRanks, [&](ModuleOp module) {
    perturbForOneDevice(module, impl->config, impl->entry);
  });
}

Expected<std::unique_ptr<CompiledStep>>
Program::compileOneDevice(StringRef purpose, int64_t numRanks,
                          llvm::function_ref<void(ModuleOp)> change) {
  return impl->compileOnce(purpose, impl->ofRanks(numRanks), [&]() -> Expected<Executable> {
    std::optional<Executable> built;
    Error error = withDistributed(numRanks, Side::oneDevice, [&](ModuleOp module) -> Error {
      FirstError first(&impl->context, impl->warnings);
      change(module);
      return impl->build(module, first).moveInto(built);
    });
    if (error)
      return error;
    return std::move(*built);
  });
}

Expected<std::unique_ptr<CompiledStep>> Program::compileFunction() {
  return impl->compileOnce("function", impl->config, [&]() -> Expected<Executable> {
    FirstError first(&impl->context, impl->warnings);
    OwningOpRef<ModuleOp> module(impl->module->clone());
    if (failed(prepareFunction(*module, impl->entry, Verify::atEnd)) ||
        failed(impl->lowerEmbedded(*module)))
      return first.take("'" + impl->path + "' cannot be simplified");
    return impl->build(*module, first);
  });
}

} // namespace ds
