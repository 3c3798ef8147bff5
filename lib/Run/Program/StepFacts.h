//===- StepFacts.h - Facts about a distributed step -------------*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Facts that are computed beside the code of a step, and stored with it.
//
//===----------------------------------------------------------------------===//
#ifndef DS_LIB_RUN_PROGRAM_STEPFACTS_H
#define DS_LIB_RUN_PROGRAM_STEPFACTS_H

#include "mlir/IR/BuiltinOps.h"

#include <string>

namespace ds {

/// Returns the collectives of a step, in their order, as a JSON object for a report.
std::string collectivesOf(mlir::ModuleOp module);

} // namespace ds

#endif // DS_LIB_RUN_PROGRAM_STEPFACTS_H
