//===- Manifest.h - The slots of a compiled step ----------------*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The manifest is stored beside the code: argument and result attributes do not survive the
// conversion to LLVM, so names, roles, shapes and layouts are read before it. Plain C++ without
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

/// Each element type: its spelling, its bytes, and the types of files that hold it (DataType.h),
/// with signed integers and with unsigned ones.
#define DS_ELEMENT_TYPES(X)                                                                        \
  X(f64, 8, f64, f64)                                                                              \
  X(f32, 4, f32, f32)                                                                              \
  X(f16, 2, f16, f16)                                                                              \
  X(bf16, 2, bf16, bf16)                                                                           \
  X(i64, 8, i64, u64)                                                                              \
  X(i32, 4, i32, u32)                                                                              \
  X(i16, 2, i16, u16)                                                                              \
  X(i8, 1, i8, u8)                                                                                 \
  X(i1, 1, boolean, boolean)

/// Element types that a step may have at its boundary, by their MLIR spelling. Booleans (i1) are
/// stored as one byte.
enum class ElementType {
#define DS_ENUMERATOR(type, bytes, stored, natural) type,
  DS_ELEMENT_TYPES(DS_ENUMERATOR)
#undef DS_ENUMERATOR
};

/// Returns the bytes of one stored element.
int64_t byteSize(ElementType type);
/// Returns the MLIR spelling, for messages.
const char *toString(ElementType type);

enum class ArgumentRole { parameter, state, batch, seed, hyperparameter };
/// Returns `param`, `state`, `batch`, `seed` or `hyper`: for messages, tables and JSON.
const char *toString(ArgumentRole role);

/// How a dimension is sharded among ranks: the rows of a batch, or a parameter or state of a
/// parallel optimizer. A sharded dimension of global size a * n * b is read as [a, n, b], and the
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

/// How one axis, by its number in the mesh, shards a dimension: a rank's coordinate along it is the
/// middle index of the layout of the local dimension after the entries before this one.
struct AxisShard {
  int64_t axis = 0;
  ShardLayout layout;
};
/// The last axis of the mesh comes first, since it shards first.
using AxisShards = std::vector<AxisShard>;

/// Returns the layout along the first axis; null if it shards nothing.
const ShardLayout *alongFirstAxis(const AxisShards &shards);

/// The integers that an argument may hold if the step uses them as an index: from `low` to below
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
  std::vector<int64_t> shape;             // of ONE rank
  std::optional<int64_t> batchDim;        // the dimension that counts samples, of states too
  int64_t entries = 1;                    // for each sample; 0: not a multiple, replicated
  bool apart = false;                     // the entries of a sample are apart: [entries, samples]
  bool isWeight = false;                  // role batch: the weight of each sample (ds.weight)
  std::optional<IntegerRange> indexRange; // role batch
  bool isUnsigned = false;                // role batch: the bits are those of unsigned integers
  AxisShards shards; // along the first axis: rows in `global`, parameters of a parallel optimizer
  std::string init;  // ds.init, empty if absent
  std::string localState; // in `local`: empty = equal on every rank, else "per_rank"

  /// True if it is passed from step to step.
  bool isCarried() const { return role == ArgumentRole::parameter || role == ArgumentRole::state; }
  /// True if all ranks together have one value of it that is passed from step to step.
  bool isShared() const { return isCarried() && localState.empty(); }
  /// True if every rank holds all of that value.
  bool isReplicated() const { return isShared() && shards.empty(); }
  /// True if each rank holds a shard of that value.
  bool isSharded() const { return isShared() && !isReplicated(); }
};

/// Returns the layout of the samples in `local`, if the argument has none: each rank holds its own,
/// in the order of the ranks.
ShardLayout sampleLayout(const ArgumentSpec &argument);

/// One result of the compiled step.
struct ResultSpec {
  std::string name;                // ds.updates / ds.metric / ds.name, or "result<i>"
  std::optional<unsigned> updates; // argument slot that this result overwrites in place
  bool isMetric = false;
  std::string reduce; // metric: mean | sum | max | min | none (how ranks reduce it in `local`)
  ElementType type = ElementType::f32;
  std::vector<int64_t> shape;      // of ONE rank
  std::optional<int64_t> batchDim; // per-sample result: the dimension that counts samples
  AxisShards shards;               // of a per-sample result in `global`, or a sharded argument's
};

/// Figures of auto_parallel's plan. Times are those of its cost model.
struct PlanFigures {
  int64_t meshes = 1; // tried by the search
  int64_t timeNs = 0;
  int64_t heldBytes = 0;          // of arguments, on each rank
  int64_t liveBytes = 0;          // estimated, of values within a step
  int64_t optimizerLevel = 0;     // the chosen level; 0: none
  std::optional<int64_t> boundNs; // no plan takes less
  std::optional<int64_t> dataParallelNs, dataParallelBytes;
};

/// The quality of planned buckets, in ps.
struct BucketFigures {
  std::string hash; // of the plan
  int64_t gradients = 0, bytes = 0, buckets = 0;
  int64_t computePs = 0; // until the step has done all that needs no exchange
  int64_t exposedPs = 0; // of the exchange, with this plan
  int64_t boundPs = 0;   // no plan exposes less
  int64_t gapPpm = 0;    // at most this much later than the bound
  std::vector<std::pair<std::string, int64_t>> presets; // exposed times of other systems
};

/// An exchange that a step starts.
struct StartSpec {
  std::string names; // of the values it serves, separated by ','
  int64_t bytes = 0;
  bool isGradient = false;
};

// lib/Step/Executable.cpp lists the fields of all these structs for files.
struct Manifest {
  std::string entry;
  int64_t numRanks = 1;
  std::vector<AxisSpec> axes;              // of the mesh; empty: all ranks are one axis
  std::optional<PlanFigures> plan;         // of auto_parallel
  std::optional<BucketFigures> bucketPlan; // of comm_fusion = planned
  bool global = false;                     // batch = global (else local)
  bool fullBatch = false;                  // every rank loads all samples
  bool gradientsMean = false;
  std::string update; // when ranks exchange parameters, in the key's form; empty: every step
  std::vector<ArgumentSpec> arguments;
  std::vector<ResultSpec> results;
  std::vector<StartSpec> starts; // outside control flow, in order

  /// Returns `dp=2 x tp=4`; empty without axes.
  std::string mesh() const;
  /// Returns the number of ranks along the axes after `axis`, which are neighbours; those after the
  /// first axis have the same samples.
  int64_t ranksBehind(int64_t axis) const;
  int64_t otherRanks() const { return ranksBehind(0); }
};

/// Returns the elements of a shape; 1 for a scalar.
int64_t elementCount(const std::vector<int64_t> &shape);

} // namespace ds

#endif // DS_STEP_MANIFEST_H
