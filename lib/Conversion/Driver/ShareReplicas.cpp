//===- ShareReplicas.cpp - Hold replicated values once ----------*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// SharedValues.cpp chooses what is sharded. The shares of one kernel are the same elements in all
// of its sharded buffers, so kernels with a common buffer have one unit, in which shares are cut.
//
// Each rank keeps its whole gradient in its own memory. After the collective, when all ranks have
// computed theirs, kernels on shares add the gradients of all ranks as they read them, r0 + r1 +
// ..., which is the order of an all-reduce. No rank writes its gradient again before the barrier at
// the end.
//
//===----------------------------------------------------------------------===//
#include "CollapseLoops.h"
#include "ShareHazards.h"
#include "SharedValues.h"
#include "Utils/Buffers.h"
#include "ds/Conversion/Passes.h"
#include "ds/Dialect/IR/Ds.h"
#include "ds/Dialect/IR/Roles.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/IR/Remarks.h"
#include "llvm/ADT/EquivalenceClasses.h"

#include <numeric>

namespace ds {
#define GEN_PASS_DEF_SHAREREPLICASPASS
#include "ds/Conversion/Passes.h.inc"
} // namespace ds

using namespace mlir;
using namespace ds;

/// Shares are rounded to this many elements if they are large enough, so that no two ranks write
/// one cache line.
static constexpr int64_t lineElements = 16;

/// Returns the elements that one iteration of the outermost loop covers.
static int64_t elementsPerRow(linalg::GenericOp kernel) {
  int64_t elements = 1;
  for (int64_t range : ArrayRef(kernel.getStaticLoopRanges()).drop_front())
    elements *= range;
  return elements;
}

namespace {

class Sharing {
public:
  Sharing(func::FuncOp step, int64_t numRanks, SharedValues values)
      : step(step), block(step.front()), numRanks(numRanks), values(std::move(values)),
        rewriter(step.getContext()) {}

  void run() {
    collapse();
    findUnits();
    for (Operation *op : llvm::to_vector(llvm::make_pointer_range(block.without_terminator())))
      visit(op);
    hazards.finish(block.getTerminator());
    for (BlockArgument argument : values.arguments)
      step.setArgAttr(argument.getArgNumber(), kSharedArgument, rewriter.getUnitAttr());
    tell();
  }

private:
  /// Joins loops that are contiguous in memory into one, of which any part can be a share.
  void collapse() {
    llvm::SetVector<Operation *> collapsed;
    for (Operation *kernel : values.kernels)
      collapsed.insert(collapseLoops(cast<linalg::GenericOp>(kernel), rewriter));
    values.kernels = std::move(collapsed);
  }

  //===--------------------------------------------------------------------===//
  // Shares
  //===--------------------------------------------------------------------===//

  /// Finds the units of shares: kernels with a common sharded buffer cut it in the same way.
  void findUnits() {
    for (Operation *op : values.kernels) {
      auto kernel = cast<linalg::GenericOp>(op);
      Value first = rootOf(kernel.getDpsInits().front());
      units.insert(first);
      for (OpOperand &operand : kernel->getOpOperands())
        if (values.isShareOf(kernel, operand))
          units.unionSets(first, rootOf(operand.get()));
    }
    for (Operation *op : values.kernels) {
      auto kernel = cast<linalg::GenericOp>(op);
      int64_t &unit = unitOf.try_emplace(classOf(kernel), 1).first->second;
      unit = std::lcm(unit, elementsPerRow(kernel));
    }
  }

  Value classOf(linalg::GenericOp kernel) {
    return units.getLeaderValue(rootOf(kernel.getDpsInits().front()));
  }

  /// Returns the largest number of iterations of the outermost loop that a rank runs.
  int64_t rowsOf(linalg::GenericOp kernel) {
    int64_t rows = kernel.getStaticLoopRanges()[0], perRow = elementsPerRow(kernel);
    int64_t elements = rows * perRow, unit = unitOf.lookup(classOf(kernel));
    if (int64_t lines = std::lcm(unit, lineElements); lines <= elements / numRanks)
      unit = lines;
    int64_t share = llvm::divideCeil(llvm::divideCeil(elements, numRanks), unit) * unit;
    return share / perRow;
  }

  //===--------------------------------------------------------------------===//
  // Rewriting
  //===--------------------------------------------------------------------===//

  void visit(Operation *op) {
    if (auto reduction = dyn_cast<AllReduceOp>(op))
      op = reduceOthers(reduction);
    if (auto collective = dyn_cast<CollectiveOpInterface>(op)) {
      if (!collective.isInFlight() && !collective.getRanks())
        hazards.meet();
      return;
    }
    auto kernel = dyn_cast<linalg::GenericOp>(op);
    const bool isShared = kernel && values.kernels.contains(op);
    SmallVector<BlockArgument> reads, writes;
    op->walk([&](Operation *inner) {
      if (!isView(inner))
        for (OpOperand &operand : inner->getOpOperands())
          if (auto argument = sharedRoot(operand)) {
            const bool ofShares = isShared && inner == op;
            if (ofShares && kernel.isDpsInit(&operand))
              writes.push_back(argument);
            else if (!ofShares || !values.isShareOf(kernel, operand))
              reads.push_back(argument);
          }
    });
    hazards.use(reads, writes, op);
    if (isShared)
      divide(kernel);
  }

  BlockArgument sharedRoot(OpOperand &operand) const {
    if (!isa<BaseMemRefType>(operand.get().getType()))
      return {};
    auto argument = dyn_cast<BlockArgument>(rootOf(operand.get()));
    return argument && values.arguments.contains(argument) ? argument : BlockArgument();
  }

  /// Replaces an all-reduce by one of the values that kernels do not add themselves, or by a
  /// barrier if none is left.
  Operation *reduceOthers(AllReduceOp reduction) {
    SmallVector<Value> inputs;
    SmallVector<Attribute> names;
    for (auto [i, input] : llvm::enumerate(reduction.getInputs()))
      if (!values.gradients.contains(rootOf(input))) {
        inputs.push_back(input);
        if (!reduction.getNames().empty())
          names.push_back(reduction.getNames()[i]);
      }
    if (inputs.size() == reduction.getInputs().size())
      return reduction;
    rewriter.setInsertionPoint(reduction);
    Operation *meeting =
        inputs.empty()
            ? BarrierOp::create(rewriter, reduction.getLoc(), Attribute()).getOperation()
            : AllReduceOp::create(rewriter, reduction.getLoc(), reduction.getKind(), inputs,
                                  reduction.getPurpose(), rewriter.getArrayAttr(names),
                                  reduction.getFusion(), Attribute())
                  .getOperation();
    rewriter.eraseOp(reduction);
    return meeting;
  }

  /// Returns the first iteration of this rank and their number, as constants or values.
  std::pair<OpFoldResult, OpFoldResult> shareOf(linalg::GenericOp kernel) {
    if (!rank) {
      OpBuilder::InsertionGuard guard(rewriter);
      rewriter.setInsertionPointToStart(&block);
      rank = RankOp::create(rewriter, step.getLoc());
    }
    int64_t rows = kernel.getStaticLoopRanges()[0], share = rowsOf(kernel);
    Location loc = kernel.getLoc();
    auto number = [&](int64_t value) {
      return arith::ConstantIndexOp::create(rewriter, loc, value).getResult();
    };
    Value first = arith::MulIOp::create(rewriter, loc, rank, number(share));
    if (share * numRanks == rows)
      return {first, rewriter.getIndexAttr(share)};
    Value all = number(rows);
    first = arith::MinUIOp::create(rewriter, loc, first, all);
    Value left = arith::SubIOp::create(rewriter, loc, all, first);
    return {first, arith::MinUIOp::create(rewriter, loc, left, number(share)).getResult()};
  }

  /// Returns the same view of the buffer of another rank.
  Value viewOfPeer(Value value, int64_t peer) {
    Operation *op = value.getDefiningOp();
    if (!isView(op))
      return PeerOp::create(rewriter, value.getLoc(), value, peer);
    IRMapping mapping;
    mapping.map(op->getOperand(0), viewOfPeer(op->getOperand(0), peer));
    return rewriter.clone(*op, mapping)->getResult(0);
  }

  void divide(linalg::GenericOp kernel) {
    rewriter.setInsertionPoint(kernel);
    auto [first, count] = shareOf(kernel);
    DenseMap<Value, Value> cut; // a buffer that is read and written stays one operand
    auto shareAlong = [&, first = first, count = count](Value value, AffineMap map) {
      std::optional<unsigned> dim =
          map.getResultPosition(getAffineDimExpr(0, rewriter.getContext()));
      if (!dim)
        return value;
      Value &part = cut[value];
      if (part)
        return part;
      auto type = cast<MemRefType>(value.getType());
      SmallVector<OpFoldResult> offsets(type.getRank(), rewriter.getIndexAttr(0)),
          strides(type.getRank(), rewriter.getIndexAttr(1)),
          sizes = getAsIndexOpFoldResult(rewriter.getContext(), type.getShape());
      offsets[*dim] = first;
      sizes[*dim] = count;
      part = memref::SubViewOp::create(rewriter, value.getLoc(), value, offsets, sizes, strides);
      return part;
    };
    SmallVector<Value> inputs, outputs;
    SmallVector<AffineMap> maps;
    SmallVector<int64_t> copies; // per input
    for (OpOperand *input : kernel.getDpsInputOperands()) {
      AffineMap map = kernel.getMatchingIndexingMap(input);
      bool isGradient = isa<BaseMemRefType>(input->get().getType()) &&
                        values.gradients.contains(rootOf(input->get()));
      copies.push_back(isGradient ? numRanks : 1);
      for (int64_t peer = 0; peer < copies.back(); ++peer) {
        Value value = isGradient ? viewOfPeer(input->get(), peer) : input->get();
        inputs.push_back(isa<BaseMemRefType>(value.getType()) ? shareAlong(value, map) : value);
        maps.push_back(map);
      }
      if (isGradient)
        hazards.readPeers();
    }
    for (OpOperand &init : kernel.getDpsInitsMutable()) {
      AffineMap map = kernel.getMatchingIndexingMap(&init);
      outputs.push_back(shareAlong(init.get(), map));
      maps.push_back(map);
    }
    linalg::GenericOp::create(
        rewriter, kernel.getLoc(), inputs, outputs, maps, kernel.getIteratorTypesArray(),
        [&](OpBuilder &b, Location loc, ValueRange arguments) {
          IRMapping mapping;
          Block *body = kernel.getBody();
          size_t next = 0;
          for (auto [argument, count] : llvm::zip(body->getArguments(), copies)) {
            Value sum = arguments[next++];
            for (int64_t peer = 1; peer < count; ++peer)
              sum = isa<FloatType>(sum.getType())
                        ? arith::AddFOp::create(b, loc, sum, arguments[next++]).getResult()
                        : arith::AddIOp::create(b, loc, sum, arguments[next++]).getResult();
            mapping.map(argument, sum);
          }
          for (BlockArgument argument : body->getArguments().drop_front(copies.size()))
            mapping.map(argument, arguments[next++]);
          for (Operation &op : *body)
            b.clone(op, mapping);
        });
    rewriter.eraseOp(kernel);
  }

  //===--------------------------------------------------------------------===//
  // Report
  //===--------------------------------------------------------------------===//

  void tell() {
    int64_t held = 0, all = 0;
    std::string others;
    for (BlockArgument argument : step.getArguments()) {
      StringRef name = paramOrState(step, argument.getArgNumber());
      auto type = cast<MemRefType>(argument.getType());
      if (name.empty())
        continue;
      int64_t bytes = type.getNumElements() * elementBytes(type.getElementType());
      all += bytes;
      if (values.arguments.contains(argument))
        held += bytes;
      else
        others += (others.empty() ? "" : ", ") + name.str();
    }
    remark::passed(step.getLoc(),
                   remark::RemarkOpts::name("ReplicasShared").category("ds-share-replicas"))
        << "ranks hold parameters and states once"
        << remark::metric("arguments", values.arguments.size()) << remark::metric("bytes", held)
        << remark::metric("bytesWhole", all)
        << remark::metric("gradientsAdded", values.gradients.size())
        << remark::metric("private", others);
  }

  func::FuncOp step;
  Block &block;
  const int64_t numRanks;
  SharedValues values;
  IRRewriter rewriter;
  llvm::EquivalenceClasses<Value> units;
  DenseMap<Value, int64_t> unitOf; // elements, by class
  ShareHazards hazards;
  Value rank;
};

struct ShareReplicas final : ds::impl::ShareReplicasPassBase<ShareReplicas> {
  void runOnOperation() override {
    func::FuncOp step = getOperation();
    FailureOr<Config> config = getConfig(step->getParentOfType<ModuleOp>());
    if (failed(config))
      return signalPassFailure();
    int64_t numRanks = config->deviceNum().value_or(1);
    if (step.isExternal() || !step.isPublic() || !step.getBody().hasOneBlock() ||
        !config->sharesReplicas() || numRanks == 1 || config->mesh().size() > 1)
      return;
    bool keepsStates =
        config->batch() == BatchSemantics::Local && config->localState() == LocalState::PerRank;
    SharedValues values = findSharedValues(step, numRanks, keepsStates);
    if (!values.arguments.empty())
      Sharing(step, numRanks, std::move(values)).run();
  }
};

} // namespace
