//===- Npz.cpp - NumPy's .npz -----------------------------------*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// libzip reads and writes the container (stored, deflated, zip64). A member's claimed size is
// trusted only as far as deflate could have produced it from the bytes of the file.
//
//===----------------------------------------------------------------------===//
#include "ds/Data/Npy.h"

#include "ds/Support/Memory.h"

#include "llvm/ADT/ScopeExit.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/Twine.h"
#include "llvm/Support/raw_ostream.h"

#include <cerrno>
#include <cstring>
#include <mutex>
#include <zip.h>

namespace ds {

using llvm::Error;
using llvm::Expected;
using llvm::StringRef;
using llvm::Twine;

static std::string messageOf(zip_error_t *error) {
  std::string text = zip_error_strerror(error);
  zip_error_fini(error);
  return text;
}

struct NpzReader::Impl {
  std::string path;
  uint64_t fileSize = 0;
  zip_t *archive = nullptr;
  std::vector<std::string> names;
  llvm::StringMap<zip_uint64_t> indices;
  std::mutex mutex; // an archive does not allow two threads at once

  ~Impl() {
    if (archive)
      zip_discard(archive);
  }
};

NpzReader::NpzReader(std::unique_ptr<Impl> impl) : impl(std::move(impl)) {}
NpzReader::~NpzReader() = default;
const std::vector<std::string> &NpzReader::names() const { return impl->names; }
bool NpzReader::contains(StringRef name) const { return impl->indices.contains(name); }

Expected<std::unique_ptr<NpzReader>> NpzReader::open(StringRef path) {
  auto impl = std::make_unique<Impl>();
  impl->path = path.str();
  auto file = InputFile::open(path);
  if (!file)
    return file.takeError();
  impl->fileSize = file->size();

  // Members are read in place: a recording of a large model is several times its parameters.
  FILE *stream = std::move(*file).stream();
  if (!stream)
    return readError(path, strerror(errno));
  zip_error_t error;
  zip_error_init(&error);
  zip_source_t *source = zip_source_filep_create(stream, 0, -1, &error);
  if (!source) {
    fclose(stream);
    return readError(path, messageOf(&error));
  }
  zip_source_keep(source); // an opened archive owns it, one that fails to open does not
  impl->archive = zip_open_from_source(source, ZIP_RDONLY | ZIP_CHECKCONS, &error);
  // For a duplicate name libzip's error does not give the name.
  if (!impl->archive && zip_error_code_zip(&error) == ZIP_ER_EXISTS)
    impl->archive = zip_open_from_source(source, ZIP_RDONLY, &error);
  zip_source_free(source);
  if (!impl->archive) {
    zip_source_free(source);
    return readError(path, "not a sound .npz: " + messageOf(&error));
  }
  zip_error_fini(&error);
  for (zip_int64_t i = 0, count = zip_get_num_entries(impl->archive, 0); i < count; ++i) {
    const char *member = zip_get_name(impl->archive, i, 0);
    StringRef name = member ? member : "";
    if (!name.consume_back(".npy"))
      return readError(path, "member '" + name + "' is no .npy");
    if (!impl->indices.try_emplace(name, i).second)
      return readError(path, "it holds two arrays called '" + name + "', expected one of a name");
    impl->names.push_back(name.str());
  }
  return std::unique_ptr<NpzReader>(new NpzReader(std::move(impl)));
}

Expected<Array> NpzReader::read(StringRef name) const {
  const std::string &path = impl->path;
  auto found = impl->indices.find(name);
  if (found == impl->indices.end())
    return readError(path, "there is no array '" + name + "'");
  std::string label = path + "': '" + name.str();

  std::lock_guard<std::mutex> lock(impl->mutex);
  zip_stat_t stat;
  zip_stat_init(&stat);
  constexpr zip_uint64_t needed = ZIP_STAT_SIZE | ZIP_STAT_COMP_SIZE;
  if (zip_stat_index(impl->archive, found->second, 0, &stat) != 0 ||
      (stat.valid & needed) != needed)
    return readError(label, "the member has no size");
  constexpr uint64_t largestRatio = 1032, window = 65536;
  uint64_t fileSize = impl->fileSize;
  // With a size that fits the file, the product cannot overflow.
  if (stat.comp_size > fileSize || fileSize > (UINT64_MAX >> 12) ||
      stat.size > stat.comp_size * largestRatio + window)
    return readError(label, "the member claims " + Twine(stat.size) +
                                " bytes, more than the file can hold");

  zip_file_t *member = zip_fopen_index(impl->archive, found->second, 0);
  if (!member)
    return readError(label, zip_strerror(impl->archive));
  llvm::scope_exit close([&] { zip_fclose(member); });
  auto readMember = [&](uint8_t *to, int64_t count) -> Expected<int64_t> {
    int64_t have = 0;
    while (have < count) {
      zip_int64_t got = zip_fread(member, to + have, count - have);
      if (got < 0)
        return readError(label, zip_file_strerror(member));
      if (got == 0)
        break;
      have += got;
    }
    return have;
  };
  auto bytes = readAsTheyCome(label, "the member", stat.size, readMember);
  if (!bytes)
    return bytes.takeError();
  // libzip checks the checksum only when a read passes the end.
  uint8_t past;
  auto more = readMember(&past, 1);
  if (!more)
    return more.takeError();
  if (uint64_t(bytes->size) != stat.size || *more != 0)
    return readError(label, "the member has another size than it claims");
  return parseNpy(label, llvm::ArrayRef(bytes->data.get(), bytes->size), bytes->data);
}

Error writeNpz(StringRef path, const NamedArrays &arrays) {
  zip_error_t error;
  zip_error_init(&error);
  zip_source_t *target = zip_source_buffer_create(nullptr, 0, 0, &error);
  if (!target)
    return writeError(path, messageOf(&error));
  zip_source_keep(target); // the archive drops its reference when it is closed
  llvm::scope_exit release([&] { zip_source_free(target); });
  zip_t *archive = zip_open_from_source(target, ZIP_CREATE | ZIP_TRUNCATE, &error);
  if (!archive) {
    zip_source_free(target);
    return writeError(path, messageOf(&error));
  }
  auto fail = [&]() -> Error {
    std::string text = zip_strerror(archive);
    zip_discard(archive);
    return writeError(path, text);
  };

  std::vector<std::string> headers; // libzip reads them when the archive is closed
  headers.reserve(arrays.size());
  for (const auto &[name, array] : arrays) {
    headers.push_back(npyHeader(array));
    zip_buffer_fragment_t parts[2] = {
        {reinterpret_cast<zip_uint8_t *>(headers.back().data()), headers.back().size()},
        {const_cast<zip_uint8_t *>(array.data), static_cast<zip_uint64_t>(array.bytes())}};
    zip_source_t *member = zip_source_buffer_fragment(archive, parts, array.bytes() ? 2 : 1, 0);
    if (!member)
      return fail();
    zip_int64_t index = zip_file_add(archive, (name + ".npy").c_str(), member, ZIP_FL_ENC_UTF_8);
    if (index < 0) {
      zip_source_free(member);
      return fail();
    }
    if (zip_set_file_compression(archive, index, ZIP_CM_STORE, 0) != 0)
      return fail();
    // Equal arrays make equal files, independent of the time of writing.
    zip_file_set_dostime(archive, index, 0, (1 << 5) | 1, 0);
  }
  if (zip_close(archive) != 0)
    return fail();

  zip_stat_t stat;
  zip_stat_init(&stat);
  if (zip_source_stat(target, &stat) != 0 || zip_source_open(target) != 0)
    return writeError(path, "the archive cannot be read back");
  std::vector<char> bytes(stat.size);
  zip_int64_t got = zip_source_read(target, bytes.data(), bytes.size());
  zip_source_close(target);
  if (got != static_cast<zip_int64_t>(bytes.size()))
    return writeError(path, "the archive cannot be read back");
  return writeFileAtomically(
      path, [&](llvm::raw_ostream &stream) { stream.write(bytes.data(), bytes.size()); });
}

} // namespace ds
