//===- Block.cpp - The threads of a block and their state -------*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Block.h"

#include <algorithm>
#include <climits>
#include <cstdio>
#include <cstring>
#include <iterator>

namespace fake::ptx {

unsigned bytesOf(Type type) {
  static const uint8_t bytes[] = {1, 2, 4, 8, 1, 2, 4, 8, 1, 2, 4, 8, 2, 2, 4, 8, 1};
  return bytes[static_cast<int>(type)];
}

Block::Block(const Kernel &kernel, const Launch &launch, Memory &memory)
    : kernel(kernel), launch(launch), memory(memory),
      numThreads(static_cast<unsigned>(launch.block.count())), stride((numThreads + 63) / 64 * 64) {
  uint32_t bytes = 0;
  for (uint8_t width : kernel.widths) {
    positions.push_back(bytes);
    bytes += width;
  }
  file.resize(size_t(bytes) * stride);
  shadow.resize(kernel.widths.size() * stride);
  partial.resize(kernel.widths.size());
  cached.resize(kernel.memorySites);
  shared.resize(kernel.sharedBytes);
  touches.resize(kernel.sharedBytes);
  arguments.resize(kernel.parameterBytes);
  for (size_t index = 0; index < kernel.parameters.size(); ++index)
    std::memcpy(&arguments[kernel.parameters[index].offset], launch.arguments[index].data(),
                kernel.parameters[index].bytes);
  for (auto [reg, bits] : kernel.constants)
    for (unsigned lane = 0; lane < numThreads; ++lane)
      std::memcpy(cells<char>(reg) + size_t(lane) * kernel.widths[reg], &bits, kernel.widths[reg]);
}

Block::~Block() {
  for (Region *region : visited)
    region->endLaunch();
}

void Block::fail(const Instruction &at, unsigned lane, const std::string &what,
                 Finding::Kind kind) const {
  auto place = [](uint32_t x, uint32_t y, uint32_t z) {
    return "(" + std::to_string(x) + ", " + std::to_string(y) + ", " + std::to_string(z) + ")";
  };
  const Dim &size = launch.block;
  throw Finding(kind, "kernel '" + kernel.name + "', line " + std::to_string(at.line) + " '" +
                          std::string(at.text) + "', block " +
                          place(blockIndex.x, blockIndex.y, blockIndex.z) + ", thread " +
                          place(lane % size.x, lane / size.x % size.y, lane / (size.x * size.y)) +
                          ": " + what);
}

void Block::start(Dim index, uint32_t number) {
  blockIndex = index;
  blockNumber = number;
  firstPhase = ++phase;
  std::fill(partial.begin(), partial.end(), 1);
  std::fill(shadow.begin(), shadow.end(), 0xff);
  for (auto [reg, bits] : kernel.constants)
    partial[reg] = 0;
  const Dim &size = launch.block, &grid = launch.grid;
  for (auto [reg, special] : kernel.specials) {
    partial[reg] = 0;
    uint32_t *values = cells<uint32_t>(reg);
    for (unsigned lane = 0; lane < numThreads; ++lane) {
      const uint32_t all[] = {lane % size.x,
                              lane / size.x % size.y,
                              lane / (size.x * size.y),
                              index.x,
                              index.y,
                              index.z,
                              size.x,
                              size.y,
                              size.z,
                              grid.x,
                              grid.y,
                              grid.z,
                              lane % 32};
      values[lane] = all[static_cast<int>(special)];
    }
  }
}

//===----------------------------------------------------------------------===//
// Groups of threads.
//===----------------------------------------------------------------------===//

void Block::run(Dim index, uint32_t number) {
  start(index, number);
  Group all{0, std::vector<uint16_t>(numThreads)};
  for (unsigned lane = 0; lane < numThreads; ++lane)
    all.lanes[lane] = static_cast<uint16_t>(lane);
  ready.clear();
  parked.clear();
  waiting.clear();
  ready.push_back(std::move(all));
  while (!ready.empty() || !waiting.empty() || !parked.empty()) {
    if (ready.empty() && !waiting.empty()) { // those that they wait for do not come
      ready.push_back(std::move(waiting.back()));
      waiting.pop_back();
    }
    if (ready.empty())
      openBarrier();
    auto behind = std::min_element(ready.begin(), ready.end(), [](const Group &a, const Group &b) {
      return a.place < b.place;
    });
    std::swap(*behind, ready.back());
    Group group = std::move(ready.back());
    ready.pop_back();
    advance(std::move(group));
  }
}

void Block::join(std::vector<Group> &groups, Group group) {
  if (group.lanes.empty())
    return;
  for (Group &other : groups) {
    if (other.place != group.place)
      continue;
    std::vector<uint16_t> both;
    both.reserve(other.lanes.size() + group.lanes.size());
    std::merge(other.lanes.begin(), other.lanes.end(), group.lanes.begin(), group.lanes.end(),
               std::back_inserter(both));
    other.lanes = std::move(both);
    return;
  }
  groups.push_back(std::move(group));
}

void Block::awaitWarps(Group &group) {
  auto before = std::find_if(waiting.begin(), waiting.end(),
                             [&](const Group &other) { return other.place == group.place; });
  if (before != waiting.end()) {
    std::vector<Group> both{std::move(*before)};
    waiting.erase(before);
    join(both, std::move(group));
    group = std::move(both.front());
  }
  if (group.lanes.size() == numThreads)
    return;
  std::vector<uint32_t> coming((numThreads + 31) / 32);
  for (const Group &other : ready)
    for (uint16_t lane : other.lanes)
      coming[lane / 32] |= 1u << lane % 32;
  Group early{group.place, {}};
  const uint32_t *members = cells<uint32_t>(kernel.code[group.place].sources[3]);
  auto isEarly = [&](uint16_t lane) { return (members[lane] & coming[lane / 32]) != 0; };
  std::copy_if(group.lanes.begin(), group.lanes.end(), std::back_inserter(early.lanes), isEarly);
  group.lanes.erase(std::remove_if(group.lanes.begin(), group.lanes.end(), isEarly),
                    group.lanes.end());
  join(waiting, std::move(early));
}

/// All threads that have not returned wait; bar.sync wants all of the block, at the same place.
void Block::openBarrier() {
  const Group &first = parked.front();
  const Instruction &barrier = kernel.code[first.place - 1];
  if (parked.size() > 1)
    fail(kernel.code[parked[1].place - 1], parked[1].lanes.front(),
         "waits at this barrier while thread " + std::to_string(first.lanes.front()) +
             " waits at that of line " + std::to_string(barrier.line));
  if (first.lanes.size() != numThreads)
    fail(barrier, first.lanes.front(),
         "a barrier that " + std::to_string(first.lanes.size()) + " of " +
             std::to_string(numThreads) + " threads reach: the others have returned");
  ready.swap(parked);
  ++phase;
}

void Block::charge(const Instruction &instruction, size_t count) {
  executed += count;
  if (executed > launch.budget)
    fail(instruction, 0, "no end after " + std::to_string(launch.budget) + " instructions");
}

void Block::split(const Instruction &instruction, const std::vector<uint16_t> &lanes,
                  std::vector<uint16_t> &yes, std::vector<uint16_t> &no) {
  yes.clear();
  no.clear();
  const auto guard = static_cast<uint32_t>(instruction.guard);
  requireWritten(instruction, guard, Lanes(lanes), "depends on");
  const uint8_t *values = cells<uint8_t>(guard);
  for (uint16_t lane : lanes)
    ((values[lane] != 0) != instruction.guardNegated ? yes : no).push_back(lane);
}

/// Runs a group until it ends, waits, divides, or reaches a place where another one is.
void Block::advance(Group group) {
  uint32_t next = UINT_MAX;
  for (const Group &other : ready)
    next = std::min(next, other.place);
  while (true) {
    if (group.place >= next)
      return join(ready, std::move(group));
    const Instruction &instruction = kernel.code[group.place];
    if (instruction.kind == Instruction::Kind::shuffle && instruction.guard < 0) {
      awaitWarps(group);
      if (group.lanes.empty())
        return;
    }
    charge(instruction, group.lanes.size());
    const std::vector<uint16_t> *lanes = &group.lanes;
    if (instruction.guard >= 0) {
      split(instruction, group.lanes, guarded, others);
      lanes = &guarded;
    }
    const bool all = instruction.guard < 0 || others.empty();
    ++group.place;
    if (lanes->empty())
      continue;
    switch (instruction.kind) {
    case Instruction::Kind::plain:
    case Instruction::Kind::memory:
    case Instruction::Kind::shuffle:
      execute(instruction, Lanes(*lanes));
      break;
    case Instruction::Kind::branch:
      if (all) {
        group.place = instruction.destination;
        break;
      }
      join(ready, {instruction.destination, guarded});
      return join(ready, {group.place, others});
    case Instruction::Kind::exit:
      if (all)
        return;
      group.lanes = others;
      break;
    case Instruction::Kind::barrier:
      if (!all)
        fail(instruction, others.front(), "a barrier in a branch that this thread does not take");
      return join(parked, std::move(group));
    }
  }
}

//===----------------------------------------------------------------------===//
// Values that nothing has written.
//===----------------------------------------------------------------------===//

void Block::setWritten(uint32_t reg, const Lanes &lanes) {
  if (!partial[reg])
    return;
  if (lanes.count == numThreads) {
    partial[reg] = 0;
    return;
  }
  uint8_t *marks = unwritten(reg);
  lanes.each([&](unsigned lane) { marks[lane] = 0; });
}

/// The first of `lanes` where bytes of the register are not written; -1 if there is none.
static int64_t firstUnwritten(const uint8_t *marks, unsigned width, const Lanes &lanes) {
  const auto whole = static_cast<uint8_t>((1u << width) - 1);
  int64_t found = -1;
  lanes.each([&](unsigned lane) {
    if (found < 0 && (marks[lane] & whole))
      found = lane;
  });
  return found;
}

void Block::requireWritten(const Instruction &at, uint32_t reg, const Lanes &lanes, const char *use,
                           unsigned bytes) {
  if (!partial[reg])
    return;
  const unsigned width = std::min<unsigned>(bytes, kernel.widths[reg]);
  if (int64_t lane = firstUnwritten(unwritten(reg), width, lanes); lane >= 0)
    fail(at, static_cast<unsigned>(lane), std::string(use) + " a value that nothing has written");
}

void Block::execute(const Instruction &instruction, const Lanes &lanes) {
  if (instruction.kind != Instruction::Kind::memory)
    for (uint32_t reg : instruction.sources)
      if (partial[reg] && firstUnwritten(unwritten(reg), kernel.widths[reg], lanes) >= 0)
        return executeUnwritten(instruction, lanes);
  instruction.run(*this, instruction, lanes);
  if (instruction.kind != Instruction::Kind::memory)
    for (uint32_t reg : instruction.targets)
      setWritten(reg, lanes);
}

/// Runs the instruction with two fillings of what is not written: where the results differ, they
/// are not written either. So a wide load may read padding that is shifted or masked away.
void Block::executeUnwritten(const Instruction &instruction, const Lanes &lanes) {
  if (instruction.strict)
    for (uint32_t reg : instruction.sources)
      requireWritten(instruction, reg, lanes, "uses");
  auto bytesOfCells = [&](uint32_t reg) { return size_t(kernel.widths[reg]) * stride; };
  std::vector<std::pair<uint32_t, std::vector<char>>> sources;
  std::vector<std::vector<uint8_t>> marks;
  for (uint32_t reg : instruction.sources) {
    if (!partial[reg])
      continue;
    sources.emplace_back(reg,
                         std::vector<char>(cells<char>(reg), cells<char>(reg) + bytesOfCells(reg)));
    marks.emplace_back(unwritten(reg), unwritten(reg) + stride);
  }
  auto runFilled = [&](char filling) {
    for (size_t index = 0; index < sources.size(); ++index) {
      auto &[reg, saved] = sources[index];
      const unsigned width = kernel.widths[reg];
      for (unsigned lane = 0; lane < numThreads; ++lane)
        for (unsigned byte = 0; byte < width; ++byte)
          if (marks[index][lane] >> byte & 1)
            // A predicate stays one.
            saved[size_t(lane) * width + byte] = width == 1 ? filling & 1 : filling;
      std::memcpy(cells<char>(reg), saved.data(), saved.size());
    }
    instruction.run(*this, instruction, lanes);
    std::vector<std::vector<char>> results;
    for (uint32_t reg : instruction.targets)
      results.emplace_back(cells<char>(reg), cells<char>(reg) + bytesOfCells(reg));
    return results;
  };
  const std::vector<std::vector<char>> zeros = runFilled(0), ones = runFilled(char(0xff));
  for (size_t index = 0; index < instruction.targets.size(); ++index) {
    const uint32_t reg = instruction.targets[index];
    const unsigned width = kernel.widths[reg];
    if (!partial[reg]) {
      std::fill_n(unwritten(reg), stride, 0);
      partial[reg] = 1;
    }
    lanes.each([&](unsigned lane) {
      uint8_t mark = 0;
      for (unsigned byte = 0; byte < width; ++byte) {
        const size_t at = size_t(lane) * width + byte;
        mark |= static_cast<uint8_t>((zeros[index][at] != ones[index][at]) << byte);
      }
      unwritten(reg)[lane] = mark;
    });
  }
  // An operand that is no result keeps its marks; its cells hold a filling, which is as good.
}

//===----------------------------------------------------------------------===//
// Memory.
//===----------------------------------------------------------------------===//

Region &Block::region(const Instruction &at, unsigned lane, uint64_t address, unsigned bytes,
                      bool write) {
  Region *&known = cached[at.site];
  if (!known || address < known->begin || address >= known->end || bytes > known->end - address) {
    Region *found = memory.find(address);
    for (size_t index = 0; !found && index < kernel.globals->size(); ++index)
      if (Region *global = (*kernel.globals)[index].get();
          address >= global->begin && address < global->end)
        found = global;
    if (!found || bytes > found->end - address) {
      auto number = [](uint64_t value) { return std::to_string(value); };
      char text[32];
      std::snprintf(text, sizeof text, "at 0x%llx", static_cast<unsigned long long>(address));
      const std::string place =
          found ? "behind the end of an allocation of " + number(found->end - found->begin) +
                      " bytes, at its byte " + number(address - found->begin)
          : known && address >= known->end
              ? "outside of every allocation, " + number(address - known->end) +
                    " behind the end of one of " + number(known->end - known->begin) + " bytes"
              : std::string("outside of every allocation, ") + text;
      fail(at, lane,
           std::string(write ? "writes " : "reads ") + std::to_string(bytes) + " bytes " + place,
           Finding::Kind::address);
    }
    known = found;
    if (std::find(visited.begin(), visited.end(), found) == visited.end())
      visited.push_back(found);
  }
  if (write && !known->writable)
    fail(at, lane, "writes a constant", Finding::Kind::address);
  return *known;
}

} // namespace fake::ptx
