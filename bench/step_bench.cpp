//===- step_bench.cpp - Times a compiled step on n ranks --------*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//   step_bench STEP.mlir RECORDING.npz [RANKS [KEY=VALUE,.. [LATENCY:RATE [PROFILE.json]]]]
//
// Compiles the step for RANKS threads (default 1), loads the arguments of the recording's first
// step, and prints {"compile_s": C, "loss": L, "peak_mib": P} after one step. Then, for every line
// N on standard input, it runs N steps and prints {"ms": M, "loss": L, "peak_mib": P}: M per step,
// from a barrier of the ranks to the next, P the largest resident memory of the process so far. The
// caller decides when to measure, so that several systems can take turns in the same minutes;
// `loss` shows that they train the same network. `cpu_ms` and `switches` are the process's time on
// all cores and its switches of threads, per step. Over a modelled link lines also hold exposed_ms,
// compute_ms and link_ms of a step: medians of the block, of the rank that is exposed longest. With
// PROFILE.json gradients are exchanged one by one, and it is written when they are ready.
//
//===----------------------------------------------------------------------===//

#include "ds/Data/Npy.h"
#include "ds/Run/Program/OpenKeys.h"
#include "ds/Run/Program/Program.h"
#include "ds/Run/Ranks/Batch.h"
#include "ds/Run/Ranks/Rank.h"
#include "ds/Run/Ranks/World.h"
#include "ds/Support/ToolMain.h"

#include "dsrt/dsrt.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/raw_ostream.h"

#include <chrono>
#include <iostream>
#include <string>
#include <sys/resource.h>

namespace {

double now() {
  using namespace std::chrono;
  return duration<double>(steady_clock::now().time_since_epoch()).count();
}

[[noreturn]] void fail(const llvm::Twine &message) {
  llvm::errs() << "error: " << message << "\n";
  std::exit(1);
}

template <typename T> T check(llvm::Expected<T> value) {
  if (!value)
    fail(llvm::toString(value.takeError()));
  return std::move(*value);
}

void check(llvm::Error error) {
  if (error)
    fail(llvm::toString(std::move(error)));
}

using Ranks = std::vector<std::unique_ptr<ds::Rank>>;

void loadArguments(const ds::Manifest &manifest, Ranks &ranks, const char *path) {
  std::unique_ptr<ds::NpzReader> recording = check(ds::NpzReader::open(path));
  for (auto [slot, spec] : llvm::enumerate(manifest.arguments)) {
    std::string name = "step1_arg" + std::to_string(slot);
    ds::Array array = check(recording->read(name));
    std::vector<int64_t> expected = ds::wholeShape(manifest, spec, ranks.size());
    if (array.type != ds::toDataType(spec.type) || array.shape != expected)
      fail(llvm::Twine("'") + name + "' of the recording is " + ds::shapeToString(array.shape) +
           " " + ds::toString(array.type) + ", expected " + ds::shapeToString(expected) + " " +
           ds::toString(spec.type) + " for '" + spec.name + "'");
    for (auto &rank : ranks)
      rank->setWhole(slot, array);
  }
}

/// The value of the metric 'loss'.
float loss(const ds::Manifest &manifest, ds::StepInstance &instance) {
  for (auto [slot, spec] : llvm::enumerate(manifest.results))
    if (spec.isMetric && spec.name == "loss")
      return *static_cast<const float *>(instance.readResult(slot).get());
  fail("the step reports no metric 'loss'");
}

rusage usageSoFar() {
  rusage usage = {};
  getrusage(RUSAGE_SELF, &usage);
  return usage;
}

long peakMebibytes() { return usageSoFar().ru_maxrss >> 10; }

double cpuMilliseconds(const rusage &usage) {
  auto milliseconds = [](const timeval &time) {
    return 1e3 * static_cast<double>(time.tv_sec) + 1e-3 * static_cast<double>(time.tv_usec);
  };
  return milliseconds(usage.ru_utime) + milliseconds(usage.ru_stime);
}

/// The median step since the last call, of the rank that is exposed longest.
ds::StepTime exposedLongest(Ranks &ranks) {
  ds::StepTime longest;
  for (auto &rank : ranks)
    if (ds::StepTime time = rank->takeTimes().median();
        time.exchange.exposed >= longest.exchange.exposed)
      longest = time;
  return longest;
}

/// Seconds that `count` steps of all ranks take.
double run(ds::World &world, Ranks &ranks, int64_t count) {
  double seconds = 0;
  check(world.run([&](int64_t rank, dsrt_context *context) -> llvm::Error {
    dsrt_barrier(context, DSRT_WORLD);
    double start = now();
    for (int64_t i = 0; i < count; ++i)
      if (llvm::Error error = ranks[rank]->run())
        return error;
    dsrt_barrier(context, DSRT_WORLD);
    if (rank == 0)
      seconds = now() - start;
    return ds::contextError(context);
  }));
  return seconds;
}

} // namespace

static int run(int argc, char **argv) {
  int64_t numRanks = 1;
  if (argc < 3 || argc > 7 ||
      (argc > 3 && (llvm::StringRef(argv[3]).getAsInteger(10, numRanks) || numRanks < 1)))
    fail("usage: step_bench STEP.mlir RECORDING.npz [RANKS [KEY=VALUE,.. [LATENCY:RATE "
         "[PROFILE.json]]]]");
  std::vector<std::string> settings = {"batch=global"};
  if (argc > 4 && *argv[4])
    settings.push_back(argv[4]);
  ds::WorldOptions worldOptions;
  const std::string link = argc > 5 ? argv[5] : "", profile = argc > 6 ? argv[6] : "";
  worldOptions.link = ds::Link::parse(link);
  if (!link.empty() && !worldOptions.link)
    fail("the link is '" + link + "', expected " + ds::linkSyntax);
  double start = now();
  std::unique_ptr<ds::Program> program = check(ds::Program::load(argv[1], "", settings));
  if (!profile.empty())
    ds::startEachGradient(program->openConfig());
  ds::fillLink(program->openConfig(), link, /*overlaps=*/!link.empty());
  ds::fillSharing(*program, numRanks);
  std::unique_ptr<ds::CompiledStep> step = check(program->compile(numRanks));
  double compileSeconds = now() - start;
  std::unique_ptr<ds::World> world = check(ds::World::create(numRanks, "local", worldOptions));
  std::shared_ptr<ds::SharedMemory> shared = step->makeShared();
  Ranks ranks(numRanks);
  check(world->run([&](int64_t rank, dsrt_context *context) -> llvm::Error {
    ranks[rank] = std::make_unique<ds::Rank>(*step, rank, numRanks, context, shared);
    if (!profile.empty())
      ranks[rank]->keepEvents();
    return llvm::Error::success();
  }));
  loadArguments(step->manifest(), ranks, argv[2]);

  rusage before = usageSoFar();
  auto print = [&](const char *name, double value, int64_t steps) {
    const rusage after = usageSoFar();
    const auto count = static_cast<double>(steps);
    const long switches = after.ru_nvcsw + after.ru_nivcsw - before.ru_nvcsw - before.ru_nivcsw;
    llvm::outs() << "{\"" << name << "\": " << value
                 << ", \"loss\": " << loss(step->manifest(), ranks[0]->instance())
                 << ", \"peak_mib\": " << peakMebibytes()
                 << ", \"cpu_ms\": " << (cpuMilliseconds(after) - cpuMilliseconds(before)) / count
                 << ", \"switches\": " << static_cast<double>(switches) / count
                 << ", \"rank_bytes\": " << step->memoryBytes() + step->sharedBytes() / numRanks
                 << ", \"held_bytes\": " << ds::carriedBytes(step->manifest(), numRanks).held;
    if (const std::optional<ds::PlanFigures> &plan = step->manifest().plan)
      llvm::outs() << ", \"mesh\": \"" << step->manifest().mesh()
                   << "\", \"optimizer_level\": " << plan->optimizerLevel
                   << ", \"time_ns\": " << plan->timeNs
                   << ", \"bound_ns\": " << plan->boundNs.value_or(0);
    if (const std::optional<ds::BucketFigures> &plan = step->manifest().bucketPlan)
      llvm::outs() << ", \"buckets\": " << plan->buckets
                   << ", \"planned_exposed_ms\": " << double(plan->exposedPs) * 1e-9
                   << ", \"bound_exposed_ms\": " << double(plan->boundPs) * 1e-9
                   << ", \"planned_compute_ms\": " << double(plan->computePs) * 1e-9;
    if (!link.empty()) {
      ds::StepTime time = exposedLongest(ranks);
      llvm::outs() << ", \"exposed_ms\": " << double(time.exchange.exposed) * 1e-6
                   << ", \"step_ms\": " << double(time.ns) * 1e-6
                   << ", \"link_ms\": " << double(time.exchange.link) * 1e-6;
    }
    llvm::outs() << "}\n";
    llvm::outs().flush();
  };
  run(*world, ranks, 1);
  print("compile_s", compileSeconds, 1);
  for (int64_t count; std::cin >> count && count > 0;) {
    before = usageSoFar();
    print("ms", run(*world, ranks, count) * 1e3 / static_cast<double>(count), count);
    if (profile.empty())
      continue;
    std::vector<ds::StepClock> clocks;
    for (auto &rank : ranks)
      clocks.push_back(rank->stepEvents()->median());
    check(ds::writeProfile(profile, *world, step->manifest(), clocks));
  }
  return 0;
}

int main(int argc, char **argv) {
  return ds::toolMain("step_bench", [&] { return run(argc, argv); });
}
