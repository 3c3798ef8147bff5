//===- Acme.cpp - A dialect that does not know ds ---------------*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "acme/Acme.h"
using namespace mlir;
#include "acme/Dialect.cpp.inc"
#define GET_OP_CLASSES
#include "acme/Ops.cpp.inc"
void acme::AcmeDialect::initialize() {
  addOperations<
#define GET_OP_LIST
#include "acme/Ops.cpp.inc"
      >();
}
