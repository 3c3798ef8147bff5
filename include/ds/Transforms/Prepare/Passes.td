//===- Passes.td - A step is read, checked and annotated ---------*- tablegen -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef DS_TRANSFORMS_PREPARE_PASSES
#define DS_TRANSFORMS_PREPARE_PASSES

include "mlir/Pass/PassBase.td"

def CheckConfigPass : Pass<"ds-check-config", "::mlir::ModuleOp"> {
  let summary = "normalise the configuration and refuse what is not built";
  let description = [{
    Writes `ds.config` in its normal form, after setting the keys of the option `config`. A value that is not built is
    an error that names what to do instead. `gradients_mean` beside `batch = global` is a warning: the step itself decides
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
    `jax.buffer_donor` of a step on several devices) allows that a buffer is reused, not for what; a donor without a
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
    of Optax do in k calls. The reductions over ranks move after the loop, so a gradient travels once per update.

    - The step is cut at `ds.gradient`; without marks, they are found first, as by `ds-detect-gradients`.
    - A state that the gradients read or that samples make (running statistics, a random key) goes from microbatch to
      microbatch. One that the update alone reads (moments, the count of a learning-rate schedule) changes once per call.
    - A `ds.seed` argument is hashed with the microbatch's number as by `ds-decorrelate-seeds`.
    - Metrics are reduced over microbatches as `ds.reduce` says, results per sample lie after one another.
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

def LoadStrategyPass : Pass<"ds-load-strategy", "::mlir::ModuleOp"> {
  let summary = "write the shardings of a strategy file on the arguments of the step";
  let description = [{
    The key `strategy_ckpt_load_file` names a JSON file with the `ds.sharding` of arguments by name. It replaces what
    the step has for them. `mesh`, where the file has it, must be that of the run.

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

#endif // DS_TRANSFORMS_PREPARE_PASSES
