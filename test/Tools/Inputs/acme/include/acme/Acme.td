//===- Acme.td - A dialect that does not know ds ----------*- tablegen -*--===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
include "mlir/IR/OpBase.td"
include "mlir/Interfaces/SideEffectInterfaces.td"

def Acme_Dialect : Dialect {
  let name = "acme";
  let cppNamespace = "::acme";
}
class Acme_Op<string mnemonic> : Op<Acme_Dialect, mnemonic, [Pure]> {
  let results = (outs AnyStaticShapeTensor:$result);
}
def ContractOp : Acme_Op<"contract"> { let arguments = (ins AnyStaticShapeTensor:$lhs, AnyStaticShapeTensor:$rhs); }
def AddRowOp : Acme_Op<"add_row"> { let arguments = (ins AnyStaticShapeTensor:$rows, AnyStaticShapeTensor:$row); }
def SumRowsOp : Acme_Op<"sum_rows"> { let arguments = (ins AnyStaticShapeTensor:$rows, I64Attr:$tile); }
def PeakOp : Acme_Op<"peak"> { let arguments = (ins AnyStaticShapeTensor:$rows); }
