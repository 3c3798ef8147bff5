//===- Seal.cpp - Is a file as it was written -------------------*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "ds/Support/Seal.h"

#include "ds/Support/File.h"
#include "ds/Support/Nesting.h"
#include "ds/Support/UserError.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/xxhash.h"

namespace ds {

using llvm::Error;
using llvm::Expected;
using llvm::StringRef;
namespace json = llvm::json;

/// The number is the version of the line's format.
static constexpr const char *mark = "ds-seal 1 ", *jsonKey = "checksum";

std::string checksumOf(StringRef bytes) {
  const llvm::XXH128_hash_t hash = llvm::xxh3_128bits(llvm::arrayRefFromStringRef(bytes));
  auto half = [](uint64_t bits) { return llvm::utohexstr(bits, /*LowerCase=*/true, /*Width=*/16); };
  return half(hash.high64) + half(hash.low64);
}

std::string damaged(StringRef is, StringRef was) {
  return ("is damaged: its checksum is " + is + ", but it was written with " + was).str();
}

/// Checksum of the bytes, bound to their kind and name.
static std::string boundChecksum(StringRef kind, StringRef name, StringRef bytes) {
  return checksumOf((kind + "\n" + name + "\n" + checksumOf(bytes)).str());
}

std::string sealOf(StringRef kind, StringRef name, StringRef bytes) {
  return llvm::formatv("{0}{1} {2} {3}\n", mark, kind, bytes.size(),
                       boundChecksum(kind, name, bytes));
}

Expected<std::optional<StringRef>> unseal(StringRef kind, StringRef name, StringRef file) {
  constexpr size_t longest = 128;
  StringRef end = file.take_back(longest);
  const size_t at = end.rfind(mark);
  if (at == StringRef::npos || !end.consume_back("\n"))
    return std::nullopt;
  StringRef line = end.drop_front(at);
  const size_t size = file.size() - 1 - line.size();
  llvm::SmallVector<StringRef, 3> words;
  line.drop_front(StringRef(mark).size()).split(words, ' ');
  size_t length = 0;
  if (words.size() != 3 || words[1].getAsInteger(10, length))
    return userError("is damaged: its last line is no seal");
  if (words[0] != kind)
    return userError("is of the kind '" + words[0] + "', expected '" + kind + "'");
  if (length != size)
    return userError("is damaged: it has " + llvm::Twine(size) +
                     " bytes, but it was written "
                     "with " +
                     llvm::Twine(length));
  StringRef bytes = file.take_front(size);
  const std::string is = boundChecksum(kind, name, bytes);
  if (words[2] != is)
    return userError(damaged(is, words[2]) + (name.empty() ? "" : ", or for another name"));
  return bytes;
}

static std::string jsonChecksum(const json::Object &object) {
  return checksumOf(llvm::formatv("{0}", json::Value(json::Object(object))).str());
}

Error writeSealedJson(StringRef path, json::Object object, std::optional<unsigned> mode) {
  object[jsonKey] = jsonChecksum(object);
  auto write = [&](llvm::raw_ostream &out) {
    out << llvm::formatv("{0:2}\n", json::Value(std::move(object)));
  };
  return writeFileAtomically(path, write, mode);
}

Error unsealJson(json::Object &object) {
  const json::Value *found = object.get(jsonKey);
  if (!found)
    return Error::success();
  const std::string was = found->getAsString().value_or("no text").str();
  object.erase(jsonKey);
  const std::string is = jsonChecksum(object);
  if (is == was)
    return Error::success();
  return userError(damaged(is, was) + "; an edited file leaves \"checksum\" out");
}

Expected<json::Object> readSealedJson(StringRef path, StringRef what,
                                      llvm::ArrayRef<StringRef> members) {
  auto buffer = readText(path);
  if (!buffer)
    return userError("cannot be read: " + llvm::toString(buffer.takeError()));
  auto data = parseJson((*buffer)->getBuffer());
  if (!data)
    return userError("is not JSON: " + llvm::toString(data.takeError()));
  json::Object *object = data->getAsObject();
  if (Error error = object ? unsealJson(*object) : Error::success())
    return error;
  const StringRef version = members.front();
  std::optional<int64_t> number = object ? object->getInteger(version) : std::nullopt;
  if (!number)
    return userError("is no " + what + ": expected an object with \"" + version + "\": 1");
  if (*number != 1)
    return userError("has version " + llvm::Twine(*number) + ", but this program reads version 1");
  for (const auto &member : *object)
    if (!llvm::is_contained(members, StringRef(member.first)))
      return userError("has a member '" + StringRef(member.first) + "', expected " +
                       llvm::join(members, ", "));
  return std::move(*object);
}

} // namespace ds
