//===- FileMap.cpp - A file read in place -----------------------*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The descriptor stays open, so `check` examines the mapped file even if its name now leads to
// another.
//
//===----------------------------------------------------------------------===//
#include "ds/Data/FileMap.h"

#include "ds/Support/File.h"

#include "llvm/ADT/Twine.h"

#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

namespace ds {

using llvm::Error;
using llvm::Expected;
using llvm::StringRef;
using llvm::Twine;

Expected<std::shared_ptr<const FileMap>> FileMap::open(StringRef path) {
  std::shared_ptr<FileMap> map(new FileMap());
  map->path = path.str();
  map->descriptor =
      ::open(map->path.c_str(), O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK); // no wait for a pipe
  struct stat info;
  if (map->descriptor < 0 || fstat(map->descriptor, &info) != 0)
    return readError(path, strerror(errno));
  if (!S_ISREG(info.st_mode))
    return readError(path, "it is no regular file");
  map->length = info.st_size;
  map->written = info.st_mtim;
  void *memory = mmap(nullptr, map->length, PROT_READ, MAP_SHARED, map->descriptor, 0);
  if (memory == MAP_FAILED)
    return readError(path, Twine("it cannot be mapped: ") + strerror(errno));
  map->memory = static_cast<const uint8_t *>(memory);
  // Samples are read in random order; reading ahead would be wasted.
  madvise(memory, map->length, MADV_RANDOM);
  return map;
}

FileMap::~FileMap() {
  if (memory)
    munmap(const_cast<uint8_t *>(memory), length);
  if (descriptor >= 0)
    close(descriptor);
}

Error FileMap::check() const {
  struct stat info;
  if (fstat(descriptor, &info) != 0)
    return readError(path, strerror(errno));
  if (info.st_size != length)
    return readError(path, "it had " + Twine(length) +
                               " bytes when the training began, now it has " + Twine(info.st_size));
  if (info.st_mtim.tv_sec != written.tv_sec || info.st_mtim.tv_nsec != written.tv_nsec)
    return readError(path, "it was written to since the training began");
  return Error::success();
}

} // namespace ds
