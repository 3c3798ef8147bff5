//===- NamePasses.h - Which pass a crash is in ------------------*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef DS_SUPPORT_NAMEPASSES_H
#define DS_SUPPORT_NAMEPASSES_H

namespace mlir {
class PassManager;
} // namespace mlir

namespace ds {

/// Records each running pass (FaultReport.h).
void namePasses(mlir::PassManager &manager);

} // namespace ds

#endif // DS_SUPPORT_NAMEPASSES_H
