//===- DiagnosticKind.h - Diagnostics for programs --------------*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef DS_SUPPORT_DIAGNOSTICKIND_H
#define DS_SUPPORT_DIAGNOSTICKIND_H

#include "ds/Support/CodedError.h"

#include "mlir/IR/Diagnostics.h"

namespace ds {

/// Attaches a kind to a diagnostic of MLIR, in its metadata.
void attach(const ErrorKind &kind, mlir::InFlightDiagnostic &diagnostic);
/// Returns the kind that a diagnostic carries.
ErrorKind kindOf(mlir::Diagnostic &diagnostic);

} // namespace ds

#endif // DS_SUPPORT_DIAGNOSTICKIND_H
