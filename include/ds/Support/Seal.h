//===- Seal.h - Is a file as it was written ---------------------*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One checksum for every file that ds writes and reads again: 128 bits of XXH3, at the speed of
// memory, against disk faults and mistakes, not against attackers. JSON has it as the member
// "checksum", a .safetensors in its metadata (ds/Data/Checksum.h), and other files end with a line
// that identifies them: their kind, the name they were written for, and their length in bytes.
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

/// Returns 32 hexadecimal digits.
std::string checksumOf(llvm::StringRef bytes);

/// Formats `is damaged: its checksum is IS, but it was written with WAS`.
std::string damaged(llvm::StringRef is, llvm::StringRef was);

/// Returns the line that ends a file with the contents `bytes` and that kind, a word, and name.
std::string sealOf(llvm::StringRef kind, llvm::StringRef name, llvm::StringRef bytes);
/// Returns the contents of `file` before its seal; none if it does not end with one. A seal of
/// other bytes, another kind or another name is an error, such as `is damaged: ..`.
llvm::Expected<std::optional<llvm::StringRef>> unseal(llvm::StringRef kind, llvm::StringRef name,
                                                      llvm::StringRef file);

/// Writes the object with its checksum, which does not depend on indentation. The file has `mode`,
/// or else that of the file it replaces.
llvm::Error writeSealedJson(llvm::StringRef path, llvm::json::Object object,
                            std::optional<unsigned> mode = std::nullopt);
/// Removes the checksum from an object. A wrong checksum is an error, `is damaged: ..`; an object
/// that was never sealed, such as a file written by hand, passes.
llvm::Error unsealJson(llvm::json::Object &object);
/// Reads the object of a file whose first member in the list is 1, and that has no member beyond
/// the list. The error describes the file, as `is no WHAT: ..`.
llvm::Expected<llvm::json::Object> readSealedJson(llvm::StringRef path, llvm::StringRef what,
                                                  llvm::ArrayRef<llvm::StringRef> members);

} // namespace ds

#endif // DS_SUPPORT_SEAL_H
