//===- OptionTable.cpp - The options of a tool, row by row ----------------===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// LLVM's CommandLine parses and prints help; its messages become one sentence each. The options
// that the LLVM and MLIR libraries register for themselves are dropped first, so that only those of
// the tool are listed, suggested and accepted.
//
//===----------------------------------------------------------------------===//
#include "ds/Support/OptionTable.h"

#include "OptionPages.h"
#include "ds/Support/Suggestion.h"
#include "ds/Support/UserError.h"
#include "ds/Support/Version.h"

#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/ScopeExit.h"
#include "llvm/ADT/SmallVectorExtras.h"
#include "llvm/ADT/Twine.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/raw_ostream.h"

#include <cmath>

namespace ds {

namespace cl = llvm::cl;
using llvm::Error;
using llvm::Expected;
using llvm::StringRef;
using llvm::Twine;

//===----------------------------------------------------------------------===//
// Values
//===----------------------------------------------------------------------===//

OptionValue flag(bool &to) {
  return {"", [&to](StringRef, StringRef) {
            to = true;
            return Error::success();
          }};
}

OptionValue text(std::string &to, std::string name) {
  return {std::move(name), [&to](StringRef, StringRef text) {
            to = text.str();
            return Error::success();
          }};
}

OptionValue texts(std::vector<std::string> &to, std::string name) {
  return {std::move(name),
          [&to](StringRef, StringRef text) {
            to.push_back(text.str());
            return Error::success();
          },
          /*mayRepeat=*/true};
}

OptionValue number(double &to, std::string name) {
  return {std::move(name), [&to](StringRef option, StringRef text) -> Error {
            if (text.getAsDouble(to) || !std::isfinite(to) || to < 0)
              return userError(option + " is '" + text + "', expected a number not below 0");
            return Error::success();
          }};
}

Expected<int64_t> readInteger(StringRef option, StringRef text, int64_t least, int64_t most) {
  int64_t number;
  if (text.getAsInteger(10, number) || number < least || number > most)
    return userError(option + " is '" + text + "', expected an integer from " + Twine(least) +
                     " to " + Twine(most));
  return number;
}

Expected<size_t> readWord(StringRef option, StringRef text, llvm::ArrayRef<std::string> words) {
  const std::string *found = llvm::find(words, text);
  if (found == words.end())
    return userError(option + " is '" + text + "', expected " +
                     llvm::join(words.drop_back(), ", ") + " or " + words.back());
  return found - words.begin();
}

//===----------------------------------------------------------------------===//
// Errors of single options
//===----------------------------------------------------------------------===//

/// Reduces LLVM's message to its first line, without the program's name and the pointer to --help.
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

Error OptionTable::explain(StringRef message) const {
  StringRef line = message.split('\n').first;
  if (line.contains("Too many positional arguments"))
    return userError(Twine("expected one STEP.mlir, got several") + words.severalHint);
  if (!line.contains("Unknown command line argument"))
    return userError(firstSentence(words.tool, message));
  StringRef option = line.split('\'').second.split('\'').first.split('=').first;
  std::vector<std::string> names = {"help", "version", "man", "completion"};
  for (const OptionRow &row : rows)
    names.push_back(row.name);
  std::string near = suggestion(option.ltrim('-'), names);
  if (near.empty())
    return userError("unknown option '" + option + "'; '" + words.tool + " --help' lists them" +
                     words.unknownHint);
  return userError("unknown option '" + option + "'" + near.insert(near.find('\'') + 1, "--"));
}

/// Reports the errors that LLVM would print on standard error by itself: values that are missing or
/// not allowed, options that are given twice.
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
      continue; // the parser reports it
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

//===----------------------------------------------------------------------===//
// Parsing
//===----------------------------------------------------------------------===//

/// Creates an option of LLVM's. An option that may repeat keeps all its texts, any other has one.
static std::unique_ptr<cl::list<std::string>> makeOption(const OptionRow &row,
                                                         cl::OptionCategory &group) {
  const OptionValue &value = row.value;
  return std::make_unique<cl::list<std::string>>(
      StringRef(row.name), cl::desc(row.help), cl::value_desc(value.name), cl::cat(group),
      value.mayLack ? cl::ValueOptional : cl::ValueRequired,
      value.mayRepeat ? cl::ZeroOrMore : cl::Optional);
}

Error OptionTable::parse(const std::vector<std::string> &arguments, std::string &step) {
  cl::ResetCommandLineParser();
  setVersionPrinter(words.tool);

  llvm::MapVector<StringRef, std::unique_ptr<cl::OptionCategory>> groups;
  std::vector<std::unique_ptr<cl::Option>> options;
  for (const OptionRow &row : rows) {
    std::unique_ptr<cl::OptionCategory> &group = groups[row.group];
    if (!group)
      group = std::make_unique<cl::OptionCategory>(row.group);
    if (row.value.name.empty())
      options.push_back(std::make_unique<cl::opt<bool>>(StringRef(row.name), cl::desc(row.help),
                                                        cl::ValueDisallowed, cl::cat(*group)));
    else
      options.push_back(makeOption(row, *group));
  }
  cl::opt<std::string> positional(cl::Positional, cl::desc("STEP.mlir"),
                                  cl::cat(*groups.front().second));
  cl::opt<bool> man("man", cl::desc("Print a manual page, for man -l -"), cl::ValueDisallowed,
                    cl::cat(cl::getGeneralCategory()));
  cl::opt<std::string> completion(
      "completion", cl::desc("Print what completes this command line in a shell"),
      cl::value_desc("bash|zsh|fish"), cl::cat(cl::getGeneralCategory()));
  cl::extrahelp help(words.examples);
  cl::HideUnrelatedOptions(llvm::map_to_vector(
      groups, [](auto &entry) -> const cl::OptionCategory * { return entry.second.get(); }));
  // The parser must not remember options that no longer exist.
  llvm::scope_exit forget([] { cl::ResetCommandLineParser(); });

  if (Error error = checkOccurrences(arguments))
    return error;
  std::vector<const char *> argv = {words.tool};
  for (const std::string &text : arguments)
    argv.push_back(text.c_str());
  std::string message;
  llvm::raw_string_ostream stream(message);
  if (!cl::ParseCommandLineOptions(argv.size(), argv.data(), words.overview, &stream))
    return explain(message);

  if (man || completion.getNumOccurrences()) {
    Expected<std::string> page =
        man ? manualPage(words, rows) : completionFor(completion, words, rows);
    if (!page)
      return page.takeError();
    llvm::outs() << *page;
    llvm::outs().flush();
    std::exit(0); // as --help exits
  }
  step = positional;
  for (auto [row, option] : llvm::zip(rows, options)) {
    if (option->getNumOccurrences() == 0)
      continue;
    std::vector<std::string> found = {""};
    if (!row.value.name.empty())
      found = static_cast<cl::list<std::string> &>(*option);
    given[row.name] = found.back();
    for (const std::string &text : found)
      if (Error error = row.value.read("--" + std::string(row.name), text))
        return error;
  }
  return Error::success();
}

//===----------------------------------------------------------------------===//
// Errors of options together
//===----------------------------------------------------------------------===//

OptionRule needs(const char *option, std::vector<const char *> others, const char *sentence) {
  return {option, /*needs=*/true, std::move(others), sentence};
}

OptionRule excludes(const char *option, std::vector<const char *> others, const char *sentence) {
  return {option, /*needs=*/false, std::move(others), sentence};
}

bool OptionTable::isGiven(StringRef option) const {
  StringRef name = option.take_until([](char c) { return c == '=' || c == ' '; });
  auto row = llvm::find_if(rows, [&](auto &row) { return row.name == name; });
  assert(row != rows.end() && "no such option");
  auto found = given.find(name);
  if (found == given.end())
    return false;
  if (option.drop_front(name.size()).consume_front("="))
    return option.ends_with("=" + found->second);
  return !found->second.empty() || row->value.name.empty() || row->value.mayLack;
}

Error OptionTable::check(llvm::ArrayRef<OptionRule> rules) const {
  for (const OptionRule &rule : rules)
    for (const char *other : rule.others)
      if (isGiven(rule.option) && isGiven(other) != rule.needs)
        return userError(llvm::formatv(false, rule.sentence, "--" + std::string(other)).str());
  return Error::success();
}

} // namespace ds
