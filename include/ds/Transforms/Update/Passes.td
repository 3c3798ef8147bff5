//===- Passes.td - When ranks exchange, and what -----------*- tablegen -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef DS_TRANSFORMS_UPDATE_PASSES
#define DS_TRANSFORMS_UPDATE_PASSES

include "mlir/Pass/PassBase.td"

def AddGradientNormPass : Pass<"ds-add-gradient-norm", "::mlir::ModuleOp"> {
  let summary = "add the norm of all gradients as a metric (gradient_norm)";
  let description = [{
    With `gradient_norm = true` the step returns one more metric, `gradient_norm`: the square root of the sum of the squares
    of all elements of the gradients, as `clip_by_global_norm` computes it, in f32 (in f64 where a gradient is of f64).

    - Gradients are the values that the update reads: the results of `ds.gradient`, after the reduction over ranks, and
      before clipping. Without marks they are found first, as by `ds-detect-gradients`.
    - After it a mode of `update` or `gradient_compression` changes what a mark gives, and with it the norm. Where ranks
      update by gradients of their own, each has a norm of its own, and the metric is their mean.
    - A gradient that is sharded has the sum of its squares reduced over ranks.
    - Refused are gradients that are marked in parts or inside of control flow, a metric of that name, and
      `hybrid_parallel`.

    Input:
    ```mlir
    module attributes {ds.config = #ds.config<gradient_norm = true, gradients_mean = true>} {
      func.func @step(%w: tensor<3xf32> {ds.param = "arg0"},
          %x: tensor<8x3xf32> {ds.batch = 0 : i64, ds.name = "arg1"}) -> (tensor<3xf32> {ds.updates = "arg0"}) {
        %z8 = arith.constant dense<0.0> : tensor<8xf32>
        %z3 = arith.constant dense<0.0> : tensor<3xf32>
        %y = linalg.matvec ins(%x, %w : tensor<8x3xf32>, tensor<3xf32>) outs(%z8 : tensor<8xf32>) -> tensor<8xf32>
        %dw = linalg.vecmat ins(%y, %x : tensor<8xf32>, tensor<8x3xf32>) outs(%z3 : tensor<3xf32>) -> tensor<3xf32>
        %g = ds.gradient %dw of "arg0" : tensor<3xf32>
        %new = arith.subf %w, %g : tensor<3xf32>
        return %new : tensor<3xf32>
      }
    }
    ```

    Output:
    ```mlir
    #map = affine_map<(d0) -> (d0)>
    #map1 = affine_map<(d0) -> ()>
    #map2 = affine_map<() -> ()>
    module attributes {ds.config = #ds.config<gradient_norm = true, gradients_mean = true>} {
      func.func @step(%w: tensor<3xf32> {ds.param = "arg0"}, %x: tensor<8x3xf32> {ds.batch = 0 : i64, ds.name = "arg1"})
          -> (tensor<3xf32> {ds.updates = "arg0"}, tensor<f32> {ds.metric = "gradient_norm"}) attributes {ds.gradient_norm} {
        %z8 = arith.constant dense<0.0> : tensor<8xf32>
        %z3 = arith.constant dense<0.0> : tensor<3xf32>
        %y = linalg.matvec ins(%x, %w : tensor<8x3xf32>, tensor<3xf32>) outs(%z8 : tensor<8xf32>) -> tensor<8xf32>
        %dw = linalg.vecmat ins(%y, %x : tensor<8xf32>, tensor<8x3xf32>) outs(%z3 : tensor<3xf32>) -> tensor<3xf32>
        %g = ds.gradient %dw of "arg0" : tensor<3xf32>
        %new = arith.subf %w, %g : tensor<3xf32>
        %zero = arith.constant dense<0.0> : tensor<f32>
        %squares = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["reduction"]}
            ins(%g : tensor<3xf32>) outs(%zero : tensor<f32>) {
        ^bb0(%in: f32, %out: f32):
          %square = arith.mulf %in, %in : f32
          %sum = arith.addf %out, %square : f32
          linalg.yield %sum : f32
        } -> tensor<f32>
        %empty = tensor.empty() : tensor<f32>
        %norm = linalg.generic {indexing_maps = [#map2, #map2], iterator_types = []} ins(%squares : tensor<f32>) outs(%empty : tensor<f32>) {
        ^bb0(%in: f32, %out: f32):
          %root = math.sqrt %in : f32
          linalg.yield %root : f32
        } -> tensor<f32>
        return %new, %norm : tensor<3xf32>, tensor<f32>
      }
    }
    ```
  }];
  let dependentDialects = ["::ds::DsDialect", "::mlir::arith::ArithDialect", "::mlir::linalg::LinalgDialect",
                           "::mlir::math::MathDialect", "::mlir::tensor::TensorDialect"];
  let options = [
    Option<"entry", "entry", "std::string", /*default=*/"\"\"",
           "The step; the module's only public function if empty.">,
  ];
}

def ScheduleUpdatePass : Pass<"ds-schedule-update", "::mlir::ModuleOp"> {
  let summary = "say when ranks exchange what they train (update), and what of it (gradient_compression)";
  let description = [{
    Rewrites the step of one rank as the key `update` says, before it is sharded. What is pending from step to step becomes
    states of the step, so that checkpoints hold it and a run is resumed within a window.

    `update = average_parameters=H`: the marks of gradients go, and ranks meet in the parameters. A parameter is the last
    average; `NAME.local`, one entry for each rank, is what the rank has trained since then, and `update.step` counts.

    ```mlir
    %start = ..                                     // whether the step before this one ended with an average
    %w0 = linalg.generic .. { arith.select %start, %w, %local }
    %w1 = ..                                        // the update with the gradient of the rank's own samples
    %average = scf.if %due -> (tensor<3xf32>) {
      %mean = ds.combine mean %w1 : tensor<3xf32>
      scf.yield %mean : tensor<3xf32>
    } else {
      scf.yield %w : tensor<3xf32>
    }
    ```

    - Optimizer states, which only the update reads, become states with one entry for each rank (`ds.per_rank`).
    - States that the forward pass reads, such as running statistics, are averaged with the parameters.
    - `outer=` updates with the difference of the parameter and the mean as gradient.
    - `elastic=A` moves the parameter by `ds.combine sum` of A times what each rank differs by, and each rank by its part the
      other way; a rank goes on from its own.

    `update = delayed=S`: a mark takes the gradient of S steps ago, which `NAME.delayed` has kept for each rank. So its
    reduction depends on nothing that the step computes. The first S steps update with gradients of zero.

    `gradient_compression` with `error_feedback` adds what a rank did not send, `NAME.compression_error`, to its next gradient.
    With `power_sgd(R)` two factors of R columns travel; `NAME.power_factor` is the one that the next step starts from.

    Refused are steps that combine something else than gradients (`delayed`), and states that no average has.
  }];
  let dependentDialects = ["::ds::DsDialect", "::mlir::arith::ArithDialect", "::mlir::linalg::LinalgDialect",
                           "::mlir::math::MathDialect", "::mlir::scf::SCFDialect", "::mlir::tensor::TensorDialect"];
  let options = [
    Option<"entry", "entry", "std::string", /*default=*/"\"\"",
           "The step; the module's only public function if empty.">,
  ];
}

#endif // DS_TRANSFORMS_UPDATE_PASSES
