//===- Main.cpp - ds-run as a function --------------------------*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Options in, an exit code out, and one sentence where something is wrong.
//
//===----------------------------------------------------------------------===//
#include "Program/Execute.h"
#include "ds/Run/Command/Run.h"

#include "ds/Run/Command/Launch.h"
#include "ds/Run/Options/Settings.h"
#include "ds/Run/Ranks/Interrupt.h"
#include "ds/Run/Ranks/World.h"
#include "ds/Run/Report/Report.h"
#include "ds/Support/Escape.h"
#include "ds/Support/Memory.h"
#include "ds/Target/OpenMPThreads.h"

#include "dsrt/dsrt.h"

#include <chrono>
#include <cstdlib>
#include <thread>
#include <unistd.h>

namespace ds {

using llvm::Error;
using llvm::Expected;
using llvm::StringRef;

/// A located message stands alone; any other one is ours. With `asJson` it is an event, too.
static void printError(Error error, bool asJson) {
  const bool ofOther = error.isA<OtherRankError>();
  std::string text = oneLine(llvm::toString(std::move(error)));
  if (ofOther || text.empty()) {
    // That one says it, or a diagnostic has. A launcher ends it as soon as this one has ended with
    // an error.
    std::this_thread::sleep_for(std::chrono::milliseconds(300));
    return;
  }
  bool located = StringRef(text).contains(": error: ");
  tell((located ? "" : "ds-run: error: ") + text, interruptRequested);
  if (!asJson)
    return;
  llvm::json::Object object = errorObject(text);
  object["event"] = "error";
  llvm::outs() << llvm::formatv("{0}\n", llvm::json::Value(std::move(object)));
}

/// The exit code of what was run, after its sentence.
static int codeOf(Expected<int> code, bool asJson) {
  if (code)
    return *code;
  printError(code.takeError(), asJson);
  return 1;
}

/// What a command line that cannot be read says of the backend.
static std::string backendIn(llvm::ArrayRef<std::string> arguments) {
  StringRef value;
  for (size_t i = 0; i < arguments.size(); ++i) {
    auto [name, given] = StringRef(arguments[i]).ltrim('-').split('=');
    if (arguments[i][0] == '-' && name == "backend")
      value = arguments[i].find('=') != std::string::npos ? given
              : i + 1 < arguments.size()                  ? StringRef(arguments[i + 1])
                                                          : "";
  }
  for (int32_t i = 0; dsrt_backend_name(i); ++i)
    if (value == dsrt_backend_name(i))
      return value.str();
  return "auto";
}

/// The others of a job wait for this rank, so it joins them to say what is wrong with its command
/// line. The lowest rank with a mistake tells it.
static void failTogether(Error error, llvm::ArrayRef<std::string> arguments) {
  const bool asJson = llvm::is_contained(arguments, "--json");
  int32_t rank = 0, numRanks = 1;
  if (!dsrt_launched(&rank, &numRanks) || numRanks == 1)
    return printError(std::move(error), asJson);
  WorldOptions options; // the configuration may be what cannot be read
  options.timeoutMs = 60000;
  auto world = World::join(backendIn(arguments), options);
  if (world && *world)
    return printError((*world)->agree(std::move(error)), asJson);
  const std::string why = world ? "" : llvm::toString(world.takeError());
  // Where nothing connects them, all have the same command line, or a failure of their own.
  const bool isApart =
      StringRef(why).contains("has no backend") || StringRef(why).contains("tells no address");
  if (rank == 0 || !isApart)
    return printError(std::move(error), asJson);
  llvm::consumeError(std::move(error));
}

/// MPICH's mpirun (hydra 4.0) that has passed on a signal keeps the codes of those ranks alone that
/// it takes in while another one's output is open, and looks for them when something is written
/// there. Without any it ends with 0, as if nothing were to be done again. So rank 0 lets the
/// others end, says a word, and ends when that has been seen. A job of one rank has no others.
static void letOthersEndFirst(int code) {
  using std::chrono::milliseconds;
  const char *rank = std::getenv("PMI_RANK");
  if ((code != exitRequeue && code != exitInterrupted) || !rank || StringRef(rank) != "0")
    return;
  std::this_thread::sleep_for(milliseconds(400));
  tell("ds-run: ended by a signal with exit code " + std::to_string(code), interruptRequested);
  std::this_thread::sleep_for(milliseconds(200));
}

static int runOptions(const std::vector<std::string> &arguments, const Embedding &embedding) {
  // A rank is one thread: libraries must not start teams of their own. Ranks on threads of their
  // own ask again.
  omp_set_num_threads(1);
  reportOutOfMemory();
  auto options = parseRunOptions(arguments);
  if (options && options->helpConfig) {
    printKeys(llvm::outs());
    return 0;
  }
  if (!options) {
    failTogether(options.takeError(), arguments);
    return 1;
  }
  if (options->launch)
    return codeOf(launch(*options, arguments), options->json);
  survivePipes();
  Output output(STDOUT_FILENO);
  // The other ranks must not wait for this one's reader, so the world is left first.
  auto code = execute(*options, embedding, output);
  std::string lost = output.finish(interruptRequested);
  const bool failed = !code || *code == 1;
  const int result = codeOf(std::move(code), options->json);
  letOthersEndFirst(result);
  if (lost.empty() || failed)
    return result;
  // Who is interrupted is often no longer read: by a launcher, or by a program that it ended, too.
  return interruptRequested() ? exitInterrupted : 1;
}

int runMain(const std::vector<std::string> &arguments, const Embedding &embedding) {
  catchSignals(environ);
  const int code = runOptions(arguments, embedding);
  tellLauncher(code);
  return code;
}

} // namespace ds
