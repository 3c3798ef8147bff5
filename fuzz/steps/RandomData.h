//===- RandomData.h - Values that a step starts from ------------*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Values follow from the seed and the argument's name. Rows of a batch differ in size, so that a
// rank which is left out, or counted twice, shows.
//
//===----------------------------------------------------------------------===//
#ifndef DS_LIB_FUZZ_RANDOMDATA_H
#define DS_LIB_FUZZ_RANDOMDATA_H

#include "ds/Data/Array.h"

namespace ds::fuzz {

/// Of a parameter, a state or a hyper-parameter.
Array initialValue(const ArgumentSpec &argument, uint64_t seed);
/// `rows` samples. Integers lie below the number that ends the name, for example 'ids.7'.
Array batchValue(const Manifest &manifest, const ArgumentSpec &argument, int64_t rows,
                 uint64_t seed, int64_t step);

} // namespace ds::fuzz

#endif // DS_LIB_FUZZ_RANDOMDATA_H
