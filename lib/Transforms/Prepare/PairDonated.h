//===- PairDonated.h - donated arguments and their new values ---*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef DS_TRANSFORMS_PREPARE_PAIRDONATED_H
#define DS_TRANSFORMS_PREPARE_PAIRDONATED_H

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "llvm/ADT/MapVector.h"

namespace ds {

/// A donated argument and the number of the result that is its new value.
using DonatedPairs = llvm::MapVector<unsigned, unsigned>;

/// How JAX marks a donated argument: with the result that it paired, by shape and type alone, or,
/// of a step on several devices, without one.
inline constexpr llvm::StringLiteral aliasingOutputAttrName = "tf.aliasing_output";
inline constexpr llvm::StringLiteral bufferDonorAttrName = "jax.buffer_donor";

/// Returns the donated arguments of `step` that a result may replace. A jax.buffer_donor without a
/// result of its type is memory for other values, as of a donated batch.
llvm::SmallVector<unsigned> donatedArguments(mlir::func::FuncOp step);
void eraseDonation(mlir::func::FuncOp step);

/// Pairs every donated argument with a result by dataflow; `given` pairs are taken as they are.
/// Emits an error that lists the candidates if the dataflow allows more than one pairing, or none.
mlir::FailureOr<DonatedPairs> pairDonated(mlir::func::FuncOp step, const DonatedPairs &given);

} // namespace ds

#endif // DS_TRANSFORMS_PREPARE_PAIRDONATED_H
