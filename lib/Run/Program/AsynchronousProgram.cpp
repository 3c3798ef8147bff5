//===- AsynchronousProgram.cpp - A step for ranks that run free -----------===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "ds/Run/Program/AsynchronousProgram.h"

#include "ds/Analysis/StepRoles.h"
#include "ds/Compiler/BuildManifest.h"
#include "ds/Compiler/OneDevice.h"
#include "ds/Dialect/IR/Ds.h"
#include "ds/Support/UserError.h"
#include "ds/Target/All/Targets.h"
#include "ds/Transforms/CutStep.h"

#include "llvm/ADT/Twine.h"

namespace ds {

using llvm::Error;
using llvm::Expected;
using llvm::Twine;
using mlir::ModuleOp;

/// Returns whether the configuration asks for the mode; an error if another option excludes or
/// needs it.
static Expected<bool> isAsynchronous(const Config &config, const RunOptions &options) {
  UpdateMode mode = config.updateMode();
  std::string written = "'update = " + toText(mode) + "'";
  bool asked = !options.recordOrder.empty() || !options.replayOrder.empty();
  if (mode.kind != UpdateMode::Kind::Asynchronous) {
    if (asked)
      return userError("--record-order and --replay-order are of update=asynchronous=S, but " +
                       written + " is in force");
    return false;
  }
  std::pair<bool, const char *> others[] = {
      {options.checkSteps.has_value(),
       "--check: one device has no order of its own; --replay-order "
       "gives the same bits again"},
      {options.exact.isAsked, "--check=exact: it follows one program of all ranks"},
      {options.checkReplicas.has_value(), "--check-replicas: ranks hold one copy"},
      {!options.link.empty(), "--link: ranks exchange nothing over a link"},
      {options.isTraced(), "--trace, --report or --profile: calls are those of several steps"},
      {!options.replay.empty(), "--replay: a recording is of one step"},
      {!options.dumpResults.empty(), "--dump-results: ranks have results of other steps"},
      {options.device != "cpu", "--device: shards are memory of the host"}};
  for (auto [isGiven, why] : others)
    if (isGiven)
      return userError(written + " cannot be given with " + why);
  return true;
}

/// Compiles a part of the step for one device.
static Expected<std::unique_ptr<CompiledStep>>
compilePart(const Program &program, const Embedding &embedding, ModuleOp part) {
  setConfig(part, oneDeviceConfig(program.config()));
  if (failed(prepareFunction(part, program.entry(), Verify::atEnd)) ||
      (embedding.buildLowering &&
       failed(runPasses(part, Verify::behindEachPass, embedding.buildLowering))))
    return llvm::createStringError(""); // the diagnostic has been reported
  CompileOptions options;
  options.entry = program.entry();
  options.targetCpu = program.targetCpu();
  return compileStep(part, options);
}

static Expected<std::unique_ptr<AsynchronousStep>>
compileAsynchronous(Program &program, const Embedding &embedding, const World &world) {
  const int64_t numRanks = world.numRanks();
  const bool areThreads = world.numLocalRanks() == numRanks;
  if (world.isHybrid())
    return userError("update=asynchronous takes ranks that are all threads of one process, or a "
                     "process for each, got " +
                     Twine(world.numLocalRanks()) + " of " + Twine(numRanks) +
                     " ranks in this process");
  std::unique_ptr<AsynchronousStep> step;
  auto cutAndCompile = [&](ModuleOp marked) -> Error {
    auto manifest = buildManifest(getStep(marked, program.entry()));
    if (failed(manifest))
      return llvm::createStringError("");
    auto cut = cutAtGradients(marked, program.entry(), numRanks);
    if (failed(cut))
      return llvm::createStringError("");
    auto gradients = compilePart(program, embedding, *cut->gradients);
    if (!gradients)
      return gradients.takeError();
    std::vector<std::unique_ptr<CompiledStep>> updates;
    for (auto &update : cut->updates) {
      auto compiled = compilePart(program, embedding, *update);
      if (!compiled)
        return compiled.takeError();
      updates.push_back(std::move(*compiled));
    }
    step = std::make_unique<AsynchronousStep>(
        std::move(*manifest), program.config().updateMode().steps,
        areThreads ? std::nullopt : std::optional(world.firstRank()), std::move(*gradients),
        std::move(updates));
    return Error::success();
  };
  Error error = program.transform(
      numRanks, Config(), findGradients, [](ModuleOp) { return Error::success(); }, cutAndCompile);
  if (error)
    return error;
  return step;
}

Expected<std::unique_ptr<CompiledStep>>
compileForRanks(Program &program, const Embedding &embedding, const World &world,
                const RunOptions &options, int64_t numRanks, AsynchronousStep *&asynchronous) {
  auto runsFree = isAsynchronous(program.config(), options);
  if (!runsFree)
    return runsFree.takeError();
  if (!*runsFree)
    return program.compile(numRanks, options.isTraced());
  auto compiled = compileAsynchronous(program, embedding, world);
  if (!compiled)
    return compiled.takeError();
  asynchronous = compiled->get();
  return std::move(*compiled);
}

/// Reads the order to replay, on rank 0.
static Expected<Order> readReplayed(const std::string &file, int64_t numRanks, int64_t numShards,
                                    int64_t begin, int64_t steps,
                                    llvm::function_ref<bool(int64_t)> meets) {
  auto order = Order::read(file, numRanks, numShards);
  if (!order)
    return order.takeError();
  if (order->steps() < steps)
    return userError("'" + file + "' is the order of " + Twine(order->steps()) +
                     " steps, but the training has " + Twine(steps));
  for (int64_t done = begin; done <= steps; ++done)
    if ((done == begin || meets(done)) && !order->meetsAt(done))
      return userError(
          "ranks meet after step " + Twine(done) + ", but in '" + file +
          "' they do not; expected --save-every, --eval-every, --epochs and --steps as "
          "they were when it was recorded");
  return order;
}

/// Reads the order that a resumed training has recorded so far.
static Expected<Order> readRecorded(const std::string &file, int64_t numRanks, int64_t numShards,
                                    int64_t begin) {
  if (begin == 0)
    return Order(numRanks, numShards);
  auto order = Order::read(file, numRanks, numShards);
  if (!order)
    return order.takeError();
  if (!order->meetsAt(begin))
    return userError("'" + file + "' has no meeting after step " + Twine(begin) +
                     ", from which the training goes on");
  order->shorten(begin);
  return order;
}

Error prepareOrder(AsynchronousStep &step, const RunOptions &options, World &world, int64_t begin,
                   int64_t steps, llvm::function_ref<bool(int64_t)> meets) {
  AsynchronousStep::Run run;
  run.begin = begin;
  run.timeoutMs = world.timeoutMs();
  const int64_t numRanks = step.manifest().numRanks, numShards = step.numShards();
  const bool replays = !options.replayOrder.empty();
  Order order(numRanks, numShards);
  Error error = Error::success();
  if (world.hasRoot() && replays)
    error =
        readReplayed(options.replayOrder, numRanks, numShards, begin, steps, meets).moveInto(order);
  else if (world.hasRoot() && !options.recordOrder.empty())
    error = readRecorded(options.recordOrder, numRanks, numShards, begin).moveInto(order);
  if (Error failure = world.agree(std::move(error)))
    return failure;
  if (replays) {
    std::vector<Order::Turn> turns = order.all();
    int64_t count = turns.size();
    if (Error failure = world.broadcast({&count}, {sizeof count}))
      return failure;
    turns.resize(count);
    if (Error failure = world.broadcast({turns.data()},
                                        {static_cast<int64_t>(turns.size() * sizeof(Order::Turn))}))
      return failure;
    order.set(std::move(turns));
    run.replayed = std::move(order);
  } else if (!options.recordOrder.empty()) {
    run.recordFile = options.recordOrder;
    run.recorded = std::move(order);
  }
  step.setRun(std::move(run));
  return Error::success();
}

} // namespace ds
