//===- Lexer.h - Words of PTX -----------------------------------*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef DSRT_TEST_FAKES_PTX_LEXER_H
#define DSRT_TEST_FAKES_PTX_LEXER_H

#include "Ptx.h"

namespace fake::ptx {

struct Token {
  /// A word begins with a letter or one of _ $ % . and may hold dots.
  enum class Kind { end, word, number, text, punctuation };
  Kind kind = Kind::end;
  std::string_view text;
  uint32_t line = 0;

  bool is(std::string_view wanted) const { return kind != Kind::text && text == wanted; }
};

[[noreturn]] void parseError(uint32_t line, const std::string &what);

class Lexer {
public:
  explicit Lexer(std::string_view text);
  const Token &peek() const { return token; }
  Token next();
  /// Takes `wanted` if it is next.
  bool take(std::string_view wanted);
  void expect(std::string_view wanted);
  /// A word, which `what` names in the error.
  Token word(const char *what);
  /// A whole number without sign.
  uint64_t number(const char *what, uint64_t most);
  /// Where the text of the next token begins, and where that of the last one ended.
  size_t position() const { return static_cast<size_t>(token.text.data() - text.data()); }
  size_t lastEnd() const { return last; }
  std::string_view slice(size_t from, size_t to) const { return text.substr(from, to - from); }

private:
  void advance();

  std::string_view text;
  size_t at = 0, last = 0;
  uint32_t line = 1;
  Token token;
};

} // namespace fake::ptx

#endif // DSRT_TEST_FAKES_PTX_LEXER_H
