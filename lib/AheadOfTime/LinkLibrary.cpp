//===- LinkLibrary.cpp - Objects and sources to a library -----------------===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The compiler works in a temporary folder beside the destination. Header and library, with a seal,
// are written to the destination once the library is linked.
//
//===----------------------------------------------------------------------===//
#include "LinkLibrary.h"

#include "ds/Step/SealedLibrary.h"
#include "ds/Support/File.h"
#include "ds/Support/UserError.h"

#include "llvm/ADT/ScopeExit.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Program.h"
#include "llvm/Support/raw_ostream.h"

#include <cstdlib>

namespace ds {

using llvm::Error;
using llvm::Expected;
using llvm::StringRef;
using llvm::Twine;
namespace fs = llvm::sys::fs;
namespace path = llvm::sys::path;

static std::string within(StringRef folder, const Twine &name) {
  llvm::SmallString<128> file(folder);
  path::append(file, name);
  return file.str().str();
}

/// Returns the folder that holds bin, include and lib, of an install or of a build.
static Expected<std::string> findPrefix() {
  static int here;
  const std::string tool = fs::getMainExecutable("ds-compile", &here),
                    prefix = path::parent_path(path::parent_path(tool)).str();
  for (StringRef file : {"include/ds-c/ds.h", "lib/libdsaot.so"})
    if (!fs::exists(within(prefix, file)))
      return userError("'" + within(prefix, file) +
                       "' is not there, which a compiled step is linked with");
  return prefix;
}

static Expected<std::string> compilerOfC() {
  const char *asked = std::getenv("CC");
  std::string name = asked && *asked ? asked : "cc";
  auto found = llvm::sys::findProgramByName(name);
  if (!found || !fs::can_execute(*found))
    return userError("the C compiler '" + name +
                     "' is not found, which links the step; install "
                     "one (gcc or clang), or set CC");
  return *found;
}

static Error runCompiler(StringRef compiler, llvm::ArrayRef<std::string> words, StringRef folder) {
  std::vector<StringRef> arguments = {compiler};
  arguments.insert(arguments.end(), words.begin(), words.end());
  const std::string log = within(folder, "log");
  std::optional<StringRef> streams[] = {StringRef(), StringRef(log), StringRef(log)};
  std::string why;
  const int status = llvm::sys::ExecuteAndWait(compiler, arguments, std::nullopt, streams,
                                               /*SecondsToWait=*/600, /*MemoryLimit=*/0, &why);
  if (status == 0)
    return Error::success();
  if (auto text = llvm::MemoryBuffer::getFile(log); text && why.empty())
    why = (*text)->getBuffer().trim().str();
  return userError("'" + compiler + "' cannot link the step: " +
                   (why.empty() ? "status " + std::to_string(status) : why));
}

static Error write(StringRef file, StringRef bytes, std::optional<unsigned> mode = std::nullopt) {
  return writeFileAtomically(file, [&](llvm::raw_ostream &stream) { stream << bytes; }, mode);
}

Error linkLibrary(const LibraryParts &parts, StringRef folder) {
  auto compiler = compilerOfC();
  if (!compiler)
    return compiler.takeError();
  auto prefix = findPrefix();
  if (!prefix)
    return prefix.takeError();
  const std::string where = folder.empty() ? "." : folder.str();
  llvm::SmallString<128> scratch(where);
  std::error_code code = fs::make_absolute(scratch); // a relative path would be below /tmp
  if (!code)
    code = fs::createUniqueDirectory(within(scratch, ".ds-compile"), scratch);
  if (code)
    return userError("'" + where + "' cannot be written: " + code.message());
  auto remove = llvm::make_scope_exit([&] { (void)fs::remove_directories(scratch); });
  auto temporary = [&](const Twine &name) { return within(scratch, name); };
  const std::string header = temporary(parts.name + ".h"), source = temporary("step.c"),
                    exports = temporary("exports"), library = temporary("lib" + parts.name + ".so");
  for (auto [file, text] : {std::pair(header, &parts.header), std::pair(source, &parts.source),
                            std::pair(exports, &parts.exports)})
    if (Error error = write(file, *text))
      return error;
  std::vector<std::string> words = {"-shared",
                                    "-fPIC",
                                    "-O1",
                                    "-o",
                                    library,
                                    "-I" + within(*prefix, "include"),
                                    "-I" + scratch.str().str(),
                                    source};
  for (size_t i = 0; i < parts.objects.size(); ++i) {
    words.push_back(temporary("part" + Twine(i) + ".o"));
    if (Error error = write(words.back(), parts.objects[i]))
      return error;
  }
  for (const std::string &word :
       {"-L" + within(*prefix, "lib"), std::string("-ldsaot"), std::string("-lm"),
        "-Wl,--version-script=" + exports, "-Wl,-soname,lib" + parts.name + ".so",
        std::string("-Wl,-z,defs"), std::string("-Wl,--strip-all")})
    words.push_back(word);
  if (Error error = runCompiler(*compiler, words, scratch))
    return error;
  auto linked = openFile(library);
  if (!linked)
    return linked.takeError();
  const std::string sealed =
      sealLibrary((*linked)->getBuffer(), path::filename(header), parts.header);
  if (Error error = write(within(folder, path::filename(library)), sealed, modeOf(library)))
    return error;
  return write(within(folder, path::filename(header)), parts.header);
}

} // namespace ds
