//===- TensorShards.h - Sharded dimensions through reshapes -----*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef DS_LIB_ANALYSIS_RULES_TENSORSHARDS_H
#define DS_LIB_ANALYSIS_RULES_TENSORSHARDS_H

#include "ds/Analysis/Placement.h"

#include "mlir/Dialect/Utils/ReshapeOpsUtils.h"
#include "llvm/ADT/SmallBitVector.h"

namespace ds {

/// The shard of the merged dimension: a grows by the sizes before it in its group, b by those after
/// it.
Sharding mergeDims(llvm::ArrayRef<mlir::ReassociationIndices> groups, llvm::ArrayRef<int64_t> split,
                   const Sharding &sharding);

/// The shard of the split dimensions: the one that holds the whole range [b, n * b); none if two of
/// them share it.
std::optional<Sharding> splitDims(llvm::ArrayRef<mlir::ReassociationIndices> groups,
                                  llvm::ArrayRef<int64_t> split, int64_t numRanks,
                                  const Sharding &sharding);

/// The shard of a slice, still on the source's dimension; none if it cuts through the samples of a
/// rank.
std::optional<Sharding> sliceDims(llvm::ArrayRef<int64_t> offsets, llvm::ArrayRef<int64_t> sizes,
                                  llvm::ArrayRef<int64_t> strides, llvm::ArrayRef<int64_t> shape,
                                  int64_t numRanks, const Sharding &sharding);
bool takesWholeDim(llvm::ArrayRef<int64_t> offsets, llvm::ArrayRef<int64_t> sizes,
                   llvm::ArrayRef<int64_t> strides, llvm::ArrayRef<int64_t> shape, int64_t dim);

/// The number of a dimension after rank reduction; none if it is dropped. And back.
std::optional<int64_t> keptDim(const llvm::SmallBitVector &dropped, int64_t dim);
int64_t sourceDim(const llvm::SmallBitVector &dropped, int64_t keptDim);
/// Which of several unit dimensions a slice drops does not show in its type: the dimensions to drop
/// so that `dim` is kept, if others do as well.
llvm::SmallBitVector keepDim(const llvm::SmallBitVector &dropped, llvm::ArrayRef<int64_t> sizes,
                             int64_t dim);

/// One of the operands is partial: the replicated ones count once.
void countTensorsOnce(llvm::MutableArrayRef<mlir::OpOperand> operands,
                      PlacementRule::View placementOf);
/// Placement of an operation linear in source and destination together (no operand is sharded).
void placeJoined(mlir::OpOperand &source, mlir::OpOperand &dest, PlacementRule &rule);

} // namespace ds

#endif // DS_LIB_ANALYSIS_RULES_TENSORSHARDS_H
