//===- Conversion.cpp - Conversions between types ---------------*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Formats.h"
#include "Loops.h"

#include <algorithm>

namespace fake::ptx {
namespace {

// Instruction::mode of a conversion.
struct Mode {
  bool toInteger = false; // of a float to a whole float
  Rounding rounding = Rounding::nearest;
  bool ftz = false, saturate = false;

  uint32_t pack() const {
    return uint32_t(toInteger) | uint32_t(rounding) << 1 | uint32_t(ftz) << 4 |
           uint32_t(saturate) << 5;
  }
  static Mode of(uint32_t bits) {
    return {bool(bits & 1), static_cast<Rounding>(bits >> 1 & 7), bool(bits >> 4 & 1),
            bool(bits >> 5 & 1)};
  }
};

double loadFloat(Type type, uint64_t bits, bool ftz) {
  switch (type) {
  case Type::f16:
    return F16::load(static_cast<uint16_t>(bits));
  case Type::bf16:
    return BF16::load(static_cast<uint16_t>(bits));
  case Type::f32:
    return ftz ? F32<true>::load(static_cast<uint32_t>(bits))
               : F32<false>::load(static_cast<uint32_t>(bits));
  default:
    return F64::load(bits);
  }
}

uint64_t storeFloat(Type type, double value, Mode mode) {
  switch (type) {
  case Type::f16:
    return roundTo(5, 10, value, mode.rounding);
  case Type::bf16:
    return roundTo(8, 7, value, mode.rounding);
  case Type::f32: {
    const auto bits = static_cast<uint32_t>(roundTo(8, 23, value, mode.rounding));
    return mode.ftz ? F32<false>::store(F32<true>::load(bits)) : bits;
  }
  default:
    return F64::store(value);
  }
}

double toWhole(double value, Rounding rounding) {
  switch (rounding) {
  case Rounding::nearest:
    return std::nearbyint(value);
  case Rounding::zero:
    return std::trunc(value);
  case Rounding::down:
    return std::floor(value);
  case Rounding::up:
    return std::ceil(value);
  }
  return value;
}

/// What does not fit becomes the nearest number that does; what is no number becomes 0.
uint64_t toInteger(Type type, double value) {
  const unsigned bits = 8 * bytesOf(type);
  if (value != value)
    return 0;
  if (isSigned(type)) {
    const double limit = std::ldexp(1.0, int(bits) - 1);
    if (value >= limit)
      return (uint64_t(1) << (bits - 1)) - 1;
    return static_cast<uint64_t>(value < -limit ? INT64_MIN >> (64 - bits)
                                                : static_cast<int64_t>(value));
  }
  if (value >= std::ldexp(1.0, int(bits)))
    return ~uint64_t(0) >> (64 - bits);
  return value <= 0 ? 0 : static_cast<uint64_t>(value);
}

uint64_t fromInteger(const Instruction &instruction, uint64_t value, Mode mode) {
  const bool negative = isSigned(instruction.from) && static_cast<int64_t>(value) < 0;
  const uint64_t magnitude = negative ? -value : value;
  if (instruction.type == Type::f64) {
    const auto rounded = static_cast<double>(magnitude);
    return F64::store(negative ? -rounded : rounded);
  }
  return storeFloat(instruction.type, integerForRounding(negative, magnitude), mode);
}

uint64_t clamp(const Instruction &instruction, uint64_t value) {
  const unsigned bits = 8 * bytesOf(instruction.type);
  const bool negative = isSigned(instruction.from) && static_cast<int64_t>(value) < 0;
  if (!isSigned(instruction.type))
    return negative ? 0 : std::min(value, ~uint64_t(0) >> (64 - bits));
  const int64_t most = INT64_MAX >> (64 - bits);
  if (!negative)
    return std::min(value, static_cast<uint64_t>(most));
  return static_cast<uint64_t>(std::max(static_cast<int64_t>(value), -most - 1));
}

/// `value` is extended to 64 bits by its type.
uint64_t convert(const Instruction &instruction, uint64_t value) {
  const Mode mode = Mode::of(instruction.mode);
  const bool toFloat = isFloat(instruction.type);
  if (!isFloat(instruction.from)) {
    if (toFloat)
      return fromInteger(instruction, value, mode);
    return mode.saturate ? clamp(instruction, value) : value;
  }
  double number = loadFloat(instruction.from, value, mode.ftz);
  if (!toFloat)
    return toInteger(instruction.type, toWhole(number, mode.rounding));
  if (mode.toInteger)
    number = toWhole(number, mode.rounding);
  if (mode.saturate)
    number = number != number || number <= 0 ? 0.0 : std::min(number, 1.0);
  return storeFloat(instruction.type, number, mode);
}

uint64_t extend(Type type, uint64_t bits) {
  const unsigned unused = 64 - 8 * bytesOf(type);
  bits <<= unused;
  return isSigned(type) ? static_cast<uint64_t>(static_cast<int64_t>(bits) >> unused)
                        : bits >> unused;
}

// Registers may be wider than the types: a source is cut, a result extended.
template <typename To, typename From>
void convertCells(Block &block, const Instruction &instruction, const Lanes &lanes) {
  To *to = block.cells<To>(instruction.targets[0]);
  const From *from = block.cells<From>(instruction.sources[0]);
  const bool plain = !isFloat(instruction.type) && !isFloat(instruction.from) &&
                     !Mode::of(instruction.mode).saturate;
  const Type target = instruction.type, source = instruction.from;
  if (plain)
    return lanes.each([=](unsigned lane) {
      to[lane] = static_cast<To>(extend(target, extend(source, from[lane])));
    });
  lanes.each([=, &instruction](unsigned lane) {
    const uint64_t result = convert(instruction, extend(source, from[lane]));
    to[lane] = static_cast<To>(isFloat(target) ? result : extend(target, result));
  });
}

template <typename To> Execute *chooseSource(unsigned width) {
  return width == 2   ? static_cast<Execute *>(convertCells<To, uint16_t>)
         : width == 4 ? static_cast<Execute *>(convertCells<To, uint32_t>)
                      : convertCells<To, uint64_t>;
}

void decodeConvert(Statement &statement, Instruction &out) {
  static const char *const whole[] = {"rni", "rzi", "rmi", "rpi"};
  static const char *const rounded[] = {"rn", "rz", "rm", "rp"};
  Mode mode;
  const int integerRounding = statement.takeOne(whole), floatRounding = statement.takeOne(rounded);
  mode.ftz = statement.take("ftz");
  mode.saturate = statement.take("sat");
  const Type to = statement.takeType(), from = statement.takeType();
  const bool toFloat = isFloat(to), fromFloat = isFloat(from);
  // Where a rounding is needed, it must be said; where none is, none may be.
  const bool narrows = toFloat && (!fromFloat || bytesOf(to) < bytesOf(from) ||
                                   (bytesOf(to) == 2 && bytesOf(from) == 2 && to != from));
  const bool needsWhole = fromFloat && !toFloat;
  if (narrows ? floatRounding < 0 : floatRounding >= 0)
    statement.fail(narrows ? "a rounding expected" : "a rounding where nothing is rounded");
  if (needsWhole && integerRounding < 0)
    statement.fail("a rounding to a whole number expected");
  if (integerRounding >= 0 && !needsWhole && to != from)
    statement.fail("a rounding to a whole number where there is none");
  if (!toFloat && !fromFloat && integerRounding >= 0)
    statement.fail("a rounding where nothing is rounded");
  if (narrows && !fromFloat && floatRounding > 0)
    statement.fail("only '.rn' is known for whole numbers");
  if (mode.ftz && to != Type::f32 && from != Type::f32)
    statement.fail("'.ftz' without f32");
  if (mode.saturate && toFloat && bytesOf(to) == 8)
    statement.fail("'.sat' is not known for this type");
  if (to == Type::pred || from == Type::pred)
    statement.fail("not known for this type");
  mode.toInteger = integerRounding >= 0 && toFloat;
  mode.rounding = static_cast<Rounding>(std::max({integerRounding, floatRounding, 0}));
  out.mode = mode.pack();
  out.type = to;
  out.from = from;
  statement.finish(2);
  const unsigned source = std::max(2u, bytesOf(from)), target = std::max(2u, bytesOf(to));
  out.targets = {statement.target(statement.operands[0], target, !toFloat)};
  out.sources = {statement.source(statement.operands[1], source, !fromFloat)};
  const unsigned width = statement.builder->kernel.widths[out.targets[0]];
  const unsigned sourceWidth = statement.builder->kernel.widths[out.sources[0]];
  out.run = width == 2   ? chooseSource<uint16_t>(sourceWidth)
            : width == 4 ? chooseSource<uint32_t>(sourceWidth)
                         : chooseSource<uint64_t>(sourceWidth);
}

} // namespace

const std::vector<DecodeEntry> conversionInstructions = {{"cvt", decodeConvert}};

} // namespace fake::ptx
