//===- SeedHash.h - The random key of a rank --------------------*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// With `decorrelate_seeds` word 0 of every key is combined by exclusive or with h(rank), where h is
// the 32-bit finaliser of MurmurHash3 (Appleby, public domain):
//   x ^= x >> 16; x *= 0x85ebca6b; x ^= x >> 13; x *= 0xc2b2ae35; x ^= x >> 16
// h is a bijection with h(0) = 0: no two ranks share a key, and rank 0 keeps that of one device. In
// wider words the upper half is unchanged; narrower words use the low bits.
//
//===----------------------------------------------------------------------===//
#ifndef DS_REWRITE_SEEDHASH_H
#define DS_REWRITE_SEEDHASH_H

#include "mlir/IR/Builders.h"

namespace ds {

/// Returns the key of rank `rank` (an index), from the key `seed` that all ranks share.
mlir::Value createSeedOfRank(mlir::OpBuilder &b, mlir::Location loc, mlir::Value seed,
                             mlir::Value rank);

} // namespace ds

#endif // DS_REWRITE_SEEDHASH_H
