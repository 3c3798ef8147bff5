//===- Parser.cpp - A module of PTX -----------------------------*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Operands.h"
#include "Region.h"

#include <algorithm>
#include <cstdio>
#include <cstring>

namespace fake::ptx {
namespace {

struct ParsedModule final : Module {
  std::string text;
  std::map<std::string, Kernel, std::less<>> all;
  std::vector<std::unique_ptr<std::vector<uint64_t>>> data; // of `globals`
  std::vector<std::unique_ptr<Region>> globals;

  std::vector<std::string> kernels() const override {
    std::vector<std::string> names;
    for (auto &[name, kernel] : all)
      names.push_back(name);
    return names;
  }
  const Kernel *kernel(std::string_view name) const override {
    auto found = all.find(name);
    return found == all.end() ? nullptr : &found->second;
  }
};

/// Limits keep a mutated text from asking for all memory.
constexpr uint64_t mostRegisters = 1 << 16, mostBytes = 1 << 24;
// Static shared memory of a block; more of it would be dynamic.
constexpr uint64_t mostShared = 48 * 1024;
// Bytes of a kernel's parameters: before PTX 8.1 and since.
constexpr uint64_t mostParametersOnce = 4352, mostParameters = 32764;
constexpr size_t mostInstructions = 1 << 20;

class Parser {
public:
  explicit Parser(ParsedModule &module) : module(module), lexer(module.text) {}
  void parseModule();

private:
  struct Variable {
    std::string_view name;
    Type type;
    uint64_t alignment, bytes;
  };
  void parseEntry();
  void parseParameters(Kernel &kernel);
  void parseBounds(Kernel &kernel);
  void parseBody();
  void parseRegisters();
  void parseShared();
  void parseGlobal(bool writable);
  void parseInstruction();
  Variable parseVariable();
  void parseVersion(uint32_t line);
  uint64_t parseAlignment();
  Type parseTypeName();
  void addSymbol(std::string_view name, Symbol symbol, uint32_t line);

  ParsedModule &module;
  Lexer lexer;
  std::map<std::string, Symbol, std::less<>> moduleSymbols;
  uint64_t moduleShared = 0, parameterBytes = 0;
  KernelBuilder *builder = nullptr;
  std::map<std::string, uint32_t, std::less<>> labels;
  struct Jump {
    size_t from;
    std::string_view label;
    uint32_t line;
  };
  std::vector<Jump> jumps;
};

void Parser::parseModule() {
  while (lexer.peek().kind != Token::Kind::end) {
    const Token token = lexer.word("a directive");
    if (token.text == ".version") {
      parseVersion(token.line);
    } else if (parameterBytes == 0) {
      parseError(token.line, "a module begins with its .version");
    } else if (token.text == ".target") {
      do
        lexer.word("a target");
      while (lexer.take(","));
    } else if (token.text == ".address_size") {
      if (lexer.number("64", 64) != 64)
        parseError(token.line, "addresses have 64 bits here");
    } else if (token.text == ".visible" || token.text == ".weak") {
      // Nothing is linked.
    } else if (token.text == ".entry") {
      parseEntry();
    } else if (token.text == ".shared") {
      parseShared();
    } else if (token.text == ".global" || token.text == ".const") {
      parseGlobal(token.text == ".global");
    } else if (token.text == ".extern" || token.text == ".func") {
      parseError(token.line, "'" + std::string(token.text) +
                                 "': kernels call no functions and share no dynamic memory here");
    } else {
      parseError(token.line, "unknown directive '" + std::string(token.text) + "'");
    }
  }
}

void Parser::parseVersion(uint32_t line) {
  const std::string version(lexer.next().text);
  unsigned major = 0, minor = 0;
  if (std::sscanf(version.c_str(), "%u.%u", &major, &minor) != 2)
    parseError(line, "a version expected");
  parameterBytes =
      std::make_pair(major, minor) < std::make_pair(8u, 1u) ? mostParametersOnce : mostParameters;
}

uint64_t Parser::parseAlignment() {
  if (!lexer.take(".align"))
    return 0;
  const uint32_t line = lexer.peek().line;
  const uint64_t alignment = lexer.number("an alignment", 1 << 16);
  if (alignment == 0 || (alignment & (alignment - 1)) != 0)
    parseError(line, "an alignment that is no power of two");
  return alignment;
}

Type Parser::parseTypeName() {
  const Token token = lexer.word("a type");
  Statement words;
  words.line = token.line;
  words.opcode = token.text;
  words.modifiers = {token.text.substr(token.text[0] == '.')};
  return words.takeType();
}

/// [.align N] .type name [ [N] ]
Parser::Variable Parser::parseVariable() {
  Variable variable;
  variable.alignment = parseAlignment();
  variable.type = parseTypeName();
  variable.name = lexer.word("a name").text;
  variable.bytes = bytesOf(variable.type);
  if (lexer.take("[")) {
    variable.bytes *= lexer.number("a length", mostBytes);
    lexer.expect("]");
  }
  variable.alignment = std::max<uint64_t>(variable.alignment, bytesOf(variable.type));
  return variable;
}

void Parser::addSymbol(std::string_view name, Symbol symbol, uint32_t line) {
  auto &symbols = builder ? builder->symbols : moduleSymbols;
  if (!symbols.emplace(std::string(name), symbol).second)
    parseError(line, "'" + std::string(name) + "' is there already");
}

void Parser::parseShared() {
  const uint32_t line = lexer.peek().line;
  Variable variable = parseVariable();
  lexer.expect(";");
  uint64_t end = builder ? builder->kernel.sharedBytes : moduleShared;
  const uint64_t begin = (end + variable.alignment - 1) / variable.alignment * variable.alignment;
  end = begin + variable.bytes;
  if (end > mostShared)
    parseError(line, "more shared memory than a block has: " + std::to_string(end) + " bytes");
  addSymbol(variable.name, {Space::shared, begin}, line);
  if (builder)
    builder->kernel.sharedBytes = static_cast<uint32_t>(end);
  else
    moduleShared = end;
}

void Parser::parseGlobal(bool writable) {
  const uint32_t line = lexer.peek().line;
  Variable variable = parseVariable();
  if (variable.bytes == 0 || variable.bytes > mostBytes)
    parseError(line, "a variable of " + std::to_string(variable.bytes) + " bytes");
  auto storage = std::make_unique<std::vector<uint64_t>>((variable.bytes + 7) / 8);
  char *bytes = reinterpret_cast<char *>(storage->data());
  const bool initialised = lexer.take("=");
  if (initialised) {
    const std::vector<Operand> values = lexer.take("{")
                                            ? parseList(lexer, nullptr, "}")
                                            : std::vector<Operand>{parseOperand(lexer, nullptr)};
    const unsigned each = bytesOf(variable.type);
    if (values.size() * each > variable.bytes)
      parseError(line, "more values than the variable has");
    for (size_t index = 0; index < values.size(); ++index) {
      if (values[index].kind != Operand::Kind::number)
        parseError(line, "a number expected");
      std::memcpy(bytes + index * each, &values[index].bits, each);
    }
  }
  lexer.expect(";");
  const auto address = static_cast<uint64_t>(reinterpret_cast<uintptr_t>(bytes));
  auto region = std::make_unique<Region>(address, variable.bytes, bytes, writable);
  region->define(0, variable.bytes, initialised);
  module.data.push_back(std::move(storage));
  module.globals.push_back(std::move(region));
  addSymbol(variable.name, {Space::global, address}, line);
}

//===----------------------------------------------------------------------===//
// Kernels.
//===----------------------------------------------------------------------===//

void Parser::parseEntry() {
  const Token name = lexer.word("the name of a kernel");
  Kernel &kernel = module.all[std::string(name.text)];
  if (!kernel.name.empty())
    parseError(name.line, "kernel '" + std::string(name.text) + "' is there already");
  kernel.name = name.text;
  kernel.sharedBytes = static_cast<uint32_t>(moduleShared);
  kernel.globals = &module.globals;
  KernelBuilder made{kernel, {}, moduleSymbols, {}, {}};
  builder = &made;
  labels.clear();
  jumps.clear();
  if (lexer.take("("))
    parseParameters(kernel);
  parseBounds(kernel);
  lexer.expect("{");
  parseBody();
  for (const Jump &jump : jumps) {
    auto found = labels.find(jump.label);
    if (found == labels.end())
      parseError(jump.line, "no label '" + std::string(jump.label) + "'");
    kernel.code[jump.from].destination = found->second;
  }
  Instruction end;
  end.kind = Instruction::Kind::exit;
  end.line = lexer.peek().line;
  end.text = "}";
  kernel.code.push_back(std::move(end));
  builder = nullptr;
}

void Parser::parseParameters(Kernel &kernel) {
  if (lexer.take(")"))
    return;
  do {
    lexer.expect(".param");
    const uint32_t line = lexer.peek().line;
    uint64_t alignment = parseAlignment();
    const Type type = parseTypeName();
    if (lexer.take(".ptr")) {
      if (lexer.peek().is(".global") || lexer.peek().is(".shared") || lexer.peek().is(".const"))
        lexer.next();
      parseAlignment(); // of what it points at; every access is checked
    }
    const std::string_view name = lexer.word("a name").text;
    uint64_t bytes = bytesOf(type);
    if (lexer.take("[")) {
      bytes *= lexer.number("a length", 4096);
      lexer.expect("]");
    }
    alignment = std::max<uint64_t>(alignment, bytesOf(type));
    const uint64_t offset = (kernel.parameterBytes + alignment - 1) / alignment * alignment;
    if (offset + bytes > parameterBytes)
      parseError(line, "parameters of more than " + std::to_string(parameterBytes) +
                           " bytes, which a launch of this version of PTX takes");
    kernel.parameters.push_back(
        {std::string(name), static_cast<uint32_t>(offset), static_cast<uint32_t>(bytes)});
    kernel.parameterBytes = static_cast<uint32_t>(offset + bytes);
    addSymbol(name, {Space::param, offset}, line);
  } while (lexer.take(","));
  lexer.expect(")");
}

void Parser::parseBounds(Kernel &kernel) {
  while (lexer.peek().kind == Token::Kind::word) {
    const Token token = lexer.next();
    const bool most = token.text == ".maxntid", exact = token.text == ".reqntid";
    if (!most && !exact && token.text != ".minnctapersm" && token.text != ".maxnreg")
      parseError(token.line, "unknown directive '" + std::string(token.text) + "'");
    uint64_t product = 1;
    do
      product *= lexer.number("a number of threads", 1024);
    while (lexer.take(",") && product <= 1024);
    if ((most || exact) && (product == 0 || product > 1024))
      parseError(token.line, "a block of 1 to 1024 threads expected");
    if (most || exact)
      kernel.maxThreads = static_cast<uint32_t>(product);
    kernel.exactThreads |= exact;
  }
}

void Parser::parseBody() {
  for (int depth = 1; depth > 0;) {
    const Token &token = lexer.peek();
    if (builder->kernel.code.size() > mostInstructions)
      parseError(token.line, "a kernel of more than a million instructions");
    if (lexer.take("}")) {
      --depth;
    } else if (lexer.take("{")) {
      ++depth; // names stay known behind its end, which no valid text notices
    } else if (lexer.take(".reg")) {
      parseRegisters();
    } else if (lexer.take(".shared")) {
      parseShared();
    } else if (lexer.take(".pragma")) {
      lexer.next();
      lexer.expect(";");
    } else if (token.is(".local")) {
      parseError(token.line,
                 "memory of a thread (.local) is not known here: no kernel of ds has it");
    } else if (token.kind == Token::Kind::end) {
      parseError(token.line, "a kernel without end");
    } else {
      parseInstruction();
    }
  }
}

/// .reg .type %name<count>; or .reg .type name, name;
void Parser::parseRegisters() {
  const unsigned bytes = bytesOf(parseTypeName());
  do {
    const Token name = lexer.word("a register");
    uint64_t count = 0;
    const bool many = lexer.take("<");
    if (many) {
      count = lexer.number("a number of registers", mostRegisters);
      lexer.expect(">");
    }
    if (builder->kernel.widths.size() + count > mostRegisters)
      parseError(name.line, "more than 65536 registers");
    if (!many)
      builder->registers[std::string(name.text)] = builder->newRegister(bytes);
    for (uint64_t index = 0; index < count; ++index)
      builder->registers[std::string(name.text) + std::to_string(index)] =
          builder->newRegister(bytes);
  } while (lexer.take(","));
  lexer.expect(";");
}

void Parser::parseInstruction() {
  const size_t begin = lexer.position();
  Statement statement;
  statement.builder = builder;
  statement.line = lexer.peek().line;
  Instruction made;
  made.line = statement.line;
  if (lexer.take("@")) {
    made.guardNegated = lexer.take("!");
    const Operand guard = parseOperand(lexer, builder);
    if (guard.kind != Operand::Kind::reg || builder->kernel.widths[guard.reg] != 1)
      parseError(made.line, "a predicate expected");
    made.guard = static_cast<int32_t>(guard.reg);
  }
  const Token opcode = lexer.word("an instruction");
  if (made.guard < 0 && lexer.take(":")) {
    if (!labels.emplace(std::string(opcode.text), builder->kernel.code.size()).second)
      parseError(opcode.line, "label '" + std::string(opcode.text) + "' is there already");
    return;
  }
  statement.opcode = opcode.text;
  std::string_view rest = opcode.text;
  for (bool first = true; !rest.empty(); first = false) {
    const size_t dot = std::min(rest.find('.'), rest.size());
    if (first)
      statement.name = rest.substr(0, dot);
    else
      statement.modifiers.push_back(rest.substr(0, dot));
    rest.remove_prefix(std::min(dot + 1, rest.size()));
  }
  if (statement.name == "bra") {
    statement.take("uni");
    statement.finish(0);
    jumps.push_back({builder->kernel.code.size(), lexer.word("a label").text, made.line});
    made.kind = Instruction::Kind::branch;
    lexer.expect(";");
  } else {
    if (!lexer.peek().is(";"))
      statement.operands = parseList(lexer, builder, ";");
    else
      lexer.next();
    decode(statement, made);
  }
  made.text = lexer.slice(begin, lexer.lastEnd() - 1);
  builder->kernel.code.push_back(std::move(made));
}

} // namespace

std::shared_ptr<const Module> Module::parse(std::string text) {
  auto module = std::make_shared<ParsedModule>();
  module->text = std::move(text);
  Parser(*module).parseModule();
  return module;
}

} // namespace fake::ptx
