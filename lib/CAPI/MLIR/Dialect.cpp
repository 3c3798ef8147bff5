//===- Dialect.cpp - The dialect and its attributes -------------*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "ds-c/mlir/Dialect.h"

#include "ds/Compiler/Registration.h"
#include "ds/Dialect/IR/Ds.h"

#include "mlir/CAPI/IR.h"
#include "mlir/CAPI/Registration.h"
#include "mlir/CAPI/Support.h"
#include "mlir/IR/Diagnostics.h"

using namespace mlir;
using namespace ds;

MLIR_DEFINE_CAPI_DIALECT_REGISTRATION(Ds, ds, ::ds::DsDialect)

void mlirDsRegisterDialect(MlirDialectRegistry registry) { registerDsDialect(*unwrap(registry)); }

MlirAttribute mlirDsConfigAttrGet(MlirContext context, MlirStringRef keys) {
  unwrap(context)->getOrLoadDialect<DsDialect>();
  Config config;
  llvm::Error error = config.setFromText(unwrap(keys));
  if (!error)
    error = config.validate();
  if (!error)
    return wrap(Attribute(ConfigAttr::get(unwrap(context), config)));
  emitError(UnknownLoc::get(unwrap(context))) << llvm::toString(std::move(error));
  return MlirAttribute();
}
bool mlirAttributeIsADsConfig(MlirAttribute attribute) {
  return isa<ConfigAttr>(unwrap(attribute));
}

MlirAttribute mlirDsShardingAttrGet(MlirContext context, intptr_t numDims,
                                    MlirAttribute const *dims, intptr_t numOpen,
                                    int64_t const *open) {
  unwrap(context)->getOrLoadDialect<DsDialect>();
  Location location = UnknownLoc::get(unwrap(context));
  SmallVector<ArrayAttr> axes;
  for (MlirAttribute each : llvm::ArrayRef(dims, numDims)) {
    auto names = dyn_cast_or_null<ArrayAttr>(unwrap(each));
    if (!names || !llvm::all_of(names, llvm::IsaPred<StringAttr>)) {
      emitError(location) << "dimension " << axes.size() << " of a sharding is '" << unwrap(each)
                          << "', expected an array of names of axes";
      return MlirAttribute();
    }
    axes.push_back(names);
  }
  for (int64_t dim : llvm::ArrayRef(open, numOpen))
    if (dim < 0 || dim >= numDims) {
      emitError(location) << "dimension " << dim << " of a sharding is open, expected one of 0 to "
                          << numDims - 1;
      return MlirAttribute();
    }
  auto emit = [&] { return emitError(location); };
  return wrap(Attribute(ShardingAttr::getChecked(emit, unwrap(context), ArrayRef(axes),
                                                 llvm::ArrayRef(open, numOpen))));
}
bool mlirAttributeIsADsSharding(MlirAttribute attribute) {
  return isa<ShardingAttr>(unwrap(attribute));
}
intptr_t mlirDsShardingAttrGetNumDims(MlirAttribute sharding) {
  return cast<ShardingAttr>(unwrap(sharding)).getDims().size();
}
MlirAttribute mlirDsShardingAttrGetDim(MlirAttribute sharding, intptr_t dim) {
  return wrap(Attribute(cast<ShardingAttr>(unwrap(sharding)).getDims()[dim]));
}
bool mlirDsShardingAttrIsOpen(MlirAttribute sharding, intptr_t dim) {
  return cast<ShardingAttr>(unwrap(sharding)).isOpen(dim);
}

MlirAttribute mlirDsGroupOfAxes(MlirContext context, intptr_t numAxes, MlirStringRef const *axes) {
  Builder builder(unwrap(context));
  SmallVector<StringRef> names;
  for (MlirStringRef each : llvm::ArrayRef(axes, numAxes))
    names.push_back(unwrap(each));
  return wrap(Attribute(builder.getStrArrayAttr(names)));
}
MlirAttribute mlirDsGroupOfRanks(MlirContext context, intptr_t numRanks, int64_t const *ranks) {
  return wrap(Attribute(DenseI64ArrayAttr::get(unwrap(context), llvm::ArrayRef(ranks, numRanks))));
}
