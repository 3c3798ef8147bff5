//===- Statement.h - An instruction as it is written ------------*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the parser hands to the decoders, and what they need to make an Instruction of it.
//
//===----------------------------------------------------------------------===//
#ifndef DSRT_TEST_FAKES_PTX_STATEMENT_H
#define DSRT_TEST_FAKES_PTX_STATEMENT_H

#include "Lexer.h"
#include "Program.h"

namespace fake::ptx {

struct Operand {
  enum class Kind { none, reg, number, symbol, address, vector } kind = Kind::none;
  uint32_t reg = 0; // reg; base of address where `based`
  bool based = false, negated = false;
  bool readOnly = false;      // a special register
  uint64_t bits = 0;          // number; offset of address
  unsigned floatBytes = 0;    // of a number written as 0f.. or 0d..
  std::string_view name;      // symbol; of address where not based
  int64_t second = -1;        // the register behind '|'
  std::vector<Operand> parts; // vector
};

/// Where a name of the module or the kernel lies.
struct Symbol {
  Space space;
  uint64_t address;
};

struct KernelBuilder {
  Kernel &kernel;
  std::map<std::string, uint32_t, std::less<>> registers; // by name
  std::map<std::string, Symbol, std::less<>> symbols;
  std::map<std::pair<unsigned, uint64_t>, uint32_t> constants;
  std::map<Special, uint32_t> specials;

  uint32_t newRegister(unsigned bytes);
  uint32_t constant(unsigned bytes, uint64_t bits);
  uint32_t special(Special which);
};

struct Statement {
  uint32_t line = 0;
  std::string_view opcode;                 // "ld.global.nc.b32"
  std::string_view name;                   // "ld"
  std::vector<std::string_view> modifiers; // "global", "nc", "b32"
  std::vector<Operand> operands;
  KernelBuilder *builder = nullptr;

  [[noreturn]] void fail(const std::string &what) const;
  /// Removes a modifier; false if there is none.
  bool take(std::string_view modifier);
  /// Removes the first modifier that is a type.
  Type takeType();
  /// Removes the one that is there; its number in the list.
  template <size_t n> int takeOne(const char *const (&names)[n]) {
    for (size_t index = 0; index < n; ++index)
      if (take(names[index]))
        return static_cast<int>(index);
    return -1;
  }
  /// Fails unless all modifiers are taken and there are `wanted` operands.
  void finish(size_t wanted) const;
  /// An operand to write, of exactly so many bytes; or of at least as many where `wider`.
  uint32_t target(const Operand &operand, unsigned bytes, bool wider = false) const;
  /// An operand to read; numbers become constants of that size.
  uint32_t source(const Operand &operand, unsigned bytes, bool wider = false) const;
  uint32_t target(size_t index, unsigned bytes) const { return target(operands[index], bytes); }
  uint32_t source(size_t index, unsigned bytes) const { return source(operands[index], bytes); }
};

using Decode = void(Statement &, Instruction &);
struct DecodeEntry {
  const char *name;
  Decode *decode;
};
// Each family has a file.
extern const std::vector<DecodeEntry> integerInstructions, floatInstructions,
    conversionInstructions, comparisonInstructions, moveInstructions, memoryInstructions;

/// Fills all but the guard, the branch's destination and the text.
void decode(Statement &statement, Instruction &out);

/// d = f(a), d = f(a, b), d = f(a, b, c) with all of size `bytes`.
void decodeOperands(Statement &statement, Instruction &out, unsigned sources, unsigned bytes,
                    Execute *run);

} // namespace fake::ptx

#endif // DSRT_TEST_FAKES_PTX_STATEMENT_H
