//===- Main.cpp - ds-compile as a function --------------------------------===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "ds/AheadOfTime/AheadOfTime.h"

#include "LinkLibrary.h"
#include "Options.h"
#include "StepSources.h"
#include "ds/Run/Program/OpenKeys.h"
#include "ds/Run/Program/Program.h"
#include "ds/Run/Ranks/Batch.h"
#include "ds/Run/Report/Report.h"
#include "ds/Support/Escape.h"
#include "ds/Support/UserError.h"
#include "ds/Target/Gpu/Assembler.h"
#include "ds/Target/Target.h"

#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"

namespace ds {

using llvm::Error;
using llvm::Expected;
using llvm::StringRef;
using llvm::Twine;
namespace path = llvm::sys::path;

namespace {

struct Written {
  std::string name, folder;
  Manifest manifest;
  std::string cpu, images; // of a GPU, as text for people
};

} // namespace

/// Fills the open keys without the facts that ds-run learns of a world at its start: ranks may be
/// threads or processes, on one host or several.
static void fillOpenKeys(Program &program) {
  fillSharing(program, /*sharingRanks=*/1);
  fillLink(program.openConfig(), /*link=*/"", /*overlaps=*/false);
}

static Expected<Written> compile(const AheadOptions &options) {
  StringRef output = options.output.empty() ? path::stem(options.step) : StringRef(options.output);
  const std::string folder = path::parent_path(output).str();
  if (output.ends_with("/") || path::stem(output) == "-")
    return userError("-o gives no name for what is written, expected FOLDER/NAME");
  if (!folder.empty() && !llvm::sys::fs::is_directory(folder))
    return userError("-o names '" + output + "', but '" + folder + "' is no folder");
  auto program = Program::load(options.step, options.entry, options.config, options.targetCpu);
  if (!program)
    return program.takeError();
  auto ranks = resolveRanks((*program)->config(), options.ranks, std::nullopt);
  if (!ranks)
    return ranks.takeError();
  if (!options.ranks && !(*program)->config().deviceNum())
    return userError("the number of ranks is missing: give --ranks N");
  if ((*program)->config().updateMode().kind == UpdateMode::Kind::Asynchronous)
    return userError("update=asynchronous is a way to run steps that ds-run knows, ds-compile does "
                     "not");
  (*program)->setTarget(options.target);
  fillOpenKeys(**program);
  auto executable = (*program)->compileExecutable(*ranks);
  if (!executable)
    return executable.takeError();
  const std::string images = options.target == kCpuTarget ? "" : addMachineCode(*executable);
  for (const std::string &warning : (*program)->takeWarnings())
    llvm::errs() << oneLine(warning) << "\n";
  if (Error error = checkUpdates(executable->manifest))
    return error;
  Written written = {identifierOf(path::filename(output)), folder, executable->manifest,
                     requiredFeatures(options.targetCpu), images};
  LibraryParts parts = {written.name, headerOf(written.name, written.manifest),
                        sourceOf(written.name, *executable, (*program)->config(), written.cpu),
                        exportsOf(written.name), linkedObjects(*executable)};
  if (Error error = linkLibrary(parts, folder))
    return error;
  return written;
}

static std::string pathOf(const Written &written, const Twine &file) {
  return written.folder.empty() ? file.str() : (written.folder + "/" + file).str();
}

int compileMain(const std::vector<std::string> &arguments) {
  auto options = parseAheadOptions(arguments);
  Expected<Written> written = options ? compile(*options) : Expected<Written>(options.takeError());
  const bool json = options ? options->json : llvm::is_contained(arguments, "--json");
  if (!written)
    return answerWithError("ds-compile", written.takeError(), json);
  const std::string library = pathOf(*written, "lib" + written->name + ".so"),
                    header = pathOf(*written, written->name + ".h");
  if (json)
    llvm::outs() << llvm::formatv(
        "{0:2}\n", llvm::json::Value(llvm::json::Object{{"library", library},
                                                        {"header", header},
                                                        {"ranks", written->manifest.numRanks},
                                                        {"cpu", written->cpu},
                                                        {"images", written->images}}));
  else
    llvm::outs() << oneLine(library + " and " + header) << ": a step for "
                 << written->manifest.numRanks << " ranks" << (written->images.empty() ? "" : ", ")
                 << written->images << "\n";
  return 0;
}

} // namespace ds
