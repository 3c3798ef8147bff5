//===- Differential.cpp - One step on n ranks against one device -*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What is compiled, and in which order it is compared.
//
//===----------------------------------------------------------------------===//
#include "Differential.h"

#include "Comparison.h"
#include "Compile.h"
#include "CompleteMarks.h"
#include "RandomShardings.h"
#include "ds/Dialect/IR/Ds.h"

using namespace mlir;

namespace ds::fuzz {
namespace {

ExactOptions exactOptions(uint64_t seed, int64_t replicas) {
  ExactOptions exact;
  exact.replicas = replicas;
  exact.seed = seed;
  return exact;
}

/// One device over a field, and programs of ranks beside it.
class ExactJudge {
public:
  ExactJudge(ModuleOp marked, const Config &config, int64_t replicas, uint64_t seed)
      : exact(exactOptions(seed, replicas)), verify(verifyOf(seed)),
        step(makeReference(marked, config, replicas, verify)),
        reference(compileOverField(step, exact)) {}

  /// `what` the program is, for messages.
  Outcome judge(ModuleOp program, const Config &config, int64_t numRanks, const char *what) {
    return judge(distribute(program, config, numRanks, verify), what);
  }

  Outcome judge(Distributed distributed, const char *what) {
    if (!reference.compiled)
      return notCompiled(step, "the reference");
    FieldStep compiled = compileOverField(distributed, exact);
    if (!compiled.compiled)
      return notCompiled(distributed, what);
    llvm::Expected<ExactResult> result =
        compareOverField(compiled, compiled.compiled->manifest().numRanks, reference, exact);
    if (!result)
      return {Verdict::different, what + (": " + llvm::toString(result.takeError())), 0};
    if (result->equal)
      return {};
    return {Verdict::different, what + (": " + result->difference), 0};
  }

private:
  ExactOptions exact;
  Verify verify;
  Distributed step;
  FieldStep reference;
};

/// Another way to fuse the same collectives.
Config otherFusion(Config config) {
  bool apart = config.fusionPolicy().mode == FusionPolicy::Mode::None;
  llvm::cantFail(config.reset("all_reduce_fusion_config"));
  llvm::cantFail(config.reset("mindspore_inclusive"));
  llvm::cantFail(config.set("comm_fusion", std::string(apart ? "all" : "none") +
                                               ";allgather=all;reducescatter=all"));
  return config;
}

/// The same step, with shards of all parameters and states that can be sharded.
Config withParallelOptimizer(Config config, const char *level) {
  llvm::cantFail(config.set("enable_parallel_optimizer", true));
  llvm::cantFail(config.set("parallel_optimizer_threshold", int64_t(0)));
  llvm::cantFail(config.set("optimizer_level", std::string(level)));
  return config;
}

/// The same step in another update mode; none where its configuration allows none.
std::optional<Config> inAnotherMode(Config config, Random random) {
  std::string count = std::to_string(random.between(1, 3));
  std::string mode =
      random.pick(
          {"accumulate=", "average_parameters=", "average_parameters=", "delayed=", "delayed="}) +
      count;
  if (StringRef(mode).starts_with("average")) {
    mode += random.pick({"", ",states=mean", ",states=reset"});
    mode += random.pick(
        {"", ",warmup=1", ",outer=nesterov(0.5,0.75)", ",outer=momentum(2,0.5)", ",elastic=0.125"});
  }
  llvm::cantFail(config.set("update", mode));
  llvm::cantFail(config.reset("shared_replicas")); // each rank keeps values of its own
  if (llvm::Error error = config.validate()) {
    llvm::consumeError(std::move(error));
    return std::nullopt;
  }
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
  if (random.chance(50)) // small parameters may be sharded over the ranks of the batch
    llvm::cantFail(config.set("parallel_optimizer_threshold", int64_t(0)));
}

int64_t ranksOf(const std::vector<MeshAxis> &mesh) {
  int64_t ranks = 1;
  for (const MeshAxis &axis : mesh)
    ranks *= axis.size;
  return ranks;
}

void setMesh(Config &config, const std::vector<MeshAxis> &mesh) {
  llvm::cantFail(config.reset("shared_replicas"));
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
  ExactOptions exact = exactOptions(seed, 1);
  Distributed first = makeReference(author, *config, 1, Verify::atEnd),
              second = makeReference(program, *config, 1, Verify::atEnd);
  FieldStep expected = compileOverField(first, exact), got = compileOverField(second, exact);
  if (!expected.compiled || !got.compiled)
    return false;
  llvm::Expected<ExactResult> result = compareOverField(got, 1, expected, exact);
  bool isSame = result && result->equal;
  llvm::consumeError(result.takeError());
  return isSame;
}

/// `marked` has all marks that its meaning needs.
static Outcome compareMarked(ModuleOp marked, ModuleOp program, ArrayRef<int64_t> ranks,
                             uint64_t seed) {
  FailureOr<Config> config = getConfig(program);
  if (failed(config))
    return {Verdict::broken, "the configuration is not valid", 0};
  bool local = config->batch() == BatchSemantics::Local;
  int64_t otherRanks = 1;
  std::vector<MeshAxis> mesh = config->mesh();
  for (const MeshAxis &axis : llvm::drop_begin(mesh, config->isSet("mesh")))
    otherRanks *= axis.size;
  std::optional<ExactJudge> judge;
  Outcome equal; // with the words of a refusal that asks for marks
  for (int64_t numRanks : ranks) {
    if (local || !judge)
      judge.emplace(marked, *config, numRanks / otherRanks, seed);
    Outcome outcome = judge->judge(program, *config, numRanks,
                                   local ? "the program without its marks" : "the program");
    if (local && outcome.verdict == Verdict::refused && asksForMarks(outcome.message)) {
      program = marked;
      equal.message = outcome.message;
    }
    if (local && (outcome.verdict == Verdict::equal || !equal.message.empty()))
      outcome = judge->judge(marked, *config, numRanks, "the program with its marks");
    if (outcome.verdict != Verdict::equal)
      return outcome;
  }
  auto orEqual = [&](Outcome outcome) {
    return outcome.verdict == Verdict::equal ? equal : outcome;
  };
  switch (seed % 4) {
  case 0:
    return orEqual(judge->judge(program, otherFusion(*config), ranks.back(),
                                "the program with other buckets"));
  case 1:
    return orEqual(judge->judge(program,
                                withParallelOptimizer(*config, seed % 8 == 1 ? "level1" : "level3"),
                                ranks.back(), "the program with a parallel optimizer"));
  case 2: {
    if (otherRanks > 1)
      return equal;
    OwningOpRef<ModuleOp> onMesh = shardAtRandom(program, ranks.back(), seed);
    Config divides = *getConfig(*onMesh);
    std::string what = "the program on the mesh " + toText(divides.mesh());
    return orEqual(judge->judge(*onMesh, divides, *divides.deviceNum(), what.c_str()));
  }
  default: {
    std::optional<Config> mode = inAnotherMode(*config, Random(~seed ^ 10));
    if (otherRanks > 1 || !mode)
      return equal;
    // What the modes mean follows from marks; without them, from the same that detection finds.
    std::string what = "the program with update = " + toText(mode->updateMode());
    Outcome outcome = ExactJudge(marked, *mode, ranks.back(), seed)
                          .judge(marked, *mode, ranks.back(), what.c_str());
    return outcome.verdict == Verdict::refused ? equal : orEqual(outcome);
  }
  }
}

Outcome compareDistributed(ModuleOp author, ModuleOp distributed, uint64_t seed) {
  OwningOpRef<ModuleOp> complete(author.clone());
  completeMarks(*complete);
  FailureOr<Config> config = getConfig(distributed);
  if (failed(config) || !config->deviceNum())
    return {Verdict::broken, "the distributed step does not say how many ranks it is for", 0};
  std::vector<MeshAxis> mesh = config->mesh();
  int64_t replicas = mesh.empty() ? *config->deviceNum() : mesh.front().size;
  ExactJudge judge(*complete, *config, replicas, seed);
  return judge.judge({OwningOpRef<ModuleOp>(distributed.clone()), false, ""},
                     "the distributed step");
}

/// What a placement must not change either, by the seed: buckets, shards, a mesh, an update mode.
static OwningOpRef<ModuleOp> varyAtRandom(ModuleOp program, int64_t numRanks, uint64_t seed) {
  OwningOpRef<ModuleOp> varied(program.clone());
  const Config config = *getConfig(program);
  switch (seed % 4) {
  case 0:
    setConfig(*varied, otherFusion(config));
    break;
  case 1:
    setConfig(*varied, withParallelOptimizer(config, seed % 8 == 1 ? "level1" : "level3"));
    break;
  case 2:
    return shardAtRandom(program, numRanks, seed);
  default:
    if (std::optional<Config> mode = inAnotherMode(config, Random(~seed ^ 10)))
      setConfig(*varied, *mode);
  }
  return varied;
}

Outcome comparePlacements(ModuleOp author, ModuleOp program, int64_t numRanks,
                          const std::vector<MeshAxis> &mesh, bool opens, uint64_t seed,
                          std::string &where) {
  FailureOr<Config> config = getConfig(program);
  if (failed(config))
    return {Verdict::broken, "the configuration is not valid", 0};
  OwningOpRef<ModuleOp> marked(author.clone());
  completeMarks(*marked);
  if (config->batch() == BatchSemantics::Local || seed % 4 == 3)
    program = *marked;
  OwningOpRef<ModuleOp> varied = mesh.empty() ? varyAtRandom(program, numRanks, seed)
                                              : shardDensely(program, mesh, opens, seed);
  Config given = *getConfig(*varied);
  llvm::cantFail(given.reset("shared_replicas")); // processes share no memory
  if (mesh.empty())
    numRanks = given.isSet("mesh") ? ranksOf(given.mesh()) : numRanks;
  else
    numRanks = ranksOf(mesh);
  Distributed step = distribute(*varied, given, numRanks, verifyOf(seed));
  auto compiled = compileFloats(step, Effort::Full);
  if (!compiled)
    return notCompiled(step, "the step");
  const int64_t processes = Random(~seed ^ 0x706c61).between(2, static_cast<int>(numRanks));
  where +=
      ", " + std::to_string(numRanks) + " ranks on " + std::to_string(processes) + " processes";
  Comparison comparison(seed, allowanceOf(program), numRanks);
  if (llvm::Error error = comparison.setReference(*compiled))
    return {Verdict::broken, "threads: " + llvm::toString(std::move(error)), 0};
  return comparison.runOnProcesses(*compiled, processes);
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
