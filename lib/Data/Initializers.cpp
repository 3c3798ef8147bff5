//===- Initializers.cpp - Initial values of parameters and states --*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Every initialiser is a distribution (constant, normal, truncated normal, uniform) and one number;
// the family's number follows from its fans. Values are drawn as double in row-major order and
// rounded once.
//
//===----------------------------------------------------------------------===//
#include "ds/Data/Initializers.h"

#include "ds/Data/Convert.h"
#include "ds/Data/Random.h"

#include "llvm/ADT/Twine.h"

#include <cmath>
#include <cstring>

namespace ds {

using llvm::ArrayRef;
using llvm::Error;
using llvm::Expected;
using llvm::StringRef;
using llvm::Twine;

namespace {
enum class Distribution { constant, uniform, normal, truncatedNormal };

struct Initializer {
  Distribution distribution;
  double parameter; // value, limit or standard deviation
};

struct Family {
  const char *name;
  double scale;
  bool averageFans; // (in + out) / 2 rather than in
};
} // namespace

static constexpr Family families[] = {{"glorot", 1, true}, {"he", 2, false}, {"lecun", 1, false}};

static Expected<Initializer> parse(StringRef text, StringRef name, ElementType type,
                                   ArrayRef<int64_t> shape) {
  auto fail = [&](const Twine &what) {
    return llvm::createStringError(llvm::inconvertibleErrorCode(),
                                   "initial value '" + text + "' of '" + name + "': " + what);
  };
  std::optional<Initializer> result;
  StringRef rest = text.trim();
  if (rest == "zeros")
    result = {Distribution::constant, 0};
  else if (rest == "ones")
    result = {Distribution::constant, 1};
  for (auto [keyword, distribution] :
       {std::pair("constant", Distribution::constant), std::pair("normal", Distribution::normal),
        std::pair("uniform", Distribution::uniform)}) {
    StringRef inner = rest;
    double number;
    if (!inner.consume_front(keyword) || !inner.consume_front("(") || !inner.consume_back(")"))
      continue;
    if (inner.trim().getAsDouble(number) || !std::isfinite(number) ||
        (distribution != Distribution::constant && number < 0))
      return fail("'" + inner + "' is no " +
                  (distribution == Distribution::constant ? "" : "non-negative ") + "number");
    result = {distribution, number};
  }
  for (const Family &family : families) {
    StringRef inner = rest;
    if (!inner.consume_front(family.name) || (inner != "_uniform" && inner != "_normal"))
      continue;
    if (shape.size() < 2)
      return fail("it needs at least two dimensions (input, output), got " + shapeToString(shape));
    double field = 1;
    for (int64_t size : shape.drop_back(2))
      field *= size;
    double in = field * shape[shape.size() - 2], out = field * shape.back();
    double variance = family.scale / (family.averageFans ? (in + out) / 2 : in);
    // 0.8796... is the standard deviation of a normal variable truncated to [-2, 2].
    result = inner == "_uniform" ? Initializer{Distribution::uniform, std::sqrt(3 * variance)}
                                 : Initializer{Distribution::truncatedNormal,
                                               std::sqrt(variance) / 0.87962566103423978};
  }
  if (!result)
    return fail("expected zeros, ones, constant(C), normal(S), uniform(L), "
                "glorot_uniform, glorot_normal, he_uniform, he_normal, lecun_uniform or "
                "lecun_normal");
  if (result->distribution != Distribution::constant && !isFloat(toDataType(type)))
    return fail(Twine("a random value needs a floating-point type, got ") + toString(type));
  return *result;
}

static double draw(const Initializer &initializer, RandomStream &random) {
  double value;
  switch (initializer.distribution) {
  case Distribution::constant:
    return initializer.parameter;
  case Distribution::uniform:
    return (2 * random.uniform() - 1) * initializer.parameter;
  case Distribution::normal:
    return random.normal() * initializer.parameter;
  case Distribution::truncatedNormal:
    do
      value = random.normal();
    while (std::fabs(value) > 2);
    return value * initializer.parameter;
  }
  abort(); // not an enumerator of the type
}

Expected<Array> initialValue(StringRef text, StringRef name, ElementType type,
                             ArrayRef<int64_t> shape, uint64_t seed) {
  auto initializer = parse(text, name, type, shape);
  if (!initializer)
    return initializer.takeError();
  uint8_t *bytes = nullptr;
  Array wide = Array::allocate(DataType::f64, shape, &bytes);
  RandomStream random(seed, name);
  for (int64_t i = 0, count = wide.elements(); i < count; ++i) {
    double value = draw(*initializer, random);
    memcpy(bytes + i * sizeof(value), &value, sizeof(value));
  }
  auto result = convertArray(wide, type);
  if (!result)
    return llvm::createStringError(llvm::inconvertibleErrorCode(),
                                   "initial value '" + text + "' of '" + name +
                                       "': " + llvm::toString(result.takeError()));
  return result;
}

} // namespace ds
