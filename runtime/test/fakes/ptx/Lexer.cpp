//===- Lexer.cpp - Words of PTX ---------------------------------*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Lexer.h"

#include <cctype>

namespace fake::ptx {

void parseError(uint32_t line, const std::string &what) {
  throw ParseError("line " + std::to_string(line) + ": " + what);
}

static bool isWordByte(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) || c == '_' || c == '$' || c == '%' ||
         c == '.';
}

Lexer::Lexer(std::string_view text) : text(text) { advance(); }

void Lexer::advance() {
  while (at < text.size()) {
    if (text[at] == '\n')
      ++line;
    if (std::isspace(static_cast<unsigned char>(text[at]))) {
      ++at;
    } else if (text.substr(at, 2) == "//") {
      at = std::min(text.find('\n', at), text.size());
    } else if (text.substr(at, 2) == "/*") {
      const size_t end = text.find("*/", at);
      if (end == std::string_view::npos)
        parseError(line, "a comment without end");
      for (; at < end + 2; ++at)
        line += text[at] == '\n';
    } else {
      break;
    }
  }
  const size_t begin = at;
  token = {Token::Kind::end, text.substr(std::min(begin, text.size()), 0), line};
  if (at >= text.size())
    return;
  const char c = text[at];
  if (c == '"') {
    const size_t end = text.find_first_of("\"\n", at + 1);
    if (end == std::string_view::npos || text[end] == '\n')
      parseError(line, "a text without end");
    at = end + 1;
    token.kind = Token::Kind::text;
  } else if (isWordByte(c)) {
    token.kind =
        std::isdigit(static_cast<unsigned char>(c)) ? Token::Kind::number : Token::Kind::word;
    // "L1::evict_last" is one word, "$label:" is two.
    while (at < text.size() && (isWordByte(text[at]) || text.substr(at, 2) == "::"))
      at += text[at] == ':' ? 2 : 1;
  } else {
    token.kind = Token::Kind::punctuation;
    ++at;
  }
  token.text = text.substr(begin, at - begin);
}

Token Lexer::next() {
  Token taken = token;
  last = at;
  advance();
  return taken;
}

bool Lexer::take(std::string_view wanted) {
  if (!token.is(wanted))
    return false;
  next();
  return true;
}

void Lexer::expect(std::string_view wanted) {
  if (!take(wanted))
    parseError(token.line,
               "'" + std::string(wanted) + "' expected, not '" + std::string(token.text) + "'");
}

Token Lexer::word(const char *what) {
  if (token.kind != Token::Kind::word)
    parseError(token.line, std::string(what) + " expected, not '" + std::string(token.text) + "'");
  return next();
}

uint64_t Lexer::number(const char *what, uint64_t most) {
  uint64_t value = 0;
  bool good = token.kind == Token::Kind::number;
  for (char c : token.text) {
    good = good && c >= '0' && c <= '9' && value <= most;
    if (good)
      value = value * 10 + static_cast<uint64_t>(c - '0');
  }
  if (!good || value > most)
    parseError(token.line, std::string(what) + " expected, not '" + std::string(token.text) + "'");
  next();
  return value;
}

} // namespace fake::ptx
