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
#include <set>

namespace ds {

namespace fs = llvm::sys::fs;
namespace path = llvm::sys::path;
using llvm::Error;
using llvm::Expected;
using llvm::StringRef;

static constexpr size_t stepDigits = 12, shareDigits = 5;
static constexpr StringRef indexExtension = ".index.json";

static std::string number(size_t digits, int64_t value) {
  std::string text;
  llvm::raw_string_ostream(text) << llvm::format("%0*lld", int(digits), (long long)value);
  return text;
}

/// Returns `w-WORDS.safetensors` beside `w.safetensors`.
static std::string besideSave(StringRef save, const llvm::Twine &words) {
  llvm::SmallString<128> full(path::parent_path(save));
  path::append(full, path::stem(save) + "-" + words + path::extension(save));
  return full.str().str();
}

std::string checkpointPath(StringRef save, int64_t step) {
  return besideSave(save, number(stepDigits, step));
}

std::string indexPath(StringRef save, int64_t step) {
  return (checkpointPath(save, step) + indexExtension).str();
}

std::string sharePath(StringRef save, int64_t step, int64_t share, int64_t count) {
  return besideSave(save, number(stepDigits, step) + "-" + number(shareDigits, share + 1) + "-of-" +
                              number(shareDigits, count));
}

static std::optional<int64_t> readNumber(StringRef text, size_t digits) {
  int64_t value;
  if (text.size() < digits || text.getAsInteger(10, value) || value < 0)
    return std::nullopt;
  return value;
}

namespace {
/// The file that a name beside `save` stands for: a checkpoint, or a share of one.
struct NameBesideSave {
  int64_t step;
  bool isIndex = false;
  int64_t shares = 0; // of a share: their number
};
} // namespace

static std::optional<NameBesideSave> parseName(StringRef save, StringRef file) {
  StringRef name = path::filename(file);
  NameBesideSave parsed{0, name.consume_back(indexExtension)};
  if (!name.consume_front(path::stem(save)) || !name.consume_front("-") ||
      !name.consume_back(path::extension(save)))
    return std::nullopt;
  auto [steps, share] = name.split('-');
  std::optional<int64_t> step = readNumber(steps, stepDigits);
  if (!step)
    return std::nullopt;
  parsed.step = *step;
  if (share.empty())
    return name == steps ? std::optional(parsed) : std::nullopt;
  auto [which, count] = share.split("-of-");
  std::optional<int64_t> shares = readNumber(count, shareDigits);
  if (parsed.isIndex || !readNumber(which, shareDigits) || !shares)
    return std::nullopt;
  parsed.shares = *shares;
  return parsed;
}

/// Calls `found` with each file beside `save` that has the name of a checkpoint or of a share.
static void forEachBeside(StringRef save,
                          llvm::function_ref<void(StringRef path, NameBesideSave)> found) {
  StringRef folder = path::parent_path(save);
  std::error_code error;
  for (fs::directory_iterator entry(folder.empty() ? "." : folder, error), end;
       entry != end && !error; entry.increment(error)) {
    llvm::SmallString<128> full(folder);
    path::append(full, path::filename(entry->path()));
    if (auto parsed = parseName(save, full))
      found(full, *parsed);
  }
}

std::multimap<int64_t, std::string> findCheckpoints(StringRef save) {
  std::multimap<int64_t, std::string> found;
  forEachBeside(save, [&](StringRef file, NameBesideSave name) {
    if (name.shares == 0)
      found.emplace(name.step, file.str());
  });
  return found;
}

Error checkNoEarlier(StringRef save) {
  const std::multimap<int64_t, std::string> earlier = findCheckpoints(save);
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

Error CheckpointWriter::launch(int64_t step, std::string target, std::function<Error()> write) {
  std::lock_guard guard(mutex);
  if (Error error = finishLocked())
    return error;
  pending = std::move(target);
  auto work = [this, step, write = std::move(write)] {
    if (Error error = write())
      problem = llvm::toString(std::move(error));
    else
      done = step;
  };
  if (startThread(thread, work))
    return Error::success();
  work();
  if (problem.empty() && !pending.empty())
    written = pending;
  return Error::success();
}

Error CheckpointWriter::start(int64_t step, Safetensors contents) {
  const std::string path = checkpointPath(save, step);
  auto shared = std::make_shared<Safetensors>(std::move(contents));
  return launch(step, path, [this, step, path, shared] {
    Error error = writeCheckpoint(path, std::move(*shared), modeOf(save));
    if (!error)
      removeOld(step);
    return error;
  });
}

Error CheckpointWriter::startShare(int64_t step, int64_t number, int64_t count,
                                   Safetensors contents) {
  contents.metadata["format"] = "ds";
  contents.metadata["ds.step"] = std::to_string(step);
  contents.metadata["ds.share"] = std::to_string(number + 1) + " of " + std::to_string(count);
  auto shared = std::make_shared<Safetensors>(std::move(contents));
  const std::string path = sharePath(save, step, number, count);
  return launch(step, "", [this, path, shared] {
    return writeCheckpoint(path, std::move(*shared), modeOf(save));
  });
}

Error CheckpointWriter::startIndex(int64_t step, std::vector<std::string> files,
                                   SafetensorsIndex index, int64_t bytes) {
  const std::string path = indexPath(save, step);
  auto shared = std::make_shared<SafetensorsIndex>(std::move(index));
  return launch(step, path, [this, step, path, files = std::move(files), shared, bytes]() -> Error {
    for (const std::string &file : files) {
      auto share = SafetensorsFile::open(file);
      if (!share)
        return share.takeError();
      uint64_t size = 0;
      if (std::error_code error = fs::file_size(file, size))
        return readError(file, error.message());
      shared->shares[path::filename(file).str()] = {static_cast<int64_t>(size),
                                                    storedSeal(share->metadata())};
    }
    if (Error error = writeSafetensorsIndex(path, *shared, bytes, modeOf(save)))
      return error;
    removeOld(step, files.size());
    return Error::success();
  });
}

std::string CheckpointWriter::newest() const {
  std::lock_guard guard(mutex);
  return written;
}

void CheckpointWriter::noteNewest(int64_t step) {
  std::lock_guard guard(mutex);
  written = indexPath(save, step);
}

Error CheckpointWriter::finish() {
  std::lock_guard guard(mutex);
  return finishLocked();
}

Error CheckpointWriter::finishLocked() {
  bool underWay = thread.joinable();
  if (underWay)
    thread.join();
  if (!problem.empty())
    return llvm::createStringError(problem);
  if (underWay && !pending.empty())
    written = pending;
  return Error::success();
}

/// Removes the oldest checkpoints, and shares that belong to none; that of `step` has `shares`.
/// Keeps those of later steps: they are damaged ones that --resume skipped, and the training
/// replaces them when it reaches their steps. A file that cannot be removed does no harm.
void CheckpointWriter::removeOld(int64_t step, int64_t shares) {
  std::multimap<int64_t, std::string> all = findCheckpoints(save);
  all.erase(all.upper_bound(step), all.end());
  // Of two forms of this step's checkpoint the new one stays.
  auto same = all.equal_range(step);
  for (auto it = same.first; it != same.second; ++it)
    if (path::filename(it->second) != path::filename(pending))
      (void)fs::remove(it->second);
  std::set<int64_t> steps;
  for (const auto &item : all)
    steps.insert(item.first);
  while (static_cast<int64_t>(steps.size()) > keep) {
    for (auto [it, end] = all.equal_range(*steps.begin()); it != end; ++it)
      (void)fs::remove(it->second); // an index before its shares
    steps.erase(steps.begin());
  }
  std::vector<std::string> orphans;
  forEachBeside(save, [&](StringRef file, NameBesideSave name) {
    if (name.shares > 0 && name.step <= step &&
        (!steps.count(name.step) || (name.step == step && name.shares != shares)))
      orphans.push_back(file.str());
  });
  for (const std::string &file : orphans)
    (void)fs::remove(file);
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
