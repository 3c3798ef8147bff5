//===- Json.cpp - Reads the JSON of rank tables -----------------*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Recursive descent, O(n log n) in the length of the text: names of an object are compared through
// a set.
//
//===----------------------------------------------------------------------===//
#include "Json.h"

#include <algorithm>
#include <cctype>
#include <cstring>
#include <set>

namespace dsrt::bootstrap {

const Json *Json::find(const char *name) const {
  for (const auto &[key, value] : members)
    if (key == name)
      return &value;
  return nullptr;
}

namespace {

class Parser {
public:
  Parser(const std::string &text, std::string &why) : text(text), why(why) {}

  bool parse(Json &out) {
    if (!value(out, 0))
      return false;
    skipSpace();
    return at == text.size() || fail("unexpected text after the value");
  }

private:
  bool fail(const std::string &what) {
    const auto line =
        std::count(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(at), '\n');
    why = "line " + std::to_string(line + 1) + ": " + what;
    return false;
  }
  char peek() const { return at < text.size() ? text[at] : '\0'; }
  void skipSpace() {
    while (at < text.size() && std::strchr(" \t\r\n", text[at]) && text[at])
      ++at;
  }
  bool take(char c) {
    if (peek() != c || at == text.size())
      return false;
    ++at;
    return true;
  }

  bool value(Json &out, int depth) {
    constexpr int deepest = 64;
    if (depth > deepest)
      return fail("more than 64 values inside each other");
    // One value takes some 100 bytes and may be 2 bytes of text: what is read stays in proportion.
    constexpr int mostValues = 100000;
    if (++values > mostValues)
      return fail("more than 100000 values");
    skipSpace();
    switch (peek()) {
    case '{':
      return object(out, depth);
    case '[':
      return array(out, depth);
    case '"':
      out.kind = Json::Kind::string;
      return string(out.text);
    }
    return word(out);
  }

  bool object(Json &out, int depth) {
    out.kind = Json::Kind::object;
    ++at;
    skipSpace();
    if (take('}'))
      return true;
    std::set<std::string> names;
    do {
      skipSpace();
      std::pair<std::string, Json> member;
      if (peek() != '"')
        return fail("expected a name in quotes");
      if (!string(member.first))
        return false;
      skipSpace();
      if (!take(':'))
        return fail("expected ':'");
      if (!names.insert(member.first).second)
        return fail("the name '" + member.first + "' is there twice");
      if (!value(member.second, depth + 1))
        return false;
      out.members.push_back(std::move(member));
      skipSpace();
    } while (take(','));
    return take('}') || fail("expected ',' or '}'");
  }

  bool array(Json &out, int depth) {
    out.kind = Json::Kind::array;
    ++at;
    skipSpace();
    if (take(']'))
      return true;
    do {
      out.elements.emplace_back();
      if (!value(out.elements.back(), depth + 1))
        return false;
      skipSpace();
    } while (take(','));
    return take(']') || fail("expected ',' or ']'");
  }

  bool string(std::string &out) {
    for (++at; at < text.size(); ++at) {
      const char c = text[at];
      if (c == '"') {
        ++at;
        return true;
      }
      if (static_cast<unsigned char>(c) < 0x20)
        return fail("a control character in a string");
      if (c != '\\')
        out.push_back(c);
      else if (++at == text.size() || !escape(out))
        return fail("an unknown escape in a string");
    }
    return fail("a string without end");
  }

  bool escape(std::string &out) {
    constexpr char names[] = "\"\\/bfnrt", values[] = "\"\\/\b\f\n\r\t";
    const char c = text[at];
    if (c == 'u') {
      // No name in a rank table needs more than ASCII.
      unsigned code = 0;
      for (int i = 0; i < 4; ++i) {
        const char digit = ++at < text.size() ? text[at] : '\0';
        const char *found = std::strchr("0123456789abcdefABCDEF", digit);
        if (!digit || !found)
          return false;
        const int number = static_cast<int>(found - std::strchr("0123456789abcdefABCDEF", '0'));
        code = code * 16 + static_cast<unsigned>(number < 16 ? number : number - 6);
      }
      if (code >= 0x80)
        return false;
      out.push_back(static_cast<char>(code));
      return true;
    }
    const char *found = std::strchr(names, c);
    if (!c || !found)
      return false;
    out.push_back(values[found - names]);
    return true;
  }

  bool word(Json &out) {
    const size_t begin = at;
    while (at < text.size() &&
           (std::isalnum(static_cast<unsigned char>(text[at])) || std::strchr("+-.", text[at])) &&
           text[at])
      ++at;
    out.text = text.substr(begin, at - begin);
    if (out.text == "true" || out.text == "false")
      out.kind = Json::Kind::boolean;
    else if (out.text == "null")
      out.kind = Json::Kind::null;
    else if (isNumber(out.text))
      out.kind = Json::Kind::number;
    else
      return fail(out.text.empty() ? "expected a value" : "unknown word '" + out.text + "'");
    return true;
  }

  static bool isNumber(const std::string &word) {
    size_t i = word[0] == '-' ? 1 : 0;
    auto digits = [&] {
      const size_t begin = i;
      while (i < word.size() && word[i] >= '0' && word[i] <= '9')
        ++i;
      return i > begin;
    };
    const size_t first = i;
    if (!digits() || (word[first] == '0' && i > first + 1))
      return false;
    if (i < word.size() && word[i] == '.' && (++i, !digits()))
      return false;
    if (i < word.size() && (word[i] == 'e' || word[i] == 'E')) {
      ++i;
      if (i < word.size() && (word[i] == '+' || word[i] == '-'))
        ++i;
      if (!digits())
        return false;
    }
    return i == word.size();
  }

  const std::string &text;
  std::string &why;
  size_t at = 0;
  int values = 0;
};

} // namespace

bool parseJson(const std::string &text, Json &out, std::string &why) {
  out = {};
  return Parser(text, why).parse(out);
}

} // namespace dsrt::bootstrap
