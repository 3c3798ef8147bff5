//===- Operands.cpp - Operands of an instruction ----------------*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Operands.h"

namespace fake::ptx {

std::vector<Operand> parseList(Lexer &lexer, KernelBuilder *builder, std::string_view end) {
  std::vector<Operand> list;
  if (lexer.take(end))
    return list;
  do
    list.push_back(parseOperand(lexer, builder));
  while (lexer.take(","));
  lexer.expect(end);
  return list;
}

static Operand parseNumber(Lexer &lexer, bool negative) {
  const Token token = lexer.next();
  const std::string digits(token.text);
  Operand made;
  made.kind = Operand::Kind::number;
  int base = 10;
  size_t from = 0;
  const std::string prefix = digits.substr(0, 2);
  if (prefix == "0f" || prefix == "0F" || prefix == "0d" || prefix == "0D") {
    made.floatBytes = prefix[1] == 'f' || prefix[1] == 'F' ? 4 : 8;
    if (digits.size() != 2 + 2 * made.floatBytes || negative)
      parseError(token.line, "'" + digits + "' is no number");
    base = 16;
    from = 2;
  } else if (prefix == "0x" || prefix == "0X") {
    base = 16;
    from = 2;
  }
  std::string body = digits.substr(from);
  if (!made.floatBytes && body.size() > 1 && body.back() == 'U')
    body.pop_back();
  for (char c : body) {
    const int digit = c >= '0' && c <= '9'   ? c - '0'
                      : c >= 'a' && c <= 'f' ? c - 'a' + 10
                      : c >= 'A' && c <= 'F' ? c - 'A' + 10
                                             : 99;
    uint64_t next = 0;
    if (digit >= base || __builtin_mul_overflow(made.bits, uint64_t(base), &next) ||
        __builtin_add_overflow(next, uint64_t(digit), &made.bits))
      parseError(token.line, "'" + digits + "' is no number of 64 bits");
  }
  if (body.empty())
    parseError(token.line, "'" + digits + "' is no number");
  if (negative)
    made.bits = -made.bits;
  return made;
}

/// Behind '[': a register or a name, and an offset.
static Operand parseAddress(Lexer &lexer, KernelBuilder *builder) {
  Operand made = parseOperand(lexer, builder);
  if (made.kind != Operand::Kind::reg && made.kind != Operand::Kind::symbol)
    parseError(lexer.peek().line, "an address expected");
  made.based = made.kind == Operand::Kind::reg;
  made.kind = Operand::Kind::address;
  if (lexer.take("+")) {
    const bool negative = lexer.take("-");
    if (lexer.peek().kind != Token::Kind::number)
      parseError(lexer.peek().line, "an offset expected");
    made.bits = parseNumber(lexer, negative).bits;
  }
  lexer.expect("]");
  return made;
}

static const uint32_t *findRegister(const KernelBuilder &builder, std::string_view name) {
  auto found = builder.registers.find(name);
  return found == builder.registers.end() ? nullptr : &found->second;
}

Operand parseOperand(Lexer &lexer, KernelBuilder *builder) {
  static const std::map<std::string_view, Special> specials = {
      {"%tid.x", Special::tidX},       {"%tid.y", Special::tidY},
      {"%tid.z", Special::tidZ},       {"%ctaid.x", Special::ctaidX},
      {"%ctaid.y", Special::ctaidY},   {"%ctaid.z", Special::ctaidZ},
      {"%ntid.x", Special::ntidX},     {"%ntid.y", Special::ntidY},
      {"%ntid.z", Special::ntidZ},     {"%nctaid.x", Special::nctaidX},
      {"%nctaid.y", Special::nctaidY}, {"%nctaid.z", Special::nctaidZ},
      {"%laneid", Special::laneid}};
  Operand made;
  if (lexer.take("{")) {
    made.kind = Operand::Kind::vector;
    // No vector of vectors: the depth of a text must not become that of the stack.
    do {
      if (lexer.peek().is("{") || lexer.peek().is("["))
        parseError(lexer.peek().line, "a register expected");
      made.parts.push_back(parseOperand(lexer, builder));
    } while (lexer.take(","));
    lexer.expect("}");
    return made;
  }
  if (lexer.take("[")) {
    if (lexer.peek().is("{") || lexer.peek().is("["))
      parseError(lexer.peek().line, "an address expected");
    return parseAddress(lexer, builder);
  }
  if (lexer.take("-")) {
    if (lexer.peek().kind != Token::Kind::number)
      parseError(lexer.peek().line, "a number expected");
    return parseNumber(lexer, true);
  }
  if (lexer.peek().kind == Token::Kind::number)
    return parseNumber(lexer, false);
  made.negated = lexer.take("!");
  const Token token = lexer.word("an operand");
  if (token.text == "_")
    return made;
  if (!builder)
    parseError(token.line, "a number expected");
  if (const uint32_t *reg = findRegister(*builder, token.text)) {
    made.kind = Operand::Kind::reg;
    made.reg = *reg;
    if (lexer.take("|")) {
      const Token second = lexer.word("a register");
      const uint32_t *other = findRegister(*builder, second.text);
      if (!other)
        parseError(second.line, "no register '" + std::string(second.text) + "'");
      made.second = *other;
    }
    return made;
  }
  if (auto found = specials.find(token.text); found != specials.end()) {
    made.kind = Operand::Kind::reg;
    made.readOnly = true;
    made.reg = builder->special(found->second);
    return made;
  }
  if (token.text[0] == '%')
    parseError(token.line, "no register '" + std::string(token.text) + "'");
  made.kind = Operand::Kind::symbol;
  made.name = token.text;
  return made;
}

} // namespace fake::ptx
