//===- Float.cpp - Arithmetic on floats -------------------------*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Only what is rounded to nearest: what .approx and .full return, and whether an assembler fuses a
// product and a sum without .rn, is the device's business, so its bits are not known.
//
//===----------------------------------------------------------------------===//
#include "Formats.h"
#include "Loops.h"

namespace fake::ptx {

void decodeInteger(Statement &statement, Instruction &out, Type type); // Integer.cpp

namespace {

struct Add {
  template <typename F> static typename F::Value of(typename F::Value a, typename F::Value b) {
    return a + b;
  }
};
struct Sub {
  template <typename F> static typename F::Value of(typename F::Value a, typename F::Value b) {
    return a - b;
  }
};
struct Mul {
  template <typename F> static typename F::Value of(typename F::Value a, typename F::Value b) {
    return a * b;
  }
};
struct Div {
  template <typename F> static typename F::Value of(typename F::Value a, typename F::Value b) {
    return a / b;
  }
};
/// The minimum or maximum: a number before what is none, unless `nan`; -0 is less than +0.
template <bool most, bool nan> struct Extreme {
  template <typename F> static typename F::Value of(typename F::Value a, typename F::Value b) {
    if (a != a)
      return nan ? a : b;
    if (b != b)
      return nan ? b : a;
    if (a == b)
      return std::signbit(a) == most ? b : a;
    return (a < b) == most ? b : a;
  }
};
struct Reciprocal {
  template <typename F> static typename F::Value of(typename F::Value a) { return 1 / a; }
};
struct Root {
  template <typename F> static typename F::Value of(typename F::Value a) { return std::sqrt(a); }
};

template <typename Op, typename F> struct Binary {
  static typename F::Bits of(typename F::Bits a, typename F::Bits b) {
    return F::store(Op::template of<F>(F::load(a), F::load(b)));
  }
};
template <typename Op, typename F> struct Unary {
  static typename F::Bits of(typename F::Bits a) {
    return F::store(Op::template of<F>(F::load(a)));
  }
};
template <typename F> struct Fused {
  static typename F::Bits of(typename F::Bits a, typename F::Bits b, typename F::Bits c) {
    return F::fused(F::load(a), F::load(b), F::load(c));
  }
};
/// The sign alone changes, of what is no number, too.
template <typename F, bool negate> struct Sign {
  static typename F::Bits of(typename F::Bits a) {
    constexpr auto sign = static_cast<typename F::Bits>(uint64_t(1) << (8 * sizeof(a) - 1));
    if constexpr (std::is_same_v<F, F32<true>>)
      if (F::load(a) == 0)
        a = static_cast<typename F::Bits>(a & sign);
    return static_cast<typename F::Bits>(negate ? a ^ sign : a & ~sign);
  }
};
template <typename F> struct CopySign {
  static typename F::Bits of(typename F::Bits signOf, typename F::Bits magnitude) {
    constexpr auto sign = static_cast<typename F::Bits>(uint64_t(1) << (8 * sizeof(signOf) - 1));
    return static_cast<typename F::Bits>((signOf & sign) | (magnitude & ~sign));
  }
};

template <typename Make> Execute *byFloat(Type type, bool ftz, Make make) {
  if (ftz && type != Type::f32)
    return nullptr;
  switch (type) {
  case Type::f16:
    return make(F16());
  case Type::bf16:
    return make(BF16());
  case Type::f32:
    return ftz ? make(F32<true>()) : make(F32<false>());
  case Type::f64:
    return make(F64());
  default:
    return nullptr;
  }
}
template <typename Op> Execute *floatBinary(Type type, bool ftz) {
  return byFloat(type, ftz, [](auto format) -> Execute * {
    using F = decltype(format);
    return binary<Binary<Op, F>, typename F::Bits>;
  });
}
template <typename Op> Execute *floatUnary(Type type, bool ftz) {
  return byFloat(type, ftz, [](auto format) -> Execute * {
    using F = decltype(format);
    return unary<Unary<Op, F>, typename F::Bits>;
  });
}
Execute *fused(Type type, bool ftz) {
  return byFloat(type, ftz, [](auto format) -> Execute * {
    using F = decltype(format);
    return ternary<Fused<F>, typename F::Bits>;
  });
}
template <bool negate> Execute *sign(Type type, bool ftz) {
  return byFloat(type, ftz, [](auto format) -> Execute * {
    using F = decltype(format);
    return unary<Sign<F, negate>, typename F::Bits>;
  });
}
Execute *copySign(Type type) {
  return byFloat(type, false, [](auto format) -> Execute * {
    using F = decltype(format);
    return binary<CopySign<F>, typename F::Bits>;
  });
}

struct Row {
  const char *name;
  unsigned sources;
  bool rounded; // must say .rn
  Execute *(*choose)(Type, bool ftz);
};
const Row rows[] = {{"add", 2, true, floatBinary<Add>},
                    {"sub", 2, true, floatBinary<Sub>},
                    {"mul", 2, true, floatBinary<Mul>},
                    {"div", 2, true, floatBinary<Div>},
                    {"fma", 3, true, fused},
                    {"rcp", 1, true, floatUnary<Reciprocal>},
                    {"sqrt", 1, true, floatUnary<Root>},
                    {"neg", 1, false, sign<true>},
                    {"abs", 1, false, sign<false>}};

void decodeFloat(Statement &statement, Instruction &out, Type type) {
  out.type = type;
  for (const char *inexact : {"approx", "full"})
    if (statement.take(inexact))
      statement.fail("'." + std::string(inexact) + "' has bits that are the device's own");
  const bool ftz = statement.take("ftz"), narrow = bytesOf(type) == 2;
  if (statement.name == "min" || statement.name == "max") {
    const bool nan = statement.take("NaN"), most = statement.name == "max";
    Execute *run = most  ? nan ? floatBinary<Extreme<true, true>>(type, ftz)
                               : floatBinary<Extreme<true, false>>(type, ftz)
                   : nan ? floatBinary<Extreme<false, true>>(type, ftz)
                         : floatBinary<Extreme<false, false>>(type, ftz);
    return decodeOperands(statement, out, 2, bytesOf(type), run);
  }
  for (const Row &row : rows) {
    if (statement.name != row.name)
      continue;
    if (row.rounded && !statement.take("rn"))
      statement.fail("only '.rn' is known: without it, an assembler may fuse operations");
    const bool wideOnly = row.choose == rows[3].choose || row.choose == rows[5].choose ||
                          row.choose == rows[6].choose; // div, rcp and sqrt
    return decodeOperands(statement, out, row.sources, bytesOf(type),
                          narrow && wideOnly ? nullptr : row.choose(type, ftz));
  }
  statement.fail("not known for this type");
}

/// Names that floats share with whole numbers.
void decodeArithmetic(Statement &statement, Instruction &out) {
  const Type type = statement.takeType();
  if (isFloat(type))
    decodeFloat(statement, out, type);
  else
    decodeInteger(statement, out, type);
}

void decodeFloatOnly(Statement &statement, Instruction &out) {
  for (const char *inexact : {"approx", "full"})
    if (statement.take(inexact))
      statement.fail("'." + std::string(inexact) + "' has bits that are the device's own");
  const Type type = statement.takeType();
  if (!isFloat(type))
    statement.fail("not known for this type");
  if (statement.name == "copysign")
    return decodeOperands(statement, out, 2, bytesOf(type),
                          bytesOf(type) == 2 ? nullptr : copySign(type));
  decodeFloat(statement, out, type);
}

} // namespace

const std::vector<DecodeEntry> floatInstructions = {
    {"add", decodeArithmetic}, {"sub", decodeArithmetic},     {"mul", decodeArithmetic},
    {"mad", decodeArithmetic}, {"div", decodeArithmetic},     {"rem", decodeArithmetic},
    {"min", decodeArithmetic}, {"max", decodeArithmetic},     {"neg", decodeArithmetic},
    {"abs", decodeArithmetic}, {"fma", decodeFloatOnly},      {"rcp", decodeFloatOnly},
    {"sqrt", decodeFloatOnly}, {"copysign", decodeFloatOnly}, {"ex2", decodeFloatOnly},
    {"lg2", decodeFloatOnly},  {"sin", decodeFloatOnly},      {"cos", decodeFloatOnly},
    {"tanh", decodeFloatOnly}, {"rsqrt", decodeFloatOnly}};

} // namespace fake::ptx
