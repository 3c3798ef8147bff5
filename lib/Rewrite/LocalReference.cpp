//===- LocalReference.cpp - The result of n ranks, on one -----------------===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// `vmap` over the ranks, written out: every operation that depends on the batch is cloned once per
// rank on that rank's rows; an annotation reduces the n copies to one value, after which there is a
// single copy again. Cost: n times the producers.
//
//===----------------------------------------------------------------------===//
#include "ds/Rewrite/LocalReference.h"

#include "ds/Analysis/Marks.h"
#include "ds/Analysis/PlacementAnalysis.h"
#include "ds/Analysis/ScalarRule.h"
#include "ds/Analysis/StepRoles.h"
#include "ds/Dialect/IR/Roles.h"
#include "ds/Rewrite/SeedHash.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/IRMapping.h"

using namespace mlir;

namespace ds {

Operation *
rebuildControl(OpBuilder &b, Operation &op, ValueRange operands, TypeRange results,
               llvm::function_ref<SmallVector<Value>(Region &, Block &, OpBuilder &)> fill) {
  OperationState state(op.getLoc(), op.getName(), operands, results,
                       op.getAttrDictionary().getValue());
  for (Region &region : op.getRegions()) {
    Region *copy = state.addRegion();
    if (region.empty())
      continue;
    OpBuilder in(b.getContext()); // the block has no parent operation yet
    in.setInsertionPointToEnd(&copy->emplaceBlock());
    SmallVector<Value> yielded = fill(region, copy->front(), in);
    Operation &end = *region.front().getTerminator();
    in.create(OperationState(end.getLoc(), end.getName(), yielded, {},
                             end.getAttrDictionary().getValue()));
  }
  return b.create(state);
}

llvm::DenseSet<Value> findPerRank(const StepFlow &flow, const Config &config) {
  llvm::DenseSet<Value> perRank;
  func::FuncOp step = flow.step();
  for (const BatchArgument &argument : getBatchArguments(step))
    perRank.insert(argument.argument);
  for (BlockArgument argument : step.getArguments()) {
    unsigned number = argument.getArgNumber();
    if ((config.decorrelateSeeds() && step.getArgAttr(number, role::seed)) ||
        step.getArgAttr(number, role::perRank))
      perRank.insert(argument);
  }
  for (Operation *op : flow.operations())
    if (!flow.holdsOperations(op) && (holdsOnce(op) || isa<RankOp>(op)))
      perRank.insert(op->result_begin(), op->result_end());
  flow.addDependents(perRank, isMark);
  return perRank;
}

namespace {

class ReferenceBuilder {
public:
  ReferenceBuilder(func::FuncOp step, const Config &config, int64_t numRanks)
      : step(step), config(config), flow(step), copies(numRanks) {}

  LogicalResult run();

private:
  int64_t numRanks() const { return copies.size(); }
  void splitBatch(OpBuilder &b, Block *body);
  void cloneOperation(OpBuilder &b, Operation &op);
  void interleave(OpBuilder &b, Operation &op);
  Value combine(OpBuilder &b, Location loc, Value value, ReductionKind kind);
  bool meet(OpBuilder &b, Operation &op);
  FailureOr<Value> combineResult(OpBuilder &b, const StepResult &result);

  func::FuncOp step;
  const Config &config;
  StepFlow flow;
  SmallVector<IRMapping> copies; // per rank
  llvm::DenseSet<Value> perRank; // values of the step that have one copy per rank
};

/// Returns one rank's entries of a dimension that is read as [parts, ranks, ..].
static Value sliceOfRank(OpBuilder &b, Value all, RankedTensorType type, int64_t dim, int64_t parts,
                         int64_t rank) {
  int64_t size = type.getDimSize(dim) / parts;
  int64_t stride = cast<RankedTensorType>(all.getType()).getDimSize(dim) / parts;
  SmallVector<Value> pieces;
  for (int64_t part = 0; part < parts; ++part) {
    SmallVector<OpFoldResult> offsets(type.getRank(), b.getIndexAttr(0)), sizes,
        strides(type.getRank(), b.getIndexAttr(1));
    SmallVector<int64_t> shape(type.getShape());
    shape[dim] = size;
    for (int64_t extent : shape)
      sizes.push_back(b.getIndexAttr(extent));
    offsets[dim] = b.getIndexAttr(part * stride + rank * size);
    pieces.push_back(tensor::ExtractSliceOp::create(
        b, all.getLoc(), RankedTensorType::get(shape, type.getElementType()), all, offsets, sizes,
        strides));
  }
  if (parts == 1)
    return pieces[0];
  return tensor::ConcatOp::create(b, all.getLoc(), dim, pieces).getResult();
}

/// Splits the batch arguments, which hold the rows of all ranks: each copy of the step reads its
/// own rows.
void ReferenceBuilder::splitBatch(OpBuilder &b, Block *body) {
  SmallVector<BatchArgument> batch = getBatchArguments(step);
  int64_t samples = getSampleSize(batch);
  auto addEntriesOfRanks = [&](BlockArgument argument, int64_t dim, int64_t parts) {
    auto type = cast<RankedTensorType>(argument.getType());
    SmallVector<int64_t> shape(type.getShape());
    shape[dim] *= numRanks();
    Value all =
        body->addArgument(RankedTensorType::get(shape, type.getElementType()), argument.getLoc());
    for (auto [rank, copy] : llvm::enumerate(copies))
      copy.map(argument, sliceOfRank(b, all, type, dim, parts, rank));
  };
  for (BlockArgument argument : step.getArguments()) {
    if (step.getArgAttr(argument.getArgNumber(), role::perRank)) {
      addEntriesOfRanks(argument, 0, 1);
      continue;
    }
    auto held = llvm::find_if(
        batch, [&](const BatchArgument &samples) { return samples.argument == argument; });
    if (held == batch.end()) {
      Value same = body->addArgument(argument.getType(), argument.getLoc());
      for (IRMapping &copy : copies)
        copy.map(argument, same);
      if (config.decorrelateSeeds() && step.getArgAttr(argument.getArgNumber(), "ds.seed")) {
        for (auto [rank, copy] : llvm::enumerate(copies)) {
          Value number = arith::ConstantIndexOp::create(b, argument.getLoc(), rank);
          copy.map(argument, createSeedOfRank(b, argument.getLoc(), same, number));
        }
      }
      continue;
    }
    int64_t parts = held->apart && held->size() % samples == 0 ? held->size() / samples : 1;
    addEntriesOfRanks(argument, held->dim, parts);
  }
}

static bool isFloat(Value value) { return isa<FloatType>(getElementTypeOrSelf(value.getType())); }

/// Reduces the n copies element by element, in rank order; 16-bit floats in f32.
Value ReferenceBuilder::combine(OpBuilder &b, Location loc, Value value, ReductionKind kind) {
  SmallVector<Value> inputs;
  for (IRMapping &copy : copies)
    inputs.push_back(copy.lookup(value));
  auto type = dyn_cast<RankedTensorType>(value.getType());
  if (!type) {
    type = RankedTensorType::get({}, value.getType());
    for (Value &input : inputs)
      input = tensor::FromElementsOp::create(b, loc, type, input);
  }
  Type element = type.getElementType();
  bool narrow = isa<FloatType>(element) && element.getIntOrFloatBitWidth() < 32;
  Value empty = tensor::EmptyOp::create(b, loc, type.getShape(), element);
  SmallVector<AffineMap> maps(inputs.size() + 1, b.getMultiDimIdentityMap(type.getRank()));
  SmallVector<utils::IteratorType> loops(type.getRank(), utils::IteratorType::parallel);
  auto body = [&](OpBuilder &in, Location at, ValueRange args) {
    auto widen = [&](Value x) -> Value {
      return narrow ? arith::ExtFOp::create(in, at, in.getF32Type(), x).getResult() : x;
    };
    Value total = widen(args[0]);
    for (int64_t i = 1; i < numRanks(); ++i)
      total = arith::getReductionOp(getAtomicKind(kind, total.getType()), in, at, total,
                                    widen(args[i]));
    if (kind == ReductionKind::Mean) {
      double inverse = 1.0 / static_cast<double>(numRanks());
      Value factor = arith::ConstantOp::create(in, at, in.getFloatAttr(total.getType(), inverse));
      total = arith::MulFOp::create(in, at, total, factor);
    }
    if (narrow)
      total = arith::TruncFOp::create(in, at, element, total);
    linalg::YieldOp::create(in, at, total);
  };
  Value combined =
      linalg::GenericOp::create(b, loc, type, inputs, empty, maps, loops, body).getResult(0);
  if (combined.getType() != value.getType())
    return tensor::ExtractOp::create(b, loc, combined, ValueRange());
  return combined;
}

/// Returns a rank's addend of a value that counts once: the value on the first rank, the identity
/// of the reduction on the others.
static Value countOnFirst(OpBuilder &b, ReplicatedToPartialOp once, Value value, unsigned rank) {
  ReductionKind kind = once.getKind();
  if (rank == 0 || (kind != ReductionKind::Sum && kind != ReductionKind::Prod))
    return value;
  Type element = getElementTypeOrSelf(value.getType());
  TypedAttr neutral = kind == ReductionKind::Prod ? b.getOneAttr(element) : b.getZeroAttr(element);
  if (auto shaped = dyn_cast<RankedTensorType>(value.getType()))
    neutral = DenseElementsAttr::get(shaped, Attribute(neutral));
  return arith::ConstantOp::create(b, once.getLoc(), neutral);
}

/// Reduces the copies of an annotated value to one. A replicated value stays as it is, except at an
/// explicit sum, which counts it n times.
bool ReferenceBuilder::meet(OpBuilder &b, Operation &op) {
  if (!isMark(&op))
    return false;
  Value value = op.getOperand(0), same = copies[0].lookup(value);
  auto explicitly = dyn_cast<CombineOp>(op);
  if (perRank.contains(value) || (explicitly && explicitly.getKind() == ReductionKind::Sum)) {
    ReductionKind kind = explicitly               ? explicitly.getKind()
                         : config.gradientsMean() ? ReductionKind::Mean
                                                  : ReductionKind::Sum;
    same = combine(b, op.getLoc(), value, kind);
  }
  for (IRMapping &copy : copies)
    copy.map(op.getResult(0), same);
  return true;
}

void ReferenceBuilder::cloneOperation(OpBuilder &b, Operation &op) {
  if (meet(b, op))
    return;
  if (auto once = dyn_cast<ReplicatedToPartialOp>(op)) {
    for (auto [rank, copy] : llvm::enumerate(copies))
      copy.map(once.getResult(), countOnFirst(b, once, copy.lookup(once.getValue()), rank));
    return;
  }
  if (isa<RankOp>(op)) {
    for (auto [rank, copy] : llvm::enumerate(copies))
      copy.map(op.getResult(0), arith::ConstantIndexOp::create(b, op.getLoc(), rank).getResult());
    return;
  }
  auto holds = [&](auto ofInterest) {
    return op
        .walk([&](Operation *nested) {
          return ofInterest(nested) ? WalkResult::interrupt() : WalkResult::advance();
        })
        .wasInterrupted();
  };
  if (holds(isMark))
    return interleave(b, op);
  bool differs = holds([&](Operation *nested) {
    auto perRankValue = [&](Value value) { return perRank.contains(value); };
    return isa<ReplicatedToPartialOp>(nested) ||
           llvm::any_of(nested->getOperands(), perRankValue) ||
           llvm::any_of(nested->getResults(), perRankValue);
  });
  if (!differs) {
    Operation *same = b.clone(op, copies[0]);
    for (IRMapping &copy : copies)
      copy.map(op.getResults(), same->getResults());
    return;
  }
  for (auto [rank, copy] : llvm::enumerate(copies))
    b.clone(op, copy)->walk([&, rank = rank](ReplicatedToPartialOp once) {
      OpBuilder at(once);
      once.getResult().replaceAllUsesWith(countOnFirst(at, once, once.getValue(), rank));
      once.erase();
    });
}

/// Control flow with annotations inside: the copies run through it together, with n carried values
/// for each one.
void ReferenceBuilder::interleave(OpBuilder &b, Operation &op) {
  auto mergedOperands = [&](Operation &from) {
    SmallVector<Value> operands;
    for (OpOperand &operand : from.getOpOperands())
      if (flow.targets(operand).empty())
        operands.push_back(copies[0].lookup(operand.get()));
    for (IRMapping &copy : copies)
      for (OpOperand &operand : from.getOpOperands())
        if (!flow.targets(operand).empty())
          operands.push_back(copy.lookup(operand.get()));
    return operands;
  };
  SmallVector<Type> types;
  for (unsigned i = 0; i < copies.size(); ++i)
    llvm::append_range(types, op.getResultTypes());
  Operation *merged = rebuildControl(
      b, op, mergedOperands(op), types, [&](Region &region, Block &block, OpBuilder &in) {
        for (BlockArgument argument : region.getArguments())
          if (flow.sources(argument).empty()) {
            Value same = block.addArgument(argument.getType(), argument.getLoc());
            for (IRMapping &copy : copies)
              copy.map(argument, same);
          }
        for (IRMapping &copy : copies)
          for (BlockArgument argument : region.getArguments())
            if (!flow.sources(argument).empty())
              copy.map(argument, block.addArgument(argument.getType(), argument.getLoc()));
        for (Operation &nested : region.front().without_terminator())
          cloneOperation(in, nested);
        return mergedOperands(*region.front().getTerminator());
      });
  for (auto [rank, copy] : llvm::enumerate(copies))
    copy.map(op.getResults(),
             merged->getResults().slice(rank * op.getNumResults(), op.getNumResults()));
}

FailureOr<Value> ReferenceBuilder::combineResult(OpBuilder &b, const StepResult &result) {
  Value value = result.operand->get();
  bool isPerRank = perRank.contains(value);
  bool isEntryOfRank =
      result.state && step.getArgAttr(result.state.getArgNumber(), role::perRank) != nullptr;
  if (result.perSample || isEntryOfRank) {
    SmallVector<Value> rows;
    for (IRMapping &copy : copies)
      rows.push_back((isPerRank ? copy : copies[0]).lookup(value));
    int64_t dim = isEntryOfRank
                      ? 0
                      : step.getResultAttrOfType<IntegerAttr>(result.index, role::batch).getInt();
    return tensor::ConcatOp::create(b, value.getLoc(), dim, rows).getResult();
  }
  if (!isPerRank)
    return copies[0].lookup(value);
  ReductionKind kind = ReductionKind::Mean;
  if (!result.updates.empty()) {
    if (config.localState() == LocalState::PerRank)
      return step.emitError("state '") << result.updates
                                       << "' differs from rank to rank (local_state = per_rank), "
                                          "so there is no one value to compare with";
    if (config.localState() == LocalState::Rank0)
      return copies[0].lookup(value);
  } else {
    auto reduce = step.getResultAttrOfType<StringAttr>(result.index, "ds.reduce");
    StringRef how = reduce ? reduce.getValue() : "mean";
    if (how == "none" || result.metric.empty())
      return copies[0].lookup(value);
    kind = *symbolizeReductionKind(how);
  }
  if (!isFloat(value) && kind == ReductionKind::Mean)
    return copies[0].lookup(value);
  return combine(b, value.getLoc(), value, kind);
}

LogicalResult ReferenceBuilder::run() {
  for (unsigned i = 0; i < step.getNumArguments(); ++i)
    if (step.getArgAttr(i, "ds.layerwise_parallel"))
      return step.emitError("argument #")
             << i << " is ds.layerwise_parallel and differs from rank to rank, so there is no one "
             << "value to compare with";
  Block &original = step.getBody().front();
  auto *body = new Block();
  step.getBody().push_back(body);
  OpBuilder b = OpBuilder::atBlockBegin(body);
  splitBatch(b, body);
  perRank = findPerRank(flow, config);
  for (Operation &op : original.without_terminator())
    cloneOperation(b, op);
  SmallVector<Value> returned;
  for (const StepResult &result : getStepResults(step)) {
    FailureOr<Value> value = combineResult(b, result);
    if (failed(value))
      return failure();
    returned.push_back(*value);
  }
  func::ReturnOp::create(b, original.getTerminator()->getLoc(), returned);
  original.dropAllReferences();
  original.dropAllDefinedValueUses();
  original.erase();
  step.setType(FunctionType::get(step.getContext(), body->getArgumentTypes(),
                                 ValueRange(returned).getTypes()));
  return success();
}

} // namespace

LogicalResult buildLocalReference(ModuleOp marked, int64_t numRanks, StringRef entry) {
  func::FuncOp step = getStep(marked, entry);
  FailureOr<Config> config = getConfig(marked);
  if (!step || failed(config))
    return failure();
  return ReferenceBuilder(step, *config, numRanks).run();
}

} // namespace ds
