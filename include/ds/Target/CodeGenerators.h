//===- CodeGenerators.h - LLVM's code generators ----------------*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Defined twice, like the functions of ds/Compiler/Upstream.h: lib/Target takes all that LLVM has.
//
//===----------------------------------------------------------------------===//

#ifndef DS_TARGET_CODEGENERATORS_H
#define DS_TARGET_CODEGENERATORS_H

namespace ds {

/// Registers LLVM's targets; does so once per process, however often it is called.
void registerCodeGenerators();

} // namespace ds

#endif // DS_TARGET_CODEGENERATORS_H
