//===- Headers.c - The headers in MLIR's C API are C --------------*- C -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "ds-c/mlir/Dialect.h"
#include "ds-c/mlir/Passes.h"
