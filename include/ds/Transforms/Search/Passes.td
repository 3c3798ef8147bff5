//===- Passes.td - Shardings that are searched -------------*- tablegen -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef DS_TRANSFORMS_SEARCH_PASSES
#define DS_TRANSFORMS_SEARCH_PASSES

include "mlir/Pass/PassBase.td"

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
    an estimate of its temporaries, and the level. `ds.plan_memory` has what compiled plans took, for `memory_limit`.

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

#endif // DS_TRANSFORMS_SEARCH_PASSES
