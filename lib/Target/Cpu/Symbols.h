//===- Symbols.h - Functions that generated code may call -------*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef DS_LIB_TARGET_CPU_SYMBOLS_H
#define DS_LIB_TARGET_CPU_SYMBOLS_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/MemoryBufferRef.h"

#include <utility>
#include <vector>

namespace ds {

using NamedFunction = std::pair<const char *, void *>;

/// Returns the runtime's C ABI and the functions that code generators call for operations that a
/// CPU lacks, by address.
std::vector<NamedFunction> runtimeFunctions();

/// True if `name` is a function of libc or libm that every system has.
bool isSystemFunction(llvm::StringRef name);

/// Fails if the objects together need a function that is not in them, in `given`, or in the
/// system's libc and libm.
llvm::Error checkSymbols(llvm::ArrayRef<llvm::MemoryBufferRef> objects,
                         llvm::ArrayRef<NamedFunction> given);

} // namespace ds

#endif // DS_LIB_TARGET_CPU_SYMBOLS_H
