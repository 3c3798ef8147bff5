//===- Passes.td - passes that distribute a step -----------*- tablegen -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// In the order in which the pipeline `ds-data-parallel` runs them. Every example is the text of a test.
//
//===----------------------------------------------------------------------===//

#ifndef DS_TRANSFORMS_PASSES_TD
#define DS_TRANSFORMS_PASSES_TD

include "mlir/Pass/PassBase.td"

def CheckConfigPass : Pass<"ds-check-config", "::mlir::ModuleOp"> {
  let summary = "normalise the configuration and refuse what is not built";
  let description = [{
    Writes `ds.config` in its normal form, after setting the keys of the option `config`. A value that is not built yet is an
    error here, in one line, rather than a step that silently does something else. `gradients_mean` beside
    `batch = global` is a warning: the step itself says what it averages.

    Input:
    ```mlir
    module attributes {ds.config = {device_num = 4 : i64, batch = "global"}} {}
    ```

    Output:
    ```mlir
    module attributes {ds.config = #ds.config<batch = global, device_num = 4>} {}
    ```
  }];
  let dependentDialects = ["::ds::DsDialect"];
  let options = [
    Option<"config", "config", "std::string", /*default=*/"\"\"",
           "Keys to set first, as in 'device_num=4,all_reduce_fusion_config=[20,35]'.">,
  ];
}

def AnnotateStepPass : Pass<"ds-annotate-step", "::mlir::ModuleOp"> {
  let summary = "derive roles for an unmodified step from donated arguments";
  let dependentDialects = ["::ds::DsDialect"];
  let options = [
    Option<"entry", "entry", "std::string", /*default=*/"\"\"",
           "The step; the module's only public function if empty.">,
    ListOption<"pairs", "pairs", "std::string",
               "Pairs 'argument:result' of a donated argument and the result that updates it, by number.">,
  ];
}

def DetectGradientsPass : Pass<"ds-detect-gradients", "::mlir::ModuleOp"> {
  let summary = "name the gradient of every parameter with ds.gradient";
  let dependentDialects = ["::ds::DsDialect"];
  let options = [
    Option<"entry", "entry", "std::string", /*default=*/"\"\"",
           "The step; the module's only public function if empty.">,
  ];
}

def InsertAllReducePass : Pass<"ds-insert-all-reduce", "::mlir::ModuleOp"> {
  let summary = "combine partial values over ranks at the cheapest cut";
  let dependentDialects = ["::ds::DsDialect", "::mlir::arith::ArithDialect", "::mlir::linalg::LinalgDialect",
                           "::mlir::tensor::TensorDialect"];
  let options = [
    Option<"entry", "entry", "std::string", /*default=*/"\"\"",
           "The step; the module's only public function if empty.">,
  ];
}

def LocalizeBatchPass : Pass<"ds-localize-batch", "::mlir::ModuleOp"> {
  let summary = "give every rank its rows of the whole batch (batch = global)";
  let dependentDialects = ["::ds::DsDialect", "::mlir::arith::ArithDialect", "::mlir::linalg::LinalgDialect",
                           "::mlir::tensor::TensorDialect"];
  let options = [
    Option<"entry", "entry", "std::string", /*default=*/"\"\"",
           "The step; the module's only public function if empty.">,
  ];
}

def ExpandOncePass : Pass<"ds-expand-once", "::mlir::ModuleOp"> {
  let summary = "write ds.once in terms of the rank's number";
  let description = [{
    A value counted once is the value on rank 0 and the identity of the reduction elsewhere. Runs after the last pass
    that analyses placements.
  }];
  let dependentDialects = ["::ds::DsDialect", "::mlir::arith::ArithDialect", "::mlir::linalg::LinalgDialect",
                           "::mlir::tensor::TensorDialect"];
}

def ApplyMeanPass : Pass<"ds-apply-mean", "::mlir::ModuleOp"> {
  let summary = "multiply all-reduced gradients by 1/n (gradients_mean)";
  let dependentDialects = ["::ds::DsDialect", "::mlir::arith::ArithDialect", "::mlir::linalg::LinalgDialect",
                           "::mlir::tensor::TensorDialect"];
}

def SyncPrecisionPass : Pass<"ds-sync-precision", "::mlir::ModuleOp"> {
  let summary = "let 16-bit gradients travel as f32 (gradient_fp32_sync)";
  let dependentDialects = ["::ds::DsDialect", "::mlir::arith::ArithDialect", "::mlir::linalg::LinalgDialect",
                           "::mlir::tensor::TensorDialect"];
}

def FuseAllReducePass : Pass<"ds-fuse-all-reduce", "::mlir::ModuleOp"> {
  let summary = "put all-reduces into buckets";
  let dependentDialects = ["::ds::DsDialect"];
}

def VerifySpmdPass : Pass<"ds-verify-spmd", "::mlir::ModuleOp"> {
  let summary = "check that all ranks meet in the same collectives in the same order";
  let dependentDialects = ["::ds::DsDialect"];
}

#endif // DS_TRANSFORMS_PASSES_TD
