//===- Checksum.cpp - Are bytes as they were written ------------*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "ds/Data/Checksum.h"

#include "ds/Support/Seal.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/Twine.h"

namespace ds {

using llvm::Error;
using llvm::StringRef;

static constexpr const char *sealKey = "ds.checksum";

void Checksum::add(StringRef more) { text += more.str() + "\n"; }

void Checksum::add(const TensorBytes &part) {
  add((part.name + " " + shapeToString(part.shape) + " " + part.type + " " +
       checksumOf(llvm::toStringRef(part.bytes)))
          .str());
}

void Checksum::add(StringRef name, const Array &array) {
  for (int64_t at = 0, size = array.bytes(); at == 0 || at < size; at += chunkBytes)
    add({name, toString(array.type), array.shape,
         llvm::ArrayRef(array.data + at, static_cast<size_t>(std::min(chunkBytes, size - at)))});
}

std::string Checksum::digits() const { return checksumOf(text); }

static Checksum metadataOf(const std::map<std::string, std::string> &metadata) {
  Checksum sum;
  for (const auto &[key, value] : metadata)
    if (key != sealKey)
      sum.add(key + "=" + value);
  return sum;
}

void seal(Safetensors &contents) {
  Checksum sum = metadataOf(contents.metadata);
  for (const auto &[name, array] : contents.tensors)
    sum.add(name, array);
  contents.metadata[sealKey] = sum.digits();
}

std::string storedSeal(const std::map<std::string, std::string> &metadata) {
  auto found = metadata.find(sealKey);
  return found == metadata.end() ? "" : found->second;
}

Error checkSeal(const SafetensorsFile &file, StringRef path) {
  for (const SafetensorsFile::Share &share : file.sharesOfIndex()) {
    const std::string seal = storedSeal(share.contents->metadata());
    if (seal != share.checksum)
      return readError(share.path, "its checksum is " + (seal.empty() ? "missing" : seal) +
                                       ", but '" + share.index + "' was written with " +
                                       share.checksum);
    if (Error error = checkSeal(*share.contents, share.path))
      return error;
  }
  auto sealed = file.metadata().find(sealKey);
  if (sealed == file.metadata().end())
    return Error::success();
  Checksum sum = metadataOf(file.metadata());
  if (Error error =
          file.visit([&](const TensorBytes &part) { sum.add(part); }, Checksum::chunkBytes))
    return error;
  if (sum.digits() == sealed->second)
    return Error::success();
  return readError(path, "it " + damaged(sum.digits(), sealed->second) +
                             "; a program that changes it leaves ds.checksum out");
}

} // namespace ds
