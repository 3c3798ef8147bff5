//===- Ds.h - the ds dialect -*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Everything a client of the dialect includes: dialect, enums, attributes, types, operations, and
// the registration of the external models that other dialects' machinery needs.
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

/// What every collective reads and writes. Two operations on it never swap, merge or vanish.
struct CommunicatorResource final : mlir::SideEffects::Resource::Base<CommunicatorResource> {
  mlir::StringRef getName() final { return "Communicator"; }
};

/// Name of the module attribute that holds the configuration.
inline constexpr mlir::StringLiteral configAttrName = "ds.config";

/// Name of the attribute that gives an operation without rules its sharding rule, and the checks
/// of `#ds.sharding_rule` on that operation.
inline constexpr mlir::StringLiteral shardingRuleAttrName = "ds.sharding_rule";
mlir::LogicalResult verifyShardingRule(mlir::Operation *op, mlir::Attribute attr);

/// The configuration of a module: its 'ds.config' as an attribute or a plain dictionary, the
/// defaults without one. Errors are reported at the module.
mlir::FailureOr<Config> getConfig(mlir::ModuleOp module);

/// Writes 'ds.config' in its normal form.
void setConfig(mlir::ModuleOp module, const Config &config);

/// The mesh of the module around `op`; empty: all ranks are one axis.
std::vector<MeshAxis> getMesh(mlir::Operation *op);

/// The axis that divides the batch: the first of the mesh, else "dp".
std::string getBatchAxis(mlir::Operation *op);

/// One axis among a rank's coordinates: rank / stride % size.
struct AxisDigit {
  int64_t size = 1;
  int64_t stride = 1;
};
/// Those of the named axes, in the order of the mesh; none if one of them is not in the mesh.
std::optional<llvm::SmallVector<AxisDigit>> getAxisDigits(mlir::Operation *op,
                                                          mlir::ArrayAttr axes);

/// How many ranks `group` has: a list of ranks, names of axes, or null, all ranks. None where the
/// configuration around `op` does not say.
std::optional<int64_t> getGroupSize(mlir::Operation *op, mlir::Attribute group);

/// The axes of a group are there, and distinct.
mlir::LogicalResult verifyAxes(mlir::Operation *op, mlir::ArrayAttr axes);

/// What all collectives are checked for, and what they read and write.
mlir::LogicalResult verifyCollective(mlir::Operation *op);
void addCollectiveEffects(
    mlir::Operation *op,
    llvm::SmallVectorImpl<mlir::SideEffects::EffectInstance<mlir::MemoryEffects::Effect>> &effects);

/// Whether n ranks make shards `to` of shards `from`, both (dimension, a, b), by giving one block
/// to each: in one dimension [a, n, b] the two digits must not overlap.
bool canExchangeBlocks(llvm::ArrayRef<int64_t> from, llvm::ArrayRef<int64_t> to, int64_t n);

/// True for operations in which ranks meet: collectives, starts, waits and barriers.
bool isCollective(mlir::Operation *op);

class CollectiveOpInterface;
/// How many ranks a collective that moves blocks is of, as the sizes say; none if it moves them
/// within one dimension.
std::optional<int64_t> getNumShares(CollectiveOpInterface op);
/// The same collective on other tensors: those that are read, and destinations where it has any.
mlir::Operation *createLike(mlir::OpBuilder &builder, mlir::Location loc, CollectiveOpInterface op,
                            mlir::ValueRange read, mlir::ValueRange outs);

/// How one-shot bufferization treats ds operations: results live in their operands' memory.
void registerBufferizableOpInterfaceExternalModels(mlir::DialectRegistry &registry);

} // namespace ds

#include "ds/Dialect/IR/DsInterfaces.h.inc"

#define GET_OP_CLASSES
#include "ds/Dialect/IR/DsOps.h.inc"

#endif // DS_DIALECT_IR_DS_H
