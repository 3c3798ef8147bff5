//===- Roles.h - roles of arguments and results -----------------*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Names of the role attributes, and the checks that need a whole function.
//
//===----------------------------------------------------------------------===//

#ifndef DS_DIALECT_IR_ROLES_H
#define DS_DIALECT_IR_ROLES_H

#include "mlir/Interfaces/FunctionInterfaces.h"
#include "llvm/ADT/StringRef.h"

#include <optional>

namespace ds::role {

inline constexpr llvm::StringLiteral param = "ds.param";
inline constexpr llvm::StringLiteral state = "ds.state";
inline constexpr llvm::StringLiteral batch = "ds.batch";
inline constexpr llvm::StringLiteral layout = "ds.layout";
inline constexpr llvm::StringLiteral sharding = "ds.sharding";
inline constexpr llvm::StringLiteral apart = "ds.apart";
inline constexpr llvm::StringLiteral weight = "ds.weight";
inline constexpr llvm::StringLiteral indexRange = "ds.index_range";
inline constexpr llvm::StringLiteral isUnsigned = "ds.unsigned";
inline constexpr llvm::StringLiteral seed = "ds.seed";
inline constexpr llvm::StringLiteral name = "ds.name";
inline constexpr llvm::StringLiteral init = "ds.init";
inline constexpr llvm::StringLiteral fusion = "ds.fusion";
inline constexpr llvm::StringLiteral layerwiseParallel = "ds.layerwise_parallel";
inline constexpr llvm::StringLiteral perRank = "ds.per_rank";
inline constexpr llvm::StringLiteral updates = "ds.updates";
inline constexpr llvm::StringLiteral metric = "ds.metric";
inline constexpr llvm::StringLiteral reduce = "ds.reduce";

} // namespace ds::role

namespace ds {

/// True if every rank has a value of its own: the parameter is `ds.layerwise_parallel`, and no
/// `ds.sharding` declares that ranks hold shards of one.
bool isOfEachRank(mlir::FunctionOpInterface step, unsigned argument);

/// Returns the name of a parameter or state argument; empty for any other argument.
llvm::StringRef paramOrState(mlir::FunctionOpInterface step, unsigned argument);

/// Returns the name of any argument: that of a parameter or state, else `ds.name`; empty without
/// one.
llvm::StringRef argumentName(mlir::FunctionOpInterface step, unsigned argument);

/// Returns the rows of a block of 'block_cyclic(N)'; none for any other text.
std::optional<int64_t> blockOfLayout(llvm::StringRef layout);

/// True if any argument or result carries ds.param, ds.state or ds.updates, so the step declares
/// what it stores.
bool hasRoles(mlir::FunctionOpInterface step);

/// Returns the samples of a step whose batch arguments hold `sizes` entries: as many as there are
/// `weights`, or else the size that most of them are a multiple of, the smallest of several. 0 if
/// all are empty.
int64_t countSamples(llvm::ArrayRef<int64_t> sizes, std::optional<int64_t> weights = {});

/// Verifies conditions on several attributes: names are distinct, every 'ds.updates' names a
/// parameter or state of its own type, no two results update the same one, a result that updates a
/// state of one entry per sample holds them along the same dimension, at most one argument weighs
/// the samples and has a use, and shapes are static.
mlir::LogicalResult verifyRoles(mlir::FunctionOpInterface step);

} // namespace ds

#endif // DS_DIALECT_IR_ROLES_H
