//===- DsAttrs.cpp - syntax and checks of #ds.config ------------*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ds/Dialect/IR/Ds.h"

using namespace mlir;
using namespace ds;

Attribute ConfigAttr::parse(AsmParser &parser, Type) {
  NamedAttrList values;
  if (parser.parseLess() || parser.parseOptionalAttrDict(values) || parser.parseGreater())
    return {};
  return ConfigAttr::get(parser.getContext(), values.getDictionary(parser.getContext()));
}

void ConfigAttr::print(AsmPrinter &printer) const { printer << "<" << getValues() << ">"; }

LogicalResult ConfigAttr::verify(llvm::function_ref<InFlightDiagnostic()>, DictionaryAttr) {
  return success();
}
