//===- DsEnums.td - enumerations of the ds dialect -*- tablegen -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef DS_DIALECT_IR_DSENUMS_TD
#define DS_DIALECT_IR_DSENUMS_TD

include "ds/Dialect/IR/DsDialect.td"
include "mlir/IR/EnumAttr.td"

def Ds_ReductionKind : I32EnumAttr<"ReductionKind", "how the values of the ranks are combined", [
    I32EnumAttrCase<"Sum", 0, "sum">, I32EnumAttrCase<"Mean", 1, "mean">,
    I32EnumAttrCase<"Max", 2, "max">, I32EnumAttrCase<"Min", 3, "min">,
    I32EnumAttrCase<"Prod", 4, "prod">, I32EnumAttrCase<"And", 5, "and">,
    I32EnumAttrCase<"Or", 6, "or">]> {
  let cppNamespace = "::ds";
  let genSpecializedAttr = 0;
}

// A purpose is what a collective is for. Buckets never cross it: a gradient must not wait for a metric.
def Ds_Purpose : I32EnumAttr<"Purpose", "what a collective is for", [
    I32EnumAttrCase<"Gradient", 0, "gradient">, I32EnumAttrCase<"State", 1, "state">,
    I32EnumAttrCase<"Metric", 2, "metric">, I32EnumAttrCase<"Activation", 3, "activation">]> {
  let cppNamespace = "::ds";
  let genSpecializedAttr = 0;
}

#endif // DS_DIALECT_IR_DSENUMS_TD
