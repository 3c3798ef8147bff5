//===- CodeGenerators.h - What LLVM generates code for ----------*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Defined twice, as what is in ds/Compiler/Upstream.h: lib/Target takes all that LLVM has.
//
//===----------------------------------------------------------------------===//

#ifndef DS_TARGET_CODEGENERATORS_H
#define DS_TARGET_CODEGENERATORS_H

namespace ds {

/// Makes LLVM's targets known to its registry; once per process, however often it is called.
void registerCodeGenerators();

} // namespace ds

#endif // DS_TARGET_CODEGENERATORS_H
