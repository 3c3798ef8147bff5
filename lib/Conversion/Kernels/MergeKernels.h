//===- MergeKernels.h - Equal kernels are one -------------------*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef DS_CONVERSION_KERNELS_MERGEKERNELS_H
#define DS_CONVERSION_KERNELS_MERGEKERNELS_H

#include "mlir/Pass/Pass.h"

#include <memory>

namespace ds {

/// CSE of a step of kernels. A part of the pipeline, without options.
std::unique_ptr<mlir::Pass> createMergeKernelsPass();

} // namespace ds

#endif // DS_CONVERSION_KERNELS_MERGEKERNELS_H
