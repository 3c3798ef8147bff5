//===- HalfFloats.h - f16 and bf16 for targets without them -----*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef DS_LIB_TARGET_CPU_HALFFLOATS_H
#define DS_LIB_TARGET_CPU_HALFFLOATS_H

#include "llvm/IR/Module.h"
#include "llvm/Support/Error.h"

namespace ds {

/// Rewrites all of `module` so that sixteen-bit floats are stored, passed and selected as i16, and
/// computed with in f32, rounded to nearest even after each operation. `hasF16`: the target
/// converts between f16 and f32 itself; every other conversion becomes integer instructions. Fails
/// at an instruction that cannot be rewritten, with its name.
llvm::Error expandHalfFloats(llvm::Module &module, bool hasF16);

} // namespace ds

#endif // DS_LIB_TARGET_CPU_HALFFLOATS_H
