//===- ChannelLayout.h - Tensors whose channels lie last --------*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which dimensions of a tensor are channels says how it lies with channels last: the others in
// their order, then the channels in theirs. An operation that relates its tensors dimension by
// dimension says which ones of all of them are channels as soon as it is known of one, and computes
// the same in the other layout.
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

/// The dimensions with channels last, outermost first.
llvm::SmallVector<int64_t> channelsLastOrder(const Channels &channels);

/// True if channels lie last already.
bool liesChannelsLast(const Channels &channels);

mlir::RankedTensorType channelsLastType(mlir::RankedTensorType type, const Channels &channels);

/// The channels of every operand of an operation, then of every result. What is no ranked tensor
/// has none.
using OpChannels = llvm::SmallVector<Channels>;

/// What `op` says of all its tensors if the dimensions `channels` of `value`, one of them, are
/// channels; none if it cannot be computed with channels last.
std::optional<OpChannels> spreadChannels(mlir::Operation *op, mlir::Value value,
                                         const Channels &channels);

/// Lets `op` compute on tensors with channels last. Its operands and the types of its results are
/// in that layout already.
void putChannelsLast(mlir::Operation *op, const OpChannels &channels, mlir::RewriterBase &rewriter);

} // namespace ds

#endif // DS_CONVERSION_TENSORS_CHANNELLAYOUT_H
