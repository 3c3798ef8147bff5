//===- Integer.cpp - Integers and bits --------------------------*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Loops.h"

#include <algorithm>
#include <type_traits>

namespace fake::ptx {
namespace {

template <typename T> constexpr unsigned bitsOf = 8 * sizeof(T);

// Results are those of two's complement, so additions and products are made of unsigned numbers.
struct Add {
  template <typename T> static T of(T a, T b) { return static_cast<T>(uint64_t(a) + uint64_t(b)); }
};
struct Sub {
  template <typename T> static T of(T a, T b) { return static_cast<T>(uint64_t(a) - uint64_t(b)); }
};
struct Mul {
  template <typename T> static T of(T a, T b) { return static_cast<T>(uint64_t(a) * uint64_t(b)); }
};
struct Mad {
  template <typename T> static T of(T a, T b, T c) {
    return static_cast<T>(uint64_t(a) * uint64_t(b) + uint64_t(c));
  }
};
struct MulHigh {
  template <typename T> static T of(T a, T b) {
    if constexpr (std::is_signed_v<T>)
      return static_cast<T>((static_cast<__int128>(a) * b) >> bitsOf<T>);
    else
      return static_cast<T>((static_cast<unsigned __int128>(a) * b) >> bitsOf<T>);
  }
};
struct MadHigh {
  template <typename T> static T of(T a, T b, T c) { return Add::of(MulHigh::of(a, b), c); }
};
template <typename To> struct MulWide {
  template <typename T> static To of(T a, T b) { return Mul::of(To(a), To(b)); }
};
template <typename To> struct MadWide {
  template <typename T> static To of(T a, T b, To c) { return Mad::of(To(a), To(b), c); }
};
struct Min {
  template <typename T> static T of(T a, T b) { return std::min(a, b); }
};
struct Max {
  template <typename T> static T of(T a, T b) { return std::max(a, b); }
};
struct Neg {
  template <typename T> static T of(T a) { return static_cast<T>(-uint64_t(a)); }
};
struct Abs {
  template <typename T> static T of(T a) { return a < 0 ? Neg::of(a) : a; }
};
struct And {
  template <typename T> static T of(T a, T b) { return static_cast<T>(a & b); }
};
struct Or {
  template <typename T> static T of(T a, T b) { return static_cast<T>(a | b); }
};
struct Xor {
  template <typename T> static T of(T a, T b) { return static_cast<T>(a ^ b); }
};
struct Not {
  template <typename T> static T of(T a) { return static_cast<T>(~a); }
};
struct NotPredicate {
  static uint8_t of(uint8_t a) { return !a; }
};
struct ShiftLeft {
  template <typename T> static T of(T a, uint32_t n) {
    return n >= bitsOf<T> ? T(0) : static_cast<T>(uint64_t(a) << n);
  }
};
struct ShiftRight {
  template <typename T> static T of(T a, uint32_t n) {
    if constexpr (std::is_signed_v<T>)
      return static_cast<T>(a >> std::min(n, bitsOf<T> - 1));
    else
      return n >= bitsOf<T> ? T(0) : static_cast<T>(a >> n);
  }
};
template <bool left, bool clamp> struct Funnel {
  static uint32_t of(uint32_t low, uint32_t high, uint32_t n) {
    n = clamp ? std::min(n, 32u) : n & 31;
    const uint64_t both = uint64_t(high) << 32 | low;
    return static_cast<uint32_t>(left ? both << n >> 32 : both >> n);
  }
};
struct LeadingZeros {
  template <typename T> static uint32_t of(T a) {
    return a == 0 ? bitsOf<T> : static_cast<uint32_t>(__builtin_clzll(a)) - (64 - bitsOf<T>);
  }
};
struct Population {
  template <typename T> static uint32_t of(T a) {
    return static_cast<uint32_t>(__builtin_popcountll(a));
  }
};
struct Reverse {
  template <typename T> static T of(T a) {
    T reversed = 0;
    for (unsigned bit = 0; bit < bitsOf<T>; ++bit)
      reversed |= static_cast<T>((a >> bit & 1) << (bitsOf<T> - 1 - bit));
    return reversed;
  }
};
struct Extract {
  template <typename T> static T of(T a, uint32_t position, uint32_t length) {
    const unsigned p = position & 255, n = length & 255;
    if (n == 0)
      return 0;
    const unsigned last = std::min(p + n - 1, bitsOf<T> - 1);
    const bool sign = std::is_signed_v<T> && (uint64_t(a) >> last & 1);
    uint64_t field = p >= bitsOf<T> ? 0 : uint64_t(std::make_unsigned_t<T>(a)) >> p;
    const unsigned taken = p >= bitsOf<T> ? 0 : last - p + 1;
    const uint64_t mask = taken >= 64 ? ~uint64_t(0) : (uint64_t(1) << taken) - 1;
    return static_cast<T>((field & mask) | (sign ? ~mask : 0));
  }
};
struct Permute {
  static uint32_t of(uint32_t a, uint32_t b, uint32_t selector) {
    const uint64_t bytes = uint64_t(b) << 32 | a;
    uint32_t result = 0;
    for (unsigned index = 0; index < 4; ++index) {
      const unsigned choice = selector >> (4 * index) & 15;
      auto byte = static_cast<uint8_t>(bytes >> (8 * (choice & 7)));
      if (choice & 8)
        byte = byte & 0x80 ? 0xff : 0;
      result |= uint32_t(byte) << (8 * index);
    }
    return result;
  }
};

template <typename T>
void insertBits(Block &block, const Instruction &instruction, const Lanes &lanes) {
  T *to = block.cells<T>(instruction.targets[0]);
  const T *a = block.cells<T>(instruction.sources[0]), *b = block.cells<T>(instruction.sources[1]);
  const uint32_t *position = block.cells<uint32_t>(instruction.sources[2]);
  const uint32_t *length = block.cells<uint32_t>(instruction.sources[3]);
  lanes.each([=](unsigned lane) {
    const unsigned p = position[lane] & 255, n = length[lane] & 255;
    const uint64_t field = n >= 64 ? ~uint64_t(0) : (uint64_t(1) << n) - 1;
    const uint64_t mask = p >= 64 ? 0 : field << p, moved = p >= 64 ? 0 : uint64_t(a[lane]) << p;
    to[lane] = static_cast<T>((b[lane] & ~mask) | (moved & mask));
  });
}

/// Quotients, or remainders.
template <bool quotient, typename T>
void divide(Block &block, const Instruction &instruction, const Lanes &lanes) {
  T *to = block.cells<T>(instruction.targets[0]);
  const T *a = block.cells<T>(instruction.sources[0]), *b = block.cells<T>(instruction.sources[1]);
  lanes.each([&](unsigned lane) {
    if (b[lane] == 0)
      block.fail(instruction, lane, "divides a whole number by zero");
    if (std::is_signed_v<T> && b[lane] == static_cast<T>(-1))
      to[lane] = quotient ? Neg::of(a[lane]) : T(0); // the quotient may not fit
    else
      to[lane] = static_cast<T>(quotient ? a[lane] / b[lane] : a[lane] % b[lane]);
  });
}

//===----------------------------------------------------------------------===//
// Choice by type.
//===----------------------------------------------------------------------===//

/// `make(T())` for the whole numbers that arithmetic takes.
template <typename Make> Execute *byInteger(Type type, Make make) {
  switch (type) {
  case Type::b16:
  case Type::u16:
    return make(uint16_t());
  case Type::b32:
  case Type::u32:
    return make(uint32_t());
  case Type::b64:
  case Type::u64:
    return make(uint64_t());
  case Type::s16:
    return make(int16_t());
  case Type::s32:
    return make(int32_t());
  case Type::s64:
    return make(int64_t());
  default:
    return nullptr;
  }
}
template <typename Op> Execute *integerBinary(Type type) {
  return byInteger(type, [](auto value) -> Execute * { return binary<Op, decltype(value)>; });
}
template <typename Op> Execute *integerUnary(Type type) {
  return byInteger(type, [](auto value) -> Execute * { return unary<Op, decltype(value)>; });
}
template <typename Op> Execute *bitBinary(Type type) {
  if (type == Type::pred)
    return binary<Op, uint8_t>;
  return type == Type::b16   ? static_cast<Execute *>(binary<Op, uint16_t>)
         : type == Type::b32 ? static_cast<Execute *>(binary<Op, uint32_t>)
         : type == Type::b64 ? static_cast<Execute *>(binary<Op, uint64_t>)
                             : nullptr;
}

template <typename Op> void decodeBits(Statement &statement, Instruction &out) {
  out.type = statement.takeType();
  decodeOperands(statement, out, 2, bytesOf(out.type), bitBinary<Op>(out.type));
}

void decodeNot(Statement &statement, Instruction &out) {
  out.type = statement.takeType();
  Execute *run = out.type == Type::pred ? static_cast<Execute *>(unary<NotPredicate, uint8_t>)
                                        : integerUnary<Not>(out.type);
  decodeOperands(statement, out, 1, bytesOf(out.type), run);
}

void decodeShift(Statement &statement, Instruction &out) {
  out.type = statement.takeType();
  const unsigned bytes = bytesOf(out.type);
  const bool left = statement.name == "shl";
  out.run = byInteger(out.type, [&](auto value) -> Execute * {
    using T = decltype(value);
    return left ? static_cast<Execute *>(binary<ShiftLeft, T, T, uint32_t>)
                : binary<ShiftRight, T, T, uint32_t>;
  });
  if (!out.run || (left && bytesOf(out.type) > 1 && isSigned(out.type)))
    statement.fail("not known for this type");
  statement.finish(3);
  out.targets = {statement.target(0, bytes)};
  out.sources = {statement.source(1, bytes), statement.source(2, 4)};
}

void decodeFunnel(Statement &statement, Instruction &out) {
  static const char *const sides[] = {"l", "r"}, *const ways[] = {"wrap", "clamp"};
  const int side = statement.takeOne(sides), way = statement.takeOne(ways);
  static Execute *const runs[2][2] = {
      {ternary<Funnel<true, false>, uint32_t>, ternary<Funnel<true, true>, uint32_t>},
      {ternary<Funnel<false, false>, uint32_t>, ternary<Funnel<false, true>, uint32_t>}};
  if (side < 0 || way < 0 || statement.takeType() != Type::b32)
    statement.fail("'shf.l' or 'shf.r' with '.wrap' or '.clamp' expected");
  decodeOperands(statement, out, 3, 4, runs[side][way]);
}

template <typename Op> void decodeCount(Statement &statement, Instruction &out) {
  out.type = statement.takeType();
  const unsigned bytes = bytesOf(out.type);
  if (out.type != Type::b32 && out.type != Type::b64)
    statement.fail("not known for this type");
  statement.finish(2);
  out.run =
      bytes == 4 ? static_cast<Execute *>(unary<Op, uint32_t>) : unary<Op, uint32_t, uint64_t>;
  out.targets = {statement.target(0, 4)};
  out.sources = {statement.source(1, bytes)};
}

void decodeReverse(Statement &statement, Instruction &out) {
  out.type = statement.takeType();
  if (out.type != Type::b32 && out.type != Type::b64)
    statement.fail("not known for this type");
  decodeOperands(statement, out, 1, bytesOf(out.type), integerUnary<Reverse>(out.type));
}

void decodeExtract(Statement &statement, Instruction &out) {
  out.type = statement.takeType();
  const unsigned bytes = bytesOf(out.type);
  out.run = byInteger(out.type, [](auto value) -> Execute * {
    using T = decltype(value);
    return ternary<Extract, T, T, uint32_t, uint32_t>;
  });
  if (!out.run || bytes == 2)
    statement.fail("not known for this type");
  statement.finish(4);
  out.targets = {statement.target(0, bytes)};
  out.sources = {statement.source(1, bytes), statement.source(2, 4), statement.source(3, 4)};
}

void decodeInsert(Statement &statement, Instruction &out) {
  out.type = statement.takeType();
  const unsigned bytes = bytesOf(out.type);
  if (out.type != Type::b32 && out.type != Type::b64)
    statement.fail("not known for this type");
  statement.finish(5);
  out.run = bytes == 4 ? insertBits<uint32_t> : insertBits<uint64_t>;
  out.targets = {statement.target(0, bytes)};
  out.sources = {statement.source(1, bytes), statement.source(2, bytes), statement.source(3, 4),
                 statement.source(4, 4)};
}

void decodePermute(Statement &statement, Instruction &out) {
  if (statement.takeType() != Type::b32)
    statement.fail("'prmt.b32' expected");
  decodeOperands(statement, out, 3, 4, ternary<Permute, uint32_t>);
}

} // namespace

/// Of the names that integers and floats share; see Float.cpp.
void decodeInteger(Statement &statement, Instruction &out, Type type) {
  const std::string_view name = statement.name;
  const unsigned bytes = bytesOf(type);
  out.type = type;
  if (name == "add")
    return decodeOperands(statement, out, 2, bytes, integerBinary<Add>(type));
  if (name == "sub")
    return decodeOperands(statement, out, 2, bytes, integerBinary<Sub>(type));
  if (name == "min" || name == "max")
    return decodeOperands(statement, out, 2, bytes,
                          name == "min" ? integerBinary<Min>(type) : integerBinary<Max>(type));
  if (name == "neg" || name == "abs") {
    if (!isSigned(type))
      statement.fail("not known for this type");
    return decodeOperands(statement, out, 1, bytes,
                          name == "neg" ? integerUnary<Neg>(type) : integerUnary<Abs>(type));
  }
  if (name == "div" || name == "rem") {
    const bool quotient = name == "div";
    decodeOperands(statement, out, 2, bytes, byInteger(type, [&](auto value) -> Execute * {
                     using T = decltype(value);
                     return quotient ? divide<true, T> : divide<false, T>;
                   }));
    out.strict = true;
    return;
  }
  const bool add = name == "mad"; // or "mul"
  if (statement.take("wide")) {
    out.run = byInteger(type, [&](auto value) -> Execute * {
      using T = decltype(value);
      using Wide = std::conditional_t<std::is_signed_v<T>,
                                      std::conditional_t<sizeof(T) == 2, int32_t, int64_t>,
                                      std::conditional_t<sizeof(T) == 2, uint32_t, uint64_t>>;
      return add ? static_cast<Execute *>(ternary<MadWide<Wide>, Wide, T, T>)
                 : binary<MulWide<Wide>, Wide, T>;
    });
    if (!out.run || bytes == 8)
      statement.fail("not known for this type");
    statement.finish(add ? 4 : 3);
    out.targets = {statement.target(0, 2 * bytes)};
    out.sources = {statement.source(1, bytes), statement.source(2, bytes)};
    if (add)
      out.sources.push_back(statement.source(3, 2 * bytes));
    return;
  }
  const bool high = statement.take("hi");
  if (!high && !statement.take("lo"))
    statement.fail("'.lo', '.hi' or '.wide' expected");
  Execute *run = byInteger(type, [&](auto value) -> Execute * {
    using T = decltype(value);
    if (add)
      return high ? ternary<MadHigh, T> : ternary<Mad, T>;
    return high ? binary<MulHigh, T> : binary<Mul, T>;
  });
  decodeOperands(statement, out, add ? 3 : 2, bytes, run);
}

const std::vector<DecodeEntry> integerInstructions = {{"and", decodeBits<And>},
                                                      {"or", decodeBits<Or>},
                                                      {"xor", decodeBits<Xor>},
                                                      {"not", decodeNot},
                                                      {"shl", decodeShift},
                                                      {"shr", decodeShift},
                                                      {"shf", decodeFunnel},
                                                      {"clz", decodeCount<LeadingZeros>},
                                                      {"popc", decodeCount<Population>},
                                                      {"brev", decodeReverse},
                                                      {"bfe", decodeExtract},
                                                      {"bfi", decodeInsert},
                                                      {"prmt", decodePermute}};

} // namespace fake::ptx
