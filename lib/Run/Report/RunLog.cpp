//===- RunLog.cpp - The log file of a run -----------------------*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "ds/Run/Report/RunLog.h"

#include "ds/Run/Report/Output.h"
#include "ds/Support/UserError.h"

#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FormatVariadic.h"

#include <cerrno>
#include <chrono>
#include <cstring>
#include <fcntl.h>
#include <unistd.h>

namespace ds {

llvm::Expected<std::unique_ptr<RunLog>> RunLog::open(llvm::StringRef folder) {
  if (std::error_code code = llvm::sys::fs::create_directories(folder))
    return userError("cannot make the folder '" + folder + "' of --log-dir: " + code.message());
  std::string file = (folder + "/events.jsonl").str();
  const int descriptor = ::open(file.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
  if (descriptor < 0)
    return userError("cannot write '" + llvm::Twine(file) + "': " + std::strerror(errno));
  return std::unique_ptr<RunLog>(new RunLog(std::move(file), descriptor));
}

RunLog::~RunLog() { ::close(descriptor); }

void RunLog::write(llvm::StringRef event, llvm::json::Object object) {
  if (failed)
    return;
  using namespace std::chrono;
  const auto now = duration_cast<milliseconds>(system_clock::now().time_since_epoch());
  object["event"] = event;
  object["time_ms"] = now.count();
  const std::string line = llvm::formatv("{0}\n", llvm::json::Value(std::move(object)));
  llvm::StringRef rest = line;
  while (!rest.empty()) {
    const ssize_t written = ::write(descriptor, rest.data(), rest.size());
    if (written >= 0) {
      rest = rest.drop_front(static_cast<size_t>(written));
    } else if (errno != EINTR) {
      failed = true;
      tell("ds-run: warning: cannot write '" + file + "': " + std::strerror(errno) +
               "; the run goes on without it",
           [] { return true; });
      return;
    }
  }
}

} // namespace ds
