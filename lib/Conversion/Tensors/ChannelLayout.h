//===- ChannelLayout.h - Tensors with channels last -------------*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The set of channel dimensions of a tensor determines its layout with channels last: the other
// dimensions in their order, then the channels in theirs. If an operation relates its tensors
// dimension by dimension, the channels of one of them determine those of all, and the operation
// computes the same in the other layout.
//
//===----------------------------------------------------------------------===//
#ifndef DS_CONVERSION_TENSORS_CHANNELLAYOUT_H
#define DS_CONVERSION_TENSORS_CHANNELLAYOUT_H

#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Operation.h"
#include "mlir/IR/PatternMatch.h"
#include "llvm/ADT/SmallBitVector.h"

#include <optional>

namespace ds {

/// One bit for each dimension.
using Channels = llvm::SmallBitVector;

/// Returns the dimensions with channels last, outermost first.
llvm::SmallVector<int64_t> channelsLastOrder(const Channels &channels);

/// True if channels are last already.
bool liesChannelsLast(const Channels &channels);

mlir::RankedTensorType channelsLastType(mlir::RankedTensorType type, const Channels &channels);

/// The channels of every operand of an operation, then of every result; none for a value that is no
/// ranked tensor.
using OpChannels = llvm::SmallVector<Channels>;

/// Returns the channels of all tensors of `op` if the dimensions `channels` of `value`, one of
/// them, are channels; none if `op` cannot be computed with channels last.
std::optional<OpChannels> spreadChannels(mlir::Operation *op, mlir::Value value,
                                         const Channels &channels);

/// Rewrites `op` to compute on tensors with channels last. Its operands and the types of its
/// results already have that layout.
void putChannelsLast(mlir::Operation *op, const OpChannels &channels, mlir::RewriterBase &rewriter);

} // namespace ds

#endif // DS_CONVERSION_TENSORS_CHANNELLAYOUT_H
