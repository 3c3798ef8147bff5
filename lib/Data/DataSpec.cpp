//===- DataSpec.cpp - Which file feeds which argument -----------*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Split by hand, because file names may contain anything but an unescaped comma or colon. Formats
// are recognised by their magic; safetensors, which has none, by its extension.
//
//===----------------------------------------------------------------------===//
#include "ds/Data/DataSpec.h"

#include "ds/Data/Idx.h"
#include "ds/Data/Npy.h"
#include "ds/Data/Safetensors.h"

#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/Twine.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/GlobPattern.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"

#include <algorithm>
#include <cmath>

namespace ds {

using llvm::Error;
using llvm::Expected;
using llvm::StringRef;
using llvm::Twine;

/// Splits at unescaped separators; escapes remain, because pieces may be split again.
static std::vector<StringRef> splitUnescaped(StringRef text, char separator) {
  std::vector<StringRef> pieces;
  size_t begin = 0;
  for (size_t i = 0; i <= text.size(); ++i) {
    if (i == text.size() || text[i] == separator) {
      pieces.push_back(text.slice(begin, i));
      begin = i + 1;
    } else if (text[i] == '\\') {
      ++i;
    }
  }
  return pieces;
}

static std::string unescape(StringRef text) {
  std::string result;
  for (size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '\\' && i + 1 < text.size())
      ++i;
    result += text[i];
  }
  return result;
}

static bool parseScale(StringRef text, Scale &scale) {
  auto [numerator, denominator] = text.split('/');
  if (numerator.trim().getAsDouble(scale.numerator))
    return false;
  if (text.contains('/') && denominator.trim().getAsDouble(scale.denominator))
    return false;
  return std::isfinite(scale.numerator) && std::isfinite(scale.denominator) &&
         scale.numerator != 0 && scale.denominator != 0;
}

static bool parseShape(StringRef text, std::vector<int64_t> &shape) {
  llvm::SmallVector<StringRef> sizes;
  text.split(sizes, 'x');
  for (StringRef size : sizes) {
    int64_t number;
    if (size.trim().getAsInteger(10, number) || number <= 0)
      return false;
    shape.push_back(number);
  }
  return true;
}

static Expected<DataSource> parseItem(StringRef item) {
  auto fail = [&](const Twine &what) {
    return llvm::createStringError(llvm::inconvertibleErrorCode(),
                                   "in the data specification '" + item + "': " + what);
  };
  auto [argument, rest] = item.split('=');
  DataSource source;
  source.argument = argument.trim().str();
  std::vector<StringRef> parts = splitUnescaped(rest, ':');
  source.file = unescape(parts.front().trim());
  if (source.argument.empty() || source.file.empty())
    return fail("expected ARGUMENT=FILE[:KEY][:scale=S][:reshape=AxB]");
  for (StringRef part : llvm::ArrayRef(parts).drop_front()) {
    auto [name, value] = part.split('=');
    if (name == "scale") {
      Scale scale;
      if (source.scale)
        return fail("scale is given twice");
      if (!parseScale(value, scale))
        return fail("scale is '" + value + "', expected a number such as 0.5 or 1/255");
      source.scale = scale;
    } else if (name == "reshape") {
      std::vector<int64_t> shape;
      if (source.reshape)
        return fail("reshape is given twice");
      if (!parseShape(value, shape))
        return fail("reshape is '" + value + "', expected the sizes of one sample such as 28x28x1");
      source.reshape = std::move(shape);
    } else if (part.contains('=')) {
      return fail("unknown option '" + name + "', expected scale or reshape");
    } else if (part.empty() || !source.key.empty()) {
      return fail(part.empty() ? "an empty key" : "a second key '" + part.str() + "'");
    } else {
      source.key = unescape(part);
    }
  }
  return source;
}

namespace {
/// `{rank}`, `{ranks}` or `{rank:05}` at the start of a text.
struct Placeholder {
  bool counts; // replaced by the number of ranks, not by the rank's
  unsigned digits;
  size_t length;
};
} // namespace

/// Returns none for any other brace, an error for one that is almost a placeholder.
static Expected<std::optional<Placeholder>> placeholderAt(StringRef spec, size_t at) {
  StringRef text = spec.drop_front(at);
  StringRef inside = text.take_front(text.find('}')).drop_front();
  if (!text.starts_with("{rank") || inside.size() + 1 == text.size())
    return std::optional<Placeholder>();
  auto [name, width] = inside.split(':');
  Placeholder found{name == "ranks", 0, inside.size() + 2};
  bool good = name == "rank" || name == "ranks";
  if (inside.contains(':'))
    good &= width.size() == 2 && width[0] == '0' && !width.getAsInteger(10, found.digits) &&
            found.digits > 0;
  if (!good)
    return llvm::createStringError(llvm::inconvertibleErrorCode(),
                                   "in the data specification '" + spec + "': '{" + inside +
                                       "}' is none of {rank}, {ranks} and, with leading zeros, "
                                       "{rank:05}");
  return std::optional(found);
}

bool namesRank(StringRef spec) {
  for (size_t i = 0; i < spec.size(); ++i) {
    if (spec[i] == '\\') {
      ++i;
      continue;
    }
    auto found = placeholderAt(spec, i);
    if (!found)
      llvm::consumeError(found.takeError()); // reported when it is replaced
    else if (*found && !(*found)->counts)
      return true;
  }
  return false;
}

Expected<std::string> specOfRank(StringRef spec, int64_t rank, int64_t numRanks) {
  std::string result;
  for (size_t i = 0; i < spec.size(); ++i) {
    if (spec[i] == '\\' && i + 1 < spec.size()) {
      result += spec[i++];
      result += spec[i];
      continue;
    }
    auto found = placeholderAt(spec, i);
    if (!found)
      return found.takeError();
    if (!*found) {
      result += spec[i];
      continue;
    }
    std::string number = std::to_string((*found)->counts ? numRanks : rank);
    if (number.size() < (*found)->digits)
      result.append((*found)->digits - number.size(), '0');
    result += number;
    i += (*found)->length - 1;
  }
  return result;
}

Expected<std::vector<DataSource>> parseDataSpec(StringRef spec) {
  std::vector<DataSource> sources;
  for (StringRef item : splitUnescaped(spec, ',')) {
    auto source = parseItem(item);
    if (!source)
      return source.takeError();
    for (const DataSource &other : sources)
      if (other.argument == source->argument)
        return llvm::createStringError(llvm::inconvertibleErrorCode(),
                                       "in the data specification '" + item + "': argument '" +
                                           source->argument + "' is given twice");
    sources.push_back(std::move(*source));
  }
  return sources;
}

static std::string quotedList(const std::vector<std::string> &names) {
  constexpr size_t most = 12;
  std::string text;
  for (size_t i = 0; i < std::min(names.size(), most); ++i)
    text += (i ? ", '" : "'") + names[i] + "'";
  return text + (names.size() > most ? ", ..." : "");
}

/// Returns which of the file's arrays is meant.
static Expected<std::string> chooseName(StringRef path, StringRef key, StringRef argument,
                                        const std::vector<std::string> &names) {
  auto contains = [&](StringRef name) {
    return std::find(names.begin(), names.end(), name) != names.end();
  };
  if (!key.empty()) {
    if (contains(key))
      return key.str();
    return readError(path, "there is no array '" + key + "' among " + quotedList(names));
  }
  if (contains(argument))
    return argument.str();
  if (names.size() == 1)
    return names.front();
  if (names.empty())
    return readError(path, "it holds no arrays");
  return readError(path,
                   "it holds " + quotedList(names) + "; choose one with " + argument + "=FILE:KEY");
}

static Expected<std::vector<std::string>> readList(StringRef path) {
  auto text = openText(path);
  if (!text)
    return text.takeError();
  std::vector<std::string> files;
  llvm::SmallVector<StringRef> lines;
  (*text)->getBuffer().split(lines, '\n');
  for (StringRef line : lines) {
    line = line.trim();
    if (line.empty() || line.starts_with("#"))
      continue;
    llvm::SmallString<128> file(line);
    if (llvm::sys::path::is_relative(file)) {
      file = llvm::sys::path::parent_path(path);
      llvm::sys::path::append(file, line);
    }
    files.push_back(file.str().str());
  }
  if (files.empty())
    return readError(path, "expected the name of a file in each line, got none");
  return files;
}

Expected<std::vector<std::string>> filesOf(StringRef file) {
  if (llvm::sys::fs::exists(file))
    return std::vector<std::string>{file.str()};
  if (StringRef list = file; list.consume_front("@"))
    return readList(list);
  if (file.find_first_of("*?") == StringRef::npos)
    return std::vector<std::string>{file.str()}; // reading reports the problem
  auto pattern = llvm::GlobPattern::create(llvm::sys::path::filename(file));
  if (!pattern)
    return readError(file, "it is no pattern: " + llvm::toString(pattern.takeError()));
  StringRef folder = llvm::sys::path::parent_path(file);
  std::vector<std::string> files;
  std::error_code error;
  for (llvm::sys::fs::directory_iterator entry(folder.empty() ? "." : folder, error), end;
       entry != end && !error; entry.increment(error))
    if (StringRef name = llvm::sys::path::filename(entry->path()); pattern->match(name)) {
      llvm::SmallString<128> path(folder);
      llvm::sys::path::append(path, name);
      files.push_back(path.str().str());
    }
  if (files.empty())
    return readError(file, "no file has such a name");
  llvm::sort(files);
  return files;
}

Expected<Array> readArray(StringRef path, StringRef key, StringRef argument) {
  auto start = firstBytes(path, 8);
  if (!start)
    return start.takeError();
  StringRef bytes = *start;
  auto refuseKey = [&](const char *format) {
    return readError(path, Twine("an ") + format + " file holds one array, so a key ('" + key +
                               "') has no meaning");
  };

  if (path.ends_with(".safetensors") || path.ends_with(".safetensors.index.json")) {
    auto file = SafetensorsFile::open(path);
    if (!file)
      return file.takeError();
    auto name = chooseName(path, key, argument, file->names());
    if (!name)
      return name.takeError();
    return file->read(*name);
  }
  if (bytes.starts_with("PK")) {
    auto reader = NpzReader::open(path);
    if (!reader)
      return reader.takeError();
    auto name = chooseName(path, key, argument, (*reader)->names());
    if (!name)
      return name.takeError();
    return (*reader)->read(*name);
  }
  if (bytes.starts_with("\x93NUMPY") || path.ends_with(".npy")) {
    if (!key.empty())
      return refuseKey(".npy");
    return readNpy(path);
  }
  if (path.ends_with(".npy.gz") && bytes.starts_with("\x1f\x8b")) {
    if (!key.empty())
      return refuseKey(".npy");
    return readNpyGz(path);
  }
  if (bytes.starts_with(StringRef("\0\0", 2)) || bytes.starts_with("\x1f\x8b")) {
    if (!key.empty())
      return refuseKey("IDX");
    return readIdx(path);
  }
  return readError(path, "it is none of IDX and .npy (plain or gzip), .npz and .safetensors");
}

} // namespace ds
