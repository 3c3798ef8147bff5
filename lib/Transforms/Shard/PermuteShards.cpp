//===- PermuteShards.cpp - Shards that move between ranks -----------------===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Axes shard a step one after another, and each sees only itself. Two axes of equal size that shard
// the same dimension in turn leave an all-gather over the first and a slice at the rank's index on
// the second. If nothing else reads the gathered value, each rank has received n - 1 shards to keep
// one of them. ShardSubAxes finds the owner of that shard. Along an axis over which the shards are
// replicated every rank is an equally good owner, so each sends to one rank. Linear in the number
// of operations, plus one fixpoint of rank dependence per axis of a candidate.
//
//===----------------------------------------------------------------------===//
#include "PermuteShards.h"

#include "ShardSubAxes.h"
#include "Utils/RankDependence.h"

#include "ds/Analysis/Placement.h"
#include "ds/Analysis/StepRoles.h"
#include "ds/Transforms/Passes.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Remarks.h"

namespace ds {
#define GEN_PASS_DEF_PERMUTESHARDSPASS
#include "ds/Transforms/Passes.h.inc"
} // namespace ds

using namespace mlir;

namespace ds {
namespace {

/// The operations, from a gather on, that replace this rank's shard by another rank's.
struct Chain {
  Value shard;
  SmallVector<Operation *> moves;
  llvm::MapVector<StringAttr, StringAttr> owners; // from ShardSubAxes
  CollectiveOpInterface gather() const { return cast<CollectiveOpInterface>(moves.front()); }
  Value result() const { return moves.back()->getResult(0); }
};

/// Returns the chain of `gather` and its users, which starts at the operand of the first of
/// `reshapes`. None unless the chain ends in exactly one shard.
std::optional<Chain> findChain(Operation *gather, ArrayRef<Operation *> reshapes) {
  Chain chain;
  chain.shard = (reshapes.empty() ? gather : reshapes.front())->getOperand(0);
  ShardSubAxes subAxes(chain.shard);
  if (!llvm::all_of(reshapes, [&](Operation *op) { return subAxes.follow(op); }))
    return std::nullopt;
  for (Operation *op = gather;; op = *op->getResult(0).user_begin()) {
    if (op->getBlock() != gather->getBlock() || op->getNumResults() != 1 || !subAxes.follow(op))
      return std::nullopt;
    chain.moves.push_back(op);
    if (subAxes.isShard() && op->getResult(0).getType() == chain.shard.getType())
      break;
    if (!op->getResult(0).hasOneUse())
      return std::nullopt;
  }
  chain.owners = subAxes.owner();
  return chain;
}

/// Starts the chain at the reshape before which the shard has the shape of the chain's result.
/// `taken` holds the operations of other chains: a chain may contain a second gather, or begin
/// where another one ends.
std::optional<Chain> findChain(CollectiveOpInterface gather,
                               const llvm::DenseSet<Operation *> &taken) {
  if (!gather.isGather() || gather->getNumResults() != 1 || taken.contains(gather))
    return std::nullopt;
  SmallVector<Operation *> reshapes; // in front of the gather
  for (Operation *op = gather->getOperand(0).getDefiningOp();
       isa_and_present<tensor::ExpandShapeOp, tensor::CollapseShapeOp, linalg::TransposeOp>(op) &&
       !taken.contains(op);
       op = op->getOperand(0).getDefiningOp())
    reshapes.insert(reshapes.begin(), op);
  for (size_t i = 0; i <= reshapes.size(); ++i)
    if (std::optional<Chain> chain = findChain(gather, ArrayRef(reshapes).drop_front(i)))
      return chain;
  return std::nullopt;
}

/// A permutation of the ranks of some axes, in the order of the mesh.
struct Permutation {
  SmallVector<Attribute> axes;
  SmallVector<int64_t> sources;
};

class ShardPermuter {
public:
  explicit ShardPermuter(func::FuncOp step) : step(step), mesh(getMesh(step)) {}

  SmallVector<ReplacedGather> run() {
    SmallVector<std::pair<Chain, Permutation>> found;
    llvm::DenseSet<Operation *> taken;
    step.walk([&](CollectiveOpInterface gather) {
      std::optional<Chain> chain = findChain(gather, taken);
      std::optional<Permutation> permutation = chain ? permute(*chain) : std::nullopt;
      if (!permutation)
        return;
      taken.insert_range(chain->moves);
      found.emplace_back(std::move(*chain), std::move(*permutation));
    });
    SmallVector<ReplacedGather> replaced;
    for (auto &[chain, permutation] : found) {
      replaced.push_back({chain.gather().getLoc(), chain.gather().getRanks()});
      Value before = chain.result(), after = rewrite(chain, permutation);
      for (auto &[other, of] : found)
        if (other.shard == before)
          other.shard = after;
    }
    eraseUnused();
    return replaced;
  }

private:
  const RankDependence &dependence(StringAttr axis) {
    std::unique_ptr<RankDependence> &known = dependences[axis];
    if (!known)
      known = std::make_unique<RankDependence>(step, axis);
    return *known;
  }

  int64_t sizeOf(StringAttr axis) const {
    return getGroupSize(step, ArrayAttr::get(axis.getContext(), axis)).value_or(0);
  }

  /// Returns the rank that owns the shard each rank needs. Along an axis over which the shards
  /// differ, the chain determines the owner's coordinate. Along any other axis it is free, and
  /// takes a coordinate that is not used yet, so that no two ranks have the same owner.
  std::optional<Permutation> permute(const Chain &chain) {
    llvm::MapVector<StringAttr, StringAttr> owners = chain.owners;
    llvm::SetVector<StringAttr> left; // coordinates not used yet
    SmallVector<StringAttr> free;
    for (auto [of, has] : owners)
      left.insert(of);
    for (auto [of, has] : owners) {
      if (!dependence(of).differs(chain.shard))
        free.push_back(of);
      else if (!left.remove(has))
        return std::nullopt; // two ranks need the shard of one rank
    }
    for (StringAttr of : free) {
      auto same =
          left.contains(of)
              ? llvm::find(left, of)
              : llvm::find_if(left, [&](StringAttr has) { return sizeOf(has) == sizeOf(of); });
      if (same == left.end())
        return std::nullopt;
      owners[of] = *same;
      left.erase(same);
    }
    if (llvm::any_of(owners,
                     [&](auto &entry) { return sizeOf(entry.first) != sizeOf(entry.second); }))
      return std::nullopt;
    if (!llvm::all_of(owners, [&](auto &entry) { return meetsAll(chain, entry.first); }))
      return std::nullopt;
    return number(owners);
  }

  /// True if all ranks along the axis reach the chain together. The permutation needs this along
  /// every axis of the owner, the gather only along its own.
  bool meetsAll(const Chain &chain, StringAttr axis) {
    for (Operation *op = chain.gather()->getParentOp(); op != step; op = op->getParentOp()) {
      std::optional<SmallVector<Value>> deciders = getDeciders(op);
      if (!deciders ||
          llvm::any_of(*deciders, [&](Value value) { return dependence(axis).differs(value); }))
        return false;
    }
    return true;
  }

  Permutation number(const llvm::MapVector<StringAttr, StringAttr> &owners) const {
    Permutation permutation;
    SmallVector<int64_t> sizes, strides;
    llvm::DenseMap<StringAttr, size_t> places;
    for (const MeshAxis &axis : mesh) {
      auto name = StringAttr::get(owners.begin()->first.getContext(), axis.name);
      if (!owners.contains(name))
        continue;
      places[name] = sizes.size();
      permutation.axes.push_back(name);
      sizes.push_back(axis.size);
    }
    int64_t ranks = 1;
    strides.resize(sizes.size());
    for (size_t i = sizes.size(); i-- > 0; ranks *= sizes[i])
      strides[i] = ranks;
    for (int64_t member = 0; member < ranks; ++member) {
      int64_t source = 0;
      for (auto [of, has] : owners) {
        size_t from = places.lookup(has);
        source += member / strides[from] % sizes[from] * strides[places.lookup(of)];
      }
      permutation.sources.push_back(source);
    }
    return permutation;
  }

  Value rewrite(const Chain &chain, const Permutation &permutation) {
    CollectiveOpInterface gather = chain.gather();
    Value shard = chain.shard;
    auto type = cast<RankedTensorType>(shard.getType());
    remark::passed(gather.getLoc(),
                   remark::RemarkOpts::name("ShardsPermuted").category("ds-permute-shards"))
        << "ranks keep one whole shard of what is gathered, so they send that alone"
        << remark::metric("bytes", getStoredBytes(shard));
    OpBuilder b(chain.moves.back());
    Value out = tensor::EmptyOp::create(b, gather.getLoc(), type.getShape(), type.getElementType());
    auto permuted = CollectivePermuteOp::create(
        b, gather.getLoc(), TypeRange(type), ValueRange(shard), ValueRange(out),
        permutation.sources, b.getArrayAttr(permutation.axes), gather.getPurpose(),
        gather.getNames());
    chain.result().replaceAllUsesWith(permuted->getResult(0));
    llvm::for_each(chain.moves, [&](Operation *op) { addSources(op); });
    for (Operation *op : llvm::reverse(chain.moves)) {
      sources.remove(op);
      op->erase();
    }
    return permuted->getResult(0);
  }

  void addSources(Operation *op) {
    for (Value operand : op->getOperands())
      if (Operation *source = operand.getDefiningOp())
        sources.insert(source);
  }

  /// Erases ranks, destinations and reshapes without uses. Runs after all chains are rewritten,
  /// since the destination of one chain may be the result of another.
  void eraseUnused() {
    while (!sources.empty()) {
      Operation *op = sources.pop_back_val();
      if (!isOpTriviallyDead(op))
        continue;
      addSources(op);
      op->erase();
    }
  }

  func::FuncOp step;
  std::vector<MeshAxis> mesh;
  llvm::DenseMap<StringAttr, std::unique_ptr<RankDependence>> dependences;
  llvm::SetVector<Operation *> sources; // producers of the operands of erased operations
};

struct PermuteShardsPass final : impl::PermuteShardsPassBase<PermuteShardsPass> {
  using PermuteShardsPassBase::PermuteShardsPassBase;

  void runOnOperation() override {
    FailureOr<Config> config = getConfig(getOperation());
    if (failed(config))
      return signalPassFailure();
    if (config->mesh().size() < 2)
      return;
    func::FuncOp step = getStep(getOperation(), entry);
    if (!step)
      return signalPassFailure();
    (void)permuteShards(step);
  }
};

} // namespace

SmallVector<ReplacedGather> permuteShards(func::FuncOp step) { return ShardPermuter(step).run(); }

} // namespace ds
