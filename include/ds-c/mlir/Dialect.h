//===- Dialect.h - The ds dialect in MLIR's C API -----------------*- C -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Of libds-mlir.so, which uses the libMLIR of the process: contexts, modules and values are those
// of mlir-c, whose functions it exports, too. Text that is wrong is a diagnostic of the context's
// handlers, and a null result.
//
//===----------------------------------------------------------------------===//
#ifndef DS_C_MLIR_DIALECT_H
#define DS_C_MLIR_DIALECT_H

#include "mlir-c/IR.h"

#ifdef __cplusplus
extern "C" {
#endif

/// mlirGetDialectHandle__ds__: the dialect alone, whose operations can be read and written.
MLIR_DECLARE_CAPI_DIALECT_REGISTRATION(Ds, ds);

/// Adds the dialect, and what ds knows of upstream's operations, which its passes need. Upstream's
/// dialects are added by mlirRegisterAllDialects.
MLIR_CAPI_EXPORTED void mlirDsRegisterDialect(MlirDialectRegistry registry);

//===----------------------------------------------------------------------===//
// Attributes.
//===----------------------------------------------------------------------===//

/// The configuration of keys as the pass option 'config' has them: "batch=global,device_num=4".
/// A module carries it as 'ds.config'.
MLIR_CAPI_EXPORTED MlirAttribute mlirDsConfigAttrGet(MlirContext context, MlirStringRef keys);
MLIR_CAPI_EXPORTED bool mlirAttributeIsADsConfig(MlirAttribute attribute);

/// The axes of the mesh that shard each dimension, from major to minor: an array of names each. The
/// dimensions in `open` may be sharded further.
MLIR_CAPI_EXPORTED MlirAttribute mlirDsShardingAttrGet(MlirContext context, intptr_t numDims,
                                                       MlirAttribute const *dims, intptr_t numOpen,
                                                       int64_t const *open);
MLIR_CAPI_EXPORTED bool mlirAttributeIsADsSharding(MlirAttribute attribute);
MLIR_CAPI_EXPORTED intptr_t mlirDsShardingAttrGetNumDims(MlirAttribute sharding);
MLIR_CAPI_EXPORTED MlirAttribute mlirDsShardingAttrGetDim(MlirAttribute sharding, intptr_t dim);
MLIR_CAPI_EXPORTED bool mlirDsShardingAttrIsOpen(MlirAttribute sharding, intptr_t dim);

/// The ranks that meet in a collective: those along axes of the mesh, or a list of ranks.
MLIR_CAPI_EXPORTED MlirAttribute mlirDsGroupOfAxes(MlirContext context, intptr_t numAxes,
                                                   MlirStringRef const *axes);
MLIR_CAPI_EXPORTED MlirAttribute mlirDsGroupOfRanks(MlirContext context, intptr_t numRanks,
                                                    int64_t const *ranks);

//===----------------------------------------------------------------------===//
// Roles of a step: what its arguments and results are. A step is a func.func. The functions fail
// with a diagnostic at the step if it has no such argument or result.
//===----------------------------------------------------------------------===//

MLIR_CAPI_EXPORTED MlirLogicalResult mlirDsStepSetParam(MlirOperation step, intptr_t argument,
                                                        MlirStringRef name);
MLIR_CAPI_EXPORTED MlirLogicalResult mlirDsStepSetState(MlirOperation step, intptr_t argument,
                                                        MlirStringRef name);
/// Samples, along the dimension.
MLIR_CAPI_EXPORTED MlirLogicalResult mlirDsStepSetBatch(MlirOperation step, intptr_t argument,
                                                        MlirStringRef name, int64_t dimension);
/// A random key.
MLIR_CAPI_EXPORTED MlirLogicalResult mlirDsStepSetSeed(MlirOperation step, intptr_t argument,
                                                       MlirStringRef name);
/// A value that the user sets, such as a learning rate.
MLIR_CAPI_EXPORTED MlirLogicalResult mlirDsStepSetName(MlirOperation step, intptr_t argument,
                                                       MlirStringRef name);
MLIR_CAPI_EXPORTED MlirLogicalResult mlirDsStepSetSharding(MlirOperation step, intptr_t argument,
                                                           MlirAttribute sharding);
/// The new value of the parameter or state with this name.
MLIR_CAPI_EXPORTED MlirLogicalResult mlirDsStepSetUpdates(MlirOperation step, intptr_t result,
                                                          MlirStringRef name);
MLIR_CAPI_EXPORTED MlirLogicalResult mlirDsStepSetMetric(MlirOperation step, intptr_t result,
                                                         MlirStringRef name);
/// Checks the roles together: names are distinct, an update has the type of what it updates.
MLIR_CAPI_EXPORTED MlirLogicalResult mlirDsStepVerifyRoles(MlirOperation step);

//===----------------------------------------------------------------------===//
// Operations, which the caller inserts into a block. `kind` is "sum", "mean", "max", "min", "prod",
// "and" or "or"; a null `group` is all ranks. Null, with a diagnostic at the location, if the
// operation would be invalid.
//===----------------------------------------------------------------------===//

MLIR_CAPI_EXPORTED MlirOperation mlirDsGradientCreate(MlirLocation location, MlirValue value,
                                                      MlirStringRef param);
MLIR_CAPI_EXPORTED MlirOperation mlirDsAllReduceCreate(MlirLocation location, MlirStringRef kind,
                                                       intptr_t numInputs, MlirValue const *inputs,
                                                       MlirAttribute group);
MLIR_CAPI_EXPORTED MlirOperation mlirDsAllGatherCreate(MlirLocation location, MlirValue input,
                                                       MlirValue out, int64_t dimension,
                                                       MlirAttribute group);
MLIR_CAPI_EXPORTED MlirOperation mlirDsReduceScatterCreate(MlirLocation location,
                                                           MlirStringRef kind, MlirValue input,
                                                           MlirValue out, int64_t dimension,
                                                           MlirAttribute group);

//===----------------------------------------------------------------------===//
// Collectives of a distributed step, as the plan has them.
//===----------------------------------------------------------------------===//

MLIR_CAPI_EXPORTED bool mlirOperationIsADsCollective(MlirOperation operation);
/// Bytes of the values that the collective exchanges; -1 for operations without such values, as a
/// barrier.
MLIR_CAPI_EXPORTED int64_t mlirDsCollectiveGetBytes(MlirOperation collective);
/// "gradient", "state", "metric" or "activation"; empty for other operations.
MLIR_CAPI_EXPORTED MlirStringRef mlirDsCollectiveGetPurpose(MlirOperation collective);

#ifdef __cplusplus
}
#endif

#endif // DS_C_MLIR_DIALECT_H
