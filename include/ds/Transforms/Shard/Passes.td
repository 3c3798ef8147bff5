//===- Passes.td - Values and samples divided among ranks --*- tablegen -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef DS_TRANSFORMS_SHARD_PASSES
#define DS_TRANSFORMS_SHARD_PASSES

include "mlir/Pass/PassBase.td"

def DetectGradientsPass : Pass<"ds-detect-gradients", "::mlir::ModuleOp"> {
  let summary = "name the gradient of every parameter with ds.gradient";
  let description = [{
    Marks every gradient of a parameter where it enters the update: a value that depends on the samples but no longer holds
    any, on its way to the parameter's new value. With `batch = global` marks are names, and those of a front end are kept. With
    `batch = local` they are where ranks meet (`ds.gradient`, and `ds.combine` on what decides about an update), so a step that
    has any is left as it is: marks are the whole truth, and a parameter whose new value differs from rank to rank is an error.
    What this pass finds in a step without marks can be read, changed and pinned; nothing after it guesses. It finds what the
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
    step, unless it is annotated. `ds.layout` then marks the argument as a shard.

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
    over the ranks and for which uses, `ds.operands` how operands are taken where they are not taken as they are.
    `sharded(d, a, b)` reads dimension d as [a, n, b], of which the middle index is the rank. Placements are those
    that the cut chooses among: what is linear in a partial value is partial, also after the value that is reduced in
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

#endif // DS_TRANSFORMS_SHARD_PASSES
