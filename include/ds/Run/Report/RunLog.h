//===- RunLog.h - The log file of a run -------------------------*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef DS_RUN_REPORT_RUNLOG_H
#define DS_RUN_REPORT_RUNLOG_H

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/JSON.h"

#include <memory>
#include <string>

namespace ds {

/// FOLDER/events.jsonl has a line of JSON for every event of a run, with `event` and `time_ms`,
/// since 1970. Lines are written immediately, so the log of a crashed run is complete up to the
/// crash; a resumed run appends to the lines of earlier ones. The first line that cannot be written
/// causes one warning.
class RunLog {
public:
  static llvm::Expected<std::unique_ptr<RunLog>> open(llvm::StringRef folder);
  ~RunLog();

  void write(llvm::StringRef event, llvm::json::Object object);

private:
  RunLog(std::string file, int descriptor) : file(std::move(file)), descriptor(descriptor) {}

  const std::string file;
  const int descriptor;
  bool failed = false;
};

} // namespace ds

#endif // DS_RUN_REPORT_RUNLOG_H
