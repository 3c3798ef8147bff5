//===- UserError.h - Errors for the user ------------------------*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef DS_SUPPORT_USERERROR_H
#define DS_SUPPORT_USERERROR_H

#include "llvm/ADT/Twine.h"
#include "llvm/Support/Error.h"

namespace ds {

/// Makes an error that is one sentence for the user; no program distinguishes it from others.
inline llvm::Error userError(const llvm::Twine &what) {
  return llvm::createStringError(llvm::inconvertibleErrorCode(), what);
}

} // namespace ds

#endif // DS_SUPPORT_USERERROR_H
