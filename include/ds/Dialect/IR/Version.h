//===- Version.h - the version of the ds dialect ----------------*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef DS_DIALECT_IR_VERSION_H
#define DS_DIALECT_IR_VERSION_H

#include "mlir/Bytecode/BytecodeImplementation.h"

namespace ds {

/// The version that bytecode carries. It increases when an earlier ds could misread the output of
/// this one: an operation or attribute whose text has another meaning. New names need no new
/// version, since an earlier ds refuses them by name.
inline constexpr uint64_t dialectVersion = 1;

/// The version in which a file of bytecode was written, or is to be written
/// (`BytecodeWriterConfig::setDialectVersion`).
struct DsDialectVersion final : mlir::DialectVersion {
  explicit DsDialectVersion(uint64_t number = dialectVersion) : number(number) {}
  uint64_t number;
};

} // namespace ds

#endif // DS_DIALECT_IR_VERSION_H
