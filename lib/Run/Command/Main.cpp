//===- Main.cpp - ds-run as a function --------------------------*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Parses options, runs, and returns an exit code; an error is printed as one sentence.
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

/// Prints an error. A located message stands alone; any other gets the program's name. With
/// `asJson` it is also an event.
static void printError(Error error, bool asJson) {
  const bool ofOther = error.isA<OtherRankError>();
  std::string text = oneLine(llvm::toString(std::move(error)));
  if (ofOther || text.empty()) {
    // The other rank, or a diagnostic, has reported the error. A launcher ends the other rank as
    // soon as this one has ended with an error.
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

/// Returns the exit code of the run, after printing its error.
static int codeOf(Expected<int> code, bool asJson) {
  if (code)
    return *code;
  printError(code.takeError(), asJson);
  return 1;
}

/// Returns the value of --backend on a command line that cannot be parsed.
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

/// Reports an error of the command line after joining the world: the other ranks of the job wait
/// for this one. The lowest rank with an error prints it.
static void failTogether(Error error, llvm::ArrayRef<std::string> arguments) {
  const bool asJson = llvm::is_contained(arguments, "--json");
  int32_t rank = 0, numRanks = 1;
  if (!dsrt_launched(&rank, &numRanks) || numRanks == 1)
    return printError(std::move(error), asJson);
  WorldOptions options; // the configuration may be the part that cannot be read
  options.timeoutMs = 60000;
  auto world = World::join(backendIn(arguments), options);
  if (world && *world)
    return printError((*world)->agree(std::move(error)), asJson);
  std::error_code why;
  if (!world)
    llvm::handleAllErrors(world.takeError(), [&](const llvm::ErrorInfoBase &info) {
      why = info.convertToErrorCode();
    });
  // An environment that connects no ranks is that of all of them, and so is the command line.
  if (rank == 0 || why != std::errc::invalid_argument)
    return printError(std::move(error), asJson);
  llvm::consumeError(std::move(error));
}

/// Works around MPICH's mpirun (hydra 4.0): after it has forwarded a signal, it keeps the exit
/// codes of only those ranks that end while another rank's output is open, and checks for them when
/// that rank writes. Without any code it exits with 0, as if no restart were wanted. So rank 0 lets
/// the others end, writes a line, and ends when mpirun has seen it. A job of one rank has no
/// others.
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
  // A rank is one thread: libraries must not start thread teams. Threads that become ranks set this
  // again for themselves.
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
  // The world is left before the output is flushed: other ranks must not wait for this rank's
  // reader.
  auto code = options->minProcesses ? executeMoving(*options, embedding, output)
                                    : execute(*options, embedding, output);
  std::string lost = output.finish(interruptRequested);
  const bool failed = !code || *code == 1;
  const int result = codeOf(std::move(code), options->json);
  letOthersEndFirst(result);
  if (lost.empty() || failed)
    return result;
  // The output of an interrupted run often has no reader left: a launcher, or a program, that the
  // signal ended, too.
  return interruptRequested() ? exitInterrupted : 1;
}

int runMain(const std::vector<std::string> &arguments, const Embedding &embedding) {
  catchSignals(environ);
  const int code = runOptions(arguments, embedding);
  tellLauncher(code);
  return code;
}

} // namespace ds
