//===- Idx.h - The IDX format of MNIST and its relatives --------*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Magic 00 00 TT DD (element type, number of dimensions), DD big-endian sizes, big-endian elements;
// plain or gzip.
//
//===----------------------------------------------------------------------===//
#ifndef DS_DATA_IDX_H
#define DS_DATA_IDX_H

#include "ds/Data/Array.h"

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"

namespace ds {

llvm::Expected<Array> readIdx(llvm::StringRef path);

} // namespace ds

#endif // DS_DATA_IDX_H
