//===- Moving.cpp - A run in one world after the other ----------*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A run ends with its world, and the next one resumes from the copy in memory as it would from a
// file. So nothing has to be undone: what is not in the copy is made anew.
//
//===----------------------------------------------------------------------===//
#include "Program/Execute.h"

#include "ds/Run/Feed/Checkpoints.h"
#include "ds/Run/Ranks/Interrupt.h"
#include "ds/Run/Train/Moves.h"

namespace ds {

using llvm::Error;
using llvm::Expected;

/// Reports the last step of a training whose processes are too few.
static Expected<int> endTooFew(const RunOptions &options, const Moves &moves, Error error) {
  if (moves.values.isEmpty()) // it has not begun here
    return error;
  std::string text = "ds-run: error: " + llvm::toString(std::move(error)) +
                     "; the training ended after step " + std::to_string(moves.values.step());
  const auto found =
      options.saveEvery ? findCheckpoints(options.save) : std::multimap<int64_t, std::string>();
  text += found.empty()
              ? ", and has no checkpoint (--save-every)"
              : ", and --resume goes on from step " + std::to_string(found.rbegin()->first);
  tell(text, interruptRequested);
  return exitRequeue;
}

Expected<int> executeMoving(const RunOptions &options, const Embedding &embedding, Output &output) {
  constexpr int mostIdle = 10;
  auto address = RosterAddress::parse(options.roster);
  if (!address)
    return address.takeError();
  Moves moves;
  moves.leastProcesses = *options.minProcesses;
  if (Error error = Member::join(*address, 1000 * options.maxWait).moveInto(moves.member))
    return error;
  leaveOnTerm();
  for (int idle = 0;;) {
    const int64_t before = moves.values.step();
    moves.goesOn = moves.isMeasured = false;
    Expected<int> code = execute(options, embedding, output, &moves);
    if (moves.member->isAlone() && !code)
      return endTooFew(options, moves, code.takeError());
    // The others go on, and do not say why this process could not start.
    if (!code && moves.hasMoved() && before < 0)
      return llvm::createStringError(llvm::toString(code.takeError()));
    if (!moves.goesOn)
      return code;
    idle = moves.values.step() > before ? 0 : idle + 1;
    if (idle == mostIdle)
      return llvm::createStringError("no step was finished in " + std::to_string(mostIdle) +
                                     " worlds; the last one ended so: " + moves.why);
  }
}

} // namespace ds
