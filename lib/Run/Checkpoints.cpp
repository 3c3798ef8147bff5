//===- Checkpoints.cpp - Generations of a training on disk ------*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The steps in names order the files for people; what counts is the step written in the file. Old
// generations go after the new one is on the disk, never before.
//
//===----------------------------------------------------------------------===//
#include "ds/Run/Checkpoints.h"

#include "ds/Run/Values.h"

#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"

namespace ds {

namespace fs = llvm::sys::fs;
namespace path = llvm::sys::path;
using llvm::Error;
using llvm::Expected;
using llvm::StringRef;

static constexpr size_t stepDigits = 12;

std::string generationPath(StringRef save, int64_t step) {
  std::string name;
  llvm::raw_string_ostream(name) << path::stem(save)
                                 << llvm::format("-%0*lld", int(stepDigits), (long long)step)
                                 << path::extension(save);
  llvm::SmallString<128> full(path::parent_path(save));
  path::append(full, name);
  return full.str().str();
}

/// The step in the name of a generation of `save`; none for another file.
static std::optional<int64_t> stepOfName(StringRef save, StringRef file) {
  StringRef name = path::filename(file);
  if (!name.consume_front(path::stem(save)) || !name.consume_front("-") ||
      !name.consume_back(path::extension(save)) || name.size() < stepDigits)
    return std::nullopt;
  int64_t step;
  return name.getAsInteger(10, step) || step < 0 ? std::nullopt : std::optional(step);
}

std::map<int64_t, std::string> findGenerations(StringRef save) {
  std::map<int64_t, std::string> found;
  StringRef folder = path::parent_path(save);
  std::error_code error;
  for (fs::directory_iterator entry(folder.empty() ? "." : folder, error), end;
       entry != end && !error; entry.increment(error)) {
    if (std::optional<int64_t> step = stepOfName(save, entry->path()))
      found[*step] = generationPath(save, *step);
  }
  return found;
}

Expected<std::optional<FoundCheckpoint>> findNewest(StringRef save) {
  std::map<int64_t, std::string> generations = findGenerations(save);
  std::vector<std::string> candidates;
  if (fs::exists(save))
    candidates.push_back(save.str());
  if (!generations.empty())
    candidates.push_back(generations.rbegin()->second);
  std::optional<FoundCheckpoint> newest;
  int64_t steps = -1;
  for (const std::string &candidate : candidates) {
    auto contents = SafetensorsFile::open(candidate);
    if (!contents)
      return contents.takeError();
    auto step = stepOf(*contents, candidate);
    if (!step)
      return step.takeError();
    if (*step <= steps)
      continue;
    steps = *step;
    newest = FoundCheckpoint{candidate, std::move(*contents)};
  }
  return newest;
}

CheckpointWriter::~CheckpointWriter() {
  if (thread.joinable())
    thread.join();
}

Error CheckpointWriter::start(int64_t step, Safetensors contents) {
  if (Error error = finish())
    return error;
  path = generationPath(save, step);
  thread = std::thread([this, contents = std::move(contents)] {
    if (Error error = writeSafetensors(path, contents))
      problem = llvm::toString(std::move(error));
    else
      removeOld();
  });
  return Error::success();
}

Error CheckpointWriter::finish() {
  bool underWay = thread.joinable();
  if (underWay)
    thread.join();
  if (!problem.empty())
    return llvm::createStringError(problem);
  if (underWay)
    written = path;
  return Error::success();
}

/// A file that cannot be removed is in nobody's way.
void CheckpointWriter::removeOld() {
  std::map<int64_t, std::string> all = findGenerations(save);
  while (static_cast<int64_t>(all.size()) > keep) {
    (void)fs::remove(all.begin()->second);
    all.erase(all.begin());
  }
}

} // namespace ds
