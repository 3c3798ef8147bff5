//===- SealedLibrary.cpp - Is a compiled step complete ----------*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "ds/Step/SealedLibrary.h"

#include "ds/Support/File.h"
#include "ds/Support/Seal.h"
#include "ds/Support/UserError.h"

#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/Twine.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"

namespace ds {

using llvm::Expected;
using llvm::StringRef;

static constexpr const char *kind = "library", *headerMark = "ds-header ";

std::string sealLibrary(StringRef library, StringRef headerName, StringRef header) {
  const std::string bytes =
      (library + headerMark + headerName + " " + checksumOf(header) + "\n").str();
  return bytes + sealOf(kind, "", bytes);
}

Expected<bool> checkLibrary(StringRef path) {
  auto file = openFile(path);
  if (!file)
    return file.takeError();
  auto bytes = unseal(kind, "", (*file)->getBuffer());
  if (!bytes)
    return userError("'" + path + "' " + llvm::toString(bytes.takeError()) + "; compile it again");
  if (!*bytes)
    return false;
  auto [name, was] = (*bytes)->drop_back().rsplit(headerMark).second.rsplit(' ');
  llvm::SmallString<128> header(llvm::sys::path::parent_path(path));
  llvm::sys::path::append(header, name);
  if (!llvm::sys::fs::exists(header)) // compiled into a program
    return true;
  auto text = openFile(header);
  if (!text)
    return text.takeError();
  if (std::string is = checksumOf((*text)->getBuffer()); is != was)
    return userError("'" + header + "' " + damaged(is, was) + ", as that of '" + path +
                     "'; compile the step again");
  return true;
}

} // namespace ds
