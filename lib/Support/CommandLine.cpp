//===- CommandLine.cpp - Options whose mistakes are one sentence ----------===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// LLVM's CommandLine parses; its messages become one sentence each.
//
//===----------------------------------------------------------------------===//
#include "ds/Support/CommandLine.h"

#include "ds/Support/Suggestion.h"
#include "ds/Support/UserError.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/Twine.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/raw_ostream.h"

namespace ds {

namespace cl = llvm::cl;
using llvm::Error;
using llvm::StringRef;

/// LLVM's message in one line: its first one, without the program's name and the pointer to --help.
static std::string firstSentence(StringRef tool, StringRef message) {
  StringRef line = message.split('\n').first;
  line.consume_front((tool + ": ").str());
  line = line.split("  Try:").first.split("!").first.rtrim(" .!");
  std::string text = line.str();
  for (const char *verb : {"for the ", "Too ", "Not "})
    if (StringRef(text).starts_with(verb))
      text[0] = llvm::toLower(text[0]);
  return text;
}

static Error explain(StringRef tool, StringRef message, const std::vector<std::string> &names,
                     StringRef severalHint, StringRef unknownHint) {
  StringRef line = message.split('\n').first;
  if (line.contains("Unknown command line argument")) {
    StringRef option = line.split('\'').second.split('\'').first;
    StringRef bare = option.ltrim('-').split('=').first;
    std::string near = suggestion(bare, names);
    if (size_t quote = near.find('\''); quote != std::string::npos)
      near.insert(quote + 1, "--");
    return userError(
        "unknown option '" + option.split('=').first + "'" +
        (near.empty() ? "; '" + tool.str() + " --help' lists them" + unknownHint.str() : near));
  }
  if (line.contains("Too many positional arguments"))
    return userError("expected one STEP.mlir, got several" + severalHint);
  return userError(firstSentence(tool, message));
}

/// What LLVM would print on standard error by itself: values that are missing or not allowed,
/// options that are given twice.
static Error checkOccurrences(llvm::ArrayRef<std::string> arguments) {
  const auto &known = cl::getRegisteredOptions();
  std::vector<const cl::Option *> seen;
  for (size_t i = 0; i < arguments.size(); ++i) {
    StringRef text = arguments[i];
    if (!text.starts_with("-") || text == "-")
      continue;
    StringRef name = text.ltrim('-').split('=').first;
    auto found = known.find(name);
    if (found == known.end())
      continue; // the parser knows what to say
    const cl::Option *option = found->second;
    if (option->getValueExpectedFlag() == cl::ValueDisallowed && text.contains('='))
      return userError("--" + name + " is a flag and takes no value, got '" +
                       text.split('=').second + "'");
    bool takesNext = option->getValueExpectedFlag() == cl::ValueRequired && !text.contains('=');
    if (takesNext && ++i == arguments.size())
      return userError("option '--" + name + "' needs a value");
    bool repeatable = option->getNumOccurrencesFlag() == cl::ZeroOrMore;
    if (!repeatable && llvm::is_contained(seen, option))
      return userError("option '--" + name + "' is given twice");
    seen.push_back(option);
  }
  return Error::success();
}

Error parseCommandLine(const char *tool, const char *overview,
                       const std::vector<std::string> &arguments, StringRef severalHint,
                       StringRef unknownHint) {
  if (Error error = checkOccurrences(arguments))
    return error;
  std::vector<const char *> argv = {tool};
  for (const std::string &text : arguments)
    argv.push_back(text.c_str());
  std::string message;
  llvm::raw_string_ostream stream(message);
  if (cl::ParseCommandLineOptions(argv.size(), argv.data(), overview, &stream))
    return Error::success();
  std::vector<std::string> names;
  for (const auto &[name, option] : cl::getRegisteredOptions())
    if (option->getOptionHiddenFlag() == cl::NotHidden)
      names.push_back(name.str());
  return explain(tool, message, names, severalHint, unknownHint);
}

} // namespace ds
