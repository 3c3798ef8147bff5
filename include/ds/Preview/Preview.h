//===- Preview.h - ds-plan as a function ------------------------*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Options in, an exit code out, and one sentence for an error.
//
//===----------------------------------------------------------------------===//
#ifndef DS_PREVIEW_PREVIEW_H
#define DS_PREVIEW_PREVIEW_H

#include "ds/Run/Options/ExactRequest.h"

#include "llvm/Support/Error.h"

#include <optional>
#include <string>
#include <vector>

namespace ds {

struct PlanOptions {
  std::string step, entry, mesh;
  std::optional<int64_t> ranks;
  std::vector<std::string> config, explain;
  ExactRequest exact;
  bool json = false;
};

/// Parses the arguments after the program's name. Prints help or the version and exits if asked to;
/// any mistake is one sentence.
llvm::Expected<PlanOptions> parsePlanOptions(const std::vector<std::string> &arguments);

class Program;
struct StepPreview;

/// Previews `program` on `ranks` ranks, by its configuration. Of the options only the requests
/// matter: `entry`, `step` as the name of the file, `explain`, `exact`.
llvm::Expected<StepPreview> previewProgram(Program &program, const PlanOptions &options,
                                           int64_t ranks);
/// Formats the preview for --json.
std::string toJsonText(const StepPreview &preview);

/// `arguments` are those after the program's name.
int planMain(const std::vector<std::string> &arguments);

} // namespace ds

#endif // DS_PREVIEW_PREVIEW_H
