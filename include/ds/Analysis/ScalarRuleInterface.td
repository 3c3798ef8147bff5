//===- ScalarRuleInterface.td - What a scalar computes -----*- tablegen -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Another compiler teaches ds the scalar operations of its own dialect by implementing this interface; those of arith
// and math are the table in lib/Analysis/Rules/Scalar.cpp.
//
//===----------------------------------------------------------------------===//
#ifndef DS_ANALYSIS_SCALARRULEINTERFACE_TD
#define DS_ANALYSIS_SCALARRULEINTERFACE_TD

include "mlir/IR/OpBase.td"

def Ds_ScalarRuleOpInterface : OpInterface<"ScalarRuleOpInterface"> {
  let cppNamespace = "::ds";
  let description = [{
    What an operation on scalars adds, what it multiplies, and which reduction it combines with. Placement asks this to keep
    partial values partial, to count replicated addends once, to divide a reduction, and to pair donated arguments. An
    operation without this interface is linear in nothing and combines nothing.
  }];
  let methods = [
    InterfaceMethod<[{
        The rule of one result: `return ds::ScalarRule::sum({ds::ScalarTerm::same(getXMutable()), ..})` and the like.
      }], "::ds::ScalarRule", "getScalarRule", (ins "unsigned":$result)>,
  ];
}

#endif // DS_ANALYSIS_SCALARRULEINTERFACE_TD
