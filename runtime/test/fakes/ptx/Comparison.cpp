//===- Comparison.cpp - Predicates and choices ------------------*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Formats.h"
#include "Loops.h"

namespace fake::ptx {
namespace {

// The order of `comparisons`; from `equ` on, true where one operand is no number.
enum class Compare {
  eq,
  ne,
  lt,
  le,
  gt,
  ge,
  lo,
  ls,
  hi,
  hs,
  equ,
  neu,
  ltu,
  leu,
  gtu,
  geu,
  num,
  nan
};
const char *const comparisons[] = {"eq", "ne",  "lt",  "le",  "gt",  "ge",  "lo",  "ls",  "hi",
                                   "hs", "equ", "neu", "ltu", "leu", "gtu", "geu", "num", "nan"};

enum class Combine { none, land, lor, lxor };
uint32_t pack(Combine combine) { return static_cast<uint32_t>(combine); }

template <Compare compare, typename T> bool holds(T a, T b) {
  const bool ordered = a == a && b == b;
  switch (compare) {
  case Compare::eq:
    return a == b;
  case Compare::ne:
    return ordered && a != b;
  case Compare::lt:
  case Compare::lo:
    return a < b;
  case Compare::le:
  case Compare::ls:
    return a <= b;
  case Compare::gt:
  case Compare::hi:
    return a > b;
  case Compare::ge:
  case Compare::hs:
    return a >= b;
  case Compare::equ:
    return !ordered || a == b;
  case Compare::neu:
    return !ordered || a != b;
  case Compare::ltu:
    return !ordered || a < b;
  case Compare::leu:
    return !ordered || a <= b;
  case Compare::gtu:
    return !ordered || a > b;
  case Compare::geu:
    return !ordered || a >= b;
  case Compare::num:
    return ordered;
  case Compare::nan:
    return !ordered;
  }
  return false;
}

/// How bits become what is compared.
template <typename T> struct Whole {
  using Bits = T;
  static T load(T bits) { return bits; }
};

/// p = a ? b, q = !(a ? b), each combined with a predicate.
template <Compare compare, typename F>
void setPredicate(Block &block, const Instruction &instruction, const Lanes &lanes) {
  using Bits = typename F::Bits;
  uint8_t *to = block.cells<uint8_t>(instruction.targets[0]);
  const Bits *a = block.cells<Bits>(instruction.sources[0]);
  const Bits *b = block.cells<Bits>(instruction.sources[1]);
  const auto combine = static_cast<Combine>(instruction.mode);
  if (combine == Combine::none && instruction.targets.size() == 1)
    return lanes.each(
        [=](unsigned lane) { to[lane] = holds<compare>(F::load(a[lane]), F::load(b[lane])); });
  uint8_t *other =
      instruction.targets.size() > 1 ? block.cells<uint8_t>(instruction.targets[1]) : nullptr;
  const uint8_t *third =
      combine == Combine::none ? nullptr : block.cells<uint8_t>(instruction.sources[2]);
  lanes.each([=](unsigned lane) {
    const bool result = holds<compare>(F::load(a[lane]), F::load(b[lane]));
    const bool with = third && third[lane];
    auto joined = [&](bool value) {
      switch (combine) {
      case Combine::none:
        return value;
      case Combine::land:
        return value && with;
      case Combine::lor:
        return value || with;
      case Combine::lxor:
        return value != with;
      }
      return value;
    };
    to[lane] = joined(result);
    if (other)
      other[lane] = joined(!result);
  });
}

template <typename F, bool unsignedNames> Execute *chooseInteger(Compare compare) {
  switch (compare) {
  case Compare::eq:
    return setPredicate<Compare::eq, F>;
  case Compare::ne:
    return setPredicate<Compare::ne, F>;
  case Compare::lt:
    return setPredicate<Compare::lt, F>;
  case Compare::le:
    return setPredicate<Compare::le, F>;
  case Compare::gt:
    return setPredicate<Compare::gt, F>;
  case Compare::ge:
    return setPredicate<Compare::ge, F>;
  case Compare::lo:
    return unsignedNames ? setPredicate<Compare::lo, F> : nullptr;
  case Compare::ls:
    return unsignedNames ? setPredicate<Compare::ls, F> : nullptr;
  case Compare::hi:
    return unsignedNames ? setPredicate<Compare::hi, F> : nullptr;
  case Compare::hs:
    return unsignedNames ? setPredicate<Compare::hs, F> : nullptr;
  default:
    return nullptr;
  }
}

template <typename F> Execute *chooseFloat(Compare compare) {
  switch (compare) {
  case Compare::eq:
    return setPredicate<Compare::eq, F>;
  case Compare::ne:
    return setPredicate<Compare::ne, F>;
  case Compare::lt:
    return setPredicate<Compare::lt, F>;
  case Compare::le:
    return setPredicate<Compare::le, F>;
  case Compare::gt:
    return setPredicate<Compare::gt, F>;
  case Compare::ge:
    return setPredicate<Compare::ge, F>;
  case Compare::equ:
    return setPredicate<Compare::equ, F>;
  case Compare::neu:
    return setPredicate<Compare::neu, F>;
  case Compare::ltu:
    return setPredicate<Compare::ltu, F>;
  case Compare::leu:
    return setPredicate<Compare::leu, F>;
  case Compare::gtu:
    return setPredicate<Compare::gtu, F>;
  case Compare::geu:
    return setPredicate<Compare::geu, F>;
  case Compare::num:
    return setPredicate<Compare::num, F>;
  case Compare::nan:
    return setPredicate<Compare::nan, F>;
  default:
    return nullptr;
  }
}

Execute *choose(Type type, Compare compare, bool ftz) {
  if (ftz && type != Type::f32)
    return nullptr;
  switch (type) {
  case Type::b16:
  case Type::u16:
    return chooseInteger<Whole<uint16_t>, true>(compare);
  case Type::b32:
  case Type::u32:
    return chooseInteger<Whole<uint32_t>, true>(compare);
  case Type::b64:
  case Type::u64:
    return chooseInteger<Whole<uint64_t>, true>(compare);
  case Type::s16:
    return chooseInteger<Whole<int16_t>, false>(compare);
  case Type::s32:
    return chooseInteger<Whole<int32_t>, false>(compare);
  case Type::s64:
    return chooseInteger<Whole<int64_t>, false>(compare);
  case Type::f16:
    return chooseFloat<F16>(compare);
  case Type::bf16:
    return chooseFloat<BF16>(compare);
  case Type::f32:
    return ftz ? chooseFloat<F32<true>>(compare) : chooseFloat<F32<false>>(compare);
  case Type::f64:
    return chooseFloat<F64>(compare);
  default:
    return nullptr;
  }
}

void decodeSetPredicate(Statement &statement, Instruction &out) {
  static const char *const combines[] = {"and", "or", "xor"};
  const int compare = statement.takeOne(comparisons), combine = statement.takeOne(combines);
  const bool ftz = statement.take("ftz");
  out.type = statement.takeType();
  if (compare < 0)
    statement.fail("a comparison expected");
  out.run = choose(out.type, static_cast<Compare>(compare), ftz);
  if (!out.run)
    statement.fail("not known for this type");
  out.mode = pack(static_cast<Combine>(combine + 1));
  statement.finish(combine < 0 ? 3 : 4);
  Operand target = statement.operands[0];
  const int64_t second = target.second;
  target.second = -1;
  out.targets = {statement.target(target, 1)};
  if (second >= 0) {
    if (statement.builder->kernel.widths[static_cast<size_t>(second)] != 1)
      statement.fail("a predicate expected behind '|'");
    out.targets.push_back(static_cast<uint32_t>(second));
  }
  out.sources = {statement.source(1, bytesOf(out.type)), statement.source(2, bytesOf(out.type))};
  if (combine >= 0)
    out.sources.push_back(statement.source(3, 1));
}

//===----------------------------------------------------------------------===//
// What is chosen by a predicate, and what is asked of a float.
//===----------------------------------------------------------------------===//

struct Select {
  template <typename T> static T of(T a, T b, uint8_t first) { return first ? a : b; }
};

void decodeSelect(Statement &statement, Instruction &out) {
  out.type = statement.takeType();
  const unsigned bytes = bytesOf(out.type);
  if (bytes < 2)
    statement.fail("not known for this type");
  out.run =
      bytes == 2   ? static_cast<Execute *>(ternary<Select, uint16_t, uint16_t, uint16_t, uint8_t>)
      : bytes == 4 ? static_cast<Execute *>(ternary<Select, uint32_t, uint32_t, uint32_t, uint8_t>)
                   : ternary<Select, uint64_t, uint64_t, uint64_t, uint8_t>;
  statement.finish(4);
  out.targets = {statement.target(0, bytes)};
  out.sources = {statement.source(1, bytes), statement.source(2, bytes), statement.source(3, 1)};
}

// The order of `properties`.
enum class Property { finite, infinite, number, notANumber, normal, subnormal };
const char *const properties[] = {"finite",     "infinite", "number",
                                  "notanumber", "normal",   "subnormal"};

template <typename F>
void testProperty(Block &block, const Instruction &instruction, const Lanes &lanes) {
  uint8_t *to = block.cells<uint8_t>(instruction.targets[0]);
  const auto *from = block.cells<typename F::Bits>(instruction.sources[0]);
  const auto property = static_cast<Property>(instruction.mode);
  lanes.each([=](unsigned lane) {
    const auto value = F::load(from[lane]);
    bool result = false;
    switch (property) {
    case Property::finite:
      result = std::isfinite(value);
      break;
    case Property::infinite:
      result = std::isinf(value);
      break;
    case Property::number:
      result = !std::isnan(value);
      break;
    case Property::notANumber:
      result = std::isnan(value);
      break;
    case Property::normal:
      result = std::isnormal(value) || value == 0;
      break;
    case Property::subnormal:
      result = std::fpclassify(value) == FP_SUBNORMAL;
      break;
    }
    to[lane] = result;
  });
}

void decodeTestProperty(Statement &statement, Instruction &out) {
  const int property = statement.takeOne(properties);
  out.type = statement.takeType();
  if (property < 0 || (out.type != Type::f32 && out.type != Type::f64))
    statement.fail("a property of f32 or f64 expected");
  out.mode = static_cast<uint32_t>(property);
  out.run = out.type == Type::f32 ? testProperty<F32<false>> : testProperty<F64>;
  statement.finish(2);
  out.targets = {statement.target(0, 1)};
  out.sources = {statement.source(1, bytesOf(out.type))};
}

} // namespace

const std::vector<DecodeEntry> comparisonInstructions = {
    {"setp", decodeSetPredicate}, {"selp", decodeSelect}, {"testp", decodeTestProperty}};

} // namespace fake::ptx
