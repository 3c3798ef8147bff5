//===- MemoryAccess.cpp - Loads and stores, and their checks ----*- C++ -*-===//
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

uint64_t addressOf(Block &block, const Instruction &instruction, unsigned lane) {
  if (instruction.absolute)
    return instruction.offset;
  const uint32_t base = instruction.sources[0];
  return instruction.offset + (instruction.space == Space::shared && instruction.mode == 4
                                   ? block.cells<uint32_t>(base)[lane]
                                   : block.cells<uint64_t>(base)[lane]);
}

void requireAligned(const Block &block, const Instruction &instruction, unsigned lane,
                    uint64_t address, unsigned bytes) {
  if (address & (bytes - 1))
    block.fail(instruction, lane,
               "an access of " + std::to_string(bytes) + " bytes at an address that is " +
                   std::to_string(address & (bytes - 1)) + " more than a multiple",
               Finding::Kind::alignment);
}

//===----------------------------------------------------------------------===//
// Shared memory: between two barriers, a byte that a thread writes is that thread's alone.
//===----------------------------------------------------------------------===//

char *sharedAt(Block &block, const Instruction &instruction, unsigned lane, uint64_t address,
               unsigned bytes) {
  if (address > block.shared.size() || bytes > block.shared.size() - address)
    block.fail(instruction, lane,
               "accesses byte " + std::to_string(address) + " of " +
                   std::to_string(block.shared.size()) + " bytes of shared memory",
               Finding::Kind::address);
  return &block.shared[address];
}

[[noreturn]] void race(Block &block, const Instruction &instruction, unsigned lane,
                       uint64_t address, const char *what, const char *before, unsigned other,
                       const char *where = "shared memory") {
  block.fail(instruction, lane,
             "a race in " + std::string(where) + ": " + std::string(what) + " byte " +
                 std::to_string(address) + ", which thread " + std::to_string(other) + " " +
                 before + " since the last barrier");
}

/// Bit n of the result: byte n was not written in this block.
unsigned readShared(Block &block, const Instruction &instruction, unsigned lane, uint64_t address,
                    unsigned bytes) {
  unsigned unwritten = 0;
  for (unsigned byte = 0; byte < bytes; ++byte) {
    Block::Touch &touch = block.touches[address + byte];
    if (touch.writePhase == block.phase && touch.writer != lane)
      race(block, instruction, lane, address + byte, "reads", "wrote", touch.writer);
    if (touch.writePhase < block.firstPhase)
      unwritten |= 1u << byte;
    touch.severalReaders =
        touch.readPhase == block.phase && (touch.severalReaders || touch.reader != lane);
    touch.readPhase = block.phase;
    touch.reader = static_cast<uint16_t>(lane);
  }
  return unwritten;
}

void writeShared(Block &block, const Instruction &instruction, unsigned lane, uint64_t address,
                 unsigned bytes) {
  for (unsigned byte = 0; byte < bytes; ++byte) {
    Block::Touch &touch = block.touches[address + byte];
    if (touch.writePhase == block.phase && touch.writer != lane)
      race(block, instruction, lane, address + byte, "writes", "wrote", touch.writer);
    if (touch.readPhase == block.phase && (touch.severalReaders || touch.reader != lane))
      race(block, instruction, lane, address + byte, "writes", "read", touch.reader);
    touch.writePhase = block.phase;
    touch.writer = static_cast<uint16_t>(lane);
  }
}

//===----------------------------------------------------------------------===//
// Global memory: in one launch, a byte that a block writes is that block's alone. Its threads meet
// between a write and a read by another one, whichever comes first.
//===----------------------------------------------------------------------===//

constexpr unsigned laneBits = 10; // a block has at most 1,024 threads

constexpr uint32_t laneMask = (1u << laneBits) - 1;

uint32_t placeOf(const Block &block, unsigned lane) { return block.phase << laneBits | lane; }

constexpr uint32_t severalReaders = 1u << 31; // of Region::readBy, which counts fewer barriers

/// What `readBy` is behind a read by `lane`, if it was `before` in this block.
uint32_t readerBehind(uint32_t before, uint32_t here) {
  const uint32_t place = here & ~severalReaders, known = before & ~severalReaders;
  if (known >> laneBits != place >> laneBits)
    return place;
  return known == place ? before : before | severalReaders;
}

template <unsigned bytes>
unsigned readGlobal(Block &block, const Instruction &instruction, unsigned lane, Region &region,
                    size_t offset) {
  region.touch(offset);
  const uint32_t own = block.number();
  unsigned unwritten = 0;
  for (unsigned byte = 0; byte < bytes; ++byte) {
    const uint32_t writer = region.writer[offset + byte];
    if (writer != 0 && (writer != own || instruction.constant))
      block.fail(instruction, lane,
                 writer != own ? "reads what block " + std::to_string(writer - 1) +
                                     " writes in the same launch"
                               : "reads as constant (.nc) what this launch writes");
    if (writer != 0)
      if (const uint32_t place = region.writtenBy[offset + byte], here = placeOf(block, lane);
          place != here && place >> laneBits == here >> laneBits)
        race(block, instruction, lane, offset + byte, "reads", "wrote", place & laneMask,
             "an allocation");
    uint32_t &reader = region.reader[offset + byte], &by = region.readBy[offset + byte];
    const uint32_t before = reader & ~Region::constant, here = placeOf(block, lane);
    by = before == own ? readerBehind(by, here) : here & ~severalReaders;
    reader = (before == 0 || before == own ? own : Region::many) | (reader & Region::constant) |
             (instruction.constant ? Region::constant : 0);
    unwritten |= unsigned(region.written[offset + byte] == 0) << byte;
  }
  return unwritten;
}

template <unsigned bytes>
void writeGlobal(Block &block, const Instruction &instruction, unsigned lane, Region &region,
                 size_t offset) {
  region.touch(offset);
  const uint32_t own = block.number();
  for (unsigned byte = 0; byte < bytes; ++byte) {
    uint32_t &writer = region.writer[offset + byte];
    const uint32_t reader = region.reader[offset + byte];
    if (writer != 0 && writer != own)
      block.fail(instruction, lane,
                 "writes what block " + std::to_string(writer - 1) + " writes in the same launch");
    if (reader & Region::constant)
      block.fail(instruction, lane, "writes what this launch reads as constant (.nc)");
    if (reader != 0 && reader != own)
      block.fail(instruction, lane, "writes what another block reads in the same launch");
    const uint32_t by = region.readBy[offset + byte];
    const uint32_t here = placeOf(block, lane) & ~severalReaders;
    if (reader == own && by != here && (by & ~severalReaders) >> laneBits == here >> laneBits)
      race(block, instruction, lane, offset + byte, "writes", "read", by & laneMask,
           "an allocation");
    writer = own;
    region.writtenBy[offset + byte] = placeOf(block, lane);
    region.written[offset + byte] = 1;
  }
}

//===----------------------------------------------------------------------===//
// The instructions.
//===----------------------------------------------------------------------===//

/// `T` is an element in memory, `Cell` the register it goes to; instruction.from says whether it is
/// extended by its sign.
template <typename T, typename Cell>
void load(Block &block, const Instruction &instruction, const Lanes &lanes) {
  const auto width = static_cast<unsigned>(instruction.targets.size());
  constexpr unsigned each = sizeof(T);
  if (!instruction.absolute)
    block.requireWritten(instruction, instruction.sources[0], lanes, "takes as address");
  // Before it is written to: the address may be the target.
  struct Found {
    const char *data;
    unsigned unwritten;
  };
  static thread_local std::vector<Found> found;
  found.clear();
  lanes.each([&](unsigned lane) {
    const uint64_t address = addressOf(block, instruction, lane);
    requireAligned(block, instruction, lane, address, each * width);
    if (instruction.space == Space::param) {
      if (address > block.parameterBytes() || each * width > block.parameterBytes() - address)
        block.fail(instruction, lane, "reads behind the parameters", Finding::Kind::address);
      for (unsigned index = 0; index < width; ++index)
        found.push_back({block.parameters() + address + index * each, 0});
    } else if (instruction.space == Space::shared) {
      const char *data = sharedAt(block, instruction, lane, address, each * width);
      for (unsigned index = 0; index < width; ++index)
        found.push_back({data + index * each,
                         readShared(block, instruction, lane, address + index * each, each)});
    } else {
      Region &region = block.region(instruction, lane, address, each * width, false);
      const size_t offset = address - region.begin;
      for (unsigned index = 0; index < width; ++index)
        found.push_back(
            {region.data + offset + index * each,
             readGlobal<each>(block, instruction, lane, region, offset + index * each)});
    }
  });
  for (unsigned index = 0; index < width; ++index) {
    const uint32_t reg = instruction.targets[index];
    Cell *cells = block.cells<Cell>(reg);
    unsigned any = 0;
    const Found *next = found.data() + index;
    lanes.each([&](unsigned lane) {
      T value;
      std::memcpy(&value, next->data, each);
      cells[lane] = static_cast<Cell>(value);
      any |= next->unwritten;
      next += width;
    });
    block.setWritten(reg, lanes);
    if (!any)
      continue;
    if (!block.mayBeUnwritten(reg))
      std::memset(block.unwritten(reg), 0, block.threads());
    block.setMayBeUnwritten(reg);
    next = found.data() + index;
    lanes.each([&](unsigned lane) {
      block.unwritten(reg)[lane] = static_cast<uint8_t>(next->unwritten);
      next += width;
    });
  }
}

template <typename T, typename Cell>
void store(Block &block, const Instruction &instruction, const Lanes &lanes) {
  constexpr unsigned each = sizeof(T);
  const size_t first = instruction.absolute ? 0 : 1;
  const auto width = static_cast<unsigned>(instruction.sources.size() - first);
  if (!instruction.absolute)
    block.requireWritten(instruction, instruction.sources[0], lanes, "takes as address");
  for (unsigned index = 0; index < width; ++index)
    block.requireWritten(instruction, instruction.sources[first + index], lanes, "stores", each);
  lanes.each([&](unsigned lane) {
    const uint64_t address = addressOf(block, instruction, lane);
    requireAligned(block, instruction, lane, address, each * width);
    char *data = nullptr;
    if (instruction.space == Space::shared) {
      data = sharedAt(block, instruction, lane, address, each * width);
      writeShared(block, instruction, lane, address, each * width);
    } else {
      Region &region = block.region(instruction, lane, address, each * width, true);
      const size_t offset = address - region.begin;
      for (unsigned index = 0; index < width; ++index)
        writeGlobal<each>(block, instruction, lane, region, offset + index * each);
      data = region.data + offset;
    }
    for (unsigned index = 0; index < width; ++index) {
      const T value = static_cast<T>(block.cells<Cell>(instruction.sources[first + index])[lane]);
      std::memcpy(data + index * each, &value, each);
    }
  });
}

template <template <typename, typename> class Choose, typename T> Execute *byCell(unsigned bytes) {
  switch (bytes) {
  case 2:
    return Choose<T, uint16_t>::run;
  case 4:
    return Choose<T, uint32_t>::run;
  case 8:
    return Choose<T, uint64_t>::run;
  default:
    return nullptr;
  }
}
template <typename T, typename Cell> struct Load {
  static constexpr Execute *run = load<T, Cell>;
};
template <typename T, typename Cell> struct Store {
  static constexpr Execute *run = store<T, Cell>;
};

/// Loads extend by the sign of the type; stores cut.
template <template <typename, typename> class Choose> Execute *choose(Type type, unsigned bytes) {
  switch (bytesOf(type)) {
  case 1:
    return isSigned(type) ? byCell<Choose, int8_t>(bytes) : byCell<Choose, uint8_t>(bytes);
  case 2:
    return isSigned(type) ? byCell<Choose, int16_t>(bytes) : byCell<Choose, uint16_t>(bytes);
  case 4:
    return isSigned(type) ? byCell<Choose, int32_t>(bytes) : byCell<Choose, uint32_t>(bytes);
  default:
    return byCell<Choose, uint64_t>(bytes);
  }
}

/// What a cache makes of it changes no result.
void takeCacheHints(Statement &statement) {
  for (const char *hint : {"weak", "ca", "cg", "cs", "lu", "cv", "wb", "wt"})
    statement.take(hint);
  for (size_t index = statement.modifiers.size(); index-- > 0;)
    if (statement.modifiers[index].substr(0, 2) == "L1" ||
        statement.modifiers[index].substr(0, 2) == "L2")
      statement.modifiers.erase(statement.modifiers.begin() + static_cast<std::ptrdiff_t>(index));
}

void decodeAddress(Statement &statement, const Operand &operand, Instruction &out) {
  if (operand.kind != Operand::Kind::address || operand.negated || operand.second >= 0)
    statement.fail("an address expected");
  out.offset = operand.bits;
  out.absolute = !operand.based;
  if (operand.based) {
    out.mode = statement.builder->kernel.widths[operand.reg];
    if (out.mode != 8 && !(out.mode == 4 && out.space == Space::shared))
      statement.fail("an address of " + std::to_string(8 * out.mode) + " bits");
    out.sources.push_back(operand.reg);
    return;
  }
  auto found = statement.builder->symbols.find(operand.name);
  if (found == statement.builder->symbols.end())
    statement.fail("no name '" + std::string(operand.name) + "'");
  if (found->second.space != out.space)
    statement.fail("'" + std::string(operand.name) + "' lies in another kind of memory");
  out.offset += found->second.address;
}

void decodeAccess(Statement &statement, Instruction &out) {
  const bool isLoad = statement.name == "ld";
  takeCacheHints(statement);
  out.kind = Instruction::Kind::memory;
  out.space = Space::global; // generic addresses are those of global memory
  if (statement.take("shared"))
    out.space = Space::shared;
  else if (isLoad && statement.take("param"))
    out.space = Space::param;
  else if (!statement.take("global"))
    statement.take("const");
  out.constant = isLoad && out.space == Space::global && statement.take("nc");
  static const char *const vectors[] = {"v2", "v4", "v8"};
  const int vector = statement.takeOne(vectors);
  const size_t width = vector < 0 ? 1 : size_t(2) << vector;
  out.type = statement.takeType();
  const unsigned bytes = bytesOf(out.type);
  if (out.type == Type::pred || bytes * width > 32)
    statement.fail("not known for this type");
  statement.finish(2);
  const Operand &value = statement.operands[isLoad ? 0 : 1];
  decodeAddress(statement, statement.operands[isLoad ? 1 : 0], out);
  const std::vector<Operand> parts =
      value.kind == Operand::Kind::vector ? value.parts : std::vector<Operand>{value};
  if (parts.size() != width || (width > 1) != (value.kind == Operand::Kind::vector))
    statement.fail(std::to_string(width) + " values expected");
  unsigned cell = 0;
  for (const Operand &part : parts) {
    const uint32_t reg = isLoad ? statement.target(part, std::max(bytes, 2u), true)
                                : statement.source(part, std::max(bytes, 2u), true);
    const unsigned own = statement.builder->kernel.widths[reg];
    if (cell && own != cell)
      statement.fail("registers of different sizes");
    cell = own;
    (isLoad ? out.targets : out.sources).push_back(reg);
  }
  out.run = isLoad ? choose<Load>(out.type, cell) : choose<Store>(out.type, cell);
  if (!out.run)
    statement.fail("not known for this type");
  out.site = statement.builder->kernel.memorySites++;
}

} // namespace

const std::vector<DecodeEntry> memoryInstructions = {{"ld", decodeAccess}, {"st", decodeAccess}};

} // namespace fake::ptx
