//===- Passes.h - a step over a finite field -----------------*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef DS_EXACT_PASSES_H
#define DS_EXACT_PASSES_H

#include "mlir/Pass/Pass.h"

namespace ds {

#define GEN_PASS_DECL
#include "ds/Exact/Passes.h.inc"

#define GEN_PASS_REGISTRATION
#include "ds/Exact/Passes.h.inc"

} // namespace ds

#endif // DS_EXACT_PASSES_H
