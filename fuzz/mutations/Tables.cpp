//===- Tables.cpp - Mutated tables, settings, environments, commands --*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a person or a launcher writes: rank tables, values of --config, its files in YAML and JSON,
// values of --data and --arg, variables, whole command lines.
//
//===----------------------------------------------------------------------===//
#include "Kinds.h"
#include "Mutator.h"

#include "ds/Data/DataSpec.h"
#include "ds/Dialect/IR/Config.h"
#include "ds/Run/Options/Options.h"
#include "ds/Run/Options/Settings.h"

#include "bootstrap/Launch.h"

#include <cstring>
#include <map>

namespace ds {
namespace {

constexpr size_t textAllocation = size_t(16) << 20;

const std::string rankTable = R"({
  "version": "1.0", "server_count": "2", "status": "completed",
  "server_list": [
    {"server_id": "10.0.0.1", "device": [
      {"device_id": "0", "device_ip": "10.1.0.1", "rank_id": "0"},
      {"device_id": "1", "device_ip": "10.1.0.2", "rank_id": "1"}]},
    {"server_id": "10.0.0.2", "device": [
      {"device_id": "0", "device_ip": "10.1.0.3", "rank_id": 2}]}]
})";
const std::string config =
    "batch=global,device_num=4,global_rank=1,gradients_mean=true,comm_fusion=size(16),"
    "all_reduce_fusion_config=[20,35],largest_message=200,timeout=30s,local_state=per_rank,"
    "parallel_mode=data_parallel,decorrelate_seeds=false";
const std::string yamlFile =
    "# What a person writes\nbatch: global\ngradients_mean: True\nparallel_mode: DATA_PARALLEL\n"
    "comm_fusion: {allreduce: {mode: size, config: 25}}\nall_reduce_fusion_config:\n  - 20\n  - "
    "35\n"
    "timeout: \"30s\"\nlargest_message: 0x10\nlocal_state: !!str per_rank\n";
const std::string jsonFile =
    R"({"batch": "local", "device_num": 4, "comm_fusion": {"allreduce": {"mode": "index", "config": [1, 2]}},
    "deterministic": false, "timeout": 600})";
const std::string dataSpec =
    R"(x=train-images.gz:scale=1/255:reshape=28x28x1,y=labels.npz:key,z=b\,c.npy:scale=-2.5e3)";

class Tables final : public Kind {
public:
  Outcome run(uint64_t seed, const std::string &folder) override {
    Mutator mutator(seed);
    std::string why;
    switch (mutator.below(4)) {
    case 0: {
      dsrt::bootstrap::RankTable table;
      if (dsrt::bootstrap::readRankTable(mutator.text(rankTable, config), table, why))
        return {true};
      return {false, true, why.empty() ? "a table is refused without a reason" : ""};
    }
    case 1: {
      Config settings;
      std::string text = mutator.text(config, dataSpec);
      if (llvm::Error error = settings.setFromText(text))
        return judge(llvm::toString(std::move(error)), "");
      if (llvm::Error error = settings.validate())
        return judge(llvm::toString(std::move(error)), "");
      if (llvm::Error error = settings.checkBuilt())
        return judge(llvm::toString(std::move(error)), "");
      // What is in force is computed from what was set.
      return {settings.fusionPolicy().bytes >= 0 && settings.timeoutMs() > 0 &&
              settings.largestMessage().value_or(1) > 0};
    }
    case 2: {
      const bool json = mutator.below(2);
      const std::string path = folder + (json ? "/settings.json" : "/settings.yaml");
      writeBytes(path, json ? mutator.text(jsonFile, yamlFile) : mutator.text(yamlFile, config));
      std::map<std::string, std::string> origins;
      auto read = readConfigFile(path, origins);
      return read ? Outcome{true} : judge(llvm::toString(read.takeError()), "");
    }
    default: {
      auto sources = parseDataSpec(mutator.text(dataSpec, config));
      if (sources)
        return {true};
      return judge(llvm::toString(sources.takeError()), "in the data specification");
    }
    }
  }
  size_t largestAllocation() const override { return textAllocation; }
};

class Environments final : public Kind {
public:
  Outcome run(uint64_t seed, const std::string &folder) override {
    Mutator mutator(seed);
    writeBytes(folder + "/table", mutator.below(2) ? rankTable : mutator.text(rankTable, config));
    writeBytes(folder + "/secret", mutator.bytes("a secret of the whole job\n", rankTable));
    std::map<std::string, std::string> variables;
    static const std::vector<std::pair<std::string, std::string>> sound = {
        {"DS_RANK", "1"},
        {"DS_WORLD_SIZE", "2"},
        {"DS_LOCAL_RANK", "1"},
        {"DS_LOCAL_SIZE", "2"},
        {"DS_MASTER_ADDR", "127.0.0.1"},
        {"DS_MASTER_PORT", "29555"},
        {"DS_SECRET", "0123456789abcdef0123456789abcdef"},
        {"DS_SECRET_FILE", "/secret"},
        {"RANK_ID", "1"},
        {"RANK_SIZE", "3"},
        {"RANK_TABLE_FILE", "/table"},
        {"MINDSPORE_HCCL_CONFIG_PATH", "/table"},
        {"MS_SCHED_HOST", "10.0.0.9"},
        {"MS_SCHED_PORT", "8118"},
        {"RANK", "1"},
        {"WORLD_SIZE", "2"},
        {"LOCAL_RANK", "1"},
        {"LOCAL_WORLD_SIZE", "2"},
        {"MASTER_ADDR", "10.0.0.1"},
        {"MASTER_PORT", "29500"},
        {"OMPI_COMM_WORLD_RANK", "1"},
        {"OMPI_COMM_WORLD_SIZE", "2"},
        {"PMI_RANK", "1"},
        {"PMI_SIZE", "2"},
        {"SLURM_PROCID", "1"},
        {"SLURM_STEP_NUM_TASKS", "2"},
        {"SLURM_LOCALID", "1"},
        {"SLURM_STEP_NODELIST", "node[03-07,9],login"},
        {"SLURM_JOB_ID", "123456"}};
    size_t source = mutator.below(sound.size());
    for (size_t i = 0; i < sound.size(); ++i) {
      // Neighbours belong together; others come now and then.
      if (mutator.below(i / 4 == source / 4 ? 8 : 4) > (i / 4 == source / 4 ? 6u : 0u))
        continue;
      std::string value = sound[i].second;
      if (value[0] == '/')
        value = folder + value;
      else if (mutator.below(3) == 0)
        value = mutator.text(value, "node[1-2],-1,99999999999999999999");
      variables[sound[i].first] = value.substr(0, value.find('\0'));
    }
    dsrt::bootstrap::Launch launch;
    dsrt_error error = {};
    dsrt_status status = dsrt::bootstrap::readLaunch(
        [&](const char *name) -> const char * {
          auto found = variables.find(name);
          return found == variables.end() ? nullptr : found->second.c_str();
        },
        launch, &error);
    if (status == DSRT_OK)
      return {launch.rank >= 0 && launch.rank < launch.numRanks};
    Outcome outcome = judge(error.text, "");
    if (std::strchr(error.text, '\n'))
      outcome.complaint = "the error is more than one line";
    return outcome;
  }
  size_t largestAllocation() const override { return textAllocation; }
};

class Commands final : public Kind {
public:
  Outcome run(uint64_t seed, const std::string &) override {
    static const std::vector<std::vector<std::string>> sound = {
        {"step.mlir", "--ranks", "4", "--data", dataSpec, "--epochs", "2", "--save",
         "w.safetensors", "--config", config, "--arg", "lr=0.1"},
        {"step.mlir", "--ranks=2", "--replay", "r.npz", "--rtol", "1e-3", "--atol=1e-5",
         "--dump-results", "d.npz", "--json"},
        {"step.mlir", "--init", "w.safetensors", "--eval", "f.mlir", "--eval-data", "x=x.npy",
         "--backend", "local", "--seed", "7"},
        {"step.mlir", "--data", "x=x.npy", "--check=50", "--steps", "10", "--last-batch", "wrap",
         "--entry", "train"}};
    Mutator mutator(seed);
    std::vector<std::string> line = mutator.oneOf(sound);
    for (size_t edits = 1 + mutator.below(3); edits > 0 && !line.empty(); --edits) {
      size_t at = mutator.below(line.size());
      const std::vector<std::string> &other = mutator.oneOf(sound);
      switch (mutator.below(4)) {
      case 0:
        line.erase(line.begin() + at);
        break;
      case 1:
        line.insert(line.begin() + at, mutator.oneOf(other));
        break;
      default:
        line[at] = mutator.text(line[at], mutator.oneOf(other));
        // An argument of a program ends at its first NUL.
        line[at] = line[at].substr(0, line[at].find('\0'));
        // LLVM looks for an option in every prefix of an argument: a long one takes seconds.
        line[at] = line[at].substr(0, 10000);
        // These end the program by themselves, after printing what was asked for.
        if (line[at].find("help") != std::string::npos ||
            line[at].find("version") != std::string::npos)
          line[at] = "--seed";
      }
    }
    auto options = parseRunOptions(line);
    if (!options)
      return judge(llvm::toString(options.takeError()), "");
    return {true};
  }
  size_t largestAllocation() const override { return textAllocation; }
};

} // namespace

std::unique_ptr<Kind> makeTables() { return std::make_unique<Tables>(); }
std::unique_ptr<Kind> makeEnvironments() { return std::make_unique<Environments>(); }
std::unique_ptr<Kind> makeCommands() { return std::make_unique<Commands>(); }

} // namespace ds
