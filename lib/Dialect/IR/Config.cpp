//===- Config.cpp - set, get and reset configuration values -----*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Values are kept in the form that the table of keys gives them; all else is reading that table.
//
//===----------------------------------------------------------------------===//

#include "ds/Dialect/IR/Config.h"
#include "ConfigKeys.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace llvm;
using namespace ds;
using namespace ds::detail;

std::string ds::toText(const ConfigValue &value) {
  if (auto *flag = std::get_if<bool>(&value))
    return *flag ? "true" : "false";
  if (auto *number = std::get_if<int64_t>(&value))
    return std::to_string(*number);
  if (auto *text = std::get_if<std::string>(&value))
    return "'" + *text + "'";
  std::vector<std::string> items;
  for (int64_t item : std::get<std::vector<int64_t>>(value))
    items.push_back(std::to_string(item));
  return "[" + join(items, ", ") + "]";
}

std::string ds::toText(const std::vector<MeshAxis> &mesh) {
  std::vector<std::string> items;
  for (const MeshAxis &axis : mesh)
    items.push_back(axis.name + "=" + std::to_string(axis.size));
  return join(items, ",");
}

//===----------------------------------------------------------------------===//
// Set, get, reset
//===----------------------------------------------------------------------===//

Error Config::set(StringRef name, ConfigValue value) {
  Expected<const Key *> key = findKey(name);
  if (!key)
    return key.takeError();
  Expected<ConfigValue> checked = check(**key, std::move(value));
  if (!checked)
    return checked.takeError();
  values[name.str()] = std::move(*checked);
  return Error::success();
}

void Config::overrideWith(const Config &other) {
  for (const auto &[name, value] : other.values)
    values[name] = value;
}

Expected<std::optional<ConfigValue>> Config::get(StringRef name) const {
  Expected<const Key *> key = findKey(name);
  if (!key)
    return key.takeError();
  auto written = values.find(name.str());
  if (written != values.end())
    return written->second;
  auto isWritten = [&](StringRef other, const ConfigValue &value) {
    auto it = values.find(other.str());
    return it != values.end() && it->second == value;
  };
  // A step that is sharded by search is one function, unless its loss is that of a rank's own
  // samples.
  if (name == "batch" && isWritten("parallel_mode", std::string("auto_parallel")) &&
      !isWritten("cross_batch", true))
    return ConfigValue(std::string("global"));
  return (*key)->fallback;
}

Error Config::reset(StringRef name) {
  Expected<const Key *> key = findKey(name);
  if (!key)
    return key.takeError();
  values.erase(name.str());
  return Error::success();
}

//===----------------------------------------------------------------------===//
// Whole configurations
//===----------------------------------------------------------------------===//

template <typename T> static std::optional<T> read(const Config &config, StringRef name) {
  std::optional<ConfigValue> value = cantFail(config.get(name));
  return value ? std::optional<T>(std::get<T>(*value)) : std::nullopt;
}

static int64_t ranksOf(const std::vector<MeshAxis> &mesh) {
  int64_t ranks = 1;
  for (const MeshAxis &axis : mesh)
    ranks *= axis.size;
  return ranks;
}

/// Checks the keys about ranks that share one batch.
static Error checkBatch(const Config &config) {
  bool isLocal = config.batch() == BatchSemantics::Local;
  if (*read<bool>(config, "cross_batch") && !isLocal)
    return createStringError(
        "'cross_batch = true' needs 'batch = local', where the loss is that of "
        "a rank's own samples; with 'batch = global' it is that of all");
  if (!*read<bool>(config, "loss_repeated_mean") && !isLocal)
    return createStringError("'loss_repeated_mean = false' needs 'batch = local'; with 'batch = "
                             "global' ranks compute one function, in which nothing counts twice");
  bool bothSet = config.isSet("full_batch") && config.isSet("dataset_strategy");
  if (std::string strategy = *read<std::string>(config, "dataset_strategy");
      bothSet && *read<bool>(config, "full_batch") != (strategy == "full_batch"))
    return createStringError("'full_batch' and 'dataset_strategy' are one key, got " +
                             toText(config.written().at("full_batch")) + " and '" + strategy + "'");
  if (!config.fullBatch())
    return Error::success();
  StringRef written =
      *read<bool>(config, "full_batch") ? "full_batch = true" : "dataset_strategy = full_batch";
  ParallelMode mode = config.parallelMode();
  if (mode != ParallelMode::SemiAutoParallel && mode != ParallelMode::AutoParallel)
    return createStringError("'" + written +
                             "' needs 'parallel_mode = semi_auto_parallel' or 'auto_parallel', "
                             "got '" +
                             *read<std::string>(config, "parallel_mode") + "'");
  if (isLocal)
    return createStringError("'" + written +
                             "' needs 'batch = global'; with 'batch = local' each rank has "
                             "samples of its own");
  return Error::success();
}

/// Checks the keys about the type in which values travel.
static Error checkWire(const Config &config) {
  if (config.wireType() == WireType::Auto)
    return Error::success();
  std::string key = config.isSet("gradient_compression") ? "gradient_compression" : "wire_type";
  std::string written = "'" + key + " = " + *read<std::string>(config, key) + "'";
  if (key != "wire_type" && config.isSet("wire_type"))
    return createStringError(written + " and 'wire_type' both say in which type gradients travel; "
                                       "leave out one of them");
  if (config.isSet("gradient_fp32_sync"))
    return createStringError(written + " and 'gradient_fp32_sync' both say in which type gradients "
                                       "travel; leave out one of them");
  if (config.forceFp32Communication() && config.wireType() != WireType::F32)
    return createStringError(written +
                             " and 'force_fp32_communication = true' exclude one another");
  return Error::success();
}

Error Config::validate() const {
  if (Error error = checkBatch(*this))
    return error;
  if (Error error = checkCompression(*this))
    return error;
  if (Error error = checkUpdate(*this))
    return error;
  if (Error error = checkSharing(*this))
    return error;
  if (Error error = checkWire(*this))
    return error;
  if (std::optional<int64_t> ranks = read<int64_t>(*this, "device_num");
      ranks && isSet("mesh") && *ranks != ranksOf(mesh()))
    return createStringError("'mesh' has " + Twine(ranksOf(mesh())) +
                             " ranks, but 'device_num' is " + Twine(*ranks));
  if (globalRank() && deviceNum() && *globalRank() >= *deviceNum())
    return createStringError("'global_rank' must be smaller than 'device_num', got " +
                             Twine(*globalRank()) + " and " + Twine(*deviceNum()));
  if (numShards().has_value() != shardId().has_value())
    return createStringError("'num_shards' and 'shard_id' are given together, got " +
                             Twine(numShards() ? "'num_shards' alone" : "'shard_id' alone"));
  if (shardId() && *shardId() >= *numShards())
    return createStringError("'shard_id' must be smaller than 'num_shards', got " +
                             Twine(*shardId()) + " and " + Twine(*numShards()));
  if (isSet("search_mode") && isSet("auto_parallel_search_mode") &&
      values.at("search_mode") != values.at("auto_parallel_search_mode"))
    return createStringError("'search_mode' and 'auto_parallel_search_mode' are one key, got " +
                             toText(values.at("search_mode")) + " and " +
                             toText(values.at("auto_parallel_search_mode")));
  if (isSet("memory_limit") && parallelMode() != ParallelMode::AutoParallel)
    return createStringError("'memory_limit' needs 'parallel_mode = auto_parallel', which chooses "
                             "what ranks hold");
  if (decorrelateSeeds() && batch() == BatchSemantics::Global)
    return createStringError("'decorrelate_seeds = true' needs 'batch = local'; with 'batch = "
                             "global' all ranks compute one function of one key");
  bool written = isSet("all_reduce_fusion_config");
  FusionPolicy policy = fusionPolicy();
  if (!policy.indices.empty() && !mindsporeInclusive() && policy.indices[0] == 0)
    return createStringError("'all_reduce_fusion_config' must hold indices from 1 unless "
                             "'mindspore_inclusive' is true, got 0");
  auto fusion = values.find("comm_fusion");
  if (fusion == values.end())
    return Error::success();
  std::optional<StringRef> mode = fusionPart(std::get<std::string>(fusion->second), "");
  if (!mode) // the part is for other collectives
    return Error::success();
  if (*mode == "index" && !written)
    return createStringError("'comm_fusion = index' needs 'all_reduce_fusion_config'");
  if (*mode == "planned" && (fusionOrder() != FusionOrder::Ready || mindsporeInclusive()))
    return createStringError(
        "'comm_fusion = planned' plans gradients in the order in which they "
        "are ready, so it cannot be given with '" +
        Twine(mindsporeInclusive() ? "mindspore_inclusive = true" : "fusion_order = parameter") +
        "'");
  if (*mode != "index" && written)
    return createStringError("'comm_fusion = " + *mode +
                             "' and 'all_reduce_fusion_config' exclude one another");
  return Error::success();
}

Error Config::checkBuilt() const {
  for (const auto &[name, value] : values) {
    const Key &key = *cantFail(findKey(name));
    auto *text = std::get_if<std::string>(&value);
    std::string said = text ? *text : toText(value);
    if (key.nothingBuilt || (!key.built.empty() && !is_contained(key.built, said)))
      return createStringError("'" + name + " = " + said + "' is not built; " + key.instead);
  }
  return Error::success();
}

//===----------------------------------------------------------------------===//
// Values in force
//===----------------------------------------------------------------------===//

static constexpr int64_t mebibyte = 1 << 20;

/// Returns the position of a word key's value among the words of its row.
template <typename Enum> static Enum readWord(const Config &config, StringRef name) {
  const Key &key = *cantFail(findKey(name));
  return static_cast<Enum>(find(key.words, *read<std::string>(config, name)) - key.words.begin());
}

std::optional<int64_t> Config::deviceNum() const {
  std::optional<int64_t> ranks = read<int64_t>(*this, "device_num");
  return ranks || !isSet("mesh") ? ranks : std::optional(ranksOf(mesh()));
}
std::vector<MeshAxis> Config::mesh() const {
  std::optional<std::string> text = read<std::string>(*this, "mesh");
  return text ? *meshAxes(*text) : std::vector<MeshAxis>();
}
std::optional<int64_t> Config::numShards() const { return read<int64_t>(*this, "num_shards"); }
std::optional<int64_t> Config::shardId() const { return read<int64_t>(*this, "shard_id"); }
std::optional<int64_t> Config::globalRank() const { return read<int64_t>(*this, "global_rank"); }
ParallelMode Config::parallelMode() const { return readWord<ParallelMode>(*this, "parallel_mode"); }
BatchSemantics Config::batch() const { return readWord<BatchSemantics>(*this, "batch"); }
LocalState Config::localState() const { return readWord<LocalState>(*this, "local_state"); }
FusionOrder Config::fusionOrder() const { return readWord<FusionOrder>(*this, "fusion_order"); }
bool Config::fullBatch() const {
  return *read<bool>(*this, "full_batch") ||
         *read<std::string>(*this, "dataset_strategy") == "full_batch";
}
UpdateMode Config::updateMode() const {
  return cantFail(parseUpdateMode(*read<std::string>(*this, "update")));
}
int64_t Config::accumulationSteps() const {
  UpdateMode mode = updateMode();
  return mode.kind == UpdateMode::Kind::Accumulate
             ? mode.steps
             : *read<int64_t>(*this, "grad_accumulation_step");
}
bool Config::gradientNorm() const { return *read<bool>(*this, "gradient_norm"); }
bool Config::gradientsMean() const { return *read<bool>(*this, "gradients_mean"); }
bool Config::gradientFp32Sync() const { return *read<bool>(*this, "gradient_fp32_sync"); }
bool Config::forceFp32Communication() const {
  return *read<bool>(*this, "force_fp32_communication");
}
static GradientCompression compressionOf(const Config &config) {
  return cantFail(parseGradientCompression(*read<std::string>(config, "gradient_compression")));
}
WireType Config::wireType() const {
  switch (compressionOf(*this).kind) {
  case GradientCompression::Kind::F16:
    return WireType::F16;
  case GradientCompression::Kind::BF16:
    return WireType::BF16;
  default:
    return readWord<WireType>(*this, "wire_type");
  }
}
int64_t Config::lossRepetitions() const {
  bool once = *read<bool>(*this, "loss_repeated_mean") || mesh().empty();
  return once ? 1 : ranksOf(mesh()) / mesh().front().size;
}
bool Config::mindsporeInclusive() const { return *read<bool>(*this, "mindspore_inclusive"); }
bool Config::decorrelateSeeds() const { return *read<bool>(*this, "decorrelate_seeds"); }
bool Config::syncMetrics() const { return *read<bool>(*this, "sync_metrics"); }
bool Config::deterministic() const { return *read<bool>(*this, "deterministic"); }
bool Config::parameterBroadcast() const { return *read<bool>(*this, "parameter_broadcast"); }
bool Config::enableParallelOptimizer() const {
  return *read<bool>(*this, "enable_parallel_optimizer");
}
int64_t Config::parallelOptimizerThreshold() const {
  return *read<int64_t>(*this, "parallel_optimizer_threshold") * 1024;
}
OptimizerLevel Config::optimizerLevel() const {
  return readWord<OptimizerLevel>(*this, "optimizer_level");
}
/// A path that ends with a slash, as the field's './' does, is a folder with one strategy.
static std::string fileAt(const Config &config, StringRef key) {
  std::string path = read<std::string>(config, key).value_or("");
  return StringRef(path).ends_with("/") ? path + "strategy.json" : path;
}
std::string Config::strategyFile() const { return fileAt(*this, "strategy_ckpt_load_file"); }
std::string Config::strategySaveFile() const { return fileAt(*this, "strategy_ckpt_save_file"); }
SearchMode Config::searchMode() const {
  return readWord<SearchMode>(*this,
                              isSet("search_mode") ? "search_mode" : "auto_parallel_search_mode");
}
CostRates Config::costRates() const {
  auto rate = [&](StringRef key) { return *read<int64_t>(*this, key); };
  return {rate("cost_flop"), rate("cost_memory"), rate("cost_wire"), rate("cost_message")};
}
int64_t Config::timeoutMs() const { return *milliseconds(*read<std::string>(*this, "timeout")); }

std::optional<int64_t> Config::memoryLimit() const {
  std::optional<int64_t> written = read<int64_t>(*this, "memory_limit");
  return written ? std::optional(*written * mebibyte) : std::nullopt;
}

std::optional<int64_t> Config::largestMessage() const {
  std::optional<int64_t> written = read<int64_t>(*this, "largest_message");
  return written ? std::optional(*written * mebibyte) : std::nullopt;
}

std::optional<std::string> Config::commCosts() const {
  return read<std::string>(*this, "comm_costs");
}
std::optional<std::string> Config::planProfile() const {
  return read<std::string>(*this, "plan_profile");
}
bool Config::overlaps() const {
  std::string said = *read<std::string>(*this, "overlap");
  return said == "on" || (said == "auto" && commCosts() && !sharesReplicas());
}
bool Config::overlapIsAutomatic() const { return *read<std::string>(*this, "overlap") == "auto"; }
std::optional<int64_t> Config::overlapMemory() const {
  std::optional<int64_t> written = read<int64_t>(*this, "overlap_memory");
  return written ? std::optional(*written * mebibyte) : std::nullopt;
}

bool Config::sharesReplicas() const { return *read<std::string>(*this, "shared_replicas") == "on"; }
bool Config::sharingIsAutomatic() const {
  return *read<std::string>(*this, "shared_replicas") == "auto";
}
bool Config::usesTf32() const { return *read<std::string>(*this, "precision") == "tf32"; }

/// Parses a policy: that of all-reduces, or of one of the parts.
static FusionPolicy policyOf(StringRef text) {
  using Mode = FusionPolicy::Mode;
  FusionPolicy policy;
  if (text.consume_front("index:")) {
    policy.mode = Mode::Index;
    SmallVector<StringRef> items;
    text.split(items, ':');
    for (StringRef item : items)
      item.getAsInteger(10, policy.indices.emplace_back());
    return policy;
  }
  if (text == "auto") // MindSpore's threshold.
    text = "size:64";
  if (text == "ddp") // 1 MiB first, so that communication starts early, then 25 MiB.
    text = "size:25:1";
  if (text.consume_front("size:")) {
    auto [megabytes, first] = text.split(':');
    policy.mode = Mode::Size;
    megabytes.getAsInteger(10, policy.bytes);
    first.getAsInteger(10, policy.firstBytes);
    policy.bytes *= mebibyte;
    policy.firstBytes *= mebibyte;
    return policy;
  }
  policy.mode = text == "none" ? Mode::None : text == "planned" ? Mode::Planned : Mode::All;
  return policy;
}

FusionPolicy Config::fusionPolicy() const {
  FusionPolicy policy;
  if (auto indices = read<std::vector<int64_t>>(*this, "all_reduce_fusion_config")) {
    policy.mode = FusionPolicy::Mode::Index;
    policy.indices = *indices;
  }
  std::optional<std::string> fusion = read<std::string>(*this, "comm_fusion");
  std::optional<StringRef> part = fusion ? fusionPart(*fusion, "") : std::nullopt;
  bool canPlan = commCosts() && fusionOrder() == FusionOrder::Ready && !mindsporeInclusive();
  if (canPlan && (part ? *part == "auto" : policy.mode == FusionPolicy::Mode::All))
    return policyOf("planned");
  return !part || *part == "index" ? policy : policyOf(*part);
}

FusionPolicy Config::fusionPolicy(StringRef collective) const {
  std::string key = collective.str(); // all_gather is called allgather there
  llvm::erase(key, '_');
  std::optional<std::string> fusion = read<std::string>(*this, "comm_fusion");
  std::optional<StringRef> part = fusion ? fusionPart(*fusion, key) : std::nullopt;
  return policyOf(part.value_or("none"));
}
