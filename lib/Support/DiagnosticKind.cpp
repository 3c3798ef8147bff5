//===- DiagnosticKind.cpp - Diagnostics for programs ------------*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "ds/Support/DiagnosticKind.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinAttributes.h"

namespace ds {

static constexpr llvm::StringLiteral codeName = "ds.code", fieldsName = "ds.fields";

void attach(const ErrorKind &kind, mlir::InFlightDiagnostic &diagnostic) {
  mlir::Diagnostic *underlying = diagnostic.getUnderlyingDiagnostic();
  if (!underlying)
    return;
  mlir::Builder builder(underlying->getLocation().getContext());
  mlir::NamedAttribute entries[] = {
      builder.getNamedAttr(codeName, builder.getI32IntegerAttr(kind.code)),
      builder.getNamedAttr(fieldsName, builder.getStringAttr(kind.fields))};
  underlying->getMetadata().push_back(
      mlir::DiagnosticArgument(mlir::Attribute(builder.getDictionaryAttr(entries))));
}

ErrorKind kindOf(mlir::Diagnostic &diagnostic) {
  for (mlir::DiagnosticArgument &argument : diagnostic.getMetadata()) {
    if (argument.getKind() != mlir::DiagnosticArgument::DiagnosticArgumentKind::Attribute)
      continue;
    auto entries = mlir::dyn_cast<mlir::DictionaryAttr>(argument.getAsAttribute());
    if (!entries)
      continue;
    auto code = entries.getAs<mlir::IntegerAttr>(codeName);
    auto fields = entries.getAs<mlir::StringAttr>(fieldsName);
    if (code && fields)
      return {static_cast<ds_code>(code.getInt()), fields.getValue().str()};
  }
  return {};
}

} // namespace ds
