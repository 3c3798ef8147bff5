//===- Moves.cpp - Copies, between threads too, and the end -----*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Loops.h"

#include <cstring>

namespace fake::ptx {
namespace {

struct Same {
  template <typename T> static T of(T a) { return a; }
};

Execute *sameOf(unsigned bytes) {
  switch (bytes) {
  case 1:
    return unary<Same, uint8_t>;
  case 2:
    return unary<Same, uint16_t>;
  case 4:
    return unary<Same, uint32_t>;
  default:
    return unary<Same, uint64_t>;
  }
}

/// One register of several, the first one lowest; mode: the bytes of a part.
void pack(Block &block, const Instruction &instruction, const Lanes &lanes) {
  const size_t part = instruction.mode, whole = part * instruction.sources.size();
  char *to = block.cells<char>(instruction.targets[0]);
  for (size_t index = 0; index < instruction.sources.size(); ++index) {
    const char *from = block.cells<char>(instruction.sources[index]);
    lanes.each([=](unsigned lane) {
      std::memcpy(to + lane * whole + index * part, from + lane * part, part);
    });
  }
}

void unpack(Block &block, const Instruction &instruction, const Lanes &lanes) {
  const size_t part = instruction.mode, whole = part * instruction.targets.size();
  const char *from = block.cells<char>(instruction.sources[0]);
  for (size_t index = 0; index < instruction.targets.size(); ++index) {
    char *to = block.cells<char>(instruction.targets[index]);
    lanes.each([=](unsigned lane) {
      std::memcpy(to + lane * part, from + lane * whole + index * part, part);
    });
  }
}

void decodeMove(Statement &statement, Instruction &out) {
  out.type = statement.takeType();
  const unsigned bytes = bytesOf(out.type);
  if (bytes == 1 && out.type != Type::pred)
    statement.fail("not known for this type");
  statement.finish(2);
  const Operand &to = statement.operands[0], &from = statement.operands[1];
  const bool packs = from.kind == Operand::Kind::vector;
  if (packs || to.kind == Operand::Kind::vector) {
    const auto &parts = packs ? from.parts : to.parts;
    if ((parts.size() != 2 && parts.size() != 4) || bytes / parts.size() < 2)
      statement.fail("2 or 4 parts of at least 16 bits expected");
    const auto part = static_cast<unsigned>(bytes / parts.size());
    out.mode = part;
    out.run = packs ? pack : unpack;
    (packs ? out.targets : out.sources) = {packs ? statement.target(to, bytes)
                                                 : statement.source(from, bytes)};
    for (const Operand &operand : parts)
      if (packs)
        out.sources.push_back(statement.source(operand, part));
      else
        out.targets.push_back(statement.target(operand, part));
    return;
  }
  out.run = sameOf(bytes);
  out.targets = {statement.target(to, bytes)};
  if (from.kind == Operand::Kind::symbol) {
    auto found = statement.builder->symbols.find(from.name);
    if (found == statement.builder->symbols.end())
      statement.fail("no name '" + std::string(from.name) + "'");
    if (found->second.space == Space::param ||
        bytes < (found->second.space == Space::shared ? 4 : 8))
      statement.fail("'" + std::string(from.name) + "' has no such address");
    out.sources = {statement.builder->constant(bytes, found->second.address)};
  } else {
    out.sources = {statement.source(from, bytes)};
  }
}

/// Addresses of global memory are generic ones, too; those of shared memory are not.
void decodeAddressSpace(Statement &statement, Instruction &out) {
  statement.take("to");
  const bool global = statement.take("global");
  if (!global && !statement.take("param") && !statement.take("const"))
    statement.fail("only addresses of global memory are known here");
  if (bytesOf(statement.takeType()) != 8)
    statement.fail("addresses have 64 bits here");
  decodeOperands(statement, out, 1, 8, sameOf(8));
}

//===----------------------------------------------------------------------===//
// Between the threads of a warp.
//===----------------------------------------------------------------------===//

enum class Shuffle { up, down, butterfly, index };
const char *const shuffles[] = {"up", "down", "bfly", "idx"};

void shuffle(Block &block, const Instruction &instruction, const Lanes &lanes) {
  const uint32_t *value = block.cells<uint32_t>(instruction.sources[0]);
  const uint32_t *operand = block.cells<uint32_t>(instruction.sources[1]);
  const uint32_t *bounds = block.cells<uint32_t>(instruction.sources[2]);
  const uint32_t *members = block.cells<uint32_t>(instruction.sources[3]);
  uint32_t *to = block.cells<uint32_t>(instruction.targets[0]);
  uint8_t *valid =
      instruction.targets.size() > 1 ? block.cells<uint8_t>(instruction.targets[1]) : nullptr;
  std::vector<uint32_t> before(block.threads()), here((block.threads() + 31) / 32);
  lanes.each([&](unsigned lane) {
    before[lane] = value[lane];
    here[lane / 32] |= 1u << lane % 32;
  });
  lanes.each([&](unsigned thread) {
    const uint32_t present = here[thread / 32], lane = thread % 32;
    if (!(members[thread] >> lane & 1))
      block.fail(instruction, thread, "shuffles without being named in the mask");
    if (const uint32_t absent = members[thread] & ~present)
      block.fail(instruction, thread,
                 "shuffles with thread " + std::to_string(__builtin_ctz(absent)) +
                     " of its warp, which is not here");
    const uint32_t b = operand[thread] & 31, clamp = bounds[thread] & 31;
    const uint32_t segment = bounds[thread] >> 8 & 31;
    const uint32_t last = (lane & segment) | (clamp & ~segment), first = lane & segment;
    uint32_t from = 0;
    bool inside = false;
    switch (static_cast<Shuffle>(instruction.mode)) {
    case Shuffle::up:
      from = lane - b;
      inside = static_cast<int32_t>(from) >= static_cast<int32_t>(last);
      break;
    case Shuffle::down:
      from = lane + b;
      inside = from <= last;
      break;
    case Shuffle::butterfly:
      from = lane ^ b;
      inside = from <= last;
      break;
    case Shuffle::index:
      from = first | (b & ~segment);
      inside = from <= last;
      break;
    }
    if (!inside)
      from = lane;
    if (!(present >> from & 1))
      block.fail(instruction, thread,
                 "reads thread " + std::to_string(from) + " of its warp, which is not here");
    to[thread] = before[thread / 32 * 32 + from];
    if (valid)
      valid[thread] = inside;
  });
}

void decodeShuffle(Statement &statement, Instruction &out) {
  const bool sync = statement.take("sync");
  const int way = statement.takeOne(shuffles);
  if (!sync || way < 0 || statement.takeType() != Type::b32)
    statement.fail("'shfl.sync' of 'up', 'down', 'bfly' or 'idx' and b32 expected");
  out.mode = static_cast<uint32_t>(way);
  out.kind = Instruction::Kind::shuffle;
  out.run = shuffle;
  statement.finish(5);
  Operand target = statement.operands[0];
  const int64_t second = target.second;
  target.second = -1;
  out.targets = {statement.target(target, 4)};
  if (second >= 0) {
    if (statement.builder->kernel.widths[static_cast<size_t>(second)] != 1)
      statement.fail("a predicate expected behind '|'");
    out.targets.push_back(static_cast<uint32_t>(second));
  }
  for (size_t index = 1; index < 5; ++index)
    out.sources.push_back(statement.source(index, 4));
}

//===----------------------------------------------------------------------===//
// Barriers and ends. Branches are the parser's, which knows the labels.
//===----------------------------------------------------------------------===//

void decodeBarrier(Statement &statement, Instruction &out) {
  statement.take("cta");
  if (!statement.take("sync"))
    statement.fail("'.sync' expected");
  statement.take("aligned");
  statement.finish(1);
  if (statement.operands[0].kind != Operand::Kind::number || statement.operands[0].bits != 0)
    statement.fail("only barrier 0 of all threads is known here");
  out.kind = Instruction::Kind::barrier;
}

void decodeExit(Statement &statement, Instruction &out) {
  statement.take("uni");
  statement.finish(0);
  out.kind = Instruction::Kind::exit;
}

} // namespace

const std::vector<DecodeEntry> moveInstructions = {
    {"mov", decodeMove},    {"cvta", decodeAddressSpace}, {"shfl", decodeShuffle},
    {"bar", decodeBarrier}, {"barrier", decodeBarrier},   {"ret", decodeExit},
    {"exit", decodeExit}};

} // namespace fake::ptx
