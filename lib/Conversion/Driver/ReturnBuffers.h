//===- ReturnBuffers.h - A step returns buffers -----------------*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef DS_CONVERSION_DRIVER_RETURNBUFFERS_H
#define DS_CONVERSION_DRIVER_RETURNBUFFERS_H

#include "mlir/Pass/Pass.h"

#include <memory>

namespace ds {

/// Before one-shot-bufferize: `return %t : tensor<..>` becomes a read of the tensor's buffer, which
/// is returned, and many readers of one tensor read its buffer. A part of the pipeline, without
/// options.
std::unique_ptr<mlir::Pass> createReturnBuffersPass();

} // namespace ds

#endif // DS_CONVERSION_DRIVER_RETURNBUFFERS_H
