//===- Memory.h - Memory that is available, and needed ----------*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Linux grants memory that it does not have, and kills the process that uses it. So a large size is
// compared with the available memory before it is allocated, and a size that a file claims is
// trusted only as far as its bytes are read.
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

/// Returns the bytes that this process can still allocate, within the machine, its control group,
/// and its resource limits.
int64_t availableMemory();

/// Formats a size: `512 bytes`, `1.5 GiB`.
std::string bytesToString(int64_t bytes);

/// Returns success if `bytes` more are available, else the error `WHAT needs X of memory, but Y are
/// available`.
llvm::Error checkMemory(const llvm::Twine &what, int64_t bytes);

/// Bytes of a file, and their number.
struct BytesRead {
  std::shared_ptr<uint8_t> data;
  int64_t size;
};
/// Reads `total` bytes, as promised by a header, into memory that grows as they arrive: a small
/// file with a large promise costs little. `read` returns fewer bytes than requested only at the
/// end. `what` in the file `path` is the object that needs the memory.
llvm::Expected<BytesRead>
readAsTheyCome(llvm::StringRef path, const llvm::Twine &what, int64_t total,
               llvm::function_ref<llvm::Expected<int64_t>(uint8_t *, int64_t)> read);

/// Turns an allocation that fails although it was checked into one sentence and exit code 1,
/// without unwinding: for programs, not for libraries.
void reportOutOfMemory();

} // namespace ds

#endif // DS_SUPPORT_MEMORY_H
