//===- IndexCheck.h - Labels and tokens that a step cannot index with -----===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef DS_DATA_INDEXCHECK_H
#define DS_DATA_INDEXCHECK_H

#include "ds/Data/Convert.h"

namespace ds {

/// Elements of an array that an argument cannot hold.
struct OutOfRange {
  int64_t element = 0, value = 0; // the first
  int64_t count = 0;
};

/// Checks `elements` integers of the argument, which has a range, from `begin` on. None if all are
/// in range.
std::optional<OutOfRange> findOutOfRange(const Converter &array, int64_t begin, int64_t elements,
                                         const ArgumentSpec &argument);

/// Formats "12, expected an index from 0 to 9 or -100; 3 of 60000 are out of range".
std::string describeOutOfRange(const OutOfRange &found, int64_t elements,
                               const IntegerRange &range);

} // namespace ds

#endif // DS_DATA_INDEXCHECK_H
