//===- BufferizableOpInterfaceImpl.cpp - ds in bufferization ----*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Collectives work in place: each tensor result is its operand's memory, read and overwritten by
// the operation. The handle of a started collective carries no memory, so one-shot analysis follows
// the tensors from start to wait and never reuses a buffer in flight. A gradient annotation is its
// operand.
//
//===----------------------------------------------------------------------===//

#include "ds/Dialect/IR/Ds.h"

#include "mlir/Dialect/Bufferization/IR/BufferizableOpInterface.h"

using namespace mlir;
using namespace mlir::bufferization;
using namespace ds;

/// Returns the buffers of `values`; memref operands are returned unchanged.
static FailureOr<SmallVector<Value>> buffersOf(RewriterBase &rewriter, ValueRange values,
                                               const BufferizationOptions &options,
                                               const BufferizationState &state) {
  SmallVector<Value> buffers;
  for (Value value : values) {
    if (!isa<TensorType>(value.getType())) {
      buffers.push_back(value);
      continue;
    }
    FailureOr<Value> buffer = getBuffer(rewriter, value, options, state);
    if (failed(buffer))
      return failure();
    buffers.push_back(*buffer);
  }
  return buffers;
}

/// True if ranks can exchange the buffer as contiguous memory from an address that needs no
/// computed offset (a slice at a loop's position does).
static bool isContiguous(Value buffer) {
  auto type = cast<MemRefType>(buffer.getType());
  auto [strides, offset] = type.getStridesAndOffset();
  return !ShapedType::isDynamic(offset) && type.areTrailingDimsContiguous(type.getRank());
}

/// Returns the buffer, or a contiguous copy of it.
static FailureOr<Value> contiguous(RewriterBase &rewriter, Location loc, Value buffer,
                                   const BufferizationOptions &options) {
  if (isContiguous(buffer))
    return buffer;
  auto type = cast<MemRefType>(buffer.getType());
  FailureOr<Value> copy = options.createAlloc(
      rewriter, loc, MemRefType::get(type.getShape(), type.getElementType()), ValueRange());
  if (failed(copy) || failed(options.createMemCpy(rewriter, loc, buffer, *copy)))
    return failure();
  return copy;
}

namespace {

struct GradientModel : BufferizableOpInterface::ExternalModel<GradientModel, GradientOp> {
  bool bufferizesToMemoryRead(Operation *, OpOperand &, const AnalysisState &) const {
    return false;
  }
  bool bufferizesToMemoryWrite(Operation *, OpOperand &, const AnalysisState &) const {
    return false;
  }
  AliasingValueList getAliasingValues(Operation *op, OpOperand &, const AnalysisState &) const {
    return {{op->getResult(0), BufferRelation::Equivalent}};
  }
  LogicalResult bufferize(Operation *op, RewriterBase &rewriter,
                          const BufferizationOptions &options, BufferizationState &state) const {
    FailureOr<Value> buffer = getBuffer(rewriter, cast<GradientOp>(op).getValue(), options, state);
    if (failed(buffer))
      return failure();
    replaceOpWithBufferizedValues(rewriter, op, *buffer);
    return success();
  }
};

/// Reads and writes the operands that the operation declares; its results are the written ones, in
/// order.
template <typename Op>
struct CollectiveModel : BufferizableOpInterface::ExternalModel<CollectiveModel<Op>, Op> {
  static bool isIn(OperandRange range, OpOperand &operand) {
    return operand.getOperandNumber() - range.getBeginOperandIndex() < range.size();
  }
  static OperandRange written(Operation *op) {
    return cast<Op>(op).getWritten().getAsOperandRange();
  }
  bool bufferizesToMemoryRead(Operation *op, OpOperand &operand, const AnalysisState &) const {
    return isIn(cast<Op>(op).getRead().getAsOperandRange(), operand);
  }
  bool bufferizesToMemoryWrite(Operation *op, OpOperand &operand, const AnalysisState &) const {
    return isIn(written(op), operand);
  }
  AliasingValueList getAliasingValues(Operation *op, OpOperand &operand,
                                      const AnalysisState &) const {
    if (!isIn(written(op), operand))
      return {};
    unsigned number = operand.getOperandNumber() - written(op).getBeginOperandIndex();
    return {{op->getResult(number), BufferRelation::Equivalent}};
  }
  /// The default queries every operand for every result, and a bucket may hold thousands.
  AliasingOpOperandList getAliasingOpOperands(Operation *op, Value value,
                                              const AnalysisState &) const {
    unsigned number = cast<OpResult>(value).getResultNumber() + written(op).getBeginOperandIndex();
    return {{&op->getOpOperand(number), BufferRelation::Equivalent}};
  }
  LogicalResult bufferize(Operation *op, RewriterBase &rewriter,
                          const BufferizationOptions &options, BufferizationState &state) const {
    Location loc = op->getLoc();
    auto buffers = buffersOf(rewriter, op->getOperands(), options, state);
    if (failed(buffers))
      return failure();
    // A slice is copied out before the exchange and back after it. A slice in flight cannot be
    // copied back yet: later reads use its copy.
    SmallVector<Value> whole(*buffers);
    for (Value &buffer : whole) {
      if (!isa<MemRefType>(buffer.getType()))
        continue; // the operands of a wait
      FailureOr<Value> copy = contiguous(rewriter, loc, buffer, options);
      if (failed(copy))
        return failure();
      buffer = *copy;
    }
    if (cast<Op>(op).isInFlight())
      buffers = whole;
    SmallVector<Type> pending(
        llvm::make_filter_range(op->getResultTypes(), llvm::IsaPred<PendingType>));
    OperationState onBuffers(loc, op->getName(), whole, pending,
                             op->getAttrDictionary().getValue());
    Operation *exchange = rewriter.create(onBuffers);
    SmallVector<Value> results;
    for (unsigned i = 0, first = written(op).getBeginOperandIndex(); i < written(op).size(); ++i) {
      Value buffer = (*buffers)[first + i], copy = whole[first + i];
      if (buffer != copy && failed(options.createMemCpy(rewriter, loc, copy, buffer)))
        return failure();
      results.push_back(buffer);
    }
    llvm::append_range(results, exchange->getResults());
    replaceOpWithBufferizedValues(rewriter, op, results);
    return success();
  }
};

template <typename Op> void attachTo(MLIRContext *context) {
  if constexpr (Op::template hasTrait<CollectiveOpInterface::Trait>())
    Op::template attachInterface<CollectiveModel<Op>>(*context);
}

template <typename... Ops> void attachToCollectives(MLIRContext *context) {
  (attachTo<Ops>(context), ...);
}

} // namespace

void ds::registerBufferizableOpInterfaceExternalModels(DialectRegistry &registry) {
  registry.addExtension(+[](MLIRContext *context, DsDialect *) {
    GradientOp::attachInterface<GradientModel>(*context);
    attachToCollectives<
#define GET_OP_LIST
#include "ds/Dialect/IR/DsOps.cpp.inc"
        >(context);
  });
}
