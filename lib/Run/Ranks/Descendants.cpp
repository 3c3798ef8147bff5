//===- Descendants.cpp - Processes that a process has started ---*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Reads /proc at one moment: processes start and end meanwhile.
//
//===----------------------------------------------------------------------===//
#include "Descendants.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"

#include <fstream>
#include <map>
#include <sstream>
#include <string>
#include <sys/stat.h>

namespace ds {

static std::string folderOf(pid_t process) { return "/proc/" + std::to_string(process); }

static std::string textOf(const std::string &path) {
  std::ifstream file(path);
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

/// Returns the parent, which stands after the name, a text of any characters; -1 if the process is
/// gone.
static pid_t parentOf(pid_t process) {
  std::istringstream rest(
      llvm::StringRef(textOf(folderOf(process) + "/stat")).rsplit(')').second.str());
  char state = 'Z';
  pid_t parent = -1;
  rest >> state >> parent;
  return state == 'Z' ? -1 : parent;
}

bool runsThisProgram(pid_t process) {
  struct stat ours, theirs;
  return stat("/proc/self/exe", &ours) == 0 &&
         stat((folderOf(process) + "/exe").c_str(), &theirs) == 0 && ours.st_dev == theirs.st_dev &&
         ours.st_ino == theirs.st_ino;
}

std::vector<pid_t> descendantsOfThisProgram(pid_t ancestor) {
  std::map<pid_t, pid_t> parents;
  std::error_code error;
  for (llvm::sys::fs::directory_iterator entry("/proc", error), end; entry != end && !error;
       entry.increment(error)) {
    pid_t process;
    if (!llvm::sys::path::filename(entry->path()).getAsInteger(10, process))
      parents[process] = parentOf(process);
  }
  std::vector<pid_t> found;
  for (auto [process, parent] : parents) {
    size_t generations = 0; // entries read at different times could form a cycle
    while (parent > 1 && parent != ancestor && ++generations < parents.size()) {
      auto next = parents.find(parent);
      parent = next == parents.end() ? -1 : next->second;
    }
    if (parent == ancestor && runsThisProgram(process))
      found.push_back(process);
  }
  return found;
}

bool handlesSignal(pid_t process, int signal) {
  const std::string status = textOf(folderOf(process) + "/status");
  auto [before, after] = llvm::StringRef(status).split("\nSigCgt:");
  uint64_t caught = 0;
  (void)after.split('\n').first.trim().getAsInteger(16, caught);
  return caught >> (signal - 1) & 1;
}

} // namespace ds
