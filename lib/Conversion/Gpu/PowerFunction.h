//===- PowerFunction.h - x to the power of y in f32 -------------*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef DS_LIB_CONVERSION_GPU_POWERFUNCTION_H
#define DS_LIB_CONVERSION_GPU_POWERFUNCTION_H

#include "mlir/IR/ImplicitLocOpBuilder.h"

namespace ds::gpu {

/// The nearest f32 but for about one in a million, with the special values of IEEE 754's pow.
mlir::Value buildPower(mlir::ImplicitLocOpBuilder &builder, mlir::Value x, mlir::Value y);

} // namespace ds::gpu

#endif // DS_LIB_CONVERSION_GPU_POWERFUNCTION_H
