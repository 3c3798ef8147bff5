//===- Program.h - A parsed kernel, ready to run ----------------*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef DSRT_TEST_FAKES_PTX_PROGRAM_H
#define DSRT_TEST_FAKES_PTX_PROGRAM_H

#include "Ptx.h"

#include <map>

namespace fake::ptx {

enum class Type : uint8_t {
  b8,
  b16,
  b32,
  b64,
  u8,
  u16,
  u32,
  u64,
  s8,
  s16,
  s32,
  s64,
  f16,
  bf16,
  f32,
  f64,
  pred
};
unsigned bytesOf(Type type);
inline bool isSigned(Type type) { return type >= Type::s8 && type <= Type::s64; }
inline bool isFloat(Type type) { return type >= Type::f16 && type <= Type::f64; }

/// Threads of a block that run an instruction, in order.
struct Lanes {
  const uint16_t *list;
  unsigned count, first;
  bool dense; // they are first, first + 1, ..

  explicit Lanes(const std::vector<uint16_t> &lanes)
      : list(lanes.data()), count(static_cast<unsigned>(lanes.size())),
        first(lanes.empty() ? 0 : lanes.front()),
        dense(!lanes.empty() && unsigned(lanes.back() - lanes.front()) + 1 == lanes.size()) {}

  template <typename Function> void each(Function function) const {
    if (dense) {
      for (unsigned lane = first, end = first + count; lane != end; ++lane)
        function(lane);
    } else {
      for (unsigned index = 0; index != count; ++index)
        function(list[index]);
    }
  }
};

class Block;
struct Instruction;
using Execute = void(Block &, const Instruction &, const Lanes &);

enum class Space : uint8_t { param, global, shared };

/// Operands are numbers of registers: constants and special registers have been given registers of
/// their own, filled before the first instruction.
struct Instruction {
  enum class Kind : uint8_t { plain, memory, shuffle, branch, exit, barrier };

  Kind kind = Kind::plain;
  Execute *run = nullptr; // of plain, memory and shuffle
  uint32_t line = 0;
  std::string_view text; // as written

  int32_t guard = -1; // a predicate
  bool guardNegated = false;

  std::vector<uint32_t> targets, sources;
  /// No operand may hold what nothing has written. Otherwise the result is what such bytes reach.
  bool strict = false;
  uint32_t mode = 0; // what `run` makes of it
  Type type = Type::b32, from = Type::b32;

  uint32_t destination = 0; // of a branch

  // Of memory: [sources[0] + offset], or [offset] where `absolute`; data are targets, or sources
  // from 1 (0 where absolute) on.
  Space space = Space::global;
  uint64_t offset = 0;
  bool absolute = false, constant = false;
  uint32_t site = 0; // counts the memory instructions of a kernel
};

struct Parameter {
  std::string name;
  uint32_t offset, bytes;
};

enum class Special : uint8_t {
  tidX,
  tidY,
  tidZ,
  ctaidX,
  ctaidY,
  ctaidZ,
  ntidX,
  ntidY,
  ntidZ,
  nctaidX,
  nctaidY,
  nctaidZ,
  laneid
};

struct Kernel {
  std::string name;
  std::vector<Parameter> parameters;
  uint32_t parameterBytes = 0;
  uint32_t sharedBytes = 0;
  uint32_t maxThreads = 0;                              // .maxntid, 0: not said
  bool exactThreads = false;                            // .reqntid
  std::vector<uint8_t> widths;                          // of each register, in bytes
  std::vector<std::pair<uint32_t, uint64_t>> constants; // register, bits
  std::vector<std::pair<uint32_t, Special>> specials;
  std::vector<Instruction> code;
  uint32_t memorySites = 0;
  const std::vector<std::unique_ptr<Region>> *globals = nullptr; // of the module
};

} // namespace fake::ptx

#endif // DSRT_TEST_FAKES_PTX_PROGRAM_H
