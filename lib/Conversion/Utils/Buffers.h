//===- Buffers.h - Facts about buffers of a driver --------------*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef DS_CONVERSION_UTILS_BUFFERS_H
#define DS_CONVERSION_UTILS_BUFFERS_H

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/BuiltinTypes.h"

namespace ds {

/// Names of the attributes that mark the arguments which passes add to a driver.
inline constexpr llvm::StringLiteral kContextArgument = "ds.context"; // the rank's dsrt_context
inline constexpr llvm::StringLiteral kLibraryArgument = "ds.library"; // state of library calls
inline constexpr llvm::StringLiteral kArenaArgument = "ds.arena";     // all temporary memory
inline constexpr llvm::StringLiteral kPeerArgument = "ds.peer_arena"; // that of another rank
inline constexpr llvm::StringLiteral kResultArgument = "ds.result";   // where result i is stored
/// Marks an argument that the ranks of one process share.
inline constexpr llvm::StringLiteral kSharedArgument = "ds.shared";
/// Attributes that mark private functions which a driver calls.
inline constexpr llvm::StringLiteral kCollectiveFunction = "ds.collective";
inline constexpr llvm::StringLiteral kContractionFunction = "ds.contraction";
inline constexpr llvm::StringLiteral kConvolutionFunction = "ds.convolution";
inline constexpr llvm::StringLiteral kKernelFunction = "ds.kernel";

/// Returns the step, which is the only public function of the module; null after an error was
/// reported.
mlir::func::FuncOp findDriver(mlir::ModuleOp module);

/// Returns the argument marked `name`, or null.
mlir::BlockArgument findMarkedArgument(mlir::func::FuncOp func, llvm::StringRef name);
/// Returns that argument, inserted at `index` if it is missing.
mlir::BlockArgument getOrAddMarkedArgument(mlir::func::FuncOp func, llvm::StringRef name,
                                           unsigned index, mlir::Type type);

/// True for operations that give the memory of their first operand another shape.
bool isView(mlir::Operation *op);
/// Returns the allocation, argument or region result whose memory `value` shows.
mlir::Value rootOf(mlir::Value value);
/// True if strides and offset are constants, so that a bare pointer describes the buffer.
bool hasStaticLayout(mlir::Type type);
/// Returns the stored bytes of one element: 8 for an index, both parts of a complex number, all
/// elements of a vector. MLIR itself gives the size of integers and floats only.
int64_t elementBytes(mlir::Type type);

} // namespace ds

#endif // DS_CONVERSION_UTILS_BUFFERS_H
