//===- OptionPages.cpp - Options as a manual page, for shells -------------===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Both are generated from the rows that the parser reads, so neither can become outdated.
//
//===----------------------------------------------------------------------===//
#include "OptionPages.h"

#include "ds/Support/Version.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/Twine.h"
#include "llvm/Support/FormatVariadic.h"

namespace ds {

using llvm::ArrayRef;
using llvm::Expected;
using llvm::StringRef;
using llvm::Twine;

//===----------------------------------------------------------------------===//
// The manual page
//===----------------------------------------------------------------------===//

/// Escapes text for roff: no escapes, no requests, and dashes that can be copied.
static std::string roff(StringRef text) {
  std::string out;
  for (StringRef line : llvm::split(text, '\n')) {
    if (line.starts_with(".") || line.starts_with("'"))
      out += "\\&";
    for (char c : line)
      out += c == '\\' ? "\\e" : c == '-' ? "\\-" : std::string(1, c);
    out += '\n';
  }
  out.pop_back();
  return out;
}

/// Splits off the heading of `EXAMPLES:` or `THE PLAN IS RUN by ..`: the capitals that begin a
/// section.
static std::pair<StringRef, StringRef> readHeading(StringRef line) {
  size_t end = 0;
  for (size_t i = 0; i <= line.size(); ++i)
    if (i == line.size() || line[i] == ' ' || line[i] == ':') {
      StringRef word = line.slice(end, i).trim(' ');
      if (word.empty() || llvm::any_of(word, [](char c) { return !llvm::isUpper(c); }))
        break;
      end = i;
    }
  StringRef heading = line.take_front(end);
  return heading.size() > 3 ? std::pair(heading, line.drop_front(end).ltrim(": "))
                            : std::pair(StringRef(), line);
}

std::string manualPage(const OptionTable::Words &words, ArrayRef<OptionRow> rows) {
  std::string name = StringRef(words.tool).upper();
  auto [summary, description] = StringRef(words.overview).split('\n');
  summary.consume_front((Twine(words.tool) + ": ").str());
  std::string page = llvm::formatv(".TH {0} 1 \"\" \"ds {1}\"\n", roff(name), DS_VERSION_STRING);
  page += ".SH NAME\n" + roff(words.tool) + " \\- " + roff(summary.trim()) + "\n";
  page += ".SH SYNOPSIS\n.B " + roff(words.tool) + "\n[\\fIoptions\\fR] \\fISTEP.mlir\\fR\n";
  page += ".SH DESCRIPTION\n";
  for (StringRef line : llvm::split(description.trim('\n'), '\n'))
    page += line.trim().empty() ? ".PP\n" : roff(line.trim()) + "\n";

  page += ".SH OPTIONS\n";
  StringRef group;
  for (const OptionRow &row : rows) {
    if (group != row.group)
      page += ".SS " + roff(row.group) + "\n";
    group = row.group;
    const OptionValue &value = row.value;
    std::string shown = value.name.empty() ? "" : "=\\fI" + roff(value.name) + "\\fR";
    page += ".TP\n\\fB\\-\\-" + roff(row.name) + "\\fR" +
            (value.mayLack ? "[" + shown + "]" : shown) + "\n" + roff(row.help) + "\n";
  }

  // Lines after the list in --help are laid out by hand and kept as they are.
  bool isOpen = false;
  for (StringRef line : llvm::split(StringRef(words.examples).trim('\n'), '\n')) {
    auto [heading, rest] = readHeading(line);
    if (!heading.empty()) {
      page += (isOpen ? ".fi\n.SH " : ".SH ") + roff(heading) + "\n.nf\n";
      isOpen = true;
    }
    if (heading.empty() || !rest.empty())
      page += roff(rest) + "\n";
  }
  return page + (isOpen ? ".fi\n" : "");
}

//===----------------------------------------------------------------------===//
// Completions
//===----------------------------------------------------------------------===//

static bool takesFolder(const OptionRow &row) {
  return StringRef(row.value.name).contains("FOLDER");
}

static std::string bash(const OptionTable::Words &words, ArrayRef<OptionRow> rows) {
  std::string function = "_" + llvm::join(llvm::split(words.tool, '-'), "_");
  std::string text = function + R"(() {
  local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD-1]}
  if [ "$word" = "=" ]; then
    word=
  elif [ "$before" = "=" ]; then
    before=${COMP_WORDS[COMP_CWORD-2]}
  fi
  case $before in
)";
  for (const OptionRow &row : rows)
    if (!row.value.words.empty())
      text += llvm::formatv("  --{0}) COMPREPLY=($(compgen -W \"{1}\" -- \"$word\")); return ;;\n",
                            row.name, llvm::join(row.value.words, " "));
    else if (takesFolder(row))
      text +=
          llvm::formatv("  --{0}) COMPREPLY=($(compgen -d -- \"$word\")); return ;;\n", row.name);
  text += "  esac\n  if [[ $word == -* ]]; then\n    COMPREPLY=($(compgen -W \"--help --version";
  for (const OptionRow &row : rows)
    text += " --" + std::string(row.name);
  return text + "\" -- \"$word\"))\n  fi\n}\ncomplete -o default -F " + function + " " +
         words.tool + "\n";
}

/// Quotes text for one of zsh's specifications, which is in single quotes; brackets and colons are
/// special in it.
static std::string zshText(StringRef text) {
  std::string out;
  for (char c : text) {
    if (c == '\'')
      out += "'\\'";
    else if (c == '[' || c == ']' || c == ':' || c == '\\')
      out += '\\';
    out += c;
  }
  return out;
}

static std::string zsh(const OptionTable::Words &words, ArrayRef<OptionRow> rows) {
  std::string text = "#compdef " + std::string(words.tool) + "\n_arguments \\\n";
  for (const OptionRow &row : rows) {
    const OptionValue &value = row.value;
    text += "  '" + std::string(value.mayRepeat ? "*" : "") + "--" + row.name +
            (value.name.empty() ? ""
             : value.mayLack    ? "=-"
                                : "=") +
            "[" + zshText(row.help) + "]";
    if (!value.name.empty())
      text += (value.mayLack ? "::" : ":") + zshText(value.name) + ":" +
              (!value.words.empty() ? "(" + llvm::join(value.words, " ") + ")"
               : takesFolder(row)   ? "_files -/"
                                    : "_files");
    text += "' \\\n";
  }
  return text + "  '--help[Display available options]' '--version[Display the version]' \\\n"
                "  '*:STEP.mlir:_files'\n";
}

static std::string fish(const OptionTable::Words &words, ArrayRef<OptionRow> rows) {
  std::string text;
  auto quoted = [](StringRef text) {
    std::string out = "'";
    for (char c : text)
      out += c == '\'' || c == '\\' ? std::string("\\") + c : std::string(1, c);
    return out + "'";
  };
  for (const OptionRow &row : rows) {
    const OptionValue &value = row.value;
    text += llvm::formatv("complete -c {0} -l {1} -d {2}", words.tool, row.name, quoted(row.help));
    if (!value.words.empty())
      text += " -x -a " + quoted(llvm::join(value.words, " "));
    else if (takesFolder(row))
      text += " -x -a '(__fish_complete_directories)'";
    else if (!value.name.empty() && !value.mayLack)
      text += " -r";
    text += "\n";
  }
  return text;
}

Expected<std::string> completionFor(StringRef shell, const OptionTable::Words &words,
                                    ArrayRef<OptionRow> rows) {
  auto shown = readWord("--completion", shell, {"bash", "zsh", "fish"});
  if (!shown)
    return shown.takeError();
  return *shown == 0 ? bash(words, rows) : *shown == 1 ? zsh(words, rows) : fish(words, rows);
}

} // namespace ds
