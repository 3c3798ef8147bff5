//===- SetDestinations.cpp - Choose where results are stored ----*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// For every terminator that forwards tensors (return, the yields of scf.for, scf.while, scf.if,
// scf.index_switch) the destinations are known in advance: the updated argument, the iteration
// argument, or a tensor created outside. All copies of values that would be overwritten come first,
// then all materialisations, so that no write precedes a read of what it overwrites. Since the step
// is still on tensors, bufferization handles the rest: it proves that a store is safe, or copies.
//
//===----------------------------------------------------------------------===//
#include "WhileLoops.h"
#include "ds/Conversion/Passes.h"
#include "ds/Dialect/IR/Ds.h"

#include "mlir/Dialect/Bufferization/IR/BufferizableOpInterface.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Interfaces/DestinationStyleOpInterface.h"
#include "llvm/ADT/StringMap.h"

namespace ds {
#define GEN_PASS_DEF_SETDESTINATIONSPASS
#include "ds/Conversion/Passes.h.inc"
} // namespace ds

using namespace mlir;

namespace {

/// Returns the initial value of a loop's result: iteration arguments keep their memory.
Value loopInit(OpResult result) {
  if (auto loop = dyn_cast<scf::ForOp>(result.getOwner()))
    return loop.getInitArgs()[result.getResultNumber()];
  if (auto loop = dyn_cast<scf::WhileOp>(result.getOwner()))
    if (result.getResultNumber() < loop.getInits().size())
      return loop.getInits()[result.getResultNumber()];
  return {};
}

/// Looks through reshapes, slices, casts and loops; returns the value whose memory `value` may
/// share, independent of decisions by bufferization.
Value sharedValue(Value value) {
  while (auto result = dyn_cast<OpResult>(value)) {
    Operation *op = result.getOwner();
    Value next = loopInit(result);
    if (isa<tensor::ExpandShapeOp, tensor::CollapseShapeOp, tensor::ExtractSliceOp, tensor::CastOp,
            tensor::ReshapeOp>(op))
      next = op->getOperand(0);
    if (!next)
      break;
    value = next;
  }
  return value;
}

/// Returns the operand that `result` overwrites if no other operation needs it.
Value overwrittenValue(OpResult result) {
  Operation *op = result.getOwner();
  if (auto destinations = dyn_cast<DestinationStyleOpInterface>(op))
    return destinations.getTiedOpOperand(result)->get();
  if (auto insert = dyn_cast<tensor::InsertSliceOp>(op))
    return insert.getDest();
  if (auto collective = dyn_cast<ds::CollectiveOpInterface>(op)) {
    OperandRange written = collective.getWritten().getAsOperandRange();
    return result.getResultNumber() < written.size() ? written[result.getResultNumber()] : Value();
  }
  return loopInit(result);
}

/// True if `value` is computed in the memory of `destination` anyway: along a chain of overwritten
/// values, each of which has no other use.
bool isComputedIn(Value value, Value destination) {
  while (auto result = dyn_cast<OpResult>(value)) {
    Value next = overwrittenValue(result);
    if (!next || !next.hasOneUse())
      return false;
    value = next;
  }
  return value == destination;
}

/// Stores the operands of `terminator` from `first` on in `destinations` (null: not a tensor).
LogicalResult storeOperands(Operation *terminator, unsigned first,
                            SmallVector<Value> destinations) {
  OpBuilder builder(terminator);
  llvm::SmallDenseSet<Value> stored;
  SmallVector<Value> values(destinations.size());
  for (size_t i = 0; i < destinations.size(); ++i) {
    Value &destination = destinations[i];
    Value value = terminator->getOperand(first + i);
    values[i] = value;
    if (destination && isComputedIn(value, destination))
      destination = {};
    if (!destination)
      continue;
    if (value.getType() != destination.getType())
      return terminator->emitOpError()
             << "operand #" << first + i << " has type " << value.getType() << ", expected "
             << destination.getType() << " of the place where it is stored";
    Value shared = sharedValue(value);
    bool endangered =
        isa<BlockArgument>(shared) && shared.getParentBlock() == terminator->getBlock();
    if (endangered || !stored.insert(shared).second)
      values[i] = bufferization::AllocTensorOp::create(builder, terminator->getLoc(),
                                                       cast<RankedTensorType>(value.getType()),
                                                       ValueRange(), value);
  }
  for (auto [i, destination] : llvm::enumerate(destinations))
    if (destination)
      terminator->setOperand(first + i, bufferization::MaterializeInDestinationOp::create(
                                            builder, terminator->getLoc(), values[i], destination)
                                            .getResult());
  return success();
}

SmallVector<Value> tensorsOf(ValueRange values) {
  return llvm::map_to_vector(
      values, [](Value value) { return isa<RankedTensorType>(value.getType()) ? value : Value(); });
}

LogicalResult storeLoopValues(Operation *op) {
  if (auto loop = dyn_cast<scf::ForOp>(op))
    return storeOperands(loop.getBody()->getTerminator(), 0, tensorsOf(loop.getRegionIterArgs()));
  if (auto loop = dyn_cast<scf::WhileOp>(op)) {
    // Operand 0 of the condition is the flag; its forwarded values keep their place from one region
    // to the next, except in loops over buffers, which have nothing to store.
    if (!llvm::equal(loop.getInits().getTypes(), loop.getResultTypes()))
      return success();
    if (failed(storeOperands(loop.getConditionOp(), 1, tensorsOf(loop.getBeforeArguments()))))
      return failure();
    return storeOperands(loop.getYieldOp(), 0, tensorsOf(loop.getAfterArguments()));
  }
  return success();
}

/// Creates one tensor outside of the conditional for each result, which every branch fills. It
/// needs separate memory: a tensor.empty could become the argument in which the result is stored,
/// while the branches still read that argument.
LogicalResult storeBranchValues(Operation *op) {
  OpBuilder builder(op);
  SmallVector<Value> destinations;
  for (Type type : op->getResultTypes()) {
    auto tensor = dyn_cast<RankedTensorType>(type);
    destinations.push_back(
        tensor ? bufferization::AllocTensorOp::create(builder, op->getLoc(), tensor, ValueRange())
                     .getResult()
               : Value());
  }
  for (Region &region : op->getRegions())
    if (!region.empty() && failed(storeOperands(region.front().getTerminator(), 0, destinations)))
      return failure();
  return success();
}

/// Refuses operations on tensors without buffers by name; the error of bufferization would not name
/// the cause.
LogicalResult checkHasBuffers(Operation *op) {
  auto isTensor = [](Type type) { return isa<TensorType>(type); };
  bool onTensors =
      llvm::any_of(op->getOperandTypes(), isTensor) || llvm::any_of(op->getResultTypes(), isTensor);
  if (auto call = dyn_cast<func::CallOp>(op))
    return call.emitOpError() << "calls '" << call.getCallee() << "', which could not be inlined";
  if (onTensors && !isa<bufferization::BufferizableOpInterface>(op))
    return op->emitOpError()
           << "cannot be executed: it works on tensors and has no lowering to buffers";
  return success();
}

struct SetDestinations final : ds::impl::SetDestinationsPassBase<SetDestinations> {
  void runOnOperation() override {
    func::FuncOp func = getOperation();
    if (func.isExternal())
      return;
    if (!func.getBody().hasOneBlock()) {
      func.emitError() << "'" << func.getName()
                       << "' has several blocks; expected structured control flow (scf)";
      return signalPassFailure();
    }
    ds::alignWhileLoops(func);
    WalkResult walked = func.walk([](Operation *op) {
      if (failed(checkHasBuffers(op)))
        return WalkResult::interrupt();
      LogicalResult result =
          isa<scf::IfOp, scf::IndexSwitchOp>(op) ? storeBranchValues(op) : storeLoopValues(op);
      return failed(result) ? WalkResult::interrupt() : WalkResult::advance();
    });
    if (walked.wasInterrupted() || failed(storeResults(func)))
      signalPassFailure();
  }

  /// Stores results with `ds.updates` in the argument of that name, others in new arguments marked
  /// `ds.result`.
  LogicalResult storeResults(func::FuncOp func) {
    llvm::StringMap<unsigned> slots;
    unsigned numArguments = func.getNumArguments();
    llvm::SmallDenseSet<unsigned> updated;
    for (unsigned i = 0; i < numArguments; ++i)
      for (StringRef role : {"ds.param", "ds.state"})
        if (auto name = func.getArgAttrOfType<StringAttr>(i, role))
          slots[name.getValue()] = i;
    Operation *terminator = func.front().getTerminator();
    SmallVector<Value> destinations;
    // All arguments are added and annotated at once: each single change would rewrite the list of
    // all.
    SmallVector<unsigned> added; // results
    SmallVector<Type> addedTypes;
    SmallVector<DictionaryAttr> addedAttrs;
    for (unsigned i = 0; i < func.getNumResults(); ++i) {
      auto type = dyn_cast<RankedTensorType>(func.getResultTypes()[i]);
      if (!type)
        return func.emitError() << "result #" << i << " of the step is not a ranked tensor";
      if (auto name = func.getResultAttrOfType<StringAttr>(i, "ds.updates")) {
        auto slot = slots.find(name.getValue());
        if (slot == slots.end())
          return func.emitError() << "result #" << i << " updates '" << name.getValue()
                                  << "', which is no parameter or state of the step";
        if (!updated.insert(slot->second).second)
          return func.emitError() << "'" << name.getValue() << "' is updated by two results";
        destinations.push_back(func.getArgument(slot->second));
        continue;
      }
      auto attrs = DictionaryAttr::get(
          func.getContext(),
          {NamedAttribute(StringAttr::get(func.getContext(), "ds.result"),
                          IntegerAttr::get(IntegerType::get(func.getContext(), 64), i))});
      added.push_back(i);
      addedTypes.push_back(type);
      addedAttrs.push_back(attrs);
      destinations.push_back({});
    }
    SmallVector<unsigned> places(added.size(), numArguments);
    SmallVector<Location> locs(added.size(), terminator->getLoc());
    LogicalResult inserted = func.insertArguments(places, addedTypes, addedAttrs, locs);
    assert(succeeded(inserted) && "any tensor can be an argument");
    (void)inserted;
    for (auto [place, result] : llvm::enumerate(added))
      destinations[result] = func.getArgument(numArguments + place);
    // Inputs of the step must not be overwritten: the caller reads them again.
    SmallVector<DictionaryAttr> attrs;
    for (unsigned i = 0; i < func.getNumArguments(); ++i) {
      NamedAttrList list(func.getArgAttrDict(i));
      if (i < numArguments && !updated.contains(i))
        list.set(bufferization::BufferizationDialect::kWritableAttrName,
                 BoolAttr::get(func.getContext(), false));
      attrs.push_back(list.getDictionary(func.getContext()));
    }
    func.setAllArgAttrs(attrs);
    return storeOperands(terminator, 0, destinations);
  }
};

} // namespace
