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

/// Returns the time of a step over a mesh in ns; none if the step cannot be sharded over it.
using TimeOverMesh = llvm::function_ref<std::optional<int64_t>(const std::vector<MeshAxis> &)>;

/// Returns a mesh of two axes for `ranks` ranks. Each prime factor, the largest first, goes to the
/// axis where the step then takes less time, on a tie to the first one. Empty if neither axis can
/// take a factor.
std::vector<MeshAxis> growMesh(int64_t ranks, TimeOverMesh timeOf);

} // namespace ds

#endif // DS_TRANSFORMS_SEARCH_RECURSIVEMESH_H
