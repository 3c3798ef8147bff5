//===- RandomShardings.h - A step sharded at random -------------*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef DS_LIB_FUZZ_RANDOMSHARDINGS_H
#define DS_LIB_FUZZ_RANDOMSHARDINGS_H

#include "Random.h"
#include "ds/Dialect/IR/Ds.h"

namespace ds::fuzz {

/// How much of a step is marked: a few arguments; arguments and some values; most of what can be,
/// values that loops carry and samples included, each in a dimension that its axis divides; the
/// same with dimensions of values left open.
enum class Marking { rare, some, dense, open };

/// Marks arguments and values of the step with `ds.sharding` and `ds.sharding_constraint` over
/// random axes of `mesh` but the first, in dimensions that these divide. Every plan is a valid one.
void shardAtRandom(mlir::ModuleOp program, llvm::ArrayRef<MeshAxis> mesh, Random &random,
                   Marking marking);

/// One device divides nothing.
void eraseShardings(mlir::ModuleOp program);

} // namespace ds::fuzz

#endif // DS_LIB_FUZZ_RANDOMSHARDINGS_H
