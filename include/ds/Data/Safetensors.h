//===- Safetensors.h - The safetensors checkpoint format --------*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A 64-bit header length, a JSON header (name -> dtype, shape, offsets; optional __metadata__),
// then the data. Reading is strict: the tensors must cover the data exactly, without holes or
// overlaps.
//
//===----------------------------------------------------------------------===//
#ifndef DS_DATA_SAFETENSORS_H
#define DS_DATA_SAFETENSORS_H

#include "ds/Data/Array.h"

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"

namespace ds {

struct Safetensors {
  NamedArrays tensors; // views of the file's bytes where their alignment allows it
  std::map<std::string, std::string> metadata;
};

llvm::Expected<Safetensors> readSafetensors(llvm::StringRef path);
/// Atomic: the destination holds the old file or the whole new one.
llvm::Error writeSafetensors(llvm::StringRef path, const Safetensors &contents);

} // namespace ds

#endif // DS_DATA_SAFETENSORS_H
