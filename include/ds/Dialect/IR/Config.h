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

/// `dp=2,tp=4`, as the key `mesh` has it.
std::string toText(const std::vector<MeshAxis> &mesh);

/// What auto_parallel reckons with.
struct CostRates {
  int64_t flop, byte, wireByte; // picoseconds
  int64_t message;              // nanoseconds
};
enum class SearchMode { RecursiveProgramming, DynamicProgramming, ShardingPropagation };

/// One value as written: a flag, a number, a word or a list of numbers.
using ConfigValue = std::variant<bool, int64_t, std::string, std::vector<int64_t>>;

/// The text of a value as '--config' and '#ds.config' write it.
std::string toText(const ConfigValue &value);

class Config {
public:
  /// Sets one key. The error names the key, its range and what was given.
  llvm::Error set(llvm::StringRef key, ConfigValue value);
  /// Sets one key from what a file or an attribute holds: a scalar, a list, or the dictionary of
  /// 'comm_fusion'.
  llvm::Error setFromData(llvm::StringRef key, const llvm::json::Value &data);
  /// Sets one key from text: 'true', '4', 'global', '[20, 35]', '30s', '{mode: size, config: 25}'.
  llvm::Error setFromText(llvm::StringRef key, llvm::StringRef text);
  /// Sets keys from 'key=value,key=[1,2]', each at most once.
  llvm::Error setFromText(llvm::StringRef assignments);
  /// Takes over what is written in `other`.
  void overrideWith(const Config &other);

  /// The value in force: the one written, else the default; none for a key without default.
  llvm::Expected<std::optional<ConfigValue>> get(llvm::StringRef key) const;
  bool isSet(llvm::StringRef key) const { return values.count(key.str()) != 0; }
  void reset() { values.clear(); }
  llvm::Error reset(llvm::StringRef key);

  /// What no single key can tell: global_rank < device_num, shard_id < num_shards, index 0 without
  /// mindspore_inclusive, seeds that differ where all ranks compute one function.
  llvm::Error validate() const;
  /// One sentence for the first value that is not built yet; success if everything is.
  llvm::Error checkBuilt() const;

  /// Written values in alphabetical order of their keys.
  const std::map<std::string, ConfigValue> &written() const { return values; }

  /// device_num, or the product of the mesh.
  std::optional<int64_t> deviceNum() const;
  /// The axes of the mesh, the last one fastest; empty: all ranks are one axis.
  std::vector<MeshAxis> mesh() const;
  std::optional<int64_t> globalRank() const;
  std::optional<int64_t> numShards() const;
  std::optional<int64_t> shardId() const; // set together with numShards
  ParallelMode parallelMode() const;      // data_parallel where unset
  BatchSemantics batch() const;
  bool fullBatch() const; // every rank loads all samples
  LocalState localState() const;
  FusionOrder fusionOrder() const;
  FusionPolicy fusionPolicy() const;
  /// Of another collective than all_reduce, by its name; None where unset.
  FusionPolicy fusionPolicy(llvm::StringRef collective) const;
  std::optional<int64_t> largestMessage() const;  // bytes of a bucket at most; none: any number
  std::optional<std::string> commCosts() const;   // a link, or a file of costs
  std::optional<std::string> planProfile() const; // a file of measured ready times
  /// Whether exchanges are started, and waited for where they are needed.
  bool overlaps() const;
  bool overlapIsAutomatic() const;              // it follows from what ranks meet over
  std::optional<int64_t> overlapMemory() const; // bytes in flight at most; none: any number
  /// When ranks exchange what they train. Accumulate also where 'grad_accumulation_step' says so.
  UpdateMode updateMode() const;
  int64_t accumulationSteps() const; // microbatches of an update, in every mode
  /// Whether the ranks, threads of one process, hold what is equal on all of them once.
  bool sharesReplicas() const;
  bool mayShareReplicas() const; // no other key excludes it
  bool sharingIsAutomatic() const;
  bool usesTf32() const; // of products on a GPU
  bool gradientsMean() const;
  bool gradientNorm() const; // it is a metric of the step
  bool gradientFp32Sync() const;
  bool forceFp32Communication() const;
  WireType wireType() const;
  /// How often the gradients of a loss count that ranks along other axes than the first one compute
  /// alike: once, or as often as they compute it.
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

/// All keys, in alphabetical order.
llvm::ArrayRef<llvm::StringRef> configKeys();

/// A row of the table, as people read it.
struct KeyDescription {
  llvm::StringRef name;
  std::string values;   // "true or false", "an integer in [1, 4096]"
  std::string fallback; // "false"; "" for a key without default
  std::string built;    // what of it works: "all", "nothing", or the values
  llvm::StringRef effect, instead;
};
std::vector<KeyDescription> describeKeys();

/// What a word without quotes is: True, true, None, 4, or itself.
llvm::json::Value configScalar(llvm::StringRef text);

/// The known word nearest to a misspelt one, for "did you mean"; none if nothing is near.
std::optional<llvm::StringRef> nearest(llvm::StringRef word, llvm::ArrayRef<llvm::StringRef> known);

} // namespace ds

#endif // DS_DIALECT_IR_CONFIG_H
