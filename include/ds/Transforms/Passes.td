//===- Passes.td - passes that distribute a step -----------*- tablegen -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// In the order in which the pipeline `ds-data-parallel` runs them; the last is for people. Every example is the text of a test.
//
//===----------------------------------------------------------------------===//

#ifndef DS_TRANSFORMS_PASSES_TD
#define DS_TRANSFORMS_PASSES_TD

include "mlir/Pass/PassBase.td"

def CheckConfigPass : Pass<"ds-check-config", "::mlir::ModuleOp"> {
  let summary = "normalise the configuration and refuse what is not built";
  let description = [{
    Writes `ds.config` in its normal form, after setting the keys of the option `config`. A value that is not built is
    an error that says what to do instead. `gradients_mean` beside `batch = global` is a warning: the step itself says
    what it averages.

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

def SpecializePass : Pass<"ds-specialize", "::mlir::ModuleOp"> {
  let summary = "give dynamic dimensions of the step's arguments their sizes";
  let description = [{
    The key `sizes` of the configuration, or the option, gives each dynamic dimension of an argument its size by a
    name: `batch` is the dimension that `ds.batch` names (in a step without it, the leading dynamic dimensions), `x.1`
    dimension 1 of the argument `x`. Calls are inlined, and the sizes of all other values follow. Refused by name are a
    dimension without a size, a size without a dimension, and an operation whose result is still dynamic. A step of
    static shapes is left as it is.

    Input:
    ```mlir
    module attributes {ds.config = #ds.config<batch = global, sizes = "batch=8">} {
      func.func @step(%w: tensor<3xf32> {ds.param = "w"}, %x: tensor<?x3xf32> {ds.batch = 0 : i64, ds.name = "x"})
          -> (tensor<3xf32> {ds.updates = "w"}) {
        %c0 = arith.constant 0 : index
        %zero = arith.constant dense<0.0> : tensor<3xf32>
        %n = tensor.dim %x, %c0 : tensor<?x3xf32>
        %e = tensor.empty(%n) : tensor<?x3xf32>
        %y = linalg.exp ins(%x : tensor<?x3xf32>) outs(%e : tensor<?x3xf32>) -> tensor<?x3xf32>
        %g = linalg.reduce { arith.addf } ins(%y : tensor<?x3xf32>) outs(%zero : tensor<3xf32>) dimensions = [0]
        %new = arith.subf %w, %g : tensor<3xf32>
        return %new : tensor<3xf32>
      }
    }
    ```

    Output:
    ```mlir
    module attributes {ds.config = #ds.config<batch = global, sizes = "batch=8">} {
      func.func @step(%w: tensor<3xf32> {ds.param = "w"}, %x: tensor<8x3xf32> {ds.batch = 0 : i64, ds.name = "x"})
          -> (tensor<3xf32> {ds.updates = "w"}) {
        %zero = arith.constant dense<0.0> : tensor<3xf32>
        %e = tensor.empty() : tensor<8x3xf32>
        %y = linalg.exp ins(%x : tensor<8x3xf32>) outs(%e : tensor<8x3xf32>) -> tensor<8x3xf32>
        %g = linalg.reduce { arith.addf } ins(%y : tensor<8x3xf32>) outs(%zero : tensor<3xf32>) dimensions = [0]
        %new = arith.subf %w, %g : tensor<3xf32>
        return %new : tensor<3xf32>
      }
    }
    ```
  }];
  let dependentDialects = ["::ds::DsDialect", "::mlir::tensor::TensorDialect"];
  let options = [
    Option<"entry", "entry", "std::string", /*default=*/"\"\"", "The step; the only public function if empty.">,
    Option<"sizes", "sizes", "std::string", /*default=*/"\"\"",
           "Sizes in the place of those of the configuration, as in 'batch=64,x.1=28'.">,
  ];
}

def PrepareStepPass : Pass<"ds-prepare-step", "::mlir::ModuleOp"> {
  let summary = "bring a step to the dialects whose placement ds knows";
  let description = [{
    Lifts blocks to branches and loops of scf, inlines private functions, lowers tosa to linalg, tensor, arith and scf, writes what upstream defines by other
    operations as these (aggregates as `linalg.softmax`, `tensor.gather` and `tensor.scatter`, `math.ipowi`, constants
    of `ml_program`, arithmetic on complex numbers within a body, allocations of tensors), writes `scf.forall` as a nest
    of `scf.for`, drops operands that no body reads, makes bodies on tensors of rank 0 scalar, skips tensors without
    elements, reads dilated kernels of convolutions without the zeros between their elements, and folds constants and
    duplicates. A step on func, linalg, tensor, arith, math and scf alone is only simplified. Refused are a body whose
    parallel iterations read what others of them write, recursion, memory, shapes and states of the module.

    Input:
    ```mlir
    func.func @step(%w: tensor<4xf32>, %g: tensor<4xf32>) -> tensor<4xf32> {
      %new = scf.forall (%i) in (4) shared_outs(%o = %w) -> (tensor<4xf32>) {
        %part = tensor.extract_slice %g[%i] [1] [1] : tensor<4xf32> to tensor<1xf32>
        scf.forall.in_parallel {
          tensor.parallel_insert_slice %part into %o[%i] [1] [1] : tensor<1xf32> into tensor<4xf32>
        }
      }
      return %new : tensor<4xf32>
    }
    ```

    Output:
    ```mlir
    func.func @step(%w: tensor<4xf32>, %g: tensor<4xf32>) -> tensor<4xf32> {
      %c0 = arith.constant 0 : index
      %c4 = arith.constant 4 : index
      %c1 = arith.constant 1 : index
      %new = scf.for %i = %c0 to %c4 step %c1 iter_args(%o = %w) -> (tensor<4xf32>) {
        %part = tensor.extract_slice %g[%i] [1] [1] : tensor<4xf32> to tensor<1xf32>
        %next = tensor.insert_slice %part into %o[%i] [1] [1] : tensor<1xf32> into tensor<4xf32>
        scf.yield %next : tensor<4xf32>
      }
      return %new : tensor<4xf32>
    }
    ```
  }];
  let dependentDialects = ["::mlir::affine::AffineDialect", "::mlir::arith::ArithDialect",
                           "::mlir::complex::ComplexDialect", "::mlir::index::IndexDialect",
                           "::mlir::linalg::LinalgDialect", "::mlir::math::MathDialect", "::mlir::scf::SCFDialect",
                           "::mlir::tensor::TensorDialect"];
}

def AnnotateStepPass : Pass<"ds-annotate-step", "::mlir::ModuleOp"> {
  let summary = "derive roles for an unmodified step from donated arguments";
  let description = [{
    For a step as JAX exports it, with parameters and state donated. Donation (`tf.aliasing_output`, and
    `jax.buffer_donor` of a step on several devices) says that a buffer may be reused, not for what; a donor without a
    result of its type is memory for other values. A donated argument is paired with the result that contains it element by
    element: unscaled, as `p` in `p - lr * u`, before scaled, as `m` in `beta * m + g`. A pairing with more than one
    reading is an error that lists the candidates; `pairs` settles it.

    The leading dimension of the other ranked arguments counts samples if all agree on it and none can be a random key
    (annotate that one with `ds.seed`). Donated floats that reach a value holding samples are parameters, the others
    state. Remaining results are per sample or metrics. A step with roles is only checked. `ds.sharding` of a result
    becomes that of the argument that it updates.

    Input:
    ```mlir
    module attributes {ds.config = #ds.config<batch = global, device_num = 4>} {
      func.func @step(%w: tensor<3xf32> {tf.aliasing_output = 0 : i32}, %x: tensor<8x3xf32>) -> tensor<3xf32> {
        %z8 = arith.constant dense<0.0> : tensor<8xf32>
        %z3 = arith.constant dense<0.0> : tensor<3xf32>
        %y = linalg.matvec ins(%x, %w : tensor<8x3xf32>, tensor<3xf32>) outs(%z8 : tensor<8xf32>) -> tensor<8xf32>
        %dw = linalg.vecmat ins(%y, %x : tensor<8xf32>, tensor<8x3xf32>) outs(%z3 : tensor<3xf32>) -> tensor<3xf32>
        %new = arith.subf %w, %dw : tensor<3xf32>
        return %new : tensor<3xf32>
      }
    }
    ```

    Output:
    ```mlir
    module attributes {ds.config = #ds.config<batch = global, device_num = 4>} {
      func.func @step(%w: tensor<3xf32> {ds.param = "arg0"},
          %x: tensor<8x3xf32> {ds.batch = 0 : i64, ds.name = "arg1"}) -> (tensor<3xf32> {ds.updates = "arg0"}) {
        %z8 = arith.constant dense<0.0> : tensor<8xf32>
        %z3 = arith.constant dense<0.0> : tensor<3xf32>
        %y = linalg.matvec ins(%x, %w : tensor<8x3xf32>, tensor<3xf32>) outs(%z8 : tensor<8xf32>) -> tensor<8xf32>
        %dw = linalg.vecmat ins(%y, %x : tensor<8xf32>, tensor<8x3xf32>) outs(%z3 : tensor<3xf32>) -> tensor<3xf32>
        %new = arith.subf %w, %dw : tensor<3xf32>
        return %new : tensor<3xf32>
      }
    }
    ```
  }];
  let dependentDialects = ["::ds::DsDialect"];
  let options = [
    Option<"entry", "entry", "std::string", /*default=*/"\"\"",
           "The step; the module's only public function if empty.">,
    ListOption<"pairs", "pairs", "std::string",
               "Pairs 'argument:result' of a donated argument and the result that updates it, by number.">,
  ];
}

def FindIndexRangesPass : Pass<"ds-find-index-ranges", "::mlir::ModuleOp"> {
  let summary = "say which integers of the data the step can use as an index";
  let description = [{
    Writes `ds.index_range` on batch arguments of integers that the step compares with the positions of a dimension
    (one-hot labels), or reads a tensor at (embeddings): the first integer, the end, and others that the step compares
    with, such as an ignored label. ds-run checks the data against it. Counting from the end (`x < 0 ? x + n : x`) and
    clamps of type index are followed; an index that the step itself makes safe has no range. An argument that has one
    keeps it.

    Input:
    ```mlir
    module {
      func.func @step(%w: tensor<10xf32> {ds.param = "w"}, %y: tensor<8xi32> {ds.batch = 0 : i64, ds.name = "y"})
          -> (tensor<10xf32> {ds.updates = "w"}, tensor<8xf32> {ds.batch = 0 : i64}) {
        %e = tensor.empty() : tensor<8xf32>
        %scores = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>],
            iterator_types = ["parallel"]} ins(%y : tensor<8xi32>) outs(%e : tensor<8xf32>) {
        ^bb0(%label: i32, %out: f32):
          %i = arith.index_cast %label : i32 to index
          %score = tensor.extract %w[%i] : tensor<10xf32>
          linalg.yield %score : f32
        } -> tensor<8xf32>
        return %w, %scores : tensor<10xf32>, tensor<8xf32>
      }
    }
    ```

    Output:
    ```mlir
    module {
      func.func @step(%w: tensor<10xf32> {ds.param = "w"},
          %y: tensor<8xi32> {ds.batch = 0 : i64, ds.index_range = array<i64: 0, 10>, ds.name = "y"})
          -> (tensor<10xf32> {ds.updates = "w"}, tensor<8xf32> {ds.batch = 0 : i64}) {
        %e = tensor.empty() : tensor<8xf32>
        %scores = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>],
            iterator_types = ["parallel"]} ins(%y : tensor<8xi32>) outs(%e : tensor<8xf32>) {
        ^bb0(%label: i32, %out: f32):
          %i = arith.index_cast %label : i32 to index
          %score = tensor.extract %w[%i] : tensor<10xf32>
          linalg.yield %score : f32
        } -> tensor<8xf32>
        return %w, %scores : tensor<10xf32>, tensor<8xf32>
      }
    }
    ```
  }];
  let dependentDialects = ["::ds::DsDialect"];
  let options = [
    Option<"entry", "entry", "std::string", /*default=*/"\"\"",
           "The step; the module's only public function if empty.">,
  ];
}

def AccumulateGradientsPass : Pass<"ds-accumulate-gradients", "::mlir::ModuleOp"> {
  let summary = "make k microbatches of a step and one update (grad_accumulation_step)";
  let description = [{
    With `grad_accumulation_step = k` a call of the step takes k times the samples that it was written for, computes the
    gradients of k microbatches one after another, and updates once, with their mean: what `no_sync` of DDP and `MultiSteps`
    of Optax do in k calls. The reductions over ranks move behind the loop, so a gradient travels once per update.

    - The step is cut at `ds.gradient`; without marks, they are found first, as by `ds-detect-gradients`.
    - A state that the gradients read or that samples make (running statistics, a random key) goes from microbatch to
      microbatch. One that the update alone reads (moments, the count of a learning-rate schedule) changes once per call.
    - A `ds.seed` argument is hashed with the microbatch's number as by `ds-decorrelate-seeds`.
    - Metrics are reduced over microbatches as `ds.reduce` says, results per sample lie behind one another.
    - Gradients of 16 bits are added up in f32.
    - Refused are updates that read something else of a microbatch than gradients, gradients inside of control flow, and states
      that hold entries per sample.

    ```mlir
    // k = 4: 8 samples each
    %x4 = tensor.expand_shape %x [[0, 1], [2]] output_shape [4, 8, 3] : tensor<32x3xf32> into tensor<4x8x3xf32>
    %sum = scf.for %i = %c0 to %c4 step %c1 iter_args(%acc = %zero) -> (tensor<3xf32>) {
      %xi = tensor.extract_slice %x4[%i, 0, 0] [1, 8, 3] [1, 1, 1] : tensor<4x8x3xf32> to tensor<8x3xf32>
      ..
      %next = arith.addf %acc, %dw : tensor<3xf32>
      scf.yield %next : tensor<3xf32>
    }
    %mean = arith.divf %sum, %four : tensor<3xf32>
    %g = ds.gradient %mean of "w" : tensor<3xf32>
    ```
  }];
  let dependentDialects = ["::ds::DsDialect", "::mlir::arith::ArithDialect", "::mlir::linalg::LinalgDialect",
                           "::mlir::scf::SCFDialect", "::mlir::tensor::TensorDialect"];
  let options = [
    Option<"entry", "entry", "std::string", /*default=*/"\"\"",
           "The step; the module's only public function if empty.">,
  ];
}

def AddGradientNormPass : Pass<"ds-add-gradient-norm", "::mlir::ModuleOp"> {
  let summary = "add the norm of all gradients as a metric (gradient_norm)";
  let description = [{
    With `gradient_norm = true` the step returns one more metric, `gradient_norm`: the square root of the sum of the squares
    of all elements of the gradients, as `clip_by_global_norm` computes it, in f32 (in f64 where a gradient is of f64).

    - Gradients are the values that the update reads: the results of `ds.gradient`, behind the reduction over ranks, and
      before clipping. Without marks they are found first, as by `ds-detect-gradients`.
    - Behind it a mode of `update` or `gradient_compression` changes what a mark gives, and with it the norm. Where ranks
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

def DetectGradientsPass : Pass<"ds-detect-gradients", "::mlir::ModuleOp"> {
  let summary = "name the gradient of every parameter with ds.gradient";
  let description = [{
    Marks every gradient of a parameter where it enters the update: a value that depends on the samples but no longer holds
    any, on its way to the parameter's new value. With `batch = global` marks are names, and those of a front end are kept. With
    `batch = local` they are where ranks meet (`ds.gradient`, and `ds.combine` on what decides about an update), so a step that
    has any is left as it is: marks are the whole truth, and a parameter whose new value differs from rank to rank is an error.
    What this pass finds in a step without marks can be read, changed and pinned; nothing behind it guesses. It finds what the
    cut would reduce if it has the size of a parameter, on a path to the new value. It refuses what only the author knows, with
    the annotation to add: a value of another size that reaches a parameter, a loss that decides about an update, a statistic of
    the parameter's size, and a rank's only sample.

    A fused body that computes on its way what should be combined (the sum of two microbatches' gradients, which it then
    clips) is unfused into its operations first.

    Input:
    ```mlir
    module attributes {ds.config = #ds.config<batch = global, device_num = 4>} {
      func.func @step(%w: tensor<3xf32> {ds.param = "arg0"},
          %x: tensor<8x3xf32> {ds.batch = 0 : i64, ds.name = "arg1"}) -> (tensor<3xf32> {ds.updates = "arg0"}) {
        %z8 = arith.constant dense<0.0> : tensor<8xf32>
        %z3 = arith.constant dense<0.0> : tensor<3xf32>
        %y = linalg.matvec ins(%x, %w : tensor<8x3xf32>, tensor<3xf32>) outs(%z8 : tensor<8xf32>) -> tensor<8xf32>
        %dw = linalg.vecmat ins(%y, %x : tensor<8xf32>, tensor<8x3xf32>) outs(%z3 : tensor<3xf32>) -> tensor<3xf32>
        %new = arith.subf %w, %dw : tensor<3xf32>
        return %new : tensor<3xf32>
      }
    }
    ```

    Output:
    ```mlir
    module attributes {ds.config = #ds.config<batch = global, device_num = 4>} {
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
  }];
  let dependentDialects = ["::ds::DsDialect", "::mlir::linalg::LinalgDialect", "::mlir::tensor::TensorDialect"];
  let options = [
    Option<"entry", "entry", "std::string", /*default=*/"\"\"",
           "The step; the module's only public function if empty.">,
  ];
}

def LoadStrategyPass : Pass<"ds-load-strategy", "::mlir::ModuleOp"> {
  let summary = "write the shardings of a strategy file on the arguments of the step";
  let description = [{
    The key `strategy_ckpt_load_file` names a JSON file with the `ds.sharding` of arguments by name. It replaces what
    the step says of them. `mesh`, where the file has it, must be that of the run.

    ```json
    {"ds_strategy": 1, "mesh": "dp=2,tp=4", "arguments": {"w1": [[], ["tp"]], "w2": [["tp"], []]}}
    ```
  }];
  let options = [
    Option<"entry", "entry", "std::string", /*default=*/"\"\"",
           "Name of the step; by default the only public function.">,
  ];
}

def PrepareHybridPass : Pass<"ds-prepare-hybrid", "::mlir::ModuleOp"> {
  let summary = "take a step that is sharded by hand (hybrid_parallel)";
  let description = [{
    With `parallel_mode = hybrid_parallel` a step is rank-local over every axis of `mesh` but the first: it has
    rank-local shapes, collectives of its own, and `ds.sharding` on arguments that are shards. Over the first axis,
    which shards the batch, it is treated as in data_parallel, and gradients of shards are reduced over that axis
    alone. `ds.layerwise_parallel` without `ds.sharding` is a parameter of which every rank has its own. Reductions
    without `names` get the purpose `activation`. Refused are collectives and rank numbers over the first axis or all
    ranks, which are the compiler's, and a result that differs along an axis over which no `ds.sharding` shards it.

    ```mlir
    module attributes {ds.config = #ds.config<parallel_mode = hybrid_parallel, mesh = "dp=2,tp=2">} {
      // Rows of a matrix of 6x4: the products of both ranks are added by hand.
      func.func @step(%w: tensor<3x4xf32> {ds.param = "w", ds.layerwise_parallel, ds.sharding = #ds.sharding<[{"tp"}, {} ]>},
          %x: tensor<8x6xf32> {ds.batch = 0 : i64}) -> (tensor<3x4xf32> {ds.updates = "w"}, tensor<8x4xf32> {ds.batch = 0 : i64}) {
        %r = ds.rank {group = ["tp"]} : index
        %three = arith.constant 3 : index
        %at = arith.muli %r, %three : index
        %mine = tensor.extract_slice %x[0, %at] [8, 3] [1, 1] : tensor<8x6xf32> to tensor<8x3xf32>
        %zero = arith.constant dense<0.0> : tensor<8x4xf32>
        %part = linalg.matmul ins(%mine, %w : tensor<8x3xf32>, tensor<3x4xf32>) outs(%zero : tensor<8x4xf32>) -> tensor<8x4xf32>
        %y = ds.all_reduce sum %part {group = ["tp"]} : tensor<8x4xf32>
        return %w, %y : tensor<3x4xf32>, tensor<8x4xf32>
      }
    }
    ```
  }];
  let dependentDialects = ["::ds::DsDialect"];
  let options = [
    Option<"entry", "entry", "std::string", /*default=*/"\"\"",
           "Name of the step; by default the only public function.">,
  ];
}

def SaveStrategyPass : Pass<"ds-save-strategy", "::mlir::ModuleOp"> {
  let summary = "write the shardings of arguments into a strategy file";
  let description = [{
    The key `strategy_ckpt_save_file` names the file, for `ds-load-strategy`. It has the `ds.sharding` of all named
    arguments, those found by `auto_parallel` included, and the mesh.
  }];
  let options = [
    Option<"entry", "entry", "std::string", /*default=*/"\"\"",
           "Name of the step; by default the only public function.">,
  ];
}

def ShardAxesPass : Pass<"ds-shard-axes", "::mlir::ModuleOp"> {
  let summary = "shard the step over the axes of the mesh, as annotated";
  let description = [{
    Shards over each axis of the key `mesh` but the first, as `ds.sharding` on arguments and `ds.sharding_constraint`
    on values say. Shapes become rank-local, partial sums are reduced on the minimum cut, and a value that is sharded
    otherwise than it is required is resharded (shards of two equal axes by `ds-permute-shards`). Collectives name
    their axes as their group. What has no annotation follows: an operation is sharded as its operands are, a
    parameter is replicated, and a state is sharded like its parameter. A sharded table is read by all ranks, each
    giving zero for rows that it has not. The first axis shards the batch; later passes see an ordinary step on
    smaller shapes.

    With `parallel_mode = auto_parallel` the rest is searched, and so is whether the first axis shards parameters,
    states and their update (`optimizer_level`), unless `enable_parallel_optimizer` is set. The plan is written as
    annotations. `ds.plan` of the module has its time and lower bound in nanoseconds, the bytes of a rank's arguments,
    an estimate of its temporaries, and the level. `ds.plan_memory` says what compiled plans took, for `memory_limit`.

    Input:
    ```mlir
    module attributes {ds.config = #ds.config<device_num = 4, mesh = "dp=2,tp=2">} {
      func.func @step(%w: tensor<6x4xf32> {ds.param = "w", ds.sharding = #ds.sharding<[{"tp"}, {} ]>},
          %x: tensor<8x6xf32> {ds.batch = 0 : i64}) -> (tensor<6x4xf32> {ds.updates = "w"}, tensor<8x4xf32> {ds.batch = 0 : i64}) {
        %zero = arith.constant dense<0.0> : tensor<8x4xf32>
        %y = linalg.matmul ins(%x, %w : tensor<8x6xf32>, tensor<6x4xf32>) outs(%zero : tensor<8x4xf32>) -> tensor<8x4xf32>
        return %w, %y : tensor<6x4xf32>, tensor<8x4xf32>
      }
    }
    ```

    Output:
    ```mlir
    module attributes {ds.config = #ds.config<device_num = 4, mesh = "dp=2,tp=2">} {
      func.func @step(%w: tensor<3x4xf32> {ds.param = "w", ds.sharding = #ds.sharding<[{"tp"}, {} ]>},
          %x: tensor<8x6xf32> {ds.batch = 0 : i64}) -> (tensor<3x4xf32> {ds.updates = "w"}, tensor<8x4xf32> {ds.batch = 0 : i64}) {
        %r = ds.rank {group = ["tp"]} : index
        %three = arith.constant 3 : index
        %at = arith.muli %r, %three : index
        %mine = tensor.extract_slice %x[0, %at] [8, 3] [1, 1] : tensor<8x6xf32> to tensor<8x3xf32>
        %zero = arith.constant dense<0.0> : tensor<8x4xf32>
        %part = linalg.matmul ins(%mine, %w : tensor<8x3xf32>, tensor<3x4xf32>) outs(%zero : tensor<8x4xf32>) -> tensor<8x4xf32>
        %y = ds.all_reduce sum %part {group = ["tp"], purpose = #ds<purpose activation>} : tensor<8x4xf32>
        return %w, %y : tensor<3x4xf32>, tensor<8x4xf32>
      }
    }
    ```
  }];
  let dependentDialects = ["::ds::DsDialect", "::mlir::arith::ArithDialect", "::mlir::linalg::LinalgDialect",
                           "::mlir::tensor::TensorDialect"];
  let options = [
    Option<"entry", "entry", "std::string", /*default=*/"\"\"",
           "Name of the step; by default the only public function.">,
  ];
}

def InsertAllReducePass : Pass<"ds-insert-all-reduce", "::mlir::ModuleOp"> {
  let summary = "reduce partial values over the ranks at the cheapest cut";
  let description = [{
    Partial values are reduced on the minimum cut between where they arise and where they must be replicated, in bytes
    on the wire; of several minimum cuts the earliest. Each all-reduce carries the names that it serves. Gradients,
    state, metrics and values that the forward or backward pass needs (`activation`) have purposes of their own. With
    `batch = local` values become partial at annotations (`ds.gradient`, `ds.combine`) and nowhere else; run
    `ds-detect-gradients` before for a step without. Annotations are consumed. The remark `ReductionPlan` compares the
    cut with reducing every value where it arises (`bytesAtDefinition`) or where it is needed (`bytesAtUse`).

    Input:
    ```mlir
    module attributes {ds.config = #ds.config<batch = global, device_num = 4>} {
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
    module attributes {ds.config = #ds.config<batch = global, device_num = 4>} {
      func.func @step(%w: tensor<3xf32> {ds.param = "arg0"},
          %x: tensor<8x3xf32> {ds.batch = 0 : i64, ds.name = "arg1"}) -> (tensor<3xf32> {ds.updates = "arg0"}) {
        %z8 = arith.constant dense<0.0> : tensor<8xf32>
        %z3 = arith.constant dense<0.0> : tensor<3xf32>
        %y = linalg.matvec ins(%x, %w : tensor<8x3xf32>, tensor<3xf32>) outs(%z8 : tensor<8xf32>) -> tensor<8xf32>
        %dw = linalg.vecmat ins(%y, %x : tensor<8xf32>, tensor<8x3xf32>) outs(%z3 : tensor<3xf32>) -> tensor<3xf32>
        %g = ds.all_reduce sum %dw {names = [["arg0"]]} : tensor<3xf32>
        %new = arith.subf %w, %g : tensor<3xf32>
        return %new : tensor<3xf32>
      }
    }
    ```
  }];
  let dependentDialects = ["::ds::DsDialect", "::mlir::arith::ArithDialect", "::mlir::linalg::LinalgDialect",
                           "::mlir::tensor::TensorDialect"];
  let options = [
    Option<"entry", "entry", "std::string", /*default=*/"\"\"",
           "The step; the module's only public function if empty.">,
  ];
}

def DecorrelateSeedsPass : Pass<"ds-decorrelate-seeds", "::mlir::ModuleOp"> {
  let summary = "give every rank random keys of its own (decorrelate_seeds)";
  let description = [{
    In `local` all ranks get the same random keys, so they draw the same dropout mask for different samples. With
    `decorrelate_seeds` word 0 of every `ds.seed` argument is combined by exclusive or with h(rank), where h is the
    32-bit finaliser of MurmurHash3: `x ^= x >> 16; x *= 0x85ebca6b; x ^= x >> 13; x *= 0xc2b2ae35; x ^= x >> 16`. It
    is a bijection and h(0) = 0: no two ranks share a key, and rank 0 keeps that of one device. What is computed from
    a key is rank-local for `ds-detect-gradients` and `ds-insert-all-reduce`, which run before.

    Input:
    ```mlir
    module attributes {ds.config = #ds.config<decorrelate_seeds = true>} {
      func.func @step(%w: tensor<3xf32> {ds.param = "w"}, %key: tensor<2xi32> {ds.seed}) -> tensor<2xi32> {
        return %key : tensor<2xi32>
      }
    }
    ```

    Output:
    ```mlir
    #map = affine_map<(d0) -> (d0)>
    module attributes {ds.config = #ds.config<decorrelate_seeds = true>} {
      func.func @step(%w: tensor<3xf32> {ds.param = "w"}, %key: tensor<2xi32> {ds.seed}) -> tensor<2xi32> {
        %rank = ds.rank : index
        %x = arith.index_cast %rank : index to i32
        %c16 = arith.constant 16 : i32
        %0 = arith.shrui %x, %c16 : i32
        %1 = arith.xori %x, %0 : i32
        %f1 = arith.constant -2048144789 : i32
        %2 = arith.muli %1, %f1 : i32
        %c13 = arith.constant 13 : i32
        %3 = arith.shrui %2, %c13 : i32
        %4 = arith.xori %2, %3 : i32
        %f2 = arith.constant -1028477387 : i32
        %5 = arith.muli %4, %f2 : i32
        %c16_again = arith.constant 16 : i32
        %6 = arith.shrui %5, %c16_again : i32
        %h = arith.xori %5, %6 : i32
        %e = tensor.empty() : tensor<2xi32>
        %own = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel"]}
            ins(%key : tensor<2xi32>) outs(%e : tensor<2xi32>) {
        ^bb0(%word: i32, %out: i32):
          %true = arith.constant true
          %c0 = arith.constant 0 : index
          %i = linalg.index 0 : index
          %is_word0 = arith.cmpi eq, %i, %c0 : index
          %first = arith.andi %true, %is_word0 : i1
          %hashed = arith.xori %word, %h : i32
          %7 = arith.select %first, %hashed, %word : i32
          linalg.yield %7 : i32
        } -> tensor<2xi32>
        return %own : tensor<2xi32>
      }
    }
    ```
  }];
  let dependentDialects = ["::ds::DsDialect", "::mlir::arith::ArithDialect", "::mlir::linalg::LinalgDialect",
                           "::mlir::tensor::TensorDialect"];
  let options = [
    Option<"entry", "entry", "std::string", /*default=*/"\"\"",
           "The step; the module's only public function if empty.">,
  ];
}

def InsertReshardsPass : Pass<"ds-insert-reshards", "::mlir::ModuleOp"> {
  let summary = "write where values are required in another placement (batch = global)";
  let description = [{
    The first half of `ds-localize-batch`, to be read: an operand that its operation requires in another placement
    than the value has becomes a `ds.reshard`, one for all uses that require the same. Types are still global.
    Afterwards `ds-localize-batch` does what it would have done.

    Input:
    ```mlir
    module attributes {ds.config = #ds.config<batch = global, device_num = 4>} {
      func.func @step(%w: tensor<8x3xf32> {ds.param = "w"},
          %x: tensor<8x3xf32> {ds.batch = 0 : i64, ds.name = "x"}) -> (tensor<8x3xf32> {ds.batch = 0 : i64}) {
        %y = arith.mulf %x, %w : tensor<8x3xf32>
        return %y : tensor<8x3xf32>
      }
    }
    ```

    Output:
    ```mlir
    module attributes {ds.config = #ds.config<batch = global, device_num = 4>} {
      func.func @step(%w: tensor<8x3xf32> {ds.param = "w"},
          %x: tensor<8x3xf32> {ds.batch = 0 : i64, ds.name = "x"}) -> (tensor<8x3xf32> {ds.batch = 0 : i64}) {
        %mine = ds.reshard %w from <replicated> to <sharded(0, 2, 1)> : tensor<8x3xf32>
        %y = arith.mulf %x, %mine : tensor<8x3xf32>
        return %y : tensor<8x3xf32>
      }
    }
    ```
  }];
  let dependentDialects = ["::ds::DsDialect", "::mlir::arith::ArithDialect", "::mlir::linalg::LinalgDialect",
                           "::mlir::tensor::TensorDialect"];
  let options = [
    Option<"entry", "entry", "std::string", /*default=*/"\"\"",
           "The step; the module's only public function if empty.">,
  ];
}

def LocalizeBatchPass : Pass<"ds-localize-batch", "::mlir::ModuleOp"> {
  let summary = "give every rank its rows of the batch (batch = global)";
  let description = [{
    With `batch = global` the step is written for the batch of B samples; afterwards every shape that counts samples
    has B/n. `ds.layout` records which rows a rank holds: `cyclic` (row i belongs to rank i mod n) where possible,
    else `block`. Replicated values that meet samples are sliced at the rank's offset. An operand whose rows of other
    samples are read (products of all pairs, rows that data chooses) is gathered; a remark gives the bytes. An
    operation that cannot be sharded runs on all samples on every rank, with a warning. A reduction of which every
    rank uses its own part alone becomes a `ds.reduce_scatter`.

    Input:
    ```mlir
    module attributes {ds.config = #ds.config<batch = global, device_num = 4>} {
      func.func @step(%w: tensor<3xf32> {ds.param = "arg0"},
          %x: tensor<8x3xf32> {ds.batch = 0 : i64, ds.name = "arg1"}) -> (tensor<3xf32> {ds.updates = "arg0"}) {
        %z8 = arith.constant dense<0.0> : tensor<8xf32>
        %z3 = arith.constant dense<0.0> : tensor<3xf32>
        %y = linalg.matvec ins(%x, %w : tensor<8x3xf32>, tensor<3xf32>) outs(%z8 : tensor<8xf32>) -> tensor<8xf32>
        %dw = linalg.vecmat ins(%y, %x : tensor<8xf32>, tensor<8x3xf32>) outs(%z3 : tensor<3xf32>) -> tensor<3xf32>
        %g = ds.all_reduce sum %dw {names = [["arg0"]]} : tensor<3xf32>
        %new = arith.subf %w, %g : tensor<3xf32>
        return %new : tensor<3xf32>
      }
    }
    ```

    Output:
    ```mlir
    module attributes {ds.config = #ds.config<batch = global, device_num = 4>} {
      func.func @step(%w: tensor<3xf32> {ds.param = "arg0"},
          %x: tensor<2x3xf32> {ds.batch = 0 : i64, ds.layout = "cyclic", ds.name = "arg1"}) -> (tensor<3xf32> {ds.updates = "arg0"}) {
        %z8 = arith.constant dense<0.0> : tensor<8xf32>
        %z2 = arith.constant dense<0.0> : tensor<2xf32>
        %z3 = arith.constant dense<0.0> : tensor<3xf32>
        %y = linalg.matvec ins(%x, %w : tensor<2x3xf32>, tensor<3xf32>) outs(%z2 : tensor<2xf32>) -> tensor<2xf32>
        %dw = linalg.vecmat ins(%y, %x : tensor<2xf32>, tensor<2x3xf32>) outs(%z3 : tensor<3xf32>) -> tensor<3xf32>
        %g = ds.all_reduce sum %dw {names = [["arg0"]]} : tensor<3xf32>
        %new = arith.subf %w, %g : tensor<3xf32>
        return %new : tensor<3xf32>
      }
    }
    ```
  }];
  let dependentDialects = ["::ds::DsDialect", "::mlir::arith::ArithDialect", "::mlir::linalg::LinalgDialect",
                           "::mlir::tensor::TensorDialect"];
  let options = [
    Option<"entry", "entry", "std::string", /*default=*/"\"\"",
           "The step; the module's only public function if empty.">,
  ];
}

def ExpandReplicatedToPartialPass : Pass<"ds-expand-replicated-to-partial", "::mlir::ModuleOp"> {
  let summary = "write ds.replicated_to_partial in terms of the rank's number";
  let description = [{
    A replicated value as a partial one is the value on rank 0 and the identity of the reduction elsewhere. Runs after
    the last pass that analyses placements.
  }];
  let dependentDialects = ["::ds::DsDialect", "::mlir::arith::ArithDialect", "::mlir::linalg::LinalgDialect",
                           "::mlir::tensor::TensorDialect"];
}

def ShardOptimizerPass : Pass<"ds-shard-optimizer", "::mlir::ModuleOp"> {
  let summary = "shard parameters, optimizer states and their update over the ranks (enable_parallel_optimizer)";
  let description = [{
    With `enable_parallel_optimizer` a rank holds one block of each parameter and state of at least
    `parallel_optimizer_threshold` KB, in the first dimension that the ranks divide and in which its update gains;
    `ds.sharding` on an argument does the same for that one, in the dimension that it names. The gradient is
    reduce-scattered, the update computed on the shard, and the parameter gathered once where the step reads all of
    it. What could not be updated as a shard stays replicated, and so does a state that would be gathered in each
    step, unless it is annotated. `ds.layout` then says that the argument is a shard.

    Input:
    ```mlir
    module attributes {ds.config = #ds.config<device_num = 2>} {
      func.func @step(%w: tensor<8x4xf32> {ds.param = "w", ds.sharding = #ds.sharding<[{"dp"}, {} ]>},
          %x: tensor<8x4xf32> {ds.batch = 0 : i64}) -> (tensor<8x4xf32> {ds.updates = "w"}) {
        %dw = arith.mulf %w, %x : tensor<8x4xf32>
        %g = ds.all_reduce sum %dw {names = [["w"]]} : tensor<8x4xf32>
        %new = arith.subf %w, %g : tensor<8x4xf32>
        return %new : tensor<8x4xf32>
      }
    }
    ```

    Output:
    ```mlir
    module attributes {ds.config = #ds.config<device_num = 2>} {
      func.func @step(%w: tensor<4x4xf32> {ds.layout = "block", ds.param = "w", ds.sharding = #ds.sharding<[{"dp"}, {} ]>},
          %x: tensor<8x4xf32> {ds.batch = 0 : i64}) -> (tensor<4x4xf32> {ds.updates = "w"}) {
        %e0 = tensor.empty() : tensor<8x4xf32>
        %all = ds.all_gather %w into %e0 along 0 {purpose = #ds<purpose activation>} : tensor<4x4xf32> into tensor<8x4xf32>
        %dw = arith.mulf %all, %x : tensor<8x4xf32>
        %e1 = tensor.empty() : tensor<4x4xf32>
        %g = ds.reduce_scatter sum %dw into %e1 along 0 {names = [["w"]]} : tensor<8x4xf32> into tensor<4x4xf32>
        %new = arith.subf %w, %g : tensor<4x4xf32>
        return %new : tensor<4x4xf32>
      }
    }
    ```
  }];
  let dependentDialects = ["::ds::DsDialect", "::mlir::arith::ArithDialect", "::mlir::linalg::LinalgDialect",
                           "::mlir::tensor::TensorDialect"];
  let options = [
    Option<"entry", "entry", "std::string", /*default=*/"\"\"",
           "The step; the module's only public function if empty.">,
  ];
}

def PermuteShardsPass : Pass<"ds-permute-shards", "::mlir::ModuleOp"> {
  let summary = "send a shard where all were gathered to keep one";
  let description = [{
    Two axes of equal size that shard the same dimension in turn leave an all-gather over the first and a slice at the rank's index
    on the second. If nothing else reads the gathered value, and it has as many blocks as the second axis has ranks, each rank
    keeps one whole shard. Then one rank that has that shard sends it (`ds.collective_permute`), and each rank sends to one. The
    same holds for two axes of equal size that shard one dimension, one within the other, and swap their order. `ds-shard-axes`
    does it for the axes that it shards over; this pass does it for the first axis, too.

    Input:
    ```mlir
    module attributes {ds.config = #ds.config<device_num = 9, mesh = "dp=1,a=3,b=3">} {
      func.func @step(%w: tensor<2x4xf32> {ds.param = "w", ds.sharding = #ds.sharding<[{"a"}, {} ]>}) -> tensor<2x4xf32> {
        %two = arith.constant 2 : index
        %e = tensor.empty() : tensor<6x4xf32>
        %all = ds.all_gather %w into %e along 0 {group = ["a"], purpose = #ds<purpose activation>} : tensor<2x4xf32> into tensor<6x4xf32>
        %r = ds.rank {group = ["b"]} : index
        %at = arith.muli %r, %two : index
        %mine = tensor.extract_slice %all[%at, 0] [2, 4] [1, 1] : tensor<6x4xf32> to tensor<2x4xf32>
        return %mine : tensor<2x4xf32>
      }
    }
    ```

    Output:
    ```mlir
    module attributes {ds.config = #ds.config<device_num = 9, mesh = "dp=1,a=3,b=3">} {
      func.func @step(%w: tensor<2x4xf32> {ds.param = "w", ds.sharding = #ds.sharding<[{"a"}, {} ]>}) -> tensor<2x4xf32> {
        %e = tensor.empty() : tensor<2x4xf32>
        %mine = ds.collective_permute %w into %e from [0, 3, 6, 1, 4, 7, 2, 5, 8] {group = ["a", "b"]} : tensor<2x4xf32> into tensor<2x4xf32>
        return %mine : tensor<2x4xf32>
      }
    }
    ```
  }];
  let dependentDialects = ["::ds::DsDialect", "::mlir::tensor::TensorDialect"];
  let options = [
    Option<"entry", "entry", "std::string", /*default=*/"\"\"",
           "The step; the module's only public function if empty.">,
  ];
}

def SyncPrecisionPass : Pass<"ds-sync-precision", "::mlir::ModuleOp"> {
  let summary = "let 16-bit gradients travel as f32 (gradient_fp32_sync)";
  let description = [{
    With `gradient_fp32_sync`, the default, sums, means and products of 16-bit floats are widened before the
    all-reduce and narrowed after it. `max` and `min` are exact in any type and keep theirs.

    Input:
    ```mlir
    func.func @step(%g: tensor<4xbf16>) -> tensor<4xbf16> {
      %r = ds.all_reduce sum %g : tensor<4xbf16>
      return %r : tensor<4xbf16>
    }
    ```

    Output:
    ```mlir
    #map = affine_map<(d0) -> (d0)>
    func.func @step(%g: tensor<4xbf16>) -> tensor<4xbf16> {
      %e = tensor.empty() : tensor<4xf32>
      %wide = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel"]}
          ins(%g : tensor<4xbf16>) outs(%e : tensor<4xf32>) {
      ^bb0(%in: bf16, %out: f32):
        %x = arith.extf %in : bf16 to f32
        linalg.yield %x : f32
      } -> tensor<4xf32>
      %sum = ds.all_reduce sum %wide : tensor<4xf32>
      %f = tensor.empty() : tensor<4xbf16>
      %narrow = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel"]}
          ins(%sum : tensor<4xf32>) outs(%f : tensor<4xbf16>) {
      ^bb0(%in: f32, %out: bf16):
        %x = arith.truncf %in : f32 to bf16
        linalg.yield %x : bf16
      } -> tensor<4xbf16>
      return %narrow : tensor<4xbf16>
    }
    ```
  }];
  let dependentDialects = ["::ds::DsDialect", "::mlir::arith::ArithDialect", "::mlir::linalg::LinalgDialect",
                           "::mlir::tensor::TensorDialect"];
}

def ApplyMeanPass : Pass<"ds-apply-mean", "::mlir::ModuleOp"> {
  let summary = "make a mean a sum and a multiplication by 1/n";
  let description = [{
    An all-reduce of kind `mean` (with `gradients_mean` and `batch = local`: gradients, and what decides about an
    update) becomes a sum times f32(1/n), for f64 1/n, in the wire type. n is the size of the group, else
    `device_num`, else `ds.num_ranks` at run time. So the bits are the same on every backend; where `deterministic` is
    false the kind stays `mean`. Run after `ds-sync-precision`, so that 16-bit gradients are rounded once.

    Input:
    ```mlir
    module attributes {ds.config = #ds.config<device_num = 4, gradients_mean = true>} {
      func.func @step(%g: tensor<4xf32>) -> tensor<4xf32> {
        %r = ds.all_reduce mean %g {names = [["w"]]} : tensor<4xf32>
        return %r : tensor<4xf32>
      }
    }
    ```

    Output:
    ```mlir
    #map = affine_map<(d0) -> (d0)>
    module attributes {ds.config = #ds.config<device_num = 4, gradients_mean = true>} {
      func.func @step(%g: tensor<4xf32>) -> tensor<4xf32> {
        %sum = ds.all_reduce sum %g {names = [["w"]]} : tensor<4xf32>
        %factor = arith.constant 2.5e-01 : f32
        %empty = tensor.empty() : tensor<4xf32>
        %mean = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel"]}
            ins(%sum : tensor<4xf32>) outs(%empty : tensor<4xf32>) {
        ^bb0(%in: f32, %out: f32):
          %m = arith.mulf %in, %factor : f32
          linalg.yield %m : f32
        } -> tensor<4xf32>
        return %mean : tensor<4xf32>
      }
    }
    ```
  }];
  let dependentDialects = ["::ds::DsDialect", "::mlir::arith::ArithDialect", "::mlir::linalg::LinalgDialect",
                           "::mlir::tensor::TensorDialect"];
}

def NarrowGradientsPass : Pass<"ds-narrow-gradients", "::mlir::ModuleOp"> {
  let summary = "let gradients travel in fewer bits (wire_type)";
  let description = [{
    With `wire_type = f16` or `bf16` gradients of other types are rounded to it before their reduction and widened
    after it. Ranks add in that type. A mean has been applied before (`ds-apply-mean`). What is no gradient keeps its
    type.

    Input:
    ```mlir
    module attributes {ds.config = #ds.config<wire_type = bf16>} {
      func.func @step(%g: tensor<4xf32>) -> tensor<4xf32> {
        %r = ds.all_reduce sum %g : tensor<4xf32>
        return %r : tensor<4xf32>
      }
    }
    ```

    Output:
    ```mlir
    #map = affine_map<(d0) -> (d0)>
    module attributes {ds.config = #ds.config<wire_type = bf16>} {
      func.func @step(%g: tensor<4xf32>) -> tensor<4xf32> {
        %e = tensor.empty() : tensor<4xbf16>
        %narrow = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel"]}
            ins(%g : tensor<4xf32>) outs(%e : tensor<4xbf16>) {
        ^bb0(%in: f32, %out: bf16):
          %x = arith.truncf %in : f32 to bf16
          linalg.yield %x : bf16
        } -> tensor<4xbf16>
        %sum = ds.all_reduce sum %narrow : tensor<4xbf16>
        %f = tensor.empty() : tensor<4xf32>
        %wide = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel"]}
            ins(%sum : tensor<4xbf16>) outs(%f : tensor<4xf32>) {
        ^bb0(%in: bf16, %out: f32):
          %x = arith.extf %in : bf16 to f32
          linalg.yield %x : f32
        } -> tensor<4xf32>
        return %wide : tensor<4xf32>
      }
    }
    ```
  }];
  let dependentDialects = ["::ds::DsDialect", "::mlir::arith::ArithDialect", "::mlir::linalg::LinalgDialect",
                           "::mlir::tensor::TensorDialect"];
}

def GatherRowsPass : Pass<"ds-gather-rows", "::mlir::ModuleOp"> {
  let summary = "make an all-gather of a sum to which each rank adds its own row";
  let description = [{
    An all-reduce, a sum over all ranks, whose operand is zero but for row `ds.rank`, becomes an all-gather of the rows: it
    moves half of the bytes and adds nothing. So a step can say `each rank has the values of all` by `ds.combine sum`.

    Input:
    ```mlir
    module attributes {ds.config = #ds.config<device_num = 2>} {
      func.func @step(%mine: tensor<1x4xf32>) -> tensor<2x4xf32> {
        %zeros = arith.constant dense<0.0> : tensor<2x4xf32>
        %rank = ds.rank : index
        %row = tensor.insert_slice %mine into %zeros[%rank, 0] [1, 4] [1, 1] : tensor<1x4xf32> into tensor<2x4xf32>
        %all = ds.all_reduce sum %row : tensor<2x4xf32>
        return %all : tensor<2x4xf32>
      }
    }
    ```

    Output:
    ```mlir
    module attributes {ds.config = #ds.config<device_num = 2>} {
      func.func @step(%mine: tensor<1x4xf32>) -> tensor<2x4xf32> {
        %zeros = arith.constant dense<0.0> : tensor<2x4xf32>
        %rank = ds.rank : index
        %row = tensor.insert_slice %mine into %zeros[%rank, 0] [1, 4] [1, 1] : tensor<1x4xf32> into tensor<2x4xf32>
        %empty = tensor.empty() : tensor<2x4xf32>
        %all = ds.all_gather %mine into %empty along 0 {purpose = #ds<purpose gradient>} : tensor<1x4xf32> into tensor<2x4xf32>
        return %all : tensor<2x4xf32>
      }
    }
    ```
  }];
  let dependentDialects = ["::ds::DsDialect", "::mlir::tensor::TensorDialect"];
}

def FuseGatherScatterPass : Pass<"ds-fuse-gather-scatter", "::mlir::ModuleOp"> {
  let summary = "put all-gathers and reduce-scatters into buckets";
  let description = [{
    All-gathers of one bucket become one operation with many operands, and so do reduce-scatters. The entries
    `allgather` and `reducescatter` of `comm_fusion` say which: `size:MB` closes a bucket with the member that fills
    it, `auto` is `size:64`, `all` is one bucket, `none` (the default) fuses nothing. Members are counted in the order
    in which they become ready; their bytes are those of the global value. The attribute `fusion` goes first (equal
    ids share a bucket, 0 stays alone, neither is counted), then the `ds.fusion` of the parameter whose gradient a
    reduce-scatter reduces. `largest_message` caps every bucket.

    Members have equal group, dimension, kind, wire type and purpose, and none is needed for another. A bucket stands
    behind the operand that is ready last, and uses of earlier results sink behind it.

    Input:
    ```mlir
    module attributes {ds.config = #ds.config<comm_fusion = "allgather=auto">} {
      func.func @step(%a: tensor<2xf32>, %b: tensor<3xf32>, %x: tensor<4xf32>, %y: tensor<6xf32>) -> (tensor<4xf32>, tensor<6xf32>) {
        %0 = ds.all_gather %a into %x along 0 : tensor<2xf32> into tensor<4xf32>
        %1 = ds.all_gather %b into %y along 0 : tensor<3xf32> into tensor<6xf32>
        return %0, %1 : tensor<4xf32>, tensor<6xf32>
      }
    }
    ```

    Output:
    ```mlir
    module attributes {ds.config = #ds.config<comm_fusion = "allgather=auto">} {
      func.func @step(%a: tensor<2xf32>, %b: tensor<3xf32>, %x: tensor<4xf32>, %y: tensor<6xf32>) -> (tensor<4xf32>, tensor<6xf32>) {
        %0:2 = ds.all_gather %a, %b into %x, %y along 0 {fusion = 1024 : i64} : tensor<2xf32>, tensor<3xf32> into tensor<4xf32>, tensor<6xf32>
        return %0#0, %0#1 : tensor<4xf32>, tensor<6xf32>
      }
    }
    ```
  }];
  let dependentDialects = ["::ds::DsDialect"];
}

def FuseAllReducePass : Pass<"ds-fuse-all-reduce", "::mlir::ModuleOp"> {
  let summary = "put all-reduces into buckets";
  let description = [{
    All-reduces of one bucket become one operation with many operands. `all_reduce_fusion_config = [a, b]` puts the
    first a gradients into one, those up to the b-th into one, and the rest into one, in the order in which they
    become ready (`fusion_order = parameter`: in that of parameters). `comm_fusion = "size:MB"` closes a bucket with
    the member that fills it, `ddp` is 1 MiB and then 25 MiB, `none` fuses nothing; otherwise all travel together. A
    parameter's `ds.fusion` goes first: equal ids share a bucket, 0 stays alone, neither is counted. Automatic ids
    start at 1024. `mindspore_inclusive` counts as MindSpore does: indices end their bucket, parameters count in their
    order. `largest_message` caps every bucket, in MiB: the member that would exceed it starts the next bucket, with a
    remark.

    Members have equal group, kind, wire type and purpose, and none is needed for another. Independent `activation`
    neighbours share one; metrics share the last one and are not counted. A bucket stands behind the operand that is
    ready last, and uses of earlier results sink behind it.

    Input:
    ```mlir
    module attributes {ds.config = #ds.config<all_reduce_fusion_config = [2]>} {
      func.func @step(%a: tensor<4xf32>, %b: tensor<2xf32>, %c: tensor<8xf32>) -> (tensor<4xf32>, tensor<2xf32>, tensor<8xf32>) {
        %0 = ds.all_reduce sum %a {names = [["a"]]} : tensor<4xf32>
        %1 = ds.all_reduce sum %b {names = [["b"]]} : tensor<2xf32>
        %2 = ds.all_reduce sum %c {names = [["c"]]} : tensor<8xf32>
        return %0, %1, %2 : tensor<4xf32>, tensor<2xf32>, tensor<8xf32>
      }
    }
    ```

    Output:
    ```mlir
    module attributes {ds.config = #ds.config<all_reduce_fusion_config = [2]>} {
      func.func @step(%a: tensor<4xf32>, %b: tensor<2xf32>, %c: tensor<8xf32>) -> (tensor<4xf32>, tensor<2xf32>, tensor<8xf32>) {
        %0:2 = ds.all_reduce sum %a, %b {fusion = 1024 : i64, names = [["a"], ["b"]]} : tensor<4xf32>, tensor<2xf32>
        %1 = ds.all_reduce sum %c {fusion = 1025 : i64, names = [["c"]]} : tensor<8xf32>
        return %0#0, %0#1, %1 : tensor<4xf32>, tensor<2xf32>, tensor<8xf32>
      }
    }
    ```
  }];
  let dependentDialects = ["::ds::DsDialect"];
}

def VerifySpmdPass : Pass<"ds-verify-spmd", "::mlir::ModuleOp"> {
  let summary = "check that all ranks meet in the same collectives in the same order";
  let description = [{
    Every rank runs the same program, so ranks part only where control depends on a value that differs between them: the
    rank's number, its samples, memory, or arguments of a private function. Checked is that

    - both branches of such a condition hold the same sequence of collectives, and such a loop none;
    - a started collective is waited for once, in the block of its start;
    - nothing between start and wait touches a buffer in flight, nor a view of it (again behind bufferization: ds-verify-in-flight);
    - groups, roots and shares fit `device_num`.

    The pass changes nothing.
  }];
  let dependentDialects = ["::ds::DsDialect"];
}

def PrintShardingRulesPass : Pass<"ds-print-sharding-rules", "::mlir::ModuleOp"> {
  let summary = "write the sharding rules of operations into the IR, for people and tests";
  let description = [{
    Writes `ds.rule` on every operation with a sharding rule: its loops, which of them run over which dimension, and
    in what the results are linear, as in `#ds.sharding_rule`. Needs neither a step nor a number of ranks.

    Input:
    ```mlir
    func.func @f(%x: tensor<4x16xf32>, %w: tensor<16x8xf32>, %bias: tensor<4x8xf32>) -> tensor<32xf32> {
      %y = linalg.matmul ins(%x, %w : tensor<4x16xf32>, tensor<16x8xf32>) outs(%bias : tensor<4x8xf32>) -> tensor<4x8xf32>
      %z = tensor.collapse_shape %y [[0, 1]] : tensor<4x8xf32> into tensor<32xf32>
      return %z : tensor<32xf32>
    }
    ```

    Output:
    ```mlir
    func.func @f(%x: tensor<4x16xf32>, %w: tensor<16x8xf32>, %bias: tensor<4x8xf32>) -> tensor<32xf32> {
      %y = linalg.matmul {ds.rule = #ds.sharding_rule<([i, k], [k, j], [i, j]) -> ([i, j]) {i=4, j=8, k=16, k: sum}
                                                      linear=[arg0 * arg1 + arg2]>}
          ins(%x, %w : tensor<4x16xf32>, tensor<16x8xf32>) outs(%bias : tensor<4x8xf32>) -> tensor<4x8xf32>
      %z = tensor.collapse_shape %y [[0, 1]] {ds.rule = #ds.sharding_rule<([i, j]) -> ([ij]) {i=4, j=8} linear=[arg0]>}
          : tensor<4x8xf32> into tensor<32xf32>
      return %z : tensor<32xf32>
    }
    ```
  }];
  let dependentDialects = ["::ds::DsDialect"];
}

def PrintPlacementPass : Pass<"ds-print-placement", "::mlir::ModuleOp"> {
  let summary = "write the placement of every value into the IR, for people and tests";
  let description = [{
    Plans the step as `ds-insert-all-reduce` does, in its place in a pipeline, and writes the plan as attributes:
    `ds.placement` has the placement of each result (on the function: of each argument), `ds.combined` what is reduced
    over the ranks and for whom, `ds.operands` how operands are taken where they are not taken as they are.
    `sharded(d, a, b)` reads dimension d as [a, n, b], of which the middle index is the rank. Placements are those
    that the cut chooses among: what is linear in a partial value is partial, also behind the value that is reduced in
    the end.

    Input:
    ```mlir
    module attributes {ds.config = #ds.config<batch = global, device_num = 2>} {
      func.func @step(%w: tensor<4x3xf32> {ds.param = "w"}, %xt: tensor<4x8xf32> {ds.batch = 1 : i64},
          %dy: tensor<8x3xf32> {ds.batch = 0 : i64}) -> (tensor<4x3xf32> {ds.updates = "w"}) {
        %zero = arith.constant dense<0.0> : tensor<4x3xf32>
        %dw = linalg.matmul ins(%xt, %dy : tensor<4x8xf32>, tensor<8x3xf32>) outs(%zero : tensor<4x3xf32>) -> tensor<4x3xf32>
        %square = arith.mulf %dw, %dw : tensor<4x3xf32>
        %new = arith.subf %w, %square : tensor<4x3xf32>
        return %new : tensor<4x3xf32>
      }
    }
    ```

    Output:
    ```mlir
    module attributes {ds.config = #ds.config<batch = global, device_num = 2>} {
      func.func @step(%w: tensor<4x3xf32> {ds.param = "w"}, %xt: tensor<4x8xf32> {ds.batch = 1 : i64},
          %dy: tensor<8x3xf32> {ds.batch = 0 : i64}) -> (tensor<4x3xf32> {ds.updates = "w"})
          attributes {ds.placement = ["replicated", "sharded(1, 4, 1)", "sharded(0, 4, 1)"]} {
        %zero = arith.constant {ds.placement = ["zero"]} dense<0.0> : tensor<4x3xf32>
        %dw = linalg.matmul {ds.combined = ["gradient w"], ds.placement = ["partial(sum)"]}
            ins(%xt, %dy : tensor<4x8xf32>, tensor<8x3xf32>) outs(%zero : tensor<4x3xf32>) -> tensor<4x3xf32>
        %square = arith.mulf %dw, %dw {ds.operands = ["reduced", "reduced"], ds.placement = ["replicated"]} : tensor<4x3xf32>
        %new = arith.subf %w, %square {ds.placement = ["replicated"]} : tensor<4x3xf32>
        return %new : tensor<4x3xf32>
      }
    }
    ```
  }];
  let options = [
    Option<"entry", "entry", "std::string", /*default=*/"\"\"",
           "The step; the module's only public function if empty">
  ];
}

#endif // DS_TRANSFORMS_PASSES_TD
