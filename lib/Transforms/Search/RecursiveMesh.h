//===- RecursiveMesh.h - A mesh that grows by prime factors -----*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef DS_TRANSFORMS_SEARCH_RECURSIVEMESH_H
#define DS_TRANSFORMS_SEARCH_RECURSIVEMESH_H

#include "ds/Dialect/IR/Config.h"

#include "llvm/ADT/STLFunctionalExtras.h"

namespace ds {

/// What a step takes over a mesh, in nanoseconds; none if it cannot be sharded so.
using TimeOverMesh = llvm::function_ref<std::optional<int64_t>(const std::vector<MeshAxis> &)>;

/// A mesh of two axes for so many ranks: each of their prime factors, the largest first, goes to
/// the axis where the step takes less, the first one if they are alike. Empty where neither takes
/// one.
std::vector<MeshAxis> growMesh(int64_t ranks, TimeOverMesh timeOf);

} // namespace ds

#endif // DS_TRANSFORMS_SEARCH_RECURSIVEMESH_H
