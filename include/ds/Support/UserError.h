//===- UserError.h - What a user is told ------------------------*- C++ -*-===//
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

/// An error that is one sentence for the user; nobody tells its kind from others.
inline llvm::Error userError(const llvm::Twine &what) {
  return llvm::createStringError(llvm::inconvertibleErrorCode(), what);
}

} // namespace ds

#endif // DS_SUPPORT_USERERROR_H
