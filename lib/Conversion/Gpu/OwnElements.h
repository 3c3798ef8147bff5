//===- OwnElements.h - Threads keep to their own elements -------*- C++ -*-===//
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

/// True if no thread of the second kernel conflicts with another thread of the first one, by an
/// access to the same element of which one is a write. Both kernels run in one block.
bool keepToOwnElements(const KernelCall &first, const KernelCall &second);

} // namespace ds::gpu

#endif // DS_LIB_CONVERSION_GPU_OWNELEMENTS_H
