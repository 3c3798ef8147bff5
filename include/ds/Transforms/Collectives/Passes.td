//===- Passes.td - Types, order and buckets of collectives -*- tablegen -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef DS_TRANSFORMS_COLLECTIVES_PASSES
#define DS_TRANSFORMS_COLLECTIVES_PASSES

include "mlir/Pass/PassBase.td"

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
    after the operand that is ready last, and uses of earlier results sink after it.

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
    neighbours share one; metrics share the last one and are not counted. A bucket stands after the operand that is
    ready last, and uses of earlier results sink after it.

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
    - nothing between start and wait touches a buffer in flight, nor a view of it (again after bufferization: ds-verify-in-flight);
    - groups, roots and shares fit `device_num`.

    The pass changes nothing.
  }];
  let dependentDialects = ["::ds::DsDialect"];
}

#endif // DS_TRANSFORMS_COLLECTIVES_PASSES
