//===- InFlight.cpp - No access to memory in flight -------------*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One sweep over each block that starts an exchange. Two values may overlap in memory if both can
// come from one buffer (BufferViewFlowAnalysis) and, for views of one arena, if their bytes
// overlap. On tensors an operation can only use its own operands, so the handle alone is checked.
//
//===----------------------------------------------------------------------===//
#include "ds/Analysis/InFlight.h"

#include "ds/Dialect/IR/Ds.h"

#include "mlir/Dialect/Bufferization/Transforms/BufferViewFlowAnalysis.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "llvm/ADT/MapVector.h"

using namespace mlir;

namespace ds {
namespace {

/// Bytes of a buffer.
struct Place {
  Value buffer;
  int64_t begin = 0, end = std::numeric_limits<int64_t>::max();

  bool meets(const Place &other) const {
    return buffer == other.buffer && begin < other.end && other.begin < end;
  }
};

struct Flight {
  Operation *start, *wait;
  SmallVector<Place> places;
  bool isReadByOthers = false;
};

class Verifier {
public:
  Verifier(FunctionOpInterface function, llvm::function_ref<bool(Operation *)> isStart,
           ArrayRef<SharedBytes> shared)
      : function(function), isStart(isStart), shared(shared) {}

  LogicalResult run() {
    llvm::MapVector<Block *, SmallVector<Operation *>> starts;
    function->walk([&](Operation *op) {
      if (startsFlight(op))
        starts[op->getBlock()].push_back(op);
    });
    for (auto &[block, operations] : starts)
      for (Operation *start : operations)
        if (failed(findWait(start)))
          return failure();
    for (const SharedBytes &bytes : shared)
      (void)starts[bytes.begin->getBlock()];
    for (auto &[block, operations] : starts)
      if (failed(sweep(*block)))
        return failure();
    return success();
  }

private:
  bool startsFlight(Operation *op) const {
    if (llvm::any_of(op->getResultTypes(), llvm::IsaPred<PendingType>))
      return true;
    return isStart(op);
  }

  /// The handle is the last result.
  static Value handleOf(Operation *start) { return start->getResults().back(); }

  LogicalResult findWait(Operation *start) {
    SmallVector<Operation *> waits(handleOf(start).getUsers());
    if (waits.size() != 1) {
      InFlightDiagnostic diag = start->emitError("expected its handle to be waited for once, got ")
                                << waits.size() << " waits";
      for (Operation *wait : waits)
        diag.attachNote(wait->getLoc()) << "waited for here";
      return diag;
    }
    if (waits.front()->getBlock() != start->getBlock()) {
      InFlightDiagnostic diag =
          start->emitError("expected its 'ds.wait' in the same block, so that every path waits");
      diag.attachNote(waits.front()->getLoc()) << "waited for here";
      return diag;
    }
    waitOf[start] = waits.front();
    return success();
  }

  LogicalResult sweep(Block &block) {
    SmallVector<Flight> flights;
    for (Operation &op : block) {
      llvm::erase_if(flights, [&](const Flight &flight) { return flight.wait == &op; });
      if (!flights.empty())
        if (const Flight *touched = findTouched(&op, flights)) {
          bool isRead = touched->isReadByOthers;
          InFlightDiagnostic diag = op.emitError(isRead ? "touches memory that other ranks read"
                                                        : "touches a buffer in flight");
          diag.attachNote(touched->start->getLoc())
              << (isRead ? "the ranks meet before that here" : "started here");
          diag.attachNote(touched->wait->getLoc())
              << (isRead ? "and after it here" : "waited for here");
          return diag;
        }
      if (auto wait = waitOf.find(&op); wait != waitOf.end()) {
        Flight &flight = flights.emplace_back(Flight{&op, wait->second, {}});
        for (Value operand : op.getOperands())
          if (isa<BaseMemRefType>(operand.getType()))
            llvm::append_range(flight.places, placesOf(operand));
      }
      for (const SharedBytes &bytes : shared)
        if (bytes.begin == &op)
          flights.push_back({&op, bytes.end, {{bytes.buffer, bytes.first, bytes.last}}, true});
    }
    return success();
  }

  /// Returns the flight whose memory the operation, or one inside it, may read or write.
  const Flight *findTouched(Operation *op, ArrayRef<Flight> flights) {
    const Flight *touched = nullptr;
    op->walk([&](Operation *inner) {
      if (isMemoryEffectFree(inner))
        return WalkResult::advance();
      for (Value operand : inner->getOperands()) {
        if (!isa<BaseMemRefType>(operand.getType()))
          continue;
        for (const Place &place : placesOf(operand))
          for (const Flight &flight : flights)
            if (llvm::any_of(flight.places,
                             [&](const Place &other) { return other.meets(place); })) {
              touched = &flight;
              return WalkResult::interrupt();
            }
      }
      return WalkResult::advance();
    });
    return touched;
  }

  /// Returns all buffers that the value may be a view of; for a view at known bytes of another
  /// buffer, these bytes.
  ArrayRef<Place> placesOf(Value value) {
    auto [known, isNew] = places.try_emplace(value);
    if (!isNew)
      return known->second;
    if (!aliases)
      aliases.emplace(function);
    SmallVector<Place> found;
    BufferViewFlowAnalysis::ValueSetT sources = aliases->resolveReverse(value);
    llvm::SmallDenseSet<Value> seenInParts;
    for (Value source : sources) {
      auto view = source.getDefiningOp<memref::ViewOp>();
      std::optional<int64_t> shift = view ? getConstantIntValue(view.getByteShift()) : std::nullopt;
      MemRefType type = view ? view.getType() : MemRefType();
      if (!shift || !type.hasStaticShape() || !type.getElementType().isIntOrIndexOrFloat())
        continue;
      int64_t size =
          type.getElementType().isIndex() ? 8 : llvm::divideCeil(type.getElementTypeBitWidth(), 8);
      found.push_back({view.getSource(), *shift, *shift + type.getNumElements() * size});
      seenInParts.insert(view.getSource());
    }
    for (Value source : sources)
      if (source == value || !seenInParts.contains(source))
        found.push_back({source});
    return places[value] = std::move(found);
  }

  FunctionOpInterface function;
  llvm::function_ref<bool(Operation *)> isStart;
  ArrayRef<SharedBytes> shared;
  DenseMap<Operation *, Operation *> waitOf; // by start
  DenseMap<Value, SmallVector<Place>> places;
  std::optional<BufferViewFlowAnalysis> aliases;
};

} // namespace

LogicalResult verifyInFlight(FunctionOpInterface function,
                             llvm::function_ref<bool(Operation *)> isStart,
                             ArrayRef<SharedBytes> shared) {
  return Verifier(function, isStart, shared).run();
}

} // namespace ds
