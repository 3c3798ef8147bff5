//===- Manifest.h - What each slot of a compiled step holds -----*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The manifest travels beside the code: argument and result attributes do not survive the
// conversion to LLVM, so names, roles, shapes and layouts are taken before it. Plain C++ without
// MLIR, so that data loading and tools need no compiler.
//
//===----------------------------------------------------------------------===//
#ifndef DS_STEP_MANIFEST_H
#define DS_STEP_MANIFEST_H

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace ds {

/// Element types a step may have at its boundary, by their MLIR spelling. Booleans (i1) are stored
/// as one byte.
enum class ElementType { f64, f32, f16, bf16, i64, i32, i16, i8, i1 };

/// Bytes of one stored element.
int64_t byteSize(ElementType type);
/// The MLIR spelling, for messages.
const char *toString(ElementType type);

enum class ArgumentRole { parameter, state, batch, seed, hyperparameter };

/// How a dimension is sharded among ranks: the rows of a batch, or a parameter or state of a
/// parallel optimizer. A sharded dimension of global size a * n * b is read as [a, n, b], the
/// middle index is the rank.
struct ShardLayout {
  int64_t dim = 0;
  int64_t a = 1;
  int64_t b = 1;
};

/// An axis of the mesh.
struct AxisSpec {
  std::string name;
  int64_t size = 1;
};

/// What one axis divides of a dimension, by its number in the mesh: a rank's coordinate along it is
/// the middle index of the layout, of what the entries before this one have left of the dimension.
struct AxisShard {
  int64_t axis = 0;
  ShardLayout layout;
};
/// The last axis of the mesh comes first, as it divides first.
using AxisShards = std::vector<AxisShard>;

/// What the first axis divides; null for nothing.
const ShardLayout *alongFirstAxis(const AxisShards &shards);

/// The integers an argument may hold, where the step uses them as an index: from `low` to below
/// `high`, and the `others`.
struct IntegerRange {
  int64_t low = 0, high = 0;
  std::vector<int64_t> others;
};

/// One argument of the compiled (per-rank) step.
struct ArgumentSpec {
  std::string name;
  ArgumentRole role = ArgumentRole::hyperparameter;
  ElementType type = ElementType::f32;
  std::vector<int64_t> shape;             // what ONE rank holds
  std::optional<int64_t> batchDim;        // the dimension that counts samples, of a state, too
  int64_t entries = 1;                    // for each sample; 0: no multiple, whole on every rank
  bool apart = false;                     // those of a sample lie apart: [entries, samples]
  bool isWeight = false;                  // role batch: what each sample counts (ds.weight)
  std::optional<IntegerRange> indexRange; // role batch
  bool isUnsigned = false;                // role batch: the bits are those of unsigned integers
  AxisShards shards; // along the first axis: rows in `global`, parameters of a parallel optimizer
  std::string init;  // ds.init, empty if absent
  std::string localState; // in `local`: empty = equal on every rank, else "per_rank"

  /// Whether it goes from step to step.
  bool isCarried() const { return role == ArgumentRole::parameter || role == ArgumentRole::state; }
  /// Whether all ranks together have one value of it that goes from step to step.
  bool isShared() const { return isCarried() && localState.empty(); }
  /// Whether every rank holds all of that value.
  bool isReplicated() const { return isShared() && shards.empty(); }
  /// Whether each rank holds a shard of that value.
  bool isSharded() const { return isShared() && !isReplicated(); }
};

/// What a rank holds of the samples of all in `local`, where no layout says it: its own, those of
/// the ranks one after another.
ShardLayout sampleLayout(const ArgumentSpec &argument);

/// One result of the compiled step.
struct ResultSpec {
  std::string name;                // ds.updates / ds.metric / ds.name, or "result<i>"
  std::optional<unsigned> updates; // argument slot that this result overwrites in place
  bool isMetric = false;
  std::string reduce; // metric: mean | sum | max | min | none (how ranks combine it in `local`)
  ElementType type = ElementType::f32;
  std::vector<int64_t> shape;      // what ONE rank holds
  std::optional<int64_t> batchDim; // per-sample result: the dimension that counts samples
  AxisShards shards;               // of a per-sample result in `global`, or a sharded argument's
};

/// What the search of auto_parallel says of its plan. Times are those of its cost model.
struct PlanFigures {
  int64_t meshes = 1; // that were tried
  int64_t timeNs = 0;
  int64_t heldBytes = 0;          // of arguments, on each rank
  int64_t liveBytes = 0;          // estimated, of values within a step
  int64_t optimizerLevel = 0;     // that was chosen; 0: none
  std::optional<int64_t> boundNs; // no plan takes less
  std::optional<int64_t> dataParallelNs, dataParallelBytes;
};

/// What planned buckets are worth, in ps.
struct BucketFigures {
  std::string hash; // of the plan
  int64_t gradients = 0, bytes = 0, buckets = 0;
  int64_t computePs = 0; // until the step has done what needs no exchange
  int64_t exposedPs = 0; // of the exchange, by the plan
  int64_t boundPs = 0;   // no plan exposes less
  int64_t gapPpm = 0;    // how much later than the bound all may have arrived
  std::vector<std::pair<std::string, int64_t>> presets; // what others would expose
};

/// An exchange that a step starts.
struct StartSpec {
  std::string names; // of what it serves, with ',' between
  int64_t bytes = 0;
  bool isGradient = false;
};

// lib/Step/Executable.cpp lists the fields of all of these for files.
struct Manifest {
  std::string entry;
  int64_t numRanks = 1;
  std::vector<AxisSpec> axes;              // of the mesh; empty: all ranks are one axis
  std::optional<PlanFigures> plan;         // of auto_parallel
  std::optional<BucketFigures> bucketPlan; // of comm_fusion = planned
  bool global = false;                     // batch = global (else local)
  bool fullBatch = false;                  // every rank loads all samples
  bool gradientsMean = false;
  std::string update; // when ranks exchange what they train, as the key has it; empty: every step
  std::vector<ArgumentSpec> arguments;
  std::vector<ResultSpec> results;
  std::vector<StartSpec> starts; // outside of control flow, in their order

  /// `dp=2 x tp=4`; empty without axes.
  std::string mesh() const;
  /// Ranks along the axes behind `axis`, which are neighbours; behind the first one they have the
  /// same samples.
  int64_t ranksBehind(int64_t axis) const;
  int64_t otherRanks() const { return ranksBehind(0); }
};

/// Elements in a shape; 1 for a scalar.
int64_t elementCount(const std::vector<int64_t> &shape);

} // namespace ds

#endif // DS_STEP_MANIFEST_H
