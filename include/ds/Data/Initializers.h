//===- Initializers.h - Initial values of parameters and states --*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// `zeros`, `ones`, `constant(C)`, `normal(STDDEV)`, `uniform(LIMIT)` and the variance-scaling
// family {glorot,he,lecun}_{uniform,normal}. Fans are those of JAX and Keras: the last two
// dimensions are input and output, the ones before them a receptive field (dense kernels [in, out],
// convolution kernels HWIO). The normal forms of the family are truncated at two standard
// deviations. Values depend on (seed, name, shape) alone.
//
//===----------------------------------------------------------------------===//
#ifndef DS_DATA_INITIALIZERS_H
#define DS_DATA_INITIALIZERS_H

#include "ds/Data/Array.h"

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"

namespace ds {

/// Returns the value that `initializer` gives an argument; an error is one sentence that names
/// `name`.
llvm::Expected<Array> initialValue(llvm::StringRef initializer, llvm::StringRef name,
                                   ElementType type, llvm::ArrayRef<int64_t> shape, uint64_t seed);

} // namespace ds

#endif // DS_DATA_INITIALIZERS_H
