//===- OptionTable.h - The options of a tool, row by row --------*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A row has the text of --help and the destination of the value; a rule gives the options that need
// or exclude each other. Parsing, help, suggestions and every error message follow from the two
// lists.
//
//===----------------------------------------------------------------------===//
#ifndef DS_SUPPORT_OPTIONTABLE_H
#define DS_SUPPORT_OPTIONTABLE_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/Support/Error.h"

#include <functional>
#include <string>
#include <vector>

namespace ds {

/// How the text of an option is read.
struct OptionValue {
  /// The error is a whole sentence; `option` is the name with its dashes.
  using Reader = std::function<llvm::Error(llvm::StringRef option, llvm::StringRef text)>;

  std::string name; // in --help; empty: the option is a flag
  Reader read;
  bool mayRepeat = false;
  bool mayLack = false;                // the option may stand alone, and a value needs '='
  std::vector<std::string> words = {}; // all possible values; empty: any text
};

OptionValue flag(bool &to);
OptionValue text(std::string &to, std::string name);
OptionValue texts(std::vector<std::string> &to, std::string name);
/// A finite number of at least 0.
OptionValue number(double &to, std::string name);

/// Reads an integer; errors give the range.
llvm::Expected<int64_t> readInteger(llvm::StringRef option, llvm::StringRef text, int64_t least,
                                    int64_t most);
template <typename To> OptionValue integer(To &to, int64_t least, int64_t most, std::string name) {
  return {std::move(name), [=, &to](llvm::StringRef option, llvm::StringRef text) {
            return readInteger(option, text, least, most).moveInto(to);
          }};
}

/// Returns the position of `text` among `words`, which errors list.
llvm::Expected<size_t> readWord(llvm::StringRef option, llvm::StringRef text,
                                llvm::ArrayRef<std::string> words);
/// One of `words`, with the value at the same position. --help lists them, or shows `name`.
template <typename To, typename T>
OptionValue choice(To &to, std::vector<std::string> words, std::vector<T> values,
                   std::string name = "") {
  return {name.empty() ? llvm::join(words, "|") : name,
          [&to, words, values](llvm::StringRef option, llvm::StringRef text) -> llvm::Error {
            auto position = readWord(option, text, words);
            if (!position)
              return position.takeError();
            to = values[*position];
            return llvm::Error::success();
          },
          /*mayRepeat=*/false, /*mayLack=*/false, words};
}

struct OptionRow {
  const char *group, *name; // without dashes
  OptionValue value;
  std::string help;
};

/// Options are `name`, `name=value` for that value alone, or `name VALUE`.
struct OptionRule {
  const char *option;
  bool needs; // needs all of the others, or else excludes each
  std::vector<const char *> others;
  const char *sentence; // {0} stands for the other option
};
OptionRule needs(const char *option, std::vector<const char *> others, const char *sentence);
OptionRule excludes(const char *option, std::vector<const char *> others, const char *sentence);

class OptionTable {
public:
  /// The text of --help before and after the list, and the hints at the end of two errors: a second
  /// STEP.mlir, and an option that resembles none.
  struct Words {
    const char *tool, *overview, *examples;
    const char *severalHint = "", *unknownHint = "";
  };

  OptionTable(const Words &words, std::vector<OptionRow> rows)
      : words(words), rows(std::move(rows)) {}

  /// Reads the arguments after the program's name, in the order of the rows; `step` is the one
  /// without an option. Prints help, the version, a manual page or completions for a shell and
  /// exits if asked to; any mistake is one sentence.
  llvm::Error parse(const std::vector<std::string> &arguments, std::string &step);

  /// True if the option is given with a text that is not empty, or needs none.
  bool isGiven(llvm::StringRef option) const;

  /// Returns the sentence of the first rule that is broken.
  llvm::Error check(llvm::ArrayRef<OptionRule> rules) const;

private:
  llvm::Error explain(llvm::StringRef message) const;

  Words words;
  std::vector<OptionRow> rows;
  llvm::StringMap<std::string> given; // the last text of each option
};

} // namespace ds

#endif // DS_SUPPORT_OPTIONTABLE_H
