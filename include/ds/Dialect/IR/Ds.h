//===- Ds.h - the ds dialect -*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// All that a client of the dialect includes: dialect, enums, attributes, types, operations, and the
// registration of the external models for other dialects' interfaces.
//
//===----------------------------------------------------------------------===//

#ifndef DS_DIALECT_IR_DS_H
#define DS_DIALECT_IR_DS_H

#include "ds/Dialect/IR/Config.h"

#include "mlir/Bytecode/BytecodeOpInterface.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Dialect.h"
#include "mlir/IR/OpDefinition.h"
#include "mlir/IR/OpImplementation.h"
#include "mlir/Interfaces/InferTypeOpInterface.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

#include "ds/Dialect/IR/DsDialect.h.inc"

#include "ds/Dialect/IR/DsEnums.h.inc"

#define GET_ATTRDEF_CLASSES
#include "ds/Dialect/IR/DsAttrs.h.inc"

#define GET_TYPEDEF_CLASSES
#include "ds/Dialect/IR/DsTypes.h.inc"

namespace ds {

/// The resource that every collective reads and writes. Two operations on it are never swapped,
/// merged or removed.
struct CommunicatorResource final : mlir::SideEffects::Resource::Base<CommunicatorResource> {
  mlir::StringRef getName() final { return "Communicator"; }
};

/// Name of the module attribute that holds the configuration.
inline constexpr mlir::StringLiteral configAttrName = "ds.config";

/// Name of the attribute that gives an operation without rules its sharding rule, and the checks
/// of `#ds.sharding_rule` on that operation.
inline constexpr mlir::StringLiteral shardingRuleAttrName = "ds.sharding_rule";
mlir::LogicalResult verifyShardingRule(mlir::Operation *op, mlir::Attribute attr);

/// Returns the configuration of a module: its 'ds.config', an attribute or a plain dictionary, or
/// the defaults. Errors are reported at the module.
mlir::FailureOr<Config> getConfig(mlir::ModuleOp module);

/// Writes 'ds.config' in its normal form.
void setConfig(mlir::ModuleOp module, const Config &config);

/// Returns the mesh of the module around `op`; empty: all ranks are one axis.
std::vector<MeshAxis> getMesh(mlir::Operation *op);

/// Returns the axis that shards the batch: the first of the mesh, else "dp".
std::string getBatchAxis(mlir::Operation *op);

/// One axis among a rank's coordinates: rank / stride % size.
struct AxisDigit {
  int64_t size = 1;
  int64_t stride = 1;
};
/// Returns the digits of the named axes, in mesh order; none if one of them is not in the mesh.
std::optional<llvm::SmallVector<AxisDigit>> getAxisDigits(mlir::Operation *op,
                                                          mlir::ArrayAttr axes);

/// Returns the number of ranks of `group`: a list of ranks, names of axes, or null for all ranks.
/// None if the configuration around `op` does not determine it.
std::optional<int64_t> getGroupSize(mlir::Operation *op, mlir::Attribute group);

/// Checks that the axes of a group exist and are distinct.
mlir::LogicalResult verifyAxes(mlir::Operation *op, mlir::ArrayAttr axes);

/// The checks and the memory effects shared by all collectives.
mlir::LogicalResult verifyCollective(mlir::Operation *op);
void addCollectiveEffects(
    mlir::Operation *op,
    llvm::SmallVectorImpl<mlir::SideEffects::EffectInstance<mlir::MemoryEffects::Effect>> &effects);

/// True if n ranks make shards `to` of shards `from`, both (dimension, a, b), by giving one block
/// to each: in one dimension [a, n, b] the two digits must not overlap.
bool canExchangeBlocks(llvm::ArrayRef<int64_t> from, llvm::ArrayRef<int64_t> to, int64_t n);

/// True for operations in which ranks communicate: collectives, starts, waits and barriers.
bool isCollective(mlir::Operation *op);

class CollectiveOpInterface;
/// Returns the number of ranks of a collective that moves blocks, derived from the sizes; none if
/// it moves them within one dimension.
std::optional<int64_t> getNumShares(CollectiveOpInterface op);
/// Creates the same collective on other tensors: those that are read, and destinations if it has
/// any.
mlir::Operation *createLike(mlir::OpBuilder &builder, mlir::Location loc, CollectiveOpInterface op,
                            mlir::ValueRange read, mlir::ValueRange outs);

/// Registers the bufferization of ds operations: results live in their operands' memory.
void registerBufferizableOpInterfaceExternalModels(mlir::DialectRegistry &registry);

} // namespace ds

#include "ds/Dialect/IR/DsInterfaces.h.inc"

#define GET_OP_CLASSES
#include "ds/Dialect/IR/DsOps.h.inc"

#endif // DS_DIALECT_IR_DS_H
