//===- Nn.td - A dialect of three operations ---------------*- tablegen -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What ds is told of each operation stands in its list of traits: an elementwise operation, a contraction, one that ds is told
// nothing of, and two that the step itself says it of.
//
//===----------------------------------------------------------------------===//
#ifndef NN_NN_TD
#define NN_NN_TD

include "ds/Analysis/PlacementInterface.td"
include "ds/Analysis/ScalarRuleInterface.td"
include "mlir/IR/OpBase.td"
include "mlir/Interfaces/InferTypeOpInterface.td"
include "mlir/Interfaces/SideEffectInterfaces.td"

def Nn_Dialect : Dialect {
  let name = "nn";
  let summary = "layers and optimizers of a small compiler";
  let cppNamespace = "::nn";
}

class Nn_Op<string mnemonic, list<Trait> traits = []> : Op<Nn_Dialect, mnemonic, [Pure] # traits>;

def Nn_Tensor : StaticShapeTensorOf<[F32]>;

def GateOp : Nn_Op<"gate", [Elementwise, SameOperandsAndResultType,
                            DeclareOpInterfaceMethods<Ds_ScalarRuleOpInterface>]> {
  let summary = "a value where another one is positive, zero elsewhere";
  let description = [{
    `nn.gate %x by %x` is the activation relu, `nn.gate %dy by %x` its gradient.
  }];
  let arguments = (ins Nn_Tensor:$value, Nn_Tensor:$by);
  let results = (outs Nn_Tensor:$result);
  let assemblyFormat = "$value `by` $by attr-dict `:` type($result)";
}

def ContractOp : Nn_Op<"contract", [DeclareOpInterfaceMethods<Ds_PlacementOpInterface, ["getShardingRule"]>]> {
  let summary = "a sum of products over named dimensions";
  let description = [{
    `nn.contract "bi,io->bo" %x, %w` names the dimensions of both operands and of the result by letters, and sums over those
    that the result lacks.
  }];
  let arguments = (ins StrAttr:$subscripts, Nn_Tensor:$lhs, Nn_Tensor:$rhs);
  let results = (outs Nn_Tensor:$result);
  let assemblyFormat = "$subscripts $lhs `,` $rhs attr-dict `:` type($lhs) `,` type($rhs) `->` type($result)";
  let hasVerifier = 1;
  let extraClassDeclaration = [{
    /// The maps of both operands and of the result, from the loops that the letters are; empty if the letters are not
    /// as the verifier wants them.
    ::llvm::SmallVector<::mlir::AffineMap> getMaps();
  }];
}

def AdamOp : Nn_Op<"adam", [AllTypesMatch<["parameter", "mean", "variance", "gradient", "newParameter", "newMean",
                                           "newVariance"]>]> {
  let summary = "one step of Adam, in one operation";
  let description = [{
    The new parameter and the new moments, with the bias corrected for step `count`. ds knows no rule of it: it runs on whole
    operands.
  }];
  let arguments = (ins Nn_Tensor:$parameter, Nn_Tensor:$mean, Nn_Tensor:$variance, Nn_Tensor:$gradient,
                       TensorRankOf<[F32], [0]>:$count, DefaultValuedAttr<F32Attr, "0.001f">:$rate,
                       DefaultValuedAttr<F32Attr, "0.9f">:$beta1, DefaultValuedAttr<F32Attr, "0.999f">:$beta2,
                       DefaultValuedAttr<F32Attr, "1e-6f">:$epsilon);
  let results = (outs Nn_Tensor:$newParameter, Nn_Tensor:$newMean, Nn_Tensor:$newVariance);
  let assemblyFormat = [{
    $parameter `,` $mean `,` $variance `by` $gradient `at` $count attr-dict `:` type($parameter) `,` type($count)
  }];
}

def AddRowOp : Nn_Op<"add_row", [AllTypesMatch<["rows", "result"]>]> {
  let summary = "a row added to every row";
  let arguments = (ins Nn_Tensor:$rows, Nn_Tensor:$row);
  let results = (outs Nn_Tensor:$result);
  let assemblyFormat = "$rows `,` $row attr-dict `:` type($rows) `,` type($row)";
}

def SumRowsOp : Nn_Op<"sum_rows"> {
  let summary = "the sum of all rows";
  let arguments = (ins Nn_Tensor:$rows);
  let results = (outs Nn_Tensor:$result);
  let assemblyFormat = "$rows attr-dict `:` type($rows) `->` type($result)";
}

#endif // NN_NN_TD
