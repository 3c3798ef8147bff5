//===- RecursiveMesh.cpp - A mesh that grows by prime factors -------------===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Cost: two searches for each prime factor of the number of ranks. Trying all meshes would take a
// search for each divisor.
//
//===----------------------------------------------------------------------===//
#include "RecursiveMesh.h"

namespace ds {

static std::vector<int64_t> primeFactorsOf(int64_t number) {
  std::vector<int64_t> factors;
  for (int64_t prime = 2; number > 1; ++prime)
    for (; number % prime == 0; number /= prime)
      factors.insert(factors.begin(), prime);
  return factors;
}

std::vector<MeshAxis> growMesh(int64_t ranks, TimeOverMesh timeOf) {
  std::vector<MeshAxis> mesh{{"dp", 1}, {"tp", 1}};
  for (int64_t prime : primeFactorsOf(ranks)) {
    std::optional<int64_t> least;
    std::vector<MeshAxis> best;
    for (unsigned axis : {0, 1}) {
      std::vector<MeshAxis> grown = mesh;
      grown[axis].size *= prime;
      std::optional<int64_t> time = timeOf(grown);
      if (time && (!least || *time < *least)) {
        least = time;
        best = std::move(grown);
      }
    }
    if (best.empty())
      return {};
    mesh = std::move(best);
  }
  return mesh;
}

} // namespace ds
