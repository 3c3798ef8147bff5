//===- Values.h - Test data, and an independent reference reduction -*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The reference converts sixteen-bit floats by arithmetic on doubles and reduces element by
// element, so it shares nothing with the kernels under test.
//
//===----------------------------------------------------------------------===//
#ifndef DSRT_TEST_CTS_VALUES_H
#define DSRT_TEST_CTS_VALUES_H

#include "dsrt/dsrt.h"

#include <cstdint>
#include <string>
#include <vector>

namespace dsrt::cts {

/// Dense elements of one dtype. Memory of a vector is aligned for every dtype.
using Bytes = std::vector<char>;

/// What rank `rank` contributes: pseudo-random, a function of (rank, element, salt). Floats have
/// all their bits in use and stay near one, so that a product neither overflows nor vanishes.
Bytes contribution(dsrt_dtype dtype, int32_t rank, int64_t elements, uint32_t salt = 0);

/// The reduction of the contributions of `ranks`, from left to right.
Bytes reduced(dsrt_dtype dtype, dsrt_reduction reduction, const std::vector<int32_t> &ranks,
              int64_t elements, uint32_t salt = 0);

/// "" if equal, else a sentence about the first difference. `exact` compares bits; otherwise floats
/// may differ by what rounding in another order can give for `numRanks` values.
std::string compare(dsrt_dtype dtype, const char *got, const char *expected, int64_t elements,
                    bool exact, int32_t numRanks);

bool isFloat(dsrt_dtype dtype);
double halfToDouble(uint16_t bits);
uint16_t doubleToHalf(double value);
double bfloatToDouble(uint16_t bits);
uint16_t doubleToBfloat(double value);

} // namespace dsrt::cts

#endif // DSRT_TEST_CTS_VALUES_H
