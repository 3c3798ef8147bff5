//===- Differential.cpp - One step on n ranks against one device -*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What is compiled, and in which order it is compared.
//
//===----------------------------------------------------------------------===//
#include "ds/Fuzz/Differential.h"

#include "Comparison.h"
#include "Compile.h"
#include "RandomShardings.h"
#include "ds/Dialect/IR/Ds.h"
#include "ds/Fuzz/CompleteMarks.h"

using namespace mlir;

namespace ds::fuzz {
namespace {

Outcome notCompiled(const Compiled &compiled, const char *what) {
  return {compiled.refused ? Verdict::refused : Verdict::broken,
          std::string(what) + ": " + compiled.message, 0};
}

/// Another way to fuse the same collectives.
Config otherFusion(Config config) {
  bool apart = config.fusionPolicy().mode == FusionPolicy::Mode::None;
  llvm::cantFail(config.reset("all_reduce_fusion_config"));
  llvm::cantFail(config.reset("mindspore_inclusive"));
  llvm::cantFail(config.set("comm_fusion", std::string(apart ? "all" : "none") +
                                               ";allgather=all;reducescatter=all"));
  return config;
}

/// The same step, with shards of all parameters and states that can be divided.
Config withParallelOptimizer(Config config, const char *level) {
  llvm::cantFail(config.set("enable_parallel_optimizer", true));
  llvm::cantFail(config.set("parallel_optimizer_threshold", int64_t(0)));
  llvm::cantFail(config.set("optimizer_level", std::string(level)));
  return config;
}

/// Another axis or two beside the ranks of the batch.
std::vector<MeshAxis> randomMesh(int64_t numRanks, Random &random) {
  std::vector<MeshAxis> mesh = {{"dp", numRanks}, {"tp", random.pick({2, 2, 3, 4})}};
  if (random.chance(25))
    mesh = {{"dp", numRanks}, {"tp", 2}, {"ep", 2}};
  return mesh;
}

/// What each thing costs decides which plan is the best one: a search at random costs.
void searchAtRandom(Config &config, Random &random) {
  bool isLocal = config.batch() == BatchSemantics::Local;
  llvm::cantFail(config.set("batch", std::string(isLocal ? "local" : "global")));
  llvm::cantFail(config.set("parallel_mode", std::string("auto_parallel")));
  for (const char *key : {"cost_flop", "cost_memory", "cost_wire", "cost_message"})
    llvm::cantFail(config.set(key, int64_t(random.pick({0, 1, 20, 1000, 30000}))));
  if (random.chance(50)) // small parameters may be divided over the ranks of the batch
    llvm::cantFail(config.set("parallel_optimizer_threshold", int64_t(0)));
}

int64_t ranksOf(const std::vector<MeshAxis> &mesh) {
  int64_t ranks = 1;
  for (const MeshAxis &axis : mesh)
    ranks *= axis.size;
  return ranks;
}

void setMesh(Config &config, const std::vector<MeshAxis> &mesh) {
  llvm::cantFail(config.set("mesh", toText(mesh)));
  llvm::cantFail(config.set("device_num", ranksOf(mesh)));
}

} // namespace

std::vector<MeshAxis> parseMesh(StringRef text) {
  static constexpr StringLiteral names[] = {"dp", "tp", "ep", "sp"};
  SmallVector<StringRef> sizes;
  text.split(sizes, 'x');
  std::vector<MeshAxis> mesh;
  for (StringRef word : sizes) {
    int64_t size = 0;
    if (mesh.size() == std::size(names) || word.getAsInteger(10, size) || size < 1)
      return {};
    mesh.push_back({names[mesh.size()].str(), size});
  }
  return mesh;
}

OwningOpRef<ModuleOp> shardDensely(ModuleOp program, const std::vector<MeshAxis> &mesh, bool opens,
                                   uint64_t seed) {
  Random random(seed);
  Config config = *getConfig(program);
  setMesh(config, mesh);
  OwningOpRef<ModuleOp> sharded(program.clone());
  setConfig(*sharded, config);
  shardAtRandom(*sharded, mesh, random, opens ? Marking::open : Marking::dense);
  return sharded;
}

OwningOpRef<ModuleOp> shardAtRandom(ModuleOp program, int64_t numRanks, uint64_t seed) {
  Random random(seed);
  std::vector<MeshAxis> mesh = randomMesh(numRanks, random);
  Config config = *getConfig(program);
  // Every third one divides its update over the ranks of the batch, too.
  if (seed % 12 == 2)
    config = withParallelOptimizer(config, seed % 24 == 2 ? "level1" : "level3");
  setMesh(config, mesh);
  bool searches = random.chance(40);
  if (searches)
    searchAtRandom(config, random);
  OwningOpRef<ModuleOp> sharded(program.clone());
  setConfig(*sharded, config);
  shardAtRandom(*sharded, mesh, random, searches ? Marking::rare : Marking::some);
  return sharded;
}

bool isSameStep(ModuleOp author, ModuleOp program, uint64_t seed) {
  FailureOr<Config> config = getConfig(program);
  if (failed(config))
    return false;
  // What is a rank's own does not matter to one device.
  llvm::cantFail(config->set("batch", std::string("global")));
  Compiled expected = compileReference(author, *config, 1);
  Compiled got = compileReference(program, *config, 1);
  if (!expected.step || !got.step)
    return false;
  Comparison comparison(seed, allowanceOf(author));
  comparison.setReference(*expected.step);
  return comparison.run(*got.step, 1).verdict == Verdict::equal;
}

/// `marked` has all marks that its meaning needs.
static Outcome compareMarked(ModuleOp marked, ModuleOp program, ArrayRef<int64_t> ranks,
                             uint64_t seed) {
  FailureOr<Config> config = getConfig(program);
  if (failed(config))
    return {Verdict::broken, "the configuration is not valid", 0};
  bool local = config->batch() == BatchSemantics::Local;
  std::optional<Comparison> comparison;
  auto run = [&](const CompiledStep &step, int64_t numRanks) {
    Outcome first = comparison->run(step, numRanks);
    if (first.verdict != Verdict::different || comparison->knowsRounding())
      return first;
    int64_t replicas = numRanks / step.manifest().otherRanks;
    Compiled perturbed = compileReference(marked, *config, replicas, /*perturbed=*/true);
    if (!perturbed.step)
      return Outcome{Verdict::broken, "the perturbed reference: " + perturbed.message, 0};
    comparison->measureRounding(*perturbed.step);
    return comparison->run(step, numRanks);
  };
  Outcome outcome;
  Bits bits;
  bool bucketsActivations = false;
  // What a mesh moves is put to the test, not how its kernels run.
  Effort effort = config->isSet("mesh") ? Effort::Quick : Effort::Full;
  int64_t otherRanks = 1;
  std::vector<MeshAxis> mesh = config->mesh();
  for (const MeshAxis &axis : llvm::drop_begin(mesh, config->isSet("mesh")))
    otherRanks *= axis.size;
  for (int64_t numRanks : ranks) {
    if (local || !comparison) {
      Compiled reference = compileReference(marked, *config, numRanks / otherRanks);
      if (!reference.step)
        return {Verdict::broken, "the reference: " + reference.message, 0};
      comparison.emplace(seed, allowanceOf(marked));
      comparison->setReference(*reference.step);
    }
    Compiled compiled = compileProgram(program, *config, numRanks, effort);
    if (!compiled.step)
      return notCompiled(compiled, "the program");
    Outcome one = run(*compiled.step, numRanks);
    outcome.worst = std::max(outcome.worst, one.worst);
    if (one.verdict != Verdict::equal)
      return one;
    bits = comparison->bits();
    bucketsActivations = compiled.bucketsActivations;
    if (!local)
      continue;
    Compiled keeping = compileProgram(marked, *config, numRanks, Effort::Quick);
    if (!keeping.step)
      return notCompiled(keeping, "the program with its marks");
    Outcome kept = run(*keeping.step, numRanks);
    if (kept.verdict != Verdict::equal) {
      kept.message = "with its marks, " + kept.message;
      return kept;
    }
  }
  if (seed % 4 == 1) {
    Config divides = withParallelOptimizer(*config, seed % 8 == 1 ? "level1" : "level3");
    Compiled divided = compileProgram(program, divides, ranks.back(), Effort::Quick);
    if (!divided.step)
      return notCompiled(divided, "the program with a parallel optimizer");
    Outcome one = run(*divided.step, ranks.back());
    if (one.verdict != Verdict::equal)
      one.message = "with a parallel optimizer, " + one.message;
    return one.verdict == Verdict::equal ? outcome : one;
  }
  if (seed % 4 == 2 && otherRanks == 1) {
    OwningOpRef<ModuleOp> onMesh = shardAtRandom(program, ranks.back(), seed);
    Config divides = *getConfig(*onMesh);
    Compiled sharded = compileProgram(*onMesh, divides, *divides.deviceNum(), Effort::Quick);
    if (!sharded.step)
      return notCompiled(sharded, "the program on a mesh");
    Outcome one = run(*sharded.step, sharded.step->manifest().numRanks);
    if (one.verdict != Verdict::equal)
      one.message = "on the mesh " + sharded.step->manifest().mesh + ", " + one.message;
    return one.verdict == Verdict::equal ? outcome : one;
  }
  if (seed % 4 != 0)
    return outcome;
  Compiled fused = compileProgram(program, otherFusion(*config), ranks.back(), effort);
  if (!fused.step)
    return notCompiled(fused, "the program with other buckets");
  Outcome again = run(*fused.step, ranks.back());
  if (again.verdict != Verdict::equal)
    return again;
  // Along other axes, and between layers, collectives stand between kernels: with other buckets
  // other ones are fused, a product may be accumulated by the library that was added in a kernel,
  // and a statistic of the batch may be added with or without the product in front of it.
  if (otherRanks > 1 || bucketsActivations || fused.bucketsActivations)
    return outcome;
  for (const auto &[name, bytes] : bits)
    if (comparison->bits().at(name) != bytes)
      return {Verdict::different, "'" + name + "' has other bits with other buckets", 0};
  return outcome;
}

Outcome compareWithOneDevice(ModuleOp author, ModuleOp program, llvm::ArrayRef<int64_t> ranks,
                             uint64_t seed) {
  OwningOpRef<ModuleOp> complete(author.clone());
  completeMarks(*complete);
  return compareMarked(*complete, program, ranks, seed);
}

Outcome compareAsMarked(ModuleOp marked, ArrayRef<int64_t> ranks, uint64_t seed) {
  return compareMarked(marked, marked, ranks, seed);
}

Outcome compareOnMesh(ModuleOp author, ModuleOp program, const std::vector<MeshAxis> &mesh,
                      bool opens, uint64_t seed) {
  OwningOpRef<ModuleOp> complete(author.clone());
  completeMarks(*complete);
  return compareMarked(*shardDensely(*complete, mesh, opens, seed),
                       *shardDensely(program, mesh, opens, seed), ranksOf(mesh), seed);
}

} // namespace ds::fuzz
