//===- RankDependence.h - which values differ between ranks -----*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef DS_TRANSFORMS_UTILS_RANKDEPENDENCE_H
#define DS_TRANSFORMS_UTILS_RANKDEPENDENCE_H

#include "mlir/IR/Operation.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "llvm/ADT/DenseSet.h"

namespace mlir {
class RegionBranchOpInterface;
} // namespace mlir

namespace ds {

/// Finds the values of a function that may differ between ranks. All values start equal except the
/// rank's number, its samples, its shards, its own parameters and states, and the arguments of
/// private functions; a reduction over all ranks makes values equal again. With `axis`, only ranks
/// along that axis of the mesh are compared.
class RankDependence {
public:
  explicit RankDependence(mlir::FunctionOpInterface function, mlir::StringAttr axis = {});

  bool differs(mlir::Value value) const { return differing.contains(value); }

private:
  bool startsDifferent(mlir::FunctionOpInterface function, mlir::BlockArgument argument) const;
  bool isAlong(mlir::Attribute group) const;
  bool mark(mlir::ValueRange values);
  bool markCarried(mlir::FunctionOpInterface function);
  bool visit(mlir::Operation *op);
  bool visitControl(mlir::RegionBranchOpInterface control);
  bool anyDiffers(mlir::ValueRange values) const;

  mlir::StringAttr axis; // null: all ranks
  bool isBatchAxis, dividesSamples;
  llvm::DenseSet<mlir::Value> differing;
};

/// Returns the values that decide which region of an operation runs, or how often; none if that is
/// not known.
std::optional<llvm::SmallVector<mlir::Value>> getDeciders(mlir::Operation *op);

} // namespace ds

#endif // DS_TRANSFORMS_UTILS_RANKDEPENDENCE_H
