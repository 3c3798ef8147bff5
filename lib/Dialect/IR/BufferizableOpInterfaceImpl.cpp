//===- BufferizableOpInterfaceImpl.cpp - ds in bufferization ----*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Collectives work in place: each tensor result is its operand's memory, read and overwritten by
// the operation. The handle of a started collective carries no memory, so one-shot analysis follows
// the tensors from start to wait and never hands out a buffer in flight. A gradient mark is its
// operand.
//
//===----------------------------------------------------------------------===//

#include "ds/Dialect/IR/Ds.h"

#include "mlir/Dialect/Bufferization/IR/BufferizableOpInterface.h"

using namespace mlir;
using namespace mlir::bufferization;
using namespace ds;

/// The buffers of `values`; memref operands pass.
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

/// Whether ranks can exchange the buffer as one stretch of memory, from an address that is known
/// without computing an offset (a slice at a loop's position has none).
static bool isContiguous(Value buffer) {
  auto type = cast<MemRefType>(buffer.getType());
  auto [strides, offset] = type.getStridesAndOffset();
  return !ShapedType::isDynamic(offset) && type.areTrailingDimsContiguous(type.getRank());
}

/// The buffer, or a contiguous copy of it.
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

/// Runs `exchange` on contiguous buffers: a slice is copied out before it and back after it.
static LogicalResult onContiguous(RewriterBase &rewriter, Location loc, ArrayRef<Value> buffers,
                                  const BufferizationOptions &options,
                                  llvm::function_ref<void(ValueRange)> exchange) {
  SmallVector<Value> whole(buffers);
  for (Value &buffer : whole) {
    FailureOr<Value> copy = contiguous(rewriter, loc, buffer, options);
    if (failed(copy))
      return failure();
    buffer = *copy;
  }
  exchange(whole);
  for (auto [buffer, copy] : llvm::zip_equal(buffers, whole))
    if (buffer != copy && failed(options.createMemCpy(rewriter, loc, copy, buffer)))
      return failure();
  return success();
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

/// Operands and results are tied pairwise; `firstInput` operands before them are not tensors.
template <typename Model, typename Op, unsigned firstInput>
struct InPlaceModel : BufferizableOpInterface::ExternalModel<Model, Op> {
  bool bufferizesToMemoryRead(Operation *, OpOperand &, const AnalysisState &) const {
    return true;
  }
  bool bufferizesToMemoryWrite(Operation *, OpOperand &, const AnalysisState &) const {
    return true;
  }
  AliasingValueList getAliasingValues(Operation *op, OpOperand &operand,
                                      const AnalysisState &) const {
    return {{op->getResult(operand.getOperandNumber() - firstInput), BufferRelation::Equivalent}};
  }
  /// The default asks every operand about every result, and a bucket may hold thousands.
  AliasingOpOperandList getAliasingOpOperands(Operation *op, Value value,
                                              const AnalysisState &) const {
    unsigned number = cast<OpResult>(value).getResultNumber() + firstInput;
    return {{&op->getOpOperand(number), BufferRelation::Equivalent}};
  }
};

struct AllReduceModel : InPlaceModel<AllReduceModel, AllReduceOp, 0> {
  LogicalResult bufferize(Operation *op, RewriterBase &rewriter,
                          const BufferizationOptions &options, BufferizationState &state) const {
    auto reduce = cast<AllReduceOp>(op);
    auto buffers = buffersOf(rewriter, reduce.getInputs(), options, state);
    if (failed(buffers))
      return failure();
    auto exchange = [&](ValueRange whole) {
      AllReduceOp::create(rewriter, op->getLoc(), TypeRange(), whole, reduce.getProperties(),
                          llvm::to_vector(op->getDiscardableAttrs()));
    };
    if (failed(onContiguous(rewriter, op->getLoc(), *buffers, options, exchange)))
      return failure();
    replaceOpWithBufferizedValues(rewriter, op, *buffers);
    return success();
  }
};

struct AllReduceStartModel : InPlaceModel<AllReduceStartModel, AllReduceStartOp, 0> {
  LogicalResult bufferize(Operation *op, RewriterBase &rewriter,
                          const BufferizationOptions &options, BufferizationState &state) const {
    auto start = cast<AllReduceStartOp>(op);
    auto buffers = buffersOf(rewriter, start.getInputs(), options, state);
    if (failed(buffers))
      return failure();
    auto onBuffers = AllReduceStartOp::create(
        rewriter, op->getLoc(), TypeRange(start.getPending().getType()), *buffers,
        start.getProperties(), llvm::to_vector(op->getDiscardableAttrs()));
    SmallVector<Value> replacements = *buffers;
    replacements.push_back(onBuffers.getPending());
    replaceOpWithBufferizedValues(rewriter, op, replacements);
    return success();
  }
};

struct WaitModel : InPlaceModel<WaitModel, WaitOp, 1> {
  LogicalResult bufferize(Operation *op, RewriterBase &rewriter,
                          const BufferizationOptions &options, BufferizationState &state) const {
    auto wait = cast<WaitOp>(op);
    auto buffers = buffersOf(rewriter, wait.getInputs(), options, state);
    if (failed(buffers))
      return failure();
    WaitOp::create(rewriter, op->getLoc(), wait.getPending(), *buffers);
    replaceOpWithBufferizedValues(rewriter, op, *buffers);
    return success();
  }
};

struct BroadcastModel : InPlaceModel<BroadcastModel, BroadcastOp, 0> {
  LogicalResult bufferize(Operation *op, RewriterBase &rewriter,
                          const BufferizationOptions &options, BufferizationState &state) const {
    auto broadcast = cast<BroadcastOp>(op);
    auto buffers = buffersOf(rewriter, broadcast.getInputs(), options, state);
    if (failed(buffers))
      return failure();
    auto exchange = [&](ValueRange whole) {
      BroadcastOp::create(rewriter, op->getLoc(), TypeRange(), whole, broadcast.getProperties(),
                          llvm::to_vector(op->getDiscardableAttrs()));
    };
    if (failed(onContiguous(rewriter, op->getLoc(), *buffers, options, exchange)))
      return failure();
    replaceOpWithBufferizedValues(rewriter, op, *buffers);
    return success();
  }
};

/// Inputs are read, destinations overwritten; results are the destinations.
template <typename Op>
struct DestinationModel : BufferizableOpInterface::ExternalModel<DestinationModel<Op>, Op> {
  static bool isDestination(Operation *op, OpOperand &operand) {
    return operand.getOperandNumber() >= cast<Op>(op).getInputs().size();
  }
  bool bufferizesToMemoryRead(Operation *op, OpOperand &operand, const AnalysisState &) const {
    return !isDestination(op, operand);
  }
  bool bufferizesToMemoryWrite(Operation *op, OpOperand &operand, const AnalysisState &) const {
    return isDestination(op, operand);
  }
  AliasingValueList getAliasingValues(Operation *op, OpOperand &operand,
                                      const AnalysisState &) const {
    if (!isDestination(op, operand))
      return {};
    size_t i = operand.getOperandNumber() - cast<Op>(op).getInputs().size();
    return {{op->getResult(i), BufferRelation::Equivalent}};
  }
  LogicalResult bufferize(Operation *op, RewriterBase &rewriter,
                          const BufferizationOptions &options, BufferizationState &state) const {
    auto collective = cast<Op>(op);
    auto inputs = buffersOf(rewriter, collective.getInputs(), options, state);
    auto outs = buffersOf(rewriter, collective.getOuts(), options, state);
    if (failed(inputs) || failed(outs))
      return failure();
    SmallVector<Value> read;
    for (Value input : *inputs) {
      FailureOr<Value> whole = contiguous(rewriter, op->getLoc(), input, options);
      if (failed(whole))
        return failure();
      read.push_back(*whole);
    }
    auto exchange = [&](ValueRange whole) {
      SmallVector<Value> operands(read);
      llvm::append_range(operands, whole);
      Op::create(rewriter, op->getLoc(), TypeRange(), operands, collective.getProperties(),
                 llvm::to_vector(op->getDiscardableAttrs()));
    };
    if (failed(onContiguous(rewriter, op->getLoc(), *outs, options, exchange)))
      return failure();
    replaceOpWithBufferizedValues(rewriter, op, *outs);
    return success();
  }
};

} // namespace

void ds::registerBufferizableOpInterfaceExternalModels(DialectRegistry &registry) {
  registry.addExtension(+[](MLIRContext *context, DsDialect *) {
    GradientOp::attachInterface<GradientModel>(*context);
    AllReduceOp::attachInterface<AllReduceModel>(*context);
    AllReduceStartOp::attachInterface<AllReduceStartModel>(*context);
    WaitOp::attachInterface<WaitModel>(*context);
    BroadcastOp::attachInterface<BroadcastModel>(*context);
    ReduceScatterOp::attachInterface<DestinationModel<ReduceScatterOp>>(*context);
    AllGatherOp::attachInterface<DestinationModel<AllGatherOp>>(*context);
  });
}
