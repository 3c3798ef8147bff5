//===- Jit.h - Object files to callable code --------------------*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef DS_LIB_TARGET_CPU_JIT_H
#define DS_LIB_TARGET_CPU_JIT_H

#include "ds/Target/EntrySlots.h"

#include "llvm/ExecutionEngine/Orc/LLJIT.h"

namespace ds {

/// Links the objects with the runtime's C ABI, the given functions and this process.
llvm::Expected<std::unique_ptr<llvm::orc::LLJIT>>
linkObjects(std::vector<std::unique_ptr<llvm::MemoryBuffer>> objects,
            llvm::ArrayRef<std::pair<const char *, void *>> functions);

} // namespace ds

#endif // DS_LIB_TARGET_CPU_JIT_H
