//===- ConvertDsToMPI.cpp - All-reduces in upstream's mpi dialect -*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One walk. A buffer that is both sent and received is in place (MPI_IN_PLACE) in upstream's
// lowering, which reads the number of elements from the first dimension.
//
//===----------------------------------------------------------------------===//
#include "Utils/Groups.h"
#include "ds/Conversion/Collectives/Passes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MPI/IR/MPI.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"

namespace ds {
#define GEN_PASS_DEF_CONVERTDSTOMPIPASS
#include "ds/Conversion/Collectives/Passes.h.inc"
} // namespace ds

using namespace mlir;

/// Returns the operation of MPI; none for a mean, which MPI does not have.
static std::optional<mpi::MPI_ReductionOpEnum> operationOf(ds::ReductionKind kind) {
  switch (kind) {
  case ds::ReductionKind::Sum:
    return mpi::MPI_ReductionOpEnum::MPI_SUM;
  case ds::ReductionKind::Max:
    return mpi::MPI_ReductionOpEnum::MPI_MAX;
  case ds::ReductionKind::Min:
    return mpi::MPI_ReductionOpEnum::MPI_MIN;
  case ds::ReductionKind::Prod:
    return mpi::MPI_ReductionOpEnum::MPI_PROD;
  case ds::ReductionKind::And:
    return mpi::MPI_ReductionOpEnum::MPI_BAND;
  case ds::ReductionKind::Or:
    return mpi::MPI_ReductionOpEnum::MPI_BOR;
  case ds::ReductionKind::Mean:
    return std::nullopt;
  }
  llvm_unreachable("all kinds are handled");
}

static bool hasTypeInMPI(Type type) {
  if (auto integer = dyn_cast<IntegerType>(type))
    return llvm::is_contained({8u, 16u, 32u, 64u}, integer.getWidth());
  return type.isF32() || type.isF64();
}

/// Refuses collectives that the dialect does not have.
static LogicalResult check(Operation *op) {
  auto collective = dyn_cast<ds::CollectiveOpInterface>(op);
  if (!collective)
    return success();
  if (!isa<ds::AllReduceOp, ds::BarrierOp>(op))
    return op->emitOpError("has no counterpart in the mpi dialect, whose collectives are allreduce "
                           "and barrier; expected --convert-ds-to-calls");
  if (collective.getRanks())
    return op->emitOpError("meets in the group ")
           << collective.getRanks()
           << ", but the mpi dialect cannot free the communicator of one; expected all ranks, or "
              "--convert-ds-to-calls";
  for (Value buffer : op->getOperands()) {
    auto type = dyn_cast<MemRefType>(buffer.getType());
    if (!type)
      return op->emitOpError("works on tensors; expected buffers, as bufferization leaves them");
    if (!hasTypeInMPI(type.getElementType()))
      return op->emitOpError("moves elements of type ")
             << type.getElementType() << ", which MPI does not know";
    if (type.getNumElements() > INT32_MAX)
      return op->emitOpError("moves ") << type.getNumElements() << " elements, expected at most "
                                       << INT32_MAX << ", as many as MPI counts";
  }
  std::optional<ds::ReductionKind> kind = collective.getKind();
  if (kind && !operationOf(*kind))
    return op->emitOpError("reduces to a mean, which MPI does not have; expected a sum, as "
                           "ds-apply-mean makes it");
  return success();
}

/// Returns a contiguous buffer as one of rank 1; a buffer of rank 0 stays as it is.
static Value flatten(OpBuilder &builder, Location loc, Value buffer) {
  int64_t rank = cast<MemRefType>(buffer.getType()).getRank();
  if (rank < 2)
    return buffer;
  SmallVector<ReassociationIndices> all = {llvm::to_vector(llvm::seq<int64_t>(0, rank))};
  return memref::CollapseShapeOp::create(builder, loc, buffer, all);
}

static void convert(Operation *op) {
  OpBuilder builder(op);
  Location loc = op->getLoc();
  Value world = mpi::CommWorldOp::create(builder, loc, mpi::CommType::get(op->getContext()));
  if (isa<ds::RankOp, ds::NumRanksOp>(op)) {
    Type i32 = builder.getI32Type();
    Value number;
    if (isa<ds::RankOp>(op))
      number = mpi::CommRankOp::create(builder, loc, TypeRange{i32}, world).getRank();
    else
      number = mpi::CommSizeOp::create(builder, loc, TypeRange{i32}, world).getSize();
    op->getResult(0).replaceAllUsesWith(
        arith::IndexCastOp::create(builder, loc, builder.getIndexType(), number));
  } else if (auto reduce = dyn_cast<ds::AllReduceOp>(op)) {
    for (Value buffer : reduce.getInputs()) {
      Value flat = flatten(builder, loc, buffer);
      mpi::AllReduceOp::create(builder, loc, TypeRange(), flat, flat,
                               *operationOf(reduce.getKind()), world);
    }
  } else {
    mpi::Barrier::create(builder, loc, TypeRange(), world);
  }
  op->erase();
}

namespace {
struct ConvertDsToMPI final : ds::impl::ConvertDsToMPIPassBase<ConvertDsToMPI> {
  void runOnOperation() override {
    if (failed(ds::expandRanksAlongAxes(getOperation())))
      return signalPassFailure();
    SmallVector<Operation *> ops = ds::findRankOps(getOperation());
    for (Operation *op : ops)
      if (failed(check(op)))
        return signalPassFailure();
    llvm::for_each(ops, convert);
  }
};
} // namespace
