//===- AnnotatedShardings.h - Shardings of other dialects -*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef LIB_CONVERSION_COLLECTIVES_ANNOTATEDSHARDINGS_H
#define LIB_CONVERSION_COLLECTIVES_ANNOTATEDSHARDINGS_H

#include "ds/Dialect/IR/Ds.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/Interfaces/FunctionInterfaces.h"

namespace ds {

/// Gives an argument its sharding; an error at `at` if it has another one.
mlir::LogicalResult setSharding(mlir::FunctionOpInterface function, unsigned argument,
                                ShardingAttr sharding, mlir::Operation *at);

/// Converts the annotations of Shardy's dialect `sdy`, whose axes are those of the mesh.
mlir::LogicalResult convertSdy(mlir::ModuleOp module, mlir::ArrayRef<MeshAxis> mesh);

} // namespace ds

#endif // LIB_CONVERSION_COLLECTIVES_ANNOTATEDSHARDINGS_H
