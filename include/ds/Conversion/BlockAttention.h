//===- BlockAttention.h - Attention in blocks of queries --------*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef DS_CONVERSION_BLOCKATTENTION_H
#define DS_CONVERSION_BLOCKATTENTION_H

#include "mlir/Pass/Pass.h"

namespace ds {

/// Computes attention and its gradient in blocks of queries, as the key `attention` says. On
/// generic form, after transposes are folded into products, and before kernels are fused.
std::unique_ptr<mlir::Pass> createBlockAttentionPass();

} // namespace ds

#endif // DS_CONVERSION_BLOCKATTENTION_H
