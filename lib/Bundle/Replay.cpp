//===- Replay.cpp - A recording run by a step of ds-compile ---------------===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Like `ds-run --replay`, but without the check for differences that rounding explains: that check
// needs a compiler.
//
//===----------------------------------------------------------------------===//
#include "Session.h"

#include "ds/Data/Npy.h"
#include "ds/Run/Ranks/Recording.h"
#include "ds/Support/Escape.h"
#include "ds/Support/File.h"

#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/raw_ostream.h"

namespace ds {

using llvm::Error;
using llvm::Expected;

/// Writes the arguments of the recorded step and runs it. Later steps take parameters and states
/// from the step before.
static Error feedAndRun(Session &session, const RecordedStep &step, bool isFirst) {
  const Manifest &manifest = session.manifest();
  std::vector<const void *> inputs(manifest.arguments.size());
  for (const auto &[slot, value] : step.arguments) {
    const ArgumentSpec &argument = manifest.arguments[slot];
    if (argument.role == ArgumentRole::batch)
      inputs[slot] = value.data;
    else if (isFirst || !argument.isCarried())
      if (Error error = session.write(slot, value))
        return error;
  }
  return session.check(ds_instance_run(session.instance, inputs.data()));
}

Expected<int> replayBundle(Session &session, const BundleOptions &options) {
  const Manifest &manifest = session.manifest();
  if (!options.dumpResults.empty() && session.isRoot())
    if (Error error = checkWritable(options.dumpResults))
      return error;
  auto recording = readRecording(options.replay, manifest, session.numRanks());
  if (!recording)
    return recording.takeError();
  NamedArrays results;
  Difference worst;
  size_t compared = 0;
  for (size_t number = 0; number < recording->size(); ++number) {
    const RecordedStep &step = (*recording)[number];
    if (Error error = feedAndRun(session, step, number == 0))
      return error;
    for (unsigned slot = 0; slot < manifest.results.size(); ++slot) {
      auto result = session.readResult(slot); // a collective: all ranks take part
      if (!result)
        return result.takeError();
      if (auto expected = step.results.find(slot); expected != step.results.end()) {
        worst.include(compareArrays(manifest.results[slot].name, *result, expected->second,
                                    options.tolerance));
        ++compared;
      }
      if (!options.dumpResults.empty())
        results[("step" + llvm::Twine(number + 1) + "_res" + llvm::Twine(slot)).str()] = *result;
    }
  }
  if (!session.isRoot())
    return worst.acceptable() ? 0 : 1;
  if (!options.dumpResults.empty())
    if (Error error = writeNpz(options.dumpResults, results))
      return error;
  llvm::outs() << llvm::formatv("replay: {0} steps, {1} results on {2} rank{3}", recording->size(),
                                compared, session.numRanks(), session.numRanks() == 1 ? "" : "s");
  if (compared > 0)
    llvm::outs() << llvm::formatv(
        ": largest error {0:e2}, worst '{1}' at {2:f3} of the tolerance: {3}", worst.absolute,
        oneLine(worst.name), worst.scaled, worst.acceptable() ? "equal" : "DIFFERENT");
  llvm::outs() << "\n";
  return worst.acceptable() ? 0 : 1;
}

} // namespace ds
