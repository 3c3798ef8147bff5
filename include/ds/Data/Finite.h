//===- Finite.h - Are all values finite -------------------------*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef DS_DATA_FINITE_H
#define DS_DATA_FINITE_H

#include "ds/Data/Array.h"

namespace ds {

/// Returns "inf", "-inf" or "nan" for the first element that is not finite; empty if all are, as
/// integers are. One pass, at the speed of memory.
std::string firstNotFinite(const Array &array);
/// The same for NaN alone.
std::string firstNan(const Array &array);

} // namespace ds

#endif // DS_DATA_FINITE_H
