//===- Convert.cpp - Elements of a file as elements of an argument --*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Elements are loaded in blocks into the widest type of their kind (double, int64, uint64), scaled
// there, and stored in the target type, so n sources and m targets take n + m loops and not n * m.
// A store reports the first element that it could not represent under the rules. One-byte sources
// (images) go through a table of 256 results.
//
//===----------------------------------------------------------------------===//
#include "ds/Data/Convert.h"

#include "ds/Support/Memory.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/Twine.h"
#include "llvm/Support/raw_ostream.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <limits>
#include <type_traits>

namespace ds {

using llvm::Expected;
using llvm::Twine;

namespace {
enum class Kind { real, signedInteger, unsignedInteger };
constexpr int64_t blockSize = 512;

/// Up to blockSize elements in the widest type of their kind.
struct Block {
  Kind kind;
  int64_t count;
  double reals[blockSize];
  int64_t integers[blockSize];
  uint64_t naturals[blockSize];
};
} // namespace

static void load(DataType type, const uint8_t *bytes, int64_t count, Block &block) {
  block.count = count;
  dispatch(type, [&](auto zero) {
    using Element = decltype(zero);
    const auto *elements = reinterpret_cast<const Element *>(bytes);
    if constexpr (isFloatElement<Element>) {
      block.kind = Kind::real;
      std::copy_n(elements, count, block.reals);
    } else if constexpr (std::is_signed_v<Element>) {
      block.kind = Kind::signedInteger;
      std::copy_n(elements, count, block.integers);
    } else {
      block.kind = Kind::unsignedInteger;
      std::copy_n(elements, count, block.naturals);
    }
  });
}

static void applyScale(const Scale &scale, Block &block) {
  if (block.kind == Kind::signedInteger)
    std::copy_n(block.integers, block.count, block.reals);
  else if (block.kind == Kind::unsignedInteger)
    std::copy_n(block.naturals, block.count, block.reals);
  block.kind = Kind::real;
  for (int64_t i = 0; i < block.count; ++i)
    block.reals[i] = block.reals[i] * scale.numerator / scale.denominator;
}

/// True if the type can hold the integer `value`.
template <typename Stored, typename Wide> static bool holds(Wide value) {
  using Limits = std::numeric_limits<Stored>;
  if constexpr (std::is_floating_point_v<Wide>) {
    // The upper limit plus one is a power of two, hence exact.
    double above = std::ldexp(1.0, Limits::digits);
    double below = std::is_signed_v<Stored> ? -above : 0.0;
    return value >= below && value < above && value == std::trunc(value);
  } else if constexpr (std::is_signed_v<Wide>) {
    return value >= 0 ? uint64_t(value) <= uint64_t(Limits::max())
                      : std::is_signed_v<Stored> && value >= int64_t(Limits::min());
  } else {
    return value <= uint64_t(Limits::max());
  }
}

/// The stores return the first element that the target cannot represent under the rules, or
/// `count`.
template <typename Stored, typename Wide>
static int64_t storeIntegers(const Wide *wide, int64_t count, void *target) {
  auto *elements = static_cast<Stored *>(target);
  int64_t bad = count;
  for (int64_t i = count; i-- > 0;) {
    bool ok = holds<Stored>(wide[i]);
    elements[i] = ok ? static_cast<Stored>(wide[i]) : Stored(0);
    if (!ok)
      bad = i;
  }
  return bad;
}

template <typename Wide>
static int64_t storeBooleans(const Wide *wide, int64_t count, void *target) {
  auto *elements = static_cast<uint8_t *>(target);
  int64_t bad = count;
  for (int64_t i = count; i-- > 0;) {
    elements[i] = wide[i] != Wide(0);
    if (wide[i] != Wide(0) && wide[i] != Wide(1))
      bad = i;
  }
  return bad;
}

template <typename Stored, typename Wide>
static int64_t storeReals(const Wide *wide, int64_t count, void *target) {
  auto *elements = static_cast<Stored *>(target);
  int64_t bad = count;
  for (int64_t i = count; i-- > 0;) {
    double value = static_cast<double>(wide[i]);
    elements[i] = Stored(value);
    double back = elements[i];
    bool ok;
    if constexpr (std::is_floating_point_v<Wide>)
      ok = std::isfinite(back) || !std::isfinite(value);
    else
      ok = back == value && holds<Wide>(back) && static_cast<Wide>(back) == wide[i];
    if (!ok)
      bad = i;
  }
  return bad;
}

template <typename Wide>
static int64_t storeAs(ElementType type, bool isUnsigned, const Wide *wide, int64_t count,
                       void *target) {
  return dispatch(toDataType(type, isUnsigned), [&](auto zero) {
    using Stored = decltype(zero);
    if constexpr (isFloatElement<Stored>)
      return storeReals<Stored>(wide, count, target);
    else if constexpr (std::is_same_v<Stored, Boolean>)
      return storeBooleans(wide, count, target);
    else
      return storeIntegers<Stored>(wide, count, target);
  });
}

static int64_t store(ElementType type, bool isUnsigned, const Block &block, void *target) {
  switch (block.kind) {
  case Kind::real:
    return storeAs(type, isUnsigned, block.reals, block.count, target);
  case Kind::signedInteger:
    return storeAs(type, isUnsigned, block.integers, block.count, target);
  case Kind::unsignedInteger:
    return storeAs(type, isUnsigned, block.naturals, block.count, target);
  }
  abort(); // not an enumerator of the type
}

/// Converts `count` elements in blocks; returns the first that does not fit, or `count`.
static int64_t convertBlocks(const Array &source, const std::optional<Scale> &scale,
                             ElementType type, bool isUnsigned, int64_t first, int64_t count,
                             uint8_t *target) {
  Block block;
  int64_t sourceSize = byteSize(source.type), targetSize = byteSize(type), bad = count;
  for (int64_t done = 0; done < count; done += blockSize) {
    int64_t part = std::min(blockSize, count - done);
    load(source.type, source.data + (first + done) * sourceSize, part, block);
    if (scale)
      applyScale(*scale, block);
    int64_t index = store(type, isUnsigned, block, target + done * targetSize);
    if (index < part)
      bad = std::min(bad, done + index);
  }
  return bad;
}

static std::string valueToString(const Array &source, int64_t index) {
  Block block;
  load(source.type, source.data + index * byteSize(source.type), 1, block);
  std::string text;
  llvm::raw_string_ostream stream(text);
  if (block.kind == Kind::real)
    stream << llvm::format("%g", block.reals[0]);
  else if (block.kind == Kind::signedInteger)
    stream << block.integers[0];
  else
    stream << block.naturals[0];
  return text;
}

Expected<Converter> Converter::create(const Array &source, ElementType target,
                                      std::optional<Scale> scale, bool isUnsigned,
                                      bool checksLater) {
  Converter converter;
  converter.source = source;
  converter.target = target;
  converter.scale = scale;
  converter.isUnsigned = isUnsigned;
  DataType stored = toDataType(target, isUnsigned);
  // A byte of a file may have any value; one that holds an i1 is 0 or 1.
  converter.identical = !scale && source.type == stored && source.type != DataType::boolean;
  if (converter.identical)
    return converter;

  if (byteSize(source.type) == 1) {
    int64_t size = byteSize(target);
    std::vector<uint8_t> values(256);
    for (int i = 0; i < 256; ++i)
      values[i] = i;
    Array all = Array::copy(source.type, {256}, values.data());
    converter.table.resize(256 * size);
    converter.fits.resize(256);
    for (int i = 0; i < 256; ++i)
      converter.fits[i] =
          convertBlocks(all, scale, target, isUnsigned, i, 1, &converter.table[i * size]) == 1;
  }
  if (!checksLater)
    if (auto bad = converter.firstUnfit(0, source.elements()))
      return llvm::createStringError(llvm::inconvertibleErrorCode(), converter.describeUnfit(*bad));
  return converter;
}

std::optional<int64_t> Converter::firstUnfit(int64_t first, int64_t count) const {
  if (identical)
    return std::nullopt;
  if (!table.empty()) {
    if (!llvm::is_contained(fits, false))
      return std::nullopt;
    for (int64_t i = first; i < first + count; ++i)
      if (!fits[source.data[i]])
        return i;
    return std::nullopt;
  }
  std::vector<uint8_t> scratch(blockSize * byteSize(target));
  for (int64_t done = 0; done < count; done += blockSize) {
    int64_t part = std::min(blockSize, count - done);
    int64_t index =
        convertBlocks(source, scale, target, isUnsigned, first + done, part, scratch.data());
    if (index < part)
      return first + done + index;
  }
  return std::nullopt;
}

std::string Converter::describeUnfit(int64_t element) const {
  bool mayRound = isFloat(source.type) || scale.has_value();
  const char *loss = mayRound ? ", does not fit " : ", does not convert without loss to ";
  std::string advice;
  if (!mayRound && isFloat(toDataType(target)))
    advice = "; an explicit scale allows rounding";
  return (Twine("element ") + Twine(element) + ", " + toString(source.type) + " " +
          valueToString(source, element) + (scale ? " after scaling" : "") + loss +
          toString(toDataType(target, isUnsigned)) + advice)
      .str();
}

void Converter::convert(int64_t first, int64_t count, void *out) const {
  if (count == 0)
    return;
  auto *bytes = static_cast<uint8_t *>(out);
  int64_t size = byteSize(target);
  if (identical) {
    memcpy(bytes, source.data + first * size, count * size);
  } else if (table.empty()) {
    convertBlocks(source, scale, target, isUnsigned, first, count, bytes);
  } else if (size == 4) { // images as f32: common enough for a loop of its own
    const auto *results = reinterpret_cast<const uint32_t *>(table.data());
    auto *elements = static_cast<uint32_t *>(out);
    for (int64_t i = 0; i < count; ++i)
      elements[i] = results[source.data[first + i]];
  } else {
    for (int64_t i = 0; i < count; ++i)
      memcpy(bytes + i * size, &table[source.data[first + i] * size], size);
  }
}

Expected<Array> convertArray(const Array &source, ElementType target, std::optional<Scale> scale) {
  auto converter = Converter::create(source, target, scale);
  if (!converter)
    return converter.takeError();
  if (converter->keepsBytes())
    return source;
  uint8_t *bytes = nullptr;
  if (llvm::Error error = checkMemory(Twine("its copy as ") + toString(target),
                                      source.elements() * byteSize(target)))
    return error;
  Array array = Array::allocate(toDataType(target), source.shape, &bytes);
  converter->convert(0, source.elements(), bytes);
  return array;
}

std::vector<double> toDoubles(const Array &source) {
  std::vector<double> values(source.elements());
  Block block;
  int64_t size = byteSize(source.type), count = source.elements();
  for (int64_t done = 0; done < count; done += blockSize) {
    int64_t part = std::min(blockSize, count - done);
    load(source.type, source.data + done * size, part, block);
    applyScale({}, block);
    std::copy_n(block.reals, part, values.begin() + done);
  }
  return values;
}

} // namespace ds
