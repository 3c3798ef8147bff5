//===- Statement.cpp - An instruction as it is written ----------*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Statement.h"

#include <algorithm>

namespace fake::ptx {

uint32_t KernelBuilder::newRegister(unsigned bytes) {
  kernel.widths.push_back(static_cast<uint8_t>(bytes));
  return static_cast<uint32_t>(kernel.widths.size() - 1);
}

uint32_t KernelBuilder::constant(unsigned bytes, uint64_t bits) {
  auto [entry, isNew] = constants.try_emplace({bytes, bits});
  if (isNew) {
    entry->second = newRegister(bytes);
    kernel.constants.emplace_back(entry->second, bits);
  }
  return entry->second;
}

uint32_t KernelBuilder::special(Special which) {
  auto [entry, isNew] = specials.try_emplace(which);
  if (isNew) {
    entry->second = newRegister(4);
    kernel.specials.emplace_back(entry->second, which);
  }
  return entry->second;
}

void Statement::fail(const std::string &what) const {
  parseError(line, what + " ('" + std::string(opcode) + "')");
}

bool Statement::take(std::string_view modifier) {
  auto found = std::find(modifiers.begin(), modifiers.end(), modifier);
  if (found == modifiers.end())
    return false;
  modifiers.erase(found);
  return true;
}

Type Statement::takeType() {
  static const char *const names[] = {"b8",  "b16", "b32", "b64", "u8",   "u16", "u32", "u64", "s8",
                                      "s16", "s32", "s64", "f16", "bf16", "f32", "f64", "pred"};
  for (auto modifier = modifiers.begin(); modifier != modifiers.end(); ++modifier)
    for (size_t index = 0; index < std::size(names); ++index)
      if (*modifier == names[index]) {
        modifiers.erase(modifier);
        return static_cast<Type>(index);
      }
  fail("a type expected");
}

void Statement::finish(size_t wanted) const {
  if (!modifiers.empty())
    fail("'." + std::string(modifiers.front()) + "' is not known here");
  if (operands.size() != wanted)
    fail(std::to_string(wanted) + " operands expected, not " + std::to_string(operands.size()));
}

uint32_t Statement::target(const Operand &operand, unsigned bytes, bool wider) const {
  if (operand.kind == Operand::Kind::none)
    return builder->newRegister(bytes); // '_': nobody reads it
  if (operand.kind != Operand::Kind::reg || operand.negated || operand.readOnly)
    fail("a register to write expected");
  const unsigned width = builder->kernel.widths[operand.reg];
  if (wider ? width < bytes : width != bytes)
    fail("a register of " + std::to_string(width) + " bytes for a result of " +
         std::to_string(bytes));
  return operand.reg;
}

uint32_t Statement::source(const Operand &operand, unsigned bytes, bool wider) const {
  if (operand.negated || operand.second >= 0)
    fail("an operand that is not known here");
  if (operand.kind == Operand::Kind::number) {
    if (operand.floatBytes && operand.floatBytes != bytes)
      fail("a float of " + std::to_string(operand.floatBytes) + " bytes for an operand of " +
           std::to_string(bytes));
    const uint64_t whole = bytes == 8 ? ~uint64_t(0) : (uint64_t(1) << (8 * bytes)) - 1;
    const uint64_t above = operand.bits & ~whole;
    if (above != 0 && above != ~whole)
      fail("a number that does not fit into " + std::to_string(bytes) + " bytes");
    return builder->constant(bytes, operand.bits & whole);
  }
  if (operand.kind != Operand::Kind::reg)
    fail("a register or a number expected");
  const unsigned width = builder->kernel.widths[operand.reg];
  if (wider ? width < bytes : width != bytes)
    fail("a register of " + std::to_string(width) + " bytes for an operand of " +
         std::to_string(bytes));
  return operand.reg;
}

void decodeOperands(Statement &statement, Instruction &out, unsigned sources, unsigned bytes,
                    Execute *run) {
  if (!run)
    statement.fail("not known for this type");
  statement.finish(1 + sources);
  out.run = run;
  out.targets = {statement.target(0, bytes)};
  for (unsigned index = 1; index <= sources; ++index)
    out.sources.push_back(statement.source(index, bytes));
}

void decode(Statement &statement, Instruction &out) {
  static const auto *all = [] {
    auto *made = new std::map<std::string_view, Decode *>;
    for (const std::vector<DecodeEntry> *family :
         {&integerInstructions, &floatInstructions, &conversionInstructions,
          &comparisonInstructions, &moveInstructions, &memoryInstructions})
      for (const DecodeEntry &entry : *family)
        made->emplace(entry.name, entry.decode);
    return made;
  }();
  auto found = all->find(statement.name);
  if (found == all->end())
    statement.fail("an instruction that the interpreter does not know");
  found->second(statement, out);
}

} // namespace fake::ptx
