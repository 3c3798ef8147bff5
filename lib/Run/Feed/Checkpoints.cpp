//===- Checkpoints.cpp - Numbered files of a training ---------------------===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The steps in names order the files for people; the step stored in the file counts. Old
// checkpoints are removed after the new one is on the disk, never before.
//
//===----------------------------------------------------------------------===//
#include "ds/Run/Feed/Checkpoints.h"

#include "ds/Data/Checksum.h"
#include "ds/Run/Ranks/Values.h"
#include "ds/Support/Threads.h"
#include "ds/Support/UserError.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/Twine.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"

#include <algorithm>

namespace ds {

namespace fs = llvm::sys::fs;
namespace path = llvm::sys::path;
using llvm::Error;
using llvm::Expected;
using llvm::StringRef;

static constexpr size_t stepDigits = 12;

std::string checkpointPath(StringRef save, int64_t step) {
  std::string name;
  llvm::raw_string_ostream(name) << path::stem(save)
                                 << llvm::format("-%0*lld", int(stepDigits), (long long)step)
                                 << path::extension(save);
  llvm::SmallString<128> full(path::parent_path(save));
  path::append(full, name);
  return full.str().str();
}

/// Returns the step in the name of a checkpoint of `save`; none for another file.
static std::optional<int64_t> stepOfName(StringRef save, StringRef file) {
  StringRef name = path::filename(file);
  if (!name.consume_front(path::stem(save)) || !name.consume_front("-") ||
      !name.consume_back(path::extension(save)) || name.size() < stepDigits)
    return std::nullopt;
  int64_t step;
  return name.getAsInteger(10, step) || step < 0 ? std::nullopt : std::optional(step);
}

std::map<int64_t, std::string> findCheckpoints(StringRef save) {
  std::map<int64_t, std::string> found;
  StringRef folder = path::parent_path(save);
  std::error_code error;
  for (fs::directory_iterator entry(folder.empty() ? "." : folder, error), end;
       entry != end && !error; entry.increment(error)) {
    if (std::optional<int64_t> step = stepOfName(save, entry->path()))
      found[*step] = checkpointPath(save, *step);
  }
  return found;
}

Error checkNoEarlier(StringRef save) {
  const std::map<int64_t, std::string> earlier = findCheckpoints(save);
  if (earlier.empty())
    return Error::success();
  return userError("'" + earlier.rbegin()->second +
                   "' is there from an earlier training; --resume goes on from it, or give --save "
                   "another name");
}

Error writeCheckpoint(StringRef path, Safetensors contents, std::optional<unsigned> mode) {
  seal(contents);
  return writeSafetensors(path, contents, mode);
}

Expected<std::optional<FoundCheckpoint>>
findNewest(StringRef save, llvm::function_ref<void(const std::string &)> passOver) {
  std::vector<std::string> candidates;
  for (const auto &item : findCheckpoints(save))
    candidates.push_back(item.second);
  std::reverse(candidates.begin(), candidates.end());
  // The first of equals is taken.
  if (fs::exists(save))
    candidates.insert(candidates.begin(), save.str());
  struct Candidate {
    int64_t step;
    FoundCheckpoint found;
  };
  std::vector<Candidate> readable;
  std::string why;
  auto isDamaged = [&](Error error) {
    std::string text = llvm::toString(std::move(error));
    passOver(text);
    if (why.empty())
      why = text;
  };
  for (const std::string &path : candidates) {
    auto contents = SafetensorsFile::open(path);
    if (!contents) {
      isDamaged(contents.takeError());
      continue;
    }
    auto step = stepOf(*contents, path);
    if (!step) {
      isDamaged(step.takeError());
      continue;
    }
    readable.push_back({*step, {path, std::move(*contents)}});
  }
  llvm::stable_sort(readable,
                    [](const Candidate &a, const Candidate &b) { return a.step > b.step; });
  // Reading a whole file takes time, so seals are checked from the newest file on until one is
  // good.
  for (Candidate &candidate : readable) {
    Error error = checkSeal(candidate.found.contents, candidate.found.path);
    if (!error)
      return std::optional(std::move(candidate.found));
    isDamaged(std::move(error));
  }
  if (why.empty())
    return std::nullopt;
  return userError("no checkpoint of '" + save + "' is whole (" + why +
                   "); give --save another name, or remove what is damaged, to start again");
}

CheckpointWriter::~CheckpointWriter() {
  if (thread.joinable())
    thread.join();
}

Error CheckpointWriter::start(int64_t step, Safetensors contents) {
  if (Error error = finish())
    return error;
  path = checkpointPath(save, step);
  auto shared = std::make_shared<Safetensors>(std::move(contents));
  if (!startThread(thread, [this, step, shared] { write(step, std::move(*shared)); })) {
    write(step, std::move(*shared));
    if (problem.empty())
      written = path;
  }
  return Error::success();
}

void CheckpointWriter::write(int64_t step, Safetensors contents) {
  if (Error error = writeCheckpoint(path, std::move(contents), modeOf(save)))
    problem = llvm::toString(std::move(error));
  else
    removeOld(step);
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

/// Removes the oldest checkpoints. Keeps those of later steps: they are damaged ones that --resume
/// skipped, and the training replaces them when it reaches their steps. A file that cannot be
/// removed does no harm.
void CheckpointWriter::removeOld(int64_t step) {
  std::map<int64_t, std::string> all = findCheckpoints(save);
  all.erase(all.upper_bound(step), all.end());
  while (static_cast<int64_t>(all.size()) > keep) {
    (void)fs::remove(all.begin()->second);
    all.erase(all.begin());
  }
}

std::string describeNewest(CheckpointWriter *checkpoints) {
  // The pending checkpoint is of an earlier step.
  llvm::Error unfinished = checkpoints ? checkpoints->finish() : llvm::Error::success();
  llvm::consumeError(std::move(unfinished)); // reported at the end
  std::string kept = checkpoints ? checkpoints->newest() : "";
  return kept.empty() ? "no checkpoint was written before"
                      : "'" + kept + "' is the newest checkpoint";
}

} // namespace ds
