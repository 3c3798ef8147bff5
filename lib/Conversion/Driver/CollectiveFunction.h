//===- CollectiveFunction.h - Functions that call the runtime ---*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef DS_CONVERSION_DRIVER_COLLECTIVEFUNCTION_H
#define DS_CONVERSION_DRIVER_COLLECTIVEFUNCTION_H

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/BuiltinOps.h"

namespace ds {

/// The private functions of a module through which its driver calls the C ABI, one per signature.
class CollectiveFunctions {
public:
  explicit CollectiveFunctions(mlir::ModuleOp module) : module(module) {}

  /// Returns the function for a collective on buffers; emits an error if the ABI does not support
  /// it.
  llvm::FailureOr<mlir::func::FuncOp> get(mlir::Operation *op);
  /// Returns the declaration of a query `int32_t name(context)`. Emits an error and fails if the
  /// module has another symbol of that name.
  mlir::FailureOr<mlir::func::FuncOp> query(llvm::StringRef name);

private:
  mlir::FailureOr<mlir::func::FuncOp> build(mlir::Operation *op, mlir::FunctionType type,
                                            llvm::StringRef name);

  mlir::ModuleOp module;
  llvm::DenseMap<std::pair<mlir::Attribute, mlir::Type>, mlir::func::FuncOp> built;
};

} // namespace ds

#endif // DS_CONVERSION_DRIVER_COLLECTIVEFUNCTION_H
