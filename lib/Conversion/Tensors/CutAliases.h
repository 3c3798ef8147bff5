//===- CutAliases.h - Short chains of values in one memory ------*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef DS_CONVERSION_TENSORS_CUTALIASES_H
#define DS_CONVERSION_TENSORS_CUTALIASES_H

#include "mlir/Pass/Pass.h"

#include <memory>

namespace ds {

/// Before ds-set-destinations, which must see it: a chain of many values that may share memory is
/// cut by copies. A part of the pipeline, without options.
std::unique_ptr<mlir::Pass> createCutAliasesPass();

} // namespace ds

#endif // DS_CONVERSION_TENSORS_CUTALIASES_H
