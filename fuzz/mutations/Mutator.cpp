//===- Mutator.cpp - Changes sound input into input nobody meant --*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Mutator.h"

#include <algorithm>
#include <cctype>
#include <cstring>

namespace ds {

static const std::vector<uint64_t> edges = {0,
                                            1,
                                            0x7f,
                                            0xff,
                                            0x7fff,
                                            0xffff,
                                            0x7fffffff,
                                            0x80000000,
                                            0xffffffff,
                                            0x100000000,
                                            uint64_t(1) << 40,
                                            uint64_t(1) << 48,
                                            (uint64_t(1) << 62) - 1,
                                            uint64_t(1) << 62,
                                            0x7fffffffffffffff,
                                            0x8000000000000000,
                                            0xffffffffffffffff};
static const std::vector<std::string> numbers = {"0",
                                                 "-1",
                                                 "1",
                                                 "2",
                                                 "3",
                                                 "64",
                                                 "4096",
                                                 "4097",
                                                 "65536",
                                                 "2147483647",
                                                 "2147483648",
                                                 "4294967296",
                                                 "281474976710657",
                                                 "2305843009213693952",
                                                 "9223372036854775807",
                                                 "-9223372036854775808",
                                                 "9223372036854775808",
                                                 "18446744073709551616",
                                                 "0x7FF8000000000000",
                                                 "1e999",
                                                 "-1e-999",
                                                 "nan",
                                                 "inf",
                                                 "0.5",
                                                 ""};

void Mutator::editBytes(std::string &bytes, const std::string &other) {
  size_t at = below(bytes.size());
  switch (below(8)) {
  case 0:
    bytes[at] = static_cast<char>(bytes[at] ^ (1 << below(8)));
    return;
  case 1:
    bytes[at] = static_cast<char>(random());
    return;
  case 2: { // a number at an edge, in either order of bytes
    uint64_t value = oneOf(edges);
    size_t width = size_t(1) << below(4);
    bool bigEndian = below(2);
    for (size_t i = 0; i < width && at + i < bytes.size(); ++i)
      bytes[at + i] = static_cast<char>(value >> (8 * (bigEndian ? width - 1 - i : i)));
    return;
  }
  case 3:
    bytes.resize(at);
    return;
  case 4:
    bytes.insert(at, 1 + below(16), static_cast<char>(random()));
    return;
  case 5:
    bytes.erase(at, 1 + below(16));
    return;
  case 6:
    bytes.insert(at, other.substr(below(other.size()), 1 + below(64)));
    return;
  default:
    return editText(bytes, other); // headers are text
  }
}

namespace {
struct Word {
  size_t begin, length;
};
} // namespace

/// Words of a text, those with a sigil (%value, #map, @name) including it.
static std::vector<Word> wordsOf(const std::string &text) {
  std::vector<Word> words;
  for (size_t i = 0; i < text.size();) {
    size_t begin = i;
    if (std::strchr("%#@", text[i]) && text[i])
      ++i;
    while (i < text.size() &&
           (std::isalnum(static_cast<unsigned char>(text[i])) || text[i] == '_' || text[i] == '.'))
      ++i;
    if (i > begin)
      words.push_back({begin, i - begin});
    else
      ++i;
  }
  return words;
}

/// Words that can stand in each other's place: values, numbers, names of a dialect, types, others.
static char classOf(const std::string &word) {
  if (std::strchr("%#@", word[0]))
    return word[0];
  if (std::isdigit(static_cast<unsigned char>(word[0])))
    return word.find('x') != std::string::npos ? 'x' : '0';
  if (word == "f64" || word == "f32" || word == "f16" || word == "bf16" || word == "i64" ||
      word == "i32" || word == "i16" || word == "i8" || word == "i1" || word == "index")
    return 't';
  size_t dot = word.find('.');
  return dot == std::string::npos ? 'w' : word[0];
}

static size_t runOfDigits(const std::string &text, size_t begin) {
  size_t end = begin;
  while (end < text.size() && std::isdigit(static_cast<unsigned char>(text[end])))
    ++end;
  return end - begin;
}

/// Every number `old` of a text, sizes inside of shapes among them, becomes `other`.
static std::string replacedRuns(const std::string &text, const std::string &old,
                                const std::string &other) {
  std::string result;
  for (size_t i = 0; i < text.size();) {
    size_t length = runOfDigits(text, i);
    bool ofName = i > 0 &&
                  (std::isalpha(static_cast<unsigned char>(text[i - 1])) ||
                   std::strchr("_%#@", text[i - 1])) &&
                  text[i - 1] != 'x';
    result += length && !ofName && text.compare(i, length, old) == 0
                  ? other
                  : text.substr(i, std::max<size_t>(length, 1));
    i += std::max<size_t>(length, 1);
  }
  return result;
}

/// Every word `old` of a text becomes `other`.
static std::string replacedWords(const std::string &text, const std::vector<Word> &words,
                                 const std::string &old, const std::string &other) {
  std::string result;
  size_t at = 0;
  for (Word each : words) {
    result += text.substr(at, each.begin - at);
    std::string spelt = text.substr(each.begin, each.length);
    result += spelt == old ? other : spelt;
    at = each.begin + each.length;
  }
  return result + text.substr(at);
}

void Mutator::editText(std::string &text, const std::string &other) {
  std::vector<Word> words = wordsOf(text);
  if (words.empty())
    return;
  Word word = oneOf(words);
  std::string spelt = text.substr(word.begin, word.length);
  auto alike = [&](const std::string &source) {
    std::vector<std::string> found;
    for (Word each : wordsOf(source)) {
      std::string candidate = source.substr(each.begin, each.length);
      if (classOf(candidate) == classOf(spelt) && candidate != spelt)
        found.push_back(candidate);
    }
    return found;
  };
  switch (below(16)) {
  case 0:
    text.erase(word.begin, 1 + below(40));
    return;
  case 1:
    text.insert(word.begin, text.substr(oneOf(words).begin, 1 + below(60)));
    return;
  case 2: { // a line away: an operation, or a member of a table
    size_t begin = text.rfind('\n', word.begin), end = text.find('\n', word.begin);
    begin = begin == std::string::npos ? 0 : begin;
    text.erase(begin, end == std::string::npos ? end : end - begin);
    return;
  }
  case 3:
    if (below(8) == 0) { // a parser that calls itself per bracket
      text.insert(word.begin, 200000, "([{<"[below(4)]);
      return;
    }
    text[below(text.size())] = "{}[]()<>,:;=\"'\\-+. \n\0%#@"[below(24)];
    return;
  case 4:
    text.insert(word.begin, other.substr(below(other.size()), 1 + below(80)));
    return;
  case 5:
  case 6:
  case 7: { // a number, or the first one inside of a shape
    std::vector<Word> places;
    for (Word each : words)
      if (std::isdigit(static_cast<unsigned char>(text[each.begin])))
        places.push_back(each);
    if (places.empty())
      return;
    Word place = oneOf(places);
    text.replace(place.begin, std::min(place.length, runOfDigits(text, place.begin)),
                 oneOf(numbers));
    return;
  }
  case 8: {
    std::vector<std::string> found = alike(other);
    if (!found.empty())
      text.replace(word.begin, word.length, oneOf(found));
    return;
  }
  case 9:
  case 10:
  case 11: {
    std::vector<std::string> found = alike(text);
    if (!found.empty())
      text.replace(word.begin, word.length, oneOf(found));
    return;
  }
  default: // what stays consistent comes past a parser
    if (std::isdigit(static_cast<unsigned char>(spelt[0]))) {
      text = replacedRuns(text, spelt.substr(0, runOfDigits(spelt, 0)), oneOf(numbers));
      return;
    }
    if (std::vector<std::string> found = alike(text); !found.empty())
      text = replacedWords(text, words, spelt, oneOf(found));
    return;
  }
}

std::string Mutator::bytes(std::string sound, const std::string &other) {
  for (size_t edits = below(2) ? 1 : 2 + below(3); edits > 0 && !sound.empty(); --edits)
    editBytes(sound, other);
  return sound;
}

std::string Mutator::text(std::string sound, const std::string &other) {
  for (size_t edits = below(3) ? 1 : 4; edits > 0 && !sound.empty(); --edits)
    editText(sound, other);
  return sound;
}

} // namespace ds
