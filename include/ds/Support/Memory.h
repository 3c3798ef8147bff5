//===- Memory.h - How much memory there is, and is needed -------*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Linux gives memory that it does not have and ends whoever uses it. So what is large is compared
// with what there is before it is asked for, and what a file only claims is believed as it is read.
//
//===----------------------------------------------------------------------===//
#ifndef DS_SUPPORT_MEMORY_H
#define DS_SUPPORT_MEMORY_H

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/Support/Error.h"

#include <cstdint>
#include <memory>
#include <string>

namespace ds {

/// Bytes that this process can still get: of the machine, of its control group, and of the limits
/// that it was started with.
int64_t availableMemory();

/// `512 bytes`, `1.5 GiB`.
std::string bytesToString(int64_t bytes);

/// Nothing if there are `bytes` more, else `WHAT needs X of memory, but Y are available`.
llvm::Error checkMemory(const llvm::Twine &what, int64_t bytes);

/// Bytes of a file, and how many came.
struct BytesRead {
  std::shared_ptr<uint8_t> data;
  int64_t size;
};
/// Reads `total` bytes, which a header promises, into memory that grows as they come: one that
/// promises much in a file that holds little costs little. `read` gives less than it was asked for
/// only at the end. `what` of the file `path` is what needs the memory.
llvm::Expected<BytesRead>
readAsTheyCome(llvm::StringRef path, const llvm::Twine &what, int64_t total,
               llvm::function_ref<llvm::Expected<int64_t>(uint8_t *, int64_t)> read);

/// Makes an allocation that fails although it was checked one sentence and exit code 1, without
/// unwinding: for programs, not for libraries.
void reportOutOfMemory();

} // namespace ds

#endif // DS_SUPPORT_MEMORY_H
