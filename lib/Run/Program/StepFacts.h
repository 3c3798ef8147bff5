//===- StepFacts.h - What is said of a distributed step ---------*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Beside its code, and kept with it.
//
//===----------------------------------------------------------------------===//
#ifndef DS_LIB_RUN_PROGRAM_STEPFACTS_H
#define DS_LIB_RUN_PROGRAM_STEPFACTS_H

#include "mlir/IR/BuiltinOps.h"

#include <string>

namespace ds {

/// Of the text of a step, which differs from rank to rank in global_rank alone.
std::string hashOf(mlir::ModuleOp module);

/// What a step exchanges, for a report: `collectives`, in their order, as an object of JSON.
std::string collectivesOf(mlir::ModuleOp module);

} // namespace ds

#endif // DS_LIB_RUN_PROGRAM_STEPFACTS_H
