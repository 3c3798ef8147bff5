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
    Writes `ds.config` in its normal form, after setting the keys of the option `config`. A value that is not built is an
    error here, in one line that says what to do instead, rather than a step that silently does something else. `gradients_mean` beside
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

def PrepareStepPass : Pass<"ds-prepare-step", "::mlir::ModuleOp"> {
  let summary = "bring a step to the dialects whose placement ds knows";
  let description = [{
    Inlines private functions (a helper is placed anew at each of its calls), lowers tosa with upstream's passes to linalg,
    tensor, arith and scf, writes `scf.forall` as a nest of `scf.for`, drops operands that no body reads, makes bodies that
    compute on tensors of rank 0 compute on scalars, computes nothing of tensors without elements, reads dilated kernels of
    convolutions without the zeros between their elements, and folds constants and duplicates. A step on func, linalg, tensor,
    arith, math and scf alone is only simplified. A body whose parallel iterations read what others of them write is an error,
    and so is a call of a function that calls itself or has several blocks; a body of a kernel calls nothing at all.

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
  let dependentDialects = ["::mlir::affine::AffineDialect", "::mlir::arith::ArithDialect", "::mlir::index::IndexDialect",
                           "::mlir::linalg::LinalgDialect", "::mlir::math::MathDialect", "::mlir::scf::SCFDialect",
                           "::mlir::tensor::TensorDialect"];
}

def AnnotateStepPass : Pass<"ds-annotate-step", "::mlir::ModuleOp"> {
  let summary = "derive roles for an unmodified step from donated arguments";
  let description = [{
    For a step as JAX exports it, with parameters and state donated. Donation (`tf.aliasing_output`) says that a buffer may
    be reused, not for what: JAX pairs by shape and type, first in first out, so a step that returns its state before its
    parameters is paired crosswise. Here a donated argument is paired with the result that contains it element by element:
    whole, as `p` in `p - lr * u`, before scaled, as `m` in `beta * m + g`. A pairing with more than one reading is an
    error that lists the candidates; `pairs` settles it.

    The leading dimension of the other ranked arguments counts samples if all agree on it and none can be a random key
    (mark that one with `ds.seed`). Donated floats that reach a value holding samples are parameters, the others state.
    Remaining results are per sample or metrics. A step with roles is only checked. `ds.sharding` of a result becomes that of the
    argument that it updates. Calls must be inlined before.

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
    A label beyond the last class has no one-hot, and a token beyond the last row no embedding: a framework may drop or clamp
    it, and a training goes on with wrong data. Writes `ds.index_range` on batch arguments of integers that the step
    compares with the positions of a dimension, or reads a tensor at: the first integer, the end, and others that the step
    compares with, such as a label that is ignored. Counting from the end (`x < 0 ? x + n : x`) is followed, and clamps of type index, with which
    gathers are lowered; an index that the step itself makes safe has no range. An argument that has one keeps it.

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
    The key `strategy_ckpt_load_file` names a JSON file of `ds.sharding` by the names of arguments. It replaces what the step says of
    these arguments. `mesh`, where the file has it, must be that of the run.

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
  let summary = "take a step that is divided by hand over (hybrid_parallel)";
  let description = [{
    With `parallel_mode = hybrid_parallel` a step is what one rank does: over every axis of `mesh` but the first it is divided
    already, with collectives of its own, shapes of one rank, and `ds.sharding` on the arguments of which ranks hold shards.
    Over the first axis, which divides the batch, it is divided as in data_parallel: what ranks along it compute apart is
    combined, and gradients of shards are combined over it alone. `ds.layerwise_parallel` without `ds.sharding` is a
    parameter of which every rank has one of its own.

    Reductions without `names` serve no gradient, and get the purpose `activation`. Refused is what would let ranks differ that should not: a collective, or a rank's number, of the first axis or of all ranks, which are the
    compiler's, and a result that differs along an axis over which no `ds.sharding` divides it.

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
    The key `strategy_ckpt_save_file` names the file, which `ds-load-strategy` reads. It has the `ds.sharding` of all arguments with a
    name, those that `auto_parallel` has found among them, and the mesh.
  }];
  let options = [
    Option<"entry", "entry", "std::string", /*default=*/"\"\"",
           "Name of the step; by default the only public function.">,
  ];
}

def ShardAxesPass : Pass<"ds-shard-axes", "::mlir::ModuleOp"> {
  let summary = "divide the step over the axes of the mesh, as it is marked";
  let description = [{
    Divides over each axis of the key `mesh` but the first what `ds.sharding` on arguments and `ds.sharding_constraint` on values say:
    shapes become those of one rank, partial sums are combined on the minimum cut, and what is divided otherwise than it is
    wanted is moved (what one axis divides as another shall, by `ds-permute-shards`). Collectives name their axes as their group. What is not marked follows from what is: an
    operation is divided as its operands are, an unmarked parameter is whole on every rank, and an unmarked state is divided
    like the parameter that it is updated with. The rows of a table that ranks divide are looked up by all of them, and are zero where
    a rank has not the row. The first axis divides the batch; the passes behind this one see an ordinary step on smaller shapes.

    With `parallel_mode = auto_parallel` what is not marked is searched, and so is whether the ranks of the first axis divide parameters,
    states and their update (`optimizer_level`), unless `enable_parallel_optimizer` is set. The plan is written as marks, and `ds.plan` of
    the module has its time and a bound of any plan in nanoseconds, the bytes of arguments that a rank holds, an estimate of what it keeps
    at once beside them, and the level. `ds.plan_memory` tells what plans took that were compiled before, so that `memory_limit` is for all that a rank takes.

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
  let summary = "combine partial values over ranks at the cheapest cut";
  let description = [{
    Values of which every rank holds a part of the sum are combined on the minimum cut between where they arise and where
    the whole is needed, in bytes on the wire; of several minimum cuts the earliest. Each all-reduce carries the names it
    serves. Gradients, state, metrics and values that the forward or backward pass needs (`activation`) have purposes of their
    own. With `batch = local` values become parts at marks (`ds.gradient`, `ds.combine`) and nowhere else; run `ds-detect-gradients`
    before for a step that has none. Marks are consumed. The remark `ReductionPlan` says what the cut costs, and what combining every value
    where it arises (`bytesAtDefinition`) or where it is needed (`bytesAtUse`) would have cost.

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
    In `local` all ranks are given the same random keys, so they draw the same dropout mask for different samples. With
    `decorrelate_seeds` word 0 of every `ds.seed` argument is combined by exclusive or with h(rank), where h is the 32-bit
    finaliser of MurmurHash3: `x ^= x >> 16; x *= 0x85ebca6b; x ^= x >> 13; x *= 0xc2b2ae35; x ^= x >> 16`. It is a
    bijection and h(0) = 0: no two ranks share a key, and rank 0 keeps that of one device. What is computed from a key is
    the rank's own for `ds-detect-gradients` and `ds-insert-all-reduce`, which run before.

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
  let summary = "write where values are wanted in another placement (batch = global)";
  let description = [{
    The first half of `ds-localize-batch`, to be read: an operand that its operation wants in another placement than the value
    has is a `ds.reshard`, one for all that want the same. Types are those of the whole step still. Afterwards
    `ds-localize-batch` does what it would have done.

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
  let summary = "give every rank its rows of the whole batch (batch = global)";
  let description = [{
    With `batch = global` the step is written for the whole batch B; afterwards every shape that counts samples is B/n.
    `ds.layout` records which rows a rank holds: `cyclic` (row i belongs to rank i mod n) where nothing speaks against
    it, else `block`. Replicated values that meet samples are sliced at the rank's offset. Where an operation reads rows of
    other samples (products of all pairs, rows that data chooses) all samples of that operand are gathered; a remark
    says how many bytes. An operation that cannot be divided at all is run on all samples by every rank, with a warning. A reduction
    of which every rank uses its own part alone (`ds-insert-all-reduce` made it) becomes a `ds.reduce_scatter`.

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
    A value counted once is the value on rank 0 and the identity of the reduction elsewhere. Runs after the last pass
    that analyses placements.
  }];
  let dependentDialects = ["::ds::DsDialect", "::mlir::arith::ArithDialect", "::mlir::linalg::LinalgDialect",
                           "::mlir::tensor::TensorDialect"];
}

def ShardOptimizerPass : Pass<"ds-shard-optimizer", "::mlir::ModuleOp"> {
  let summary = "divide parameters, optimizer states and their update over the ranks (enable_parallel_optimizer)";
  let description = [{
    With `enable_parallel_optimizer` a rank holds one block of each parameter and state of at least `parallel_optimizer_threshold` KB,
    in the first dimension that the ranks divide and in which its update gains (along another one it may move, or be divided by
    another axis already); `ds.sharding` on an argument does the same for that one, in the dimension it names. The gradient is
    reduce-scattered, the update computed on the shard, and the parameter gathered once where the step reads all of it. What would not be updated as a shard stays whole, and so does a state that would have to be
    gathered in each step, unless it is marked. `ds.layout` says afterwards that the argument is a shard.

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
    With `gradient_fp32_sync`, which is the default, sums, means and products of 16-bit floats are widened before the
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
    The result of every all-reduce of kind `mean` (with `gradients_mean` and `batch = local` those of gradients, and of what decides
    about an update) is a sum multiplied by f32(1/n), for f64 by 1/n, in the wire type. n is the size of the group, else `device_num`, else read at run time
    with `ds.num_ranks`. The multiplication is the same on every backend; where `deterministic` is false the kind stays
    `mean` and the backend divides as it likes. Run after `ds-sync-precision`, so that 16-bit gradients are rounded once.

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
    With `wire_type = f16` or `bf16` gradients of other types are rounded to it before their reduction and widened after it. Ranks add in
    that type. A mean has been applied before (`ds-apply-mean`), to what is widened again; what is no gradient, such as a sum in the middle of
    a layer or a metric, keeps its type.

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

def FuseGatherScatterPass : Pass<"ds-fuse-gather-scatter", "::mlir::ModuleOp"> {
  let summary = "put all-gathers and reduce-scatters into buckets";
  let description = [{
    All-gathers of one bucket become one operation with many operands, and so do reduce-scatters. `comm_fusion` says which, by
    its entries `allgather` and `reducescatter`: `size:MB` closes a bucket with the member that fills it, `auto` is `size:64`,
    `all` is one bucket, `none` fuses nothing, as without an entry. Members are counted in the order in which they become
    ready; their bytes are those of the whole value. The attribute `fusion` wins: equal ids share a bucket, 0 stays alone, and neither is
    counted. After it comes the `ds.fusion` of the parameter whose gradient a reduce-scatter combines. `largest_message` caps every bucket.

    Only operations of equal group, dimension, kind, wire type and purpose share a collective, and none that another member is
    needed for. A bucket stands behind the operand that is ready last, and what used an earlier result sinks behind it.

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
    All-reduces of one bucket become one operation with many operands. `all_reduce_fusion_config = [a, b]` puts the first
    a gradients into one, those up to the b-th into one, and the rest into one, counted in the order in which they become
    ready (`fusion_order = parameter`: in the order of parameters). `comm_fusion = "size:MB"` closes a bucket with the
    member that fills it, `ddp` is 1 MiB and then 25 MiB, `none` fuses nothing; otherwise all travel together. A
    parameter's `ds.fusion` wins: equal ids share a bucket, 0 stays alone, and neither is counted. Automatic ids start at
    1024. `mindspore_inclusive` counts as MindSpore does: indices end their bucket, parameters count in their order.

    `largest_message` caps every bucket, in MiB: the member that would exceed it starts the next bucket, and a remark says
    so. One tensor that is longer stays whole. ds-run sets it to what the backend says (HCCL: its buffer of 200 MiB).

    Only operations of equal group, kind, wire type and purpose share a collective, and none that another member is needed
    for. Independent `activation` neighbours share one; metrics share the last one and are not counted. A bucket stands behind
    the operand that is ready last, and what used an earlier result sinks behind it.

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
  let summary = "write how operations may be divided into the IR, for people and tests";
  let description = [{
    Writes `ds.rule` on every operation that has a sharding rule: the loops that it is, which of them run over which dimension, and in
    what the results are linear, as `#ds.sharding_rule` has them. It plans nothing, and needs neither a step nor a number of ranks.

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
  let summary = "write where the data of every value lives into the IR, for people and tests";
  let description = [{
    Plans the step as `ds-insert-all-reduce` does, which stands in its place in a pipeline, and writes the plan as attributes:
    `ds.placement` has the placement of each result (on the function: of each argument), `ds.combined` what is combined
    over the ranks and for whom, `ds.operands` how operands are taken where they are not taken as they are. `sharded(d, a, b)`
    reads dimension d as [a, n, b], of which the middle index is the rank. Placements are those that the cut chooses
    among: what is linear in a partial value is partial, also behind the value that is combined in the end.

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
