//===- Config.h - the configuration of a distributed step -------*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One table of keys (ConfigKeys.cpp) gives every key its type, default, range and whether it is
// built. A Config holds the values that were written; reading a key gives the value in force. Plain
// C++: the tools, the pass options and the attribute '#ds.config' share it.
//
//===----------------------------------------------------------------------===//

#ifndef DS_DIALECT_IR_CONFIG_H
#define DS_DIALECT_IR_CONFIG_H

#include "ds/Dialect/IR/UpdateMode.h"

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/JSON.h"

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <variant>
#include <vector>

namespace ds {

enum class ParallelMode {
  StandAlone,
  DataParallel,
  HybridParallel,
  SemiAutoParallel,
  AutoParallel
};
enum class BatchSemantics { Local, Global };
enum class LocalState { Mean, Rank0, PerRank };
enum class OptimizerLevel { Level1, Level2, Level3 };
enum class FusionOrder { Ready, Parameter };
enum class WireType { Auto, F32, F16, BF16 };

/// How gradients are put into buckets, from 'comm_fusion' and 'all_reduce_fusion_config' together.
struct FusionPolicy {
  enum class Mode { Index, Size, All, None, Planned };
  Mode mode = Mode::All;
  std::vector<int64_t> indices; // Index
  int64_t bytes = 0;            // Size: a bucket closes when it holds at least this much
  int64_t firstBytes = 0;       // Size: the same for the first bucket; 0 means 'bytes'
};

/// One axis of the mesh that the ranks form.
struct MeshAxis {
  std::string name;
  int64_t size = 1;
};

/// Formats a mesh like the key `mesh`: `dp=2,tp=4`.
std::string toText(const std::vector<MeshAxis> &mesh);

/// The cost rates of auto_parallel.
struct CostRates {
  int64_t flop, byte, wireByte; // picoseconds
  int64_t message;              // nanoseconds
};
enum class SearchMode { RecursiveProgramming, DynamicProgramming, ShardingPropagation };

/// One value as written: a flag, a number, a word or a list of numbers.
using ConfigValue = std::variant<bool, int64_t, std::string, std::vector<int64_t>>;

/// Formats a value for '--config' and '#ds.config'.
std::string toText(const ConfigValue &value);

class Config {
public:
  /// Sets one key. The error names the key, its range and the given value.
  llvm::Error set(llvm::StringRef key, ConfigValue value);
  /// Sets one key from data of a file or an attribute: a scalar, a list, or the dictionary of
  /// 'comm_fusion'.
  llvm::Error setFromData(llvm::StringRef key, const llvm::json::Value &data);
  /// Sets one key from text: 'true', '4', 'global', '[20, 35]', '30s', '{mode: size, config: 25}'.
  llvm::Error setFromText(llvm::StringRef key, llvm::StringRef text);
  /// Sets keys from 'key=value,key=[1,2]', each at most once.
  llvm::Error setFromText(llvm::StringRef assignments);
  /// Takes the values that are written in `other`.
  void overrideWith(const Config &other);

  /// Returns the value in force: the one written, else the default; none for a key without default.
  llvm::Expected<std::optional<ConfigValue>> get(llvm::StringRef key) const;
  bool isSet(llvm::StringRef key) const { return values.count(key.str()) != 0; }
  void reset() { values.clear(); }
  llvm::Error reset(llvm::StringRef key);

  /// Checks conditions on several keys: global_rank < device_num, shard_id < num_shards, index 0
  /// without mindspore_inclusive, seeds that differ although all ranks compute one function.
  llvm::Error validate() const;
  /// Returns an error for the first value that is not built yet; success if all are.
  llvm::Error checkBuilt() const;

  /// Returns the written values in alphabetical order of their keys.
  const std::map<std::string, ConfigValue> &written() const { return values; }

  /// Returns device_num, or the product of the mesh.
  std::optional<int64_t> deviceNum() const;
  /// Returns the axes of the mesh, the last one fastest; empty: all ranks are one axis.
  std::vector<MeshAxis> mesh() const;
  std::optional<int64_t> globalRank() const;
  std::optional<int64_t> numShards() const;
  std::optional<int64_t> shardId() const; // set together with numShards
  ParallelMode parallelMode() const;      // data_parallel if unset
  BatchSemantics batch() const;
  bool fullBatch() const; // every rank loads all samples
  LocalState localState() const;
  FusionOrder fusionOrder() const;
  FusionPolicy fusionPolicy() const;
  /// The policy of another collective than all_reduce, by its name; None if unset.
  FusionPolicy fusionPolicy(llvm::StringRef collective) const;
  std::optional<int64_t> largestMessage() const;  // most bytes of a bucket; none: any number
  std::optional<std::string> commCosts() const;   // a link, or a file of costs
  std::optional<std::string> planProfile() const; // a file of measured ready times
  /// True if exchanges are started early, and waited for where their results are needed.
  bool overlaps() const;
  bool overlapIsAutomatic() const;              // depends on the links between the ranks
  std::optional<int64_t> overlapMemory() const; // most bytes in flight; none: any number
  /// When ranks exchange parameters or gradients. Accumulate also if 'grad_accumulation_step' asks
  /// for it.
  UpdateMode updateMode() const;
  int64_t accumulationSteps() const; // microbatches of an update, in every mode
  /// True if the ranks, threads of one process, share one copy of replicated values.
  bool sharesReplicas() const;
  bool mayShareReplicas() const; // no other key excludes it
  bool sharingIsAutomatic() const;
  bool usesTf32() const; // of products on a GPU
  bool gradientsMean() const;
  bool gradientNorm() const; // a metric of the step
  bool gradientFp32Sync() const;
  bool forceFp32Communication() const;
  WireType wireType() const;
  /// Ranks along axes other than the first may compute a loss redundantly. Returns how often its
  /// gradients count: once, or as often as it is computed.
  int64_t lossRepetitions() const;
  bool mindsporeInclusive() const;
  bool decorrelateSeeds() const;
  bool syncMetrics() const;
  bool deterministic() const;
  bool parameterBroadcast() const;
  bool enableParallelOptimizer() const;
  int64_t parallelOptimizerThreshold() const; // bytes
  OptimizerLevel optimizerLevel() const;
  std::string strategyFile() const;     // empty: none
  std::string strategySaveFile() const; // empty: none
  SearchMode searchMode() const;
  CostRates costRates() const;
  std::optional<int64_t> memoryLimit() const; // bytes of a rank
  int64_t timeoutMs() const;

private:
  std::map<std::string, ConfigValue> values;
};

/// Returns all keys, in alphabetical order.
llvm::ArrayRef<llvm::StringRef> configKeys();

/// A row of the table for documentation.
struct KeyDescription {
  llvm::StringRef name;
  std::string values;   // "true or false", "an integer in [1, 4096]"
  std::string fallback; // "false"; "" for a key without default
  std::string built;    // the part that works: "all", "nothing", or the values
  llvm::StringRef effect, instead;
};
std::vector<KeyDescription> describeKeys();

/// Returns the value of a word without quotes: True, true, None, 4, or the word.
llvm::json::Value configScalar(llvm::StringRef text);

/// Returns the known word nearest to a misspelt one, for "did you mean"; none if nothing is near.
std::optional<llvm::StringRef> nearest(llvm::StringRef word, llvm::ArrayRef<llvm::StringRef> known);

} // namespace ds

#endif // DS_DIALECT_IR_CONFIG_H
