//===- KernelsSimd.cpp - Elementwise kernels for one instruction set -*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Plain loops that the compiler vectorises; compiled once per instruction set (DSRT_ISA).
// Everything lives in an unnamed namespace and no standard header with inline functions is
// included: a function shared with other files could otherwise be linked in its AVX-512 form and
// run on a machine without it. `first` and `next` are two functions because a loop whose output may
// be its input does not vectorise.
//
// f16 is converted with integer arithmetic and two exact float operations, so that denormal halves
// survive on threads that flush denormal floats to zero.
//
//===----------------------------------------------------------------------===//
#include "Kernels.h"

namespace dsrt {
namespace {

//===----------------------------------------------------------------------===//
// Combiners. Integers wrap, so they are computed unsigned; 32 bits hold the product of two 16-bit
// values.
//===----------------------------------------------------------------------===//

template <typename T> struct Unsigned {
  using type = T;
};
template <> struct Unsigned<int64_t> {
  using type = uint64_t;
};
template <> struct Unsigned<int32_t> {
  using type = uint32_t;
};
template <> struct Unsigned<int16_t> {
  using type = uint32_t;
};
template <> struct Unsigned<uint16_t> {
  using type = uint32_t;
};
template <> struct Unsigned<int8_t> {
  using type = uint32_t;
};
template <> struct Unsigned<uint8_t> {
  using type = uint32_t;
};

struct Sum {
  template <typename T> static T apply(T a, T b) {
    using U = typename Unsigned<T>::type;
    return static_cast<T>(static_cast<U>(a) + static_cast<U>(b));
  }
};
struct Prod {
  template <typename T> static T apply(T a, T b) {
    using U = typename Unsigned<T>::type;
    return static_cast<T>(static_cast<U>(a) * static_cast<U>(b));
  }
};
// a != a: a is NaN and stays; if b is NaN, a > b is false and b is taken.
struct Max {
  template <typename T> static T apply(T a, T b) { return ((a > b) | (a != a)) ? a : b; }
};
struct Min {
  template <typename T> static T apply(T a, T b) { return ((a < b) | (a != a)) ? a : b; }
};
struct And {
  template <typename T> static T apply(T a, T b) { return static_cast<T>(a & b); }
};
struct Or {
  template <typename T> static T apply(T a, T b) { return static_cast<T>(a | b); }
};

template <typename T, typename Op> void first(void *out, const void *a, const void *b, int64_t n) {
  T *__restrict o = static_cast<T *>(out);
  const T *__restrict x = static_cast<const T *>(a);
  const T *__restrict y = static_cast<const T *>(b);
  for (int64_t i = 0; i < n; ++i)
    o[i] = Op::template apply<T>(x[i], y[i]);
}

template <typename T, typename Op> void next(void *acc, const void *b, int64_t n) {
  T *__restrict o = static_cast<T *>(acc);
  const T *__restrict y = static_cast<const T *>(b);
  for (int64_t i = 0; i < n; ++i)
    o[i] = Op::template apply<T>(o[i], y[i]);
}

// Every source is read and written once, with ordinary stores: the lines are in the cache, where
// `rep movsb` and non-temporal stores would throw them out (twice the time at the size of the
// cache).
template <typename T, typename Op, int sources, bool isMean>
void inPlace(void *const *buffers, int64_t n, double factor) {
  T *data[sources];
  for (int s = 0; s < sources; ++s)
    data[s] = static_cast<T *>(buffers[s]);
  const T by = static_cast<T>(factor);
#pragma GCC ivdep
  for (int64_t i = 0; i < n; ++i) {
    T value = data[0][i];
#pragma GCC unroll 8
    for (int s = 1; s < sources; ++s)
      value = Op::template apply<T>(value, data[s][i]);
    if (isMean)
      value = static_cast<T>(value * by);
#pragma GCC unroll 8
    for (int s = 0; s < sources; ++s)
      data[s][i] = value;
  }
}

// memcpy would use `rep movsb` here, too.
void copy(void *out, const void *in, int64_t bytes) {
  char *__restrict o = static_cast<char *>(out);
  const char *__restrict x = static_cast<const char *>(in);
  for (int64_t i = 0; i < bytes; ++i)
    o[i] = x[i];
}

template <typename T> void scale(T *__restrict data, T factor, int64_t n) {
  for (int64_t i = 0; i < n; ++i)
    data[i] *= factor;
}

//===----------------------------------------------------------------------===//
// Sixteen-bit floats.
//===----------------------------------------------------------------------===//

uint32_t bitsOf(float value) {
  uint32_t bits;
  __builtin_memcpy(&bits, &value, sizeof bits);
  return bits;
}
float floatOf(uint32_t bits) {
  float value;
  __builtin_memcpy(&value, &bits, sizeof value);
  return value;
}

void widenBF16(float *__restrict out, const void *in, int64_t n) {
  const uint16_t *__restrict x = static_cast<const uint16_t *>(in);
  for (int64_t i = 0; i < n; ++i)
    out[i] = floatOf(static_cast<uint32_t>(x[i]) << 16);
}

// Rounds to nearest even by adding half of the last kept place; a NaN is kept quiet instead,
// because the sum could overflow it.
void narrowBF16(void *out, const float *__restrict in, int64_t n) {
  uint16_t *__restrict o = static_cast<uint16_t *>(out);
  for (int64_t i = 0; i < n; ++i) {
    uint32_t bits = bitsOf(in[i]);
    uint32_t rounded = (bits + 0x7fffu + ((bits >> 16) & 1u)) >> 16;
    uint32_t quiet = (bits >> 16) | 0x40u;
    o[i] = static_cast<uint16_t>((bits & 0x7fffffffu) > 0x7f800000u ? quiet : rounded);
  }
}

void widenF16(float *__restrict out, const void *in, int64_t n) {
  const uint16_t *__restrict x = static_cast<const uint16_t *>(in);
  for (int64_t i = 0; i < n; ++i) {
    uint32_t half = x[i];
    uint32_t sign = (half & 0x8000u) << 16;
    uint32_t magnitude = half & 0x7fffu;
    // A denormal half is its mantissa times 2^-24, a normal float.
    uint32_t denormal = bitsOf(static_cast<float>(static_cast<int32_t>(magnitude)) * 0x1p-24f);
    uint32_t normal = (magnitude << 13) + (112u << 23);
    uint32_t special = (magnitude << 13) | 0x7f800000u; // infinity, NaN
    uint32_t value = magnitude < 0x400u ? denormal : magnitude < 0x7c00u ? normal : special;
    out[i] = floatOf(sign | value);
  }
}

void narrowF16(void *out, const float *__restrict in, int64_t n) {
  uint16_t *__restrict o = static_cast<uint16_t *>(out);
  for (int64_t i = 0; i < n; ++i) {
    uint32_t bits = bitsOf(in[i]);
    uint32_t sign = (bits >> 16) & 0x8000u;
    uint32_t magnitude = bits & 0x7fffffffu;
    // Below 2^-14 the result is denormal: the unit of 0.5f is 2^-24, so this addition rounds to
    // whole units.
    uint32_t denormal = bitsOf(floatOf(magnitude) + 0.5f) - bitsOf(0.5f);
    uint32_t normal = (magnitude - (112u << 23) + 0xfffu + ((magnitude >> 13) & 1u)) >> 13;
    uint32_t nan = 0x7e00u | ((magnitude >> 13) & 0x3ffu);
    uint32_t value = magnitude < (113u << 23) ? denormal
                     : magnitude < 0x477ff000u
                         ? normal // 65520 is the first that rounds to infinity
                     : magnitude <= 0x7f800000u ? 0x7c00u
                                                : nan;
    o[i] = static_cast<uint16_t>(sign | value);
  }
}

//===----------------------------------------------------------------------===//
// The table.
//===----------------------------------------------------------------------===//

template <typename T, typename Op, bool isMean>
void setInPlace(KernelTable &table, dsrt_dtype dtype, dsrt_reduction reduction) {
  auto &kernels = table.inPlace[dtype][reduction];
  kernels[placeOf(2)] = inPlace<T, Op, 2, isMean>;
  kernels[placeOf(3)] = inPlace<T, Op, 3, isMean>;
  kernels[placeOf(4)] = inPlace<T, Op, 4, isMean>;
  kernels[placeOf(8)] = inPlace<T, Op, 8, isMean>;
}
template <typename T, typename Op>
void setPair(KernelTable &table, dsrt_dtype dtype, dsrt_reduction reduction) {
  table.first[dtype][reduction] = first<T, Op>;
  table.next[dtype][reduction] = next<T, Op>;
  setInPlace<T, Op, false>(table, dtype, reduction);
}
template <typename T> void setOrdered(KernelTable &table, dsrt_dtype dtype) {
  setPair<T, Max>(table, dtype, DSRT_MAX);
  setPair<T, Min>(table, dtype, DSRT_MIN);
}
template <typename T> void setArithmetic(KernelTable &table, dsrt_dtype dtype) {
  setPair<T, Sum>(table, dtype, DSRT_SUM);
  setPair<T, Prod>(table, dtype, DSRT_PROD);
  setOrdered<T>(table, dtype);
}
template <typename T> void setBits(KernelTable &table, dsrt_dtype dtype) {
  setPair<T, And>(table, dtype, DSRT_AND);
  setPair<T, Or>(table, dtype, DSRT_OR);
}
template <typename T> void setFloat(KernelTable &table, dsrt_dtype dtype) {
  setArithmetic<T>(table, dtype);
  setPair<T, Sum>(table, dtype, DSRT_MEAN); // scaled at the end
  setInPlace<T, Sum, true>(table, dtype, DSRT_MEAN);
}
template <typename T> void setInteger(KernelTable &table, dsrt_dtype dtype) {
  setArithmetic<T>(table, dtype);
  setBits<T>(table, dtype);
}

KernelTable makeTable() {
  KernelTable table = {};
  table.copy = copy;
  setFloat<double>(table, DSRT_F64);
  setFloat<float>(table, DSRT_F32);
  setInteger<int64_t>(table, DSRT_I64);
  setInteger<int32_t>(table, DSRT_I32);
  setInteger<int16_t>(table, DSRT_I16);
  setInteger<int8_t>(table, DSRT_I8);
  setInteger<uint64_t>(table, DSRT_U64);
  setInteger<uint32_t>(table, DSRT_U32);
  setInteger<uint16_t>(table, DSRT_U16);
  setInteger<uint8_t>(table, DSRT_U8);
  setOrdered<uint8_t>(table, DSRT_I1);
  setBits<uint8_t>(table, DSRT_I1);
  table.widen[DSRT_BF16] = widenBF16;
  table.widen[DSRT_F16] = widenF16;
  table.narrow[DSRT_BF16] = narrowBF16;
  table.narrow[DSRT_F16] = narrowF16;
  table.scaleF32 = scale<float>;
  table.scaleF64 = scale<double>;
  return table;
}

} // namespace

#define DSRT_JOIN2(a, b) a##b
#define DSRT_JOIN(a, b) DSRT_JOIN2(a, b)
const KernelTable &DSRT_JOIN(kernels_, DSRT_ISA)() {
  static const KernelTable table = makeTable();
  return table;
}

} // namespace dsrt
