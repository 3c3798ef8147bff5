//===- Launch.cpp - A grid of blocks, in random order -----------*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Block.h"

#include <algorithm>
#include <numeric>
#include <random>

namespace fake::ptx {

std::vector<size_t> parameterSizes(const Kernel &kernel) {
  std::vector<size_t> sizes;
  for (const Parameter &parameter : kernel.parameters)
    sizes.push_back(parameter.bytes);
  return sizes;
}

uint32_t maxThreads(const Kernel &kernel) { return kernel.maxThreads; }

static std::string describe(Dim dim) {
  return std::to_string(dim.x) + " x " + std::to_string(dim.y) + " x " + std::to_string(dim.z);
}

/// Fails if a device would not start the launch.
static void check(const Kernel &kernel, const Launch &launch) {
  auto refuse = [&](const std::string &what) {
    throw Finding(Finding::Kind::other, "kernel '" + kernel.name + "': " + what);
  };
  const Dim &grid = launch.grid, &block = launch.block;
  if (grid.x == 0 || grid.y == 0 || grid.z == 0 || grid.x > 0x7fffffff || grid.y > 0xffff ||
      grid.z > 0xffff || grid.count() >= Region::many)
    refuse("a grid of " + describe(grid) + " blocks");
  if (block.x == 0 || block.y == 0 || block.z == 0 || block.x > 1024 || block.y > 1024 ||
      block.z > 64 || block.count() > 1024)
    refuse("a block of " + describe(block) + " threads");
  if (kernel.maxThreads && (kernel.exactThreads ? block.count() != kernel.maxThreads
                                                : block.count() > kernel.maxThreads))
    refuse("started with " + std::to_string(block.count()) + " threads a block, compiled for " +
           std::to_string(kernel.maxThreads));
  if (launch.arguments.size() != kernel.parameters.size())
    refuse(std::to_string(launch.arguments.size()) + " arguments for " +
           std::to_string(kernel.parameters.size()) + " parameters");
  for (size_t index = 0; index < launch.arguments.size(); ++index)
    if (launch.arguments[index].size() != kernel.parameters[index].bytes)
      refuse("argument " + std::to_string(index) + " has " +
             std::to_string(launch.arguments[index].size()) + " bytes, not " +
             std::to_string(kernel.parameters[index].bytes));
}

uint64_t run(const Kernel &kernel, const Launch &launch, Memory &memory) {
  check(kernel, launch);
  std::vector<uint32_t> order(launch.grid.count());
  std::iota(order.begin(), order.end(), 0u);
  std::shuffle(order.begin(), order.end(), std::mt19937_64(launch.seed));
  Block block(kernel, launch, memory);
  const Dim &grid = launch.grid;
  for (uint32_t number : order)
    block.run({number % grid.x, number / grid.x % grid.y, number / (grid.x * grid.y)}, number + 1);
  return block.threadInstructions();
}

} // namespace fake::ptx
