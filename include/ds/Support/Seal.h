//===- Seal.h - Whether a file is what was written --------------*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One checksum for everything that ds writes and reads again: 128 bits of XXH3, at the speed of
// memory, against disks and mistakes, not against people. JSON holds it as the member "checksum", a
// .safetensors in its metadata (ds/Data/Checksum.h), and other files end with a line that names
// what they are: their kind, the name they were written for, and how many bytes they have.
//
//===----------------------------------------------------------------------===//
#ifndef DS_SUPPORT_SEAL_H
#define DS_SUPPORT_SEAL_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/JSON.h"

#include <optional>
#include <string>

namespace ds {

/// 32 hexadecimal digits.
std::string checksumOf(llvm::StringRef bytes);

/// `is damaged: its checksum is IS, but it was written with WAS`.
std::string damaged(llvm::StringRef is, llvm::StringRef was);

/// The line that ends a file which holds `bytes` and is of that kind, a word, and name.
std::string sealOf(llvm::StringRef kind, llvm::StringRef name, llvm::StringRef bytes);
/// What `file` holds before its seal; none where it does not end with one. A seal of other bytes,
/// another kind or another name is an error, such as `is damaged: ..`.
llvm::Expected<std::optional<llvm::StringRef>> unseal(llvm::StringRef kind, llvm::StringRef name,
                                                      llvm::StringRef file);

/// Writes the object with its checksum, which does not depend on how the text is indented.
llvm::Error writeSealedJson(llvm::StringRef path, llvm::json::Object object);
/// Takes the checksum out of an object. An error, as `is damaged: ..`, where it is of another one;
/// what was never sealed, such as a file that a person wrote, passes.
llvm::Error unsealJson(llvm::json::Object &object);
/// The object of a file whose first member in the list is 1, and that has none beyond the list. The
/// error is what is wrong with the file, as `is no WHAT: ..`.
llvm::Expected<llvm::json::Object> readSealedJson(llvm::StringRef path, llvm::StringRef what,
                                                  llvm::ArrayRef<llvm::StringRef> members);

} // namespace ds

#endif // DS_SUPPORT_SEAL_H
