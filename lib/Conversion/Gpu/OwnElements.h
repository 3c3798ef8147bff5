//===- OwnElements.h - Kernels whose threads keep to themselves -*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef DS_LIB_CONVERSION_GPU_OWNELEMENTS_H
#define DS_LIB_CONVERSION_GPU_OWNELEMENTS_H

#include "MergedKernel.h"

namespace ds::gpu {

/// Whether no thread of the second kernel touches what another thread of the first one has touched,
/// where one of them writes. Both run in one block.
bool keepToOwnElements(const KernelCall &first, const KernelCall &second);

} // namespace ds::gpu

#endif // DS_LIB_CONVERSION_GPU_OWNELEMENTS_H
