//===- Operands.h - Operands of an instruction ------------------*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef DSRT_TEST_FAKES_PTX_OPERANDS_H
#define DSRT_TEST_FAKES_PTX_OPERANDS_H

#include "Statement.h"

namespace fake::ptx {

/// A register, number, name, address or vector; numbers alone where there is no kernel.
Operand parseOperand(Lexer &lexer, KernelBuilder *builder);
/// Operands up to `end`, which is taken.
std::vector<Operand> parseList(Lexer &lexer, KernelBuilder *builder, std::string_view end);

} // namespace fake::ptx

#endif // DSRT_TEST_FAKES_PTX_OPERANDS_H
