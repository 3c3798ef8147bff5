//===- DsVerifiers.cpp - verifiers of ds operations -------------*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One small function per constraint; its label (C2, ...) is that of the operation's description and
// of the test.
//
//===----------------------------------------------------------------------===//

#include "ds/Dialect/IR/Ds.h"
#include "mlir/IR/TypeUtilities.h"

#include "llvm/ADT/SmallSet.h"

using namespace mlir;
using namespace ds;

static ShapedType shaped(Value value) { return cast<ShapedType>(value.getType()); }

// C1 of all collectives on operands.
static LogicalResult verifyHasOperands(Operation *op, OperandRange inputs) {
  if (inputs.empty())
    return op->emitOpError("expected at least one operand");
  return success();
}

// C2: a result for each tensor, none for a memref.
static LogicalResult verifyInPlace(Operation *op, OperandRange inputs, TypeRange results) {
  for (Value input : inputs)
    if (isa<TensorType>(input.getType()) != isa<TensorType>(inputs.front().getType()))
      return op->emitOpError("expected only tensors or only memrefs, got ")
             << inputs.front().getType() << " and " << input.getType();
  bool onTensors = !inputs.empty() && isa<TensorType>(inputs.front().getType());
  size_t expected = onTensors ? inputs.size() : 0;
  if (results.size() != expected)
    return op->emitOpError("expected ") << expected << " results, got " << results.size();
  for (auto [input, result] : llvm::zip(inputs.getTypes(), results))
    if (input != result)
      return op->emitOpError("expected a result of type ") << input << ", got " << result;
  return success();
}

// C3; C1 of gradient.
static LogicalResult verifyStatic(Operation *op, ValueRange values) {
  for (Value value : values) {
    if (!shaped(value).hasStaticShape())
      return op->emitOpError("expected a static shape, got ") << value.getType();
    auto memref = dyn_cast<MemRefType>(value.getType());
    if (memref && !memref.areTrailingDimsContiguous(memref.getRank()))
      return op->emitOpError("expected a contiguous memref, got ") << memref;
  }
  return success();
}

// C4.
static LogicalResult verifyOneWireType(Operation *op, ValueRange values) {
  if (values.empty())
    return success();
  Type wireType = shaped(values.front()).getElementType();
  if (!wireType.isIntOrFloat())
    return op->emitOpError("expected integers or floats, got ") << wireType;
  for (Value value : values)
    if (shaped(value).getElementType() != wireType)
      return op->emitOpError("expected one element type, got ")
             << wireType << " and " << shaped(value).getElementType();
  return success();
}

// C5 of the reductions.
static LogicalResult verifyKind(Operation *op, ReductionKind kind, ValueRange values) {
  if (values.empty())
    return success();
  Type wireType = shaped(values.front()).getElementType();
  auto expected = [&](StringRef what) {
    return op->emitOpError("expected ")
           << what << " for '" << stringifyReductionKind(kind) << "', got " << wireType;
  };
  switch (kind) {
  case ReductionKind::Mean:
    return isa<FloatType>(wireType) ? success() : LogicalResult(expected("floats"));
  case ReductionKind::And:
  case ReductionKind::Or:
    return isa<IntegerType>(wireType) ? success() : LogicalResult(expected("integers"));
  case ReductionKind::Sum:
  case ReductionKind::Prod:
  case ReductionKind::Max:
  case ReductionKind::Min:
    if (auto integer = dyn_cast<IntegerType>(wireType); integer && integer.getWidth() < 8)
      return expected("floats or integers of at least 8 bits");
    return success();
  }
  llvm_unreachable("all kinds are handled");
}

// C6.
LogicalResult ds::verifyAxes(Operation *op, ArrayAttr axes) {
  if (!axes)
    return success();
  if (axes.empty())
    return op->emitOpError("expected a group of at least one axis");
  llvm::SmallSet<StringRef, 4> seen;
  for (auto axis : axes.getAsRange<StringAttr>())
    if (!seen.insert(axis.getValue()).second)
      return op->emitOpError("expected distinct axes in 'group', got '")
             << axis.getValue() << "' twice";
  return success();
}

static LogicalResult verifyGroup(Operation *op, Attribute attr) {
  auto group = dyn_cast_or_null<DenseI64ArrayAttr>(attr);
  if (!group)
    return verifyAxes(op, dyn_cast_or_null<ArrayAttr>(attr));
  if (group.empty())
    return op->emitOpError("expected a group of at least one rank");
  llvm::SmallSet<int64_t, 8> seen;
  for (int64_t rank : group.asArrayRef()) {
    if (rank < 0)
      return op->emitOpError("expected ranks from 0 in 'group', got ") << rank;
    if (!seen.insert(rank).second)
      return op->emitOpError("expected distinct ranks in 'group', got ") << rank << " twice";
  }
  return success();
}

// C7.
static LogicalResult verifyNames(Operation *op, ArrayAttr names, OperandRange inputs) {
  if (!names || names.empty())
    return success();
  if (names.size() != inputs.size())
    return op->emitOpError("expected one list of names per operand, got ")
           << names.size() << " lists for " << inputs.size() << " operands";
  for (Attribute list : names) {
    if (cast<ArrayAttr>(list).empty())
      return op->emitOpError("expected at least one name per operand");
    for (Attribute name : cast<ArrayAttr>(list))
      if (cast<StringAttr>(name).empty())
        return op->emitOpError("expected names that are not empty");
  }
  return success();
}

// C8.
static LogicalResult verifyFusion(Operation *op, IntegerAttr fusion) {
  if (fusion && fusion.getInt() < 0)
    return op->emitOpError("expected 'fusion' to be at least 0, got ") << fusion.getInt();
  return success();
}

// C9: reducing a buffer twice in place would count the first result into the second. C8 of
// all_to_all and permute: data that other ranks still read would be overwritten.
static LogicalResult verifyDistinctBuffers(Operation *op, OperandRange inputs) {
  llvm::SmallPtrSet<Value, 8> seen;
  for (Value input : inputs)
    if (isa<BaseMemRefType>(input.getType()) && !seen.insert(input).second)
      return op->emitOpError("expected distinct buffers, got one twice");
  return success();
}

/// Returns the n of a collective that moves blocks between `whole` and `part`; none if they move
/// within one dimension, whose sizes do not determine n.
static FailureOr<std::optional<int64_t>> sharesOf(CollectiveOpInterface op, ShapedType whole,
                                                  ShapedType part) {
  std::optional<int64_t> split = op.getSplitDim(), concat = op.getConcatDim();
  SmallVector<int64_t, 2> dims;
  for (std::optional<int64_t> dim : {split, concat})
    if (dim)
      dims.push_back(*dim);
  // C9
  for (int64_t dim : dims)
    if (dim < 0 || dim >= whole.getRank() || whole.getRank() != part.getRank())
      return op->emitOpError("expected dimension ")
             << dim << " in both types, got " << whole << " and " << part;
  // C10
  for (int64_t i = 0; i < whole.getRank(); ++i)
    if ((split == concat || !llvm::is_contained(dims, i)) &&
        whole.getDimSize(i) != part.getDimSize(i)) {
      InFlightDiagnostic diag = op->emitOpError("expected types that agree but along dimension");
      diag << (dims.size() > 1 ? "s " : " ");
      llvm::interleave(dims, diag, [&](int64_t dim) { diag << dim; }, " and ");
      return diag << ", got " << whole << " and " << part;
    }
  if (split == concat)
    return std::optional<int64_t>();
  int64_t all = whole.getDimSize(dims[0]), one = part.getDimSize(dims[0]);
  bool divides = one != 0 && all % one == 0;
  if (dims.size() == 1 && !divides)
    return op->emitOpError("expected dimension ")
           << dims[0] << " to be a multiple, got " << all << " and " << one;
  if (dims.size() == 2 &&
      (!divides || whole.getDimSize(*concat) * (all / one) != part.getDimSize(*concat)))
    return op->emitOpError("expected blocks of dimension ")
           << *split << " one after another in dimension " << *concat << ", got " << whole
           << " and " << part;
  return std::optional<int64_t>(all / one);
}

static LogicalResult verifyOneForm(Operation *op, Value a, Value b) {
  if (isa<TensorType>(a.getType()) != isa<TensorType>(b.getType()))
    return op->emitOpError("expected only tensors or only memrefs, got ")
           << a.getType() << " and " << b.getType();
  return success();
}

/// Returns the number of ranks that a group lists.
static std::optional<int64_t> listedRanks(CollectiveOpInterface op) {
  auto group = dyn_cast_or_null<DenseI64ArrayAttr>(op.getRanks());
  return group ? std::optional<int64_t>(group.size()) : std::nullopt;
}

static LogicalResult verifyShares(CollectiveOpInterface op) {
  std::optional<int64_t> ranks = listedRanks(op);
  for (auto [whole, part] : llvm::zip_equal(op.getWholes(), op.getParts())) {
    if (failed(verifyOneForm(op, whole, part)))
      return failure();
    FailureOr<std::optional<int64_t>> said = sharesOf(op, shaped(whole), shaped(part));
    if (failed(said))
      return failure();
    if (ranks && *said && *said != ranks)
      return op->emitOpError("expected ") << *ranks << " shares, got " << **said;
    if (*said)
      ranks = *said;
    else if (int64_t dim = *op.getSplitDim(), size = shaped(whole).getDimSize(dim);
             size % ranks.value_or(1) != 0)
      return op->emitOpError("expected dimension ")
             << dim << " to be a multiple of " << *ranks << ", got " << size;
  }
  return success();
}

LogicalResult ds::verifyCollective(Operation *operation) {
  auto op = cast<CollectiveOpInterface>(operation);
  if (failed(verifyGroup(op, op->getAttr("group"))))
    return failure();
  // A wait is checked with its start; a barrier moves nothing.
  if (isa<WaitOp>(operation) || op->hasTrait<OpTrait::ZeroOperands>())
    return success();
  OperandRange read = op.getRead().getAsOperandRange();
  OperandRange written = op.getWritten().getAsOperandRange();
  SmallVector<Type> results(llvm::make_filter_range(
      op->getResultTypes(), [](Type type) { return !isa<PendingType>(type); }));
  if (failed(verifyHasOperands(op, read)) || failed(verifyInPlace(op, written, results)) ||
      failed(verifyStatic(op, op->getOperands())) ||
      failed(verifyOneWireType(op, op->getOperands())) ||
      failed(verifyNames(op, op->getAttrOfType<ArrayAttr>("names"), read)) ||
      failed(verifyFusion(op, op->getAttrOfType<IntegerAttr>("fusion"))))
    return failure();
  if (auto kind = op->getAttrOfType<ReductionKindAttr>("kind");
      kind && failed(verifyKind(op, kind.getValue(), read)))
    return failure();
  if (!op.hasParts() && failed(verifyDistinctBuffers(op, op->getOperands())))
    return failure();
  bool movesBlocks = op.getSplitDim() || op.getConcatDim();
  return movesBlocks ? verifyShares(op) : success();
}

LogicalResult GradientOp::verify() {
  // C1
  if (!isa<FloatType>(shaped(getValue()).getElementType()))
    return emitOpError("expected a tensor of floats, got ") << getValue().getType();
  if (failed(verifyStatic(*this, getValue())))
    return failure();
  // C2
  if (getParam().empty())
    return emitOpError("expected the name of a parameter, got an empty one");
  return success();
}

LogicalResult RankOp::verify() { return verifyAxes(*this, getGroupAttr()); }
LogicalResult NumRanksOp::verify() { return verifyAxes(*this, getGroupAttr()); }

LogicalResult ShardingConstraintOp::verify() {
  // C1
  if (size_t dims = getSharding().getDims().size(), rank = shaped(getValue()).getRank();
      dims != rank)
    return emitOpError("expected ") << rank << " dimensions in the sharding of a "
                                    << getValue().getType() << ", got " << dims;
  return success();
}

LogicalResult ReshardOp::verify() {
  // C1
  ShapedType type = shaped(getValue());
  auto divides = [&](ArrayRef<int64_t> shard) { // a product of the factors may overflow
    int64_t size = type.getDimSize(shard[0]);
    return size % shard[1] == 0 && size / shard[1] % shard[2] == 0;
  };
  for (PlacementAttr placement : {getFrom(), getTo()}) {
    ArrayRef<int64_t> sharding = placement.getSharding();
    if (!sharding.empty() && (sharding[0] >= type.getRank() || !divides(sharding)))
      return emitOpError("expected a shard of ") << type << ", got " << placement;
  }
  // C2
  if (getFrom() == getTo() || getTo().getReduction())
    return emitOpError("expected a move to replicated or sharded, got ")
           << getFrom() << " to " << getTo();
  // C3
  ArrayRef<int64_t> from = getFrom().getSharding(), to = getTo().getSharding();
  auto ranksOf = [&](ArrayRef<int64_t> shard) {
    return type.getDimSize(shard[0]) / shard[1] / shard[2];
  };
  // All shards of an empty tensor are the same.
  if (!from.empty() && !to.empty() &&
      (ranksOf(from) != ranksOf(to) ||
       (ranksOf(to) != 0 && !canExchangeBlocks(from, to, ranksOf(to)))))
    return emitOpError("expected shards of as many ranks whose digits do not overlap, got ")
           << getFrom() << " to " << getTo();
  return success();
}

LogicalResult CombineOp::verify() {
  // C1
  Type type = getValue().getType(), element = getElementTypeOrSelf(type);
  auto tensor = dyn_cast<RankedTensorType>(type);
  if (!element.isIntOrFloat() || (type != element && (!tensor || !tensor.hasStaticShape())))
    return emitOpError(
               "expected an integer or a float, or a tensor of these of a static shape, got ")
           << type;
  // C2
  bool isFloat = isa<FloatType>(element), isMean = getKind() == ReductionKind::Mean;
  bool isLogical = getKind() == ReductionKind::And || getKind() == ReductionKind::Or;
  if ((isMean && !isFloat) || (isLogical && isFloat))
    return emitOpError("expected ") << (isMean ? "floats" : "integers") << " for '"
                                    << stringifyReductionKind(getKind()) << "', got " << element;
  return success();
}

/// Verifies the constraints shared by all operations that start a collective.
static LogicalResult verifyStart(Operation *op) {
  // C10, of those with destinations C11
  Value pending = op->getResults().back();
  if (!pending.hasOneUse() || !isa<WaitOp>(*pending.user_begin()))
    return op->emitOpError("expected the handle to be used by exactly one 'ds.wait'");
  Operation *wait = *pending.user_begin();
  // C11, C12: anything else could read or overwrite memory in flight.
  for (Value started : op->getResults().drop_back())
    for (Operation *user : started.getUsers())
      if (user != wait)
        return (op->emitOpError("expected a started tensor to be used by its 'ds.wait' only")
                    .attachNote(user->getLoc())
                << "also used here");
  return success();
}

LogicalResult AllReduceStartOp::verify() { return verifyStart(*this); }     // C10, C11
LogicalResult ReduceScatterStartOp::verify() { return verifyStart(*this); } // C11, C12
LogicalResult AllGatherStartOp::verify() { return verifyStart(*this); }     // C11, C12

LogicalResult WaitOp::verify() {
  // C1
  auto start = getPending().getDefiningOp<CollectiveOpInterface>();
  if (!start)
    return emitOpError("expected the handle of an operation that starts a collective");
  // C2
  if (failed(verifyInPlace(*this, getInputs(), getResultTypes())))
    return failure();
  if (!llvm::equal(start.getReceiving(), getInputs()))
    return (emitOpError("expected all values of its start, in order").attachNote(start.getLoc())
            << "started here");
  // C3
  if (!llvm::equal(start.getLeaving(), getKept()))
    return emitOpError("expected to keep all that its start reads and does not write, in order");
  return success();
}

LogicalResult CollectivePermuteOp::verify() {
  // C9: layouts of buffers may differ.
  for (auto [input, out] : llvm::zip_equal(getInputs(), getOuts())) {
    if (failed(verifyOneForm(*this, input, out)))
      return failure();
    if (shaped(input).getShape() != shaped(out).getShape())
      return emitOpError("expected operand and destination of one shape, got ")
             << input.getType() << " and " << out.getType();
  }
  // C10: the number of ranks along axes is known to ds-verify-spmd only.
  int64_t members = getSources().size();
  if (std::optional<int64_t> ranks = listedRanks(*this); members != ranks.value_or(members))
    return emitOpError("expected a source for each of ") << *ranks << " ranks, got " << members;
  // C11
  llvm::SmallSet<int64_t, 8> seen;
  for (int64_t source : getSources()) {
    if (source < -1 || source >= members)
      return emitOpError("expected sources from -1 below ") << members << ", got " << source;
    if (source >= 0 && !seen.insert(source).second)
      return emitOpError("expected distinct sources, got ") << source << " twice";
  }
  return success();
}

LogicalResult BroadcastOp::verify() {
  // C5
  int64_t root = getRoot();
  if (root < 0)
    return emitOpError("expected a root from 0, got ") << root;
  auto group = dyn_cast_or_null<DenseI64ArrayAttr>(getGroupAttr());
  if (group && !llvm::is_contained(group.asArrayRef(), root))
    return emitOpError("expected the root to be a rank of 'group', got ") << root;
  return success();
}
