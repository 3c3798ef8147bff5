//===- Placement.h - Where the data of a value lives ------------*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Every SSA value has one placement: replicated, sharded along one dimension, or partial (the true
// value is a reduction over the ranks). The rules of one operation are its implementation of
// `ds::PlacementOpInterface`; they read the placements of the operands through a `PlacementRule`
// and write those of the results, those in which operands are required, and which operands stay
// partial. Sizes are never used to find the batch: only placements of SSA values decide.
//
//===----------------------------------------------------------------------===//
#ifndef DS_ANALYSIS_PLACEMENT_H
#define DS_ANALYSIS_PLACEMENT_H

#include "ds/Analysis/ShardingRule.h"
#include "ds/Dialect/IR/Ds.h"

#include "mlir/IR/Operation.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLFunctionalExtras.h"

#include <functional>
#include <optional>
#include <string>

namespace ds {

/// The ranks over which one sweep shards a step: all of them, or those along one axis of the mesh.
/// Other axes are not visible: a value that they shard is replicated here in its local shape.
struct ReplicaGroup {
  ReplicaGroup(int64_t size, mlir::ArrayAttr axes = {}) : size(size), axes(axes) {}

  int64_t size;
  mlir::ArrayAttr axes;     // in the form of a collective's group; null: all ranks
  bool dividesBatch = true; // the sharded values are samples

  /// True if `op`, a collective or the number of a rank, is about these ranks.
  bool meets(mlir::Operation *op) const { return op->getAttr("group") == axes; }
  /// True as well if it lists ranks, which may be some of these.
  bool mayMeet(mlir::Operation *op) const {
    return meets(op) || mlir::isa_and_present<mlir::DenseI64ArrayAttr>(op->getAttr("group"));
  }
};

/// The lattice: replicated < sharded and replicated < partial; above all of them varying. A value
/// is never sharded and partial at once over one axis. In `global` values are replicated, sharded
/// or partial; in `local` replicated, varying (each rank has a value of its own, the placement of
/// `vmap` over the ranks) or, after an annotation, partial.
struct Placement {
  // A step of a million operations has as many of these: the order of the members saves padding.
  enum Kind : uint8_t { Replicated, Sharded, Partial, Varying };
  Sharding sharding;                            // kind Sharded
  ReductionKind reduction = ReductionKind::Sum; // kind Partial
  Kind kind = Replicated;
  /// Properties of a replicated value that make it neutral: every element is zero, or no element
  /// has been written.
  bool zero = false;
  bool undefined = false;

  static Placement replicated() { return {}; }
  static Placement sharded(Sharding s) {
    Placement p;
    p.kind = Sharded;
    p.sharding = s;
    return p;
  }
  static Placement partial(ReductionKind reduction) {
    Placement p;
    p.kind = Partial;
    p.reduction = reduction;
    return p;
  }
  static Placement varying() {
    Placement p;
    p.kind = Varying;
    return p;
  }
  /// Conversions from and to the attribute of `ds.reshard`; a varying value has none.
  static Placement of(PlacementAttr attr);
  PlacementAttr toAttr(mlir::MLIRContext *ctx) const;

  bool isReplicated() const { return kind == Replicated; }
  bool isSharded() const { return kind == Sharded; }
  bool isPartial() const { return kind == Partial; }
  bool isVarying() const { return kind == Varying; }
  bool operator==(const Placement &o) const;
  bool operator!=(const Placement &o) const { return !(*this == o); }
};

llvm::raw_ostream &operator<<(llvm::raw_ostream &os, const Placement &placement);

/// The rule of one operation, given the placements of its operands.
class PlacementRule {
public:
  using View = llvm::function_ref<Placement(mlir::OpOperand &)>;
  /// The reduction over the ranks that a result (by number) enters; none: it is used as it is.
  using Combined = llvm::function_ref<std::optional<ReductionKind>(unsigned)>;
  /// `reads` is the result of `getReadOperands` for `op`.
  PlacementRule(mlir::Operation *op, llvm::ArrayRef<mlir::OpOperand *> reads,
                const ReplicaGroup &ranks, std::function<Placement(mlir::OpOperand &)> view)
      : op(op), readOperands(reads), group(ranks), view(std::move(view)) {
    results.resize(op->getNumResults());
  }

  mlir::Operation *getOperation() const { return op; }
  /// The operands of the operation, and the values that its body captures.
  llvm::ArrayRef<mlir::OpOperand *> reads() const { return readOperands; }
  const ReplicaGroup &ranks() const { return group; }
  int64_t numRanks() const { return group.size; }
  Placement operand(mlir::OpOperand &use) const {
    Placement at = view(use);
    // A shard can only be required replicated.
    return at.isSharded() && required.count(&use) ? Placement::replicated() : at;
  }
  /// Requires the operand in another placement than the one that it has (Reshard.h).
  void want(mlir::OpOperand &use, Placement placement) { required[&use] = placement; }
  void wantWhole(mlir::OpOperand &use) { want(use, Placement::replicated()); }

  void setResult(unsigned index, Placement placement) { results[index] = placement; }
  /// Makes a result partial: some operand is sharded and summed over.
  void makePartial(unsigned index, ReductionKind reduction) {
    results[index] = Placement::partial(reduction);
    partialSources.push_back(index);
  }
  /// Keeps the partial operand partial in that result, which is linear in it.
  void keep(mlir::OpOperand &use, unsigned result) { kept.push_back({&use, result}); }
  /// Records that no rule fits: the step cannot be sharded like this. The first reason is kept.
  void conflict(const llvm::Twine &why) {
    if (!reason)
      reason = why.str();
  }

  llvm::SmallVector<Placement> results;
  llvm::SmallVector<unsigned> partialSources;
  llvm::SmallVector<std::pair<mlir::OpOperand *, unsigned>> kept;
  llvm::SmallDenseMap<mlir::OpOperand *, Placement, 8> required;
  std::optional<std::string> reason;

private:
  mlir::Operation *op;
  llvm::ArrayRef<mlir::OpOperand *> readOperands;
  ReplicaGroup group;
  std::function<Placement(mlir::OpOperand &)> view;
};

/// Returns the shard along the axis of `ranks` of a value that all axes shard by `sharding`. Axes
/// are taken from the mesh one after another, the last one first: the axes after that of `ranks`
/// have reduced the value's shape already, those before it have not. None if the axis does not
/// shard it.
std::optional<Sharding> getSharding(ShardingAttr sharding, mlir::Value value,
                                    const ReplicaGroup &ranks);

/// Returns the shards that `sharding`, which does not name the axis of `ranks`, leaves open to it:
/// one for each open dimension that the axis divides after those named there.
llvm::SmallVector<Sharding> getOpenShardings(ShardingAttr sharding, mlir::Value value,
                                             const ReplicaGroup &ranks);

/// Returns all operands that an operation reads: its own and those captured by operations nested in
/// its regions.
llvm::SmallVector<mlir::OpOperand *> getReadOperands(mlir::Operation *op);

/// Returns the bytes of a value on the wire: 16-bit floats travel as f32.
int64_t getWireBytes(mlir::Value value);
/// Returns the bytes of a number, a tensor or a buffer in memory.
int64_t getStoredBytes(mlir::Value value);

//===----------------------------------------------------------------------===//
// Defaults of the methods of ds::PlacementOpInterface
//===----------------------------------------------------------------------===//

/// Places by `getShardingRule`; without one, by `placeWithoutRule`.
void placeByRule(mlir::Operation *op, PlacementRule &rule);
/// Wraps the replicated operands that the scalar rule adds to a partial one.
void maskOperands(mlir::Operation *op, PlacementRule::View placementOf);

/// The replicated result of an operation is required as the shard `sharding`. Returns whether the
/// operation can compute that shard from replicated operands; `wants` then holds, per operand, the
/// shard that it reads (none: the whole operand).
bool demandByRule(mlir::Operation *op, Sharding sharding,
                  llvm::DenseMap<mlir::OpOperand *, Sharding> &wants);

/// Places an operation without a rule: partial operands are reduced first; sharded ones are a
/// reason to run it on all samples.
void placeWithoutRule(mlir::Operation *op, PlacementRule &rule);

/// Rewrites one operation to the shapes of one rank (`ds-localize-batch`).
class Localizer;

} // namespace ds

#include "ds/Analysis/PlacementInterface.h.inc"

#endif // DS_ANALYSIS_PLACEMENT_H
