//===- Passes.td - Collectives for other compilers ---------*- tablegen -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef DS_CONVERSION_COLLECTIVES_PASSES
#define DS_CONVERSION_COLLECTIVES_PASSES

include "mlir/Pass/PassBase.td"

def PackCollectivesPass : Pass<"ds-pack-collectives"> {
  let summary = "each collective on tensors moves one tensor of rank 1";
  let description = [{
    The operands of a collective become one tensor of rank 1, and its result becomes theirs again, so that a bucket
    stays one exchange where a compiler's collective takes one value. Blocks of a reduce-scatter, all-gather or
    all-to-all lie one after another in it, whatever the dimension was: block r is `count / n` elements from `r * count
    / n` on. Where a value is of rank 1 and alone nothing changes. After `ds-overlap` a start packs and its wait
    unpacks. The same elements meet, so results keep their bits.

    Input:
    ```mlir
    func.func @step(%a: tensor<2x3xf32>, %b: tensor<4xf32>) -> (tensor<2x3xf32>, tensor<4xf32>) {
      %r:2 = ds.all_reduce sum %a, %b {fusion = 1024 : i64, names = [["a"], ["b"]]} : tensor<2x3xf32>, tensor<4xf32>
      return %r#0, %r#1 : tensor<2x3xf32>, tensor<4xf32>
    }
    ```

    Output:
    ```mlir
    func.func @step(%arg0: tensor<2x3xf32>, %arg1: tensor<4xf32>) -> (tensor<2x3xf32>, tensor<4xf32>) {
      %collapsed = tensor.collapse_shape %arg0 [[0, 1]] : tensor<2x3xf32> into tensor<6xf32>
      %0 = tensor.empty() : tensor<10xf32>
      %inserted_slice = tensor.insert_slice %collapsed into %0[0] [6] [1] : tensor<6xf32> into tensor<10xf32>
      %inserted_slice_0 = tensor.insert_slice %arg1 into %inserted_slice[6] [4] [1] : tensor<4xf32> into tensor<10xf32>
      %1 = ds.all_reduce sum %inserted_slice_0 {fusion = 1024 : i64, names = [["a", "b"]]} : tensor<10xf32>
      %extracted_slice = tensor.extract_slice %1[0] [6] [1] : tensor<10xf32> to tensor<6xf32>
      %expanded = tensor.expand_shape %extracted_slice [[0, 1]] output_shape [2, 3] : tensor<6xf32> into tensor<2x3xf32>
      %extracted_slice_1 = tensor.extract_slice %1[6] [4] [1] : tensor<10xf32> to tensor<4xf32>
      return %expanded, %extracted_slice_1 : tensor<2x3xf32>, tensor<4xf32>
    }
    ```
  }];
  let dependentDialects = ["::ds::DsDialect", "::mlir::linalg::LinalgDialect", "::mlir::tensor::TensorDialect"];
}

def ConvertDsToCallsPass : Pass<"convert-ds-to-calls", "::mlir::ModuleOp"> {
  let summary = "collectives on tensors become calls of functions that the caller brings";
  let description = [{
    After `ds-data-parallel`, for a compiler with collectives of its own. Each collective is packed
    (`ds-pack-collectives`) and becomes a call of a function that is declared in the module. The name gives what the
    function does, its values are of any size:

    | collective | function of `prefix=acme` | type |
    |---|---|---|
    | `ds.all_reduce sum` of f32 | `acme_all_reduce_sum_f32` | `(tensor<?xf32>) -> tensor<?xf32>` |
    | `ds.reduce_scatter sum` | `acme_reduce_scatter_sum_f32` | `(tensor<?xf32>) -> tensor<?xf32>`, this rank's block |
    | `ds.all_gather` | `acme_all_gather_f32` | `(tensor<?xf32>) -> tensor<?xf32>`, the blocks of all ranks |
    | `ds.all_to_all` | `acme_all_to_all_f32` | `(tensor<?xf32>) -> tensor<?xf32>`, a block from each rank |
    | `ds.broadcast` | `acme_broadcast_f32` | `(tensor<?xf32>, i64) -> tensor<?xf32>`, with the root |
    | `ds.collective_permute` | `acme_collective_permute_f32` | `(tensor<?xf32>, tensor<?xi64>) -> tensor<?xf32>`, with the source of each member, or -1 for zeros |
    | `ds.barrier` | `acme_barrier` | `() -> ()` |
    | `ds.rank`, `ds.num_ranks` | `acme_rank`, `acme_num_ranks` | `() -> i64` |
    | `ds.X_start` | `acme_X_start` | as `acme_X`, and an i64 as the last result: the handle |
    | `ds.wait` of X | `acme_X_wait` | `(i64, tensor<?xf32>) -> tensor<?xf32>`: handle, and what the start returned; for X with blocks a third operand, what the start was given |

    A group is the end of the name before `_start` and `_wait`: `acme_all_reduce_sum_f32_along_tp` is among the ranks
    that differ in their coordinates along `tp` alone, `acme_barrier_among_0_2` among the ranks listed. A root is a
    rank of the world, along axes a member of the group. A function may return the memory that it was given; what a
    start was given or has returned is not written between it and its wait. A prefix that ends in a dot is followed by
    no `_`: `exchange.all_reduce_sum_f32` is a function of another module for compilers such as IREE.

    The functions have `llvm.emit_c_interface`, so that after bufferization and lowering to LLVM they are functions of
    C: `_mlir_ciface_acme_all_reduce_sum_f32(result, values)` with pointers to `{float *allocated, *aligned; int64_t
    offset, size, stride;}`.

    Input:
    ```mlir
    func.func @step(%a: tensor<2x3xf32>) -> tensor<2x3xf32> {
      %r = ds.all_reduce sum %a {names = [["a"]]} : tensor<2x3xf32>
      return %r : tensor<2x3xf32>
    }
    ```

    Output, with `prefix=acme`:
    ```mlir
    func.func @step(%arg0: tensor<2x3xf32>) -> tensor<2x3xf32> {
      %collapsed = tensor.collapse_shape %arg0 [[0, 1]] : tensor<2x3xf32> into tensor<6xf32>
      %cast = tensor.cast %collapsed : tensor<6xf32> to tensor<?xf32>
      %0 = call @acme_all_reduce_sum_f32(%cast) : (tensor<?xf32>) -> tensor<?xf32>
      %cast_0 = tensor.cast %0 : tensor<?xf32> to tensor<6xf32>
      %expanded = tensor.expand_shape %cast_0 [[0, 1]] output_shape [2, 3] : tensor<6xf32> into tensor<2x3xf32>
      return %expanded : tensor<2x3xf32>
    }
    func.func private @acme_all_reduce_sum_f32(tensor<?xf32>) -> tensor<?xf32> attributes {llvm.emit_c_interface}
    ```
  }];
  let options = [Option<"prefix", "prefix", "std::string", "\"\"", "What the names of the functions begin with">];
  let dependentDialects = ["::ds::DsDialect", "::mlir::arith::ArithDialect", "::mlir::func::FuncDialect",
                           "::mlir::linalg::LinalgDialect", "::mlir::LLVM::LLVMDialect",
                           "::mlir::tensor::TensorDialect"];
}

def ConvertDsToMPIPass : Pass<"convert-ds-to-mpi", "::mlir::ModuleOp"> {
  let summary = "all-reduces on buffers become mpi.allreduce";
  let description = [{
    After bufferization, since upstream's mpi dialect is of buffers: all-reduces over all ranks, barriers, `ds.rank` and
    `ds.num_ranks`. Each buffer is reduced in place, as one of rank 1, because upstream's lowering to LLVM counts the
    elements of the first dimension; `ds-pack-collectives` before bufferization keeps a bucket one message. The program
    calls `mpi.init` before the first step. Errors are groups of axes or ranks, since the dialect of LLVM 22 cannot free a
    communicator that a step would split off; all other collectives, starts and waits; means (`ds-apply-mean` makes
    them sums); and elements of types that MPI does not name.

    Input:
    ```mlir
    func.func @step(%a: memref<2x3xf32>) {
      ds.all_reduce sum %a {names = [["a"]]} : memref<2x3xf32>
      return
    }
    ```

    Output:
    ```mlir
    func.func @step(%arg0: memref<2x3xf32>) {
      %0 = mpi.comm_world : !mpi.comm
      %collapse_shape = memref.collapse_shape %arg0 [[0, 1]] : memref<2x3xf32> into memref<6xf32>
      mpi.allreduce(%collapse_shape, %collapse_shape, MPI_SUM, %0) : memref<6xf32>, memref<6xf32>
      return
    }
    ```
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::memref::MemRefDialect", "::mlir::mpi::MPIDialect"];
}

def ConvertDsToShardPass : Pass<"convert-ds-to-shard", "::mlir::ModuleOp"> {
  let summary = "collectives on tensors become those of upstream's shard dialect";
  let description = [{
    After `ds-data-parallel`. The mesh of `ds.config` becomes a `shard.grid`, along whose axes ranks meet; without a mesh
    its one axis has `device_num` ranks. `ds.rank` is `shard.process_linear_index`. Each operand of a collective is one
    operation, since those of shard have one; `ds-pack-collectives` before keeps a bucket one. Errors are, since the
    dialect lacks them, groups that list ranks, barriers, starts and waits, and a collective_permute that is no rotation
    along one axis.

    Input:
    ```mlir
    module attributes {ds.config = #ds.config<device_num = 4, mesh = "dp=2,tp=2">} {
      func.func @step(%a: tensor<2x3xf32>, %o: tensor<2x6xf32>) -> (tensor<2x3xf32>, tensor<2x6xf32>) {
        %r = ds.all_reduce sum %a {names = [["a"]]} : tensor<2x3xf32>
        %g = ds.all_gather %a into %o along 1 {group = ["tp"]} : tensor<2x3xf32> into tensor<2x6xf32>
        return %r, %g : tensor<2x3xf32>, tensor<2x6xf32>
      }
    }
    ```

    Output:
    ```mlir
    module attributes {ds.config = #ds.config<device_num = 4, mesh = "dp=2,tp=2">} {
      shard.grid @mesh(shape = 2x2)
      func.func @step(%arg0: tensor<2x3xf32>, %arg1: tensor<2x6xf32>) -> (tensor<2x3xf32>, tensor<2x6xf32>) {
        %all_reduce = shard.all_reduce %arg0 on @mesh grid_axes = [0, 1] : tensor<2x3xf32> -> tensor<2x3xf32>
        %all_gather = shard.all_gather %arg0 on @mesh grid_axes = [1] gather_axis = 1 : tensor<2x3xf32> -> tensor<2x6xf32>
        return %all_reduce, %all_gather : tensor<2x3xf32>, tensor<2x6xf32>
      }
    }
    ```
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::shard::ShardDialect"];
}

def CollectivesToStableHLOPass : Pass<"ds-collectives-to-stablehlo", "::mlir::ModuleOp"> {
  let summary = "collectives on tensors become those of StableHLO, in the generic form";
  let description = [{
    After `ds-data-parallel`, for compilers that have StableHLO; ds does not have it, so its operations are made by name
    and printed in the generic form, and a tool reads them where the dialect is registered, or with
    `--allow-unregistered-dialect`. Ranks are replicas: a group is listed in `replica_groups`, `ds.rank` is
    `stablehlo.replica_id`. A bucket is one all_reduce, all_gather or all_to_all of several operands; of a
    reduce_scatter, a broadcast and a permute each operand is one operation. Errors are, since StableHLO lacks
    them, means (`ds-apply-mean` makes them sums), groups that list some ranks, barriers, starts and waits.

    ```mlir
    %r = "stablehlo.all_reduce"(%a) ({
    ^bb0(%x: tensor<f32>, %y: tensor<f32>):
      %s = "stablehlo.add"(%x, %y) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%s) : (tensor<f32>) -> ()
    }) {replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>} : (tensor<4xf32>) -> tensor<4xf32>
    ```
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::tensor::TensorDialect"];
}

def ConvertShardToDsPass : Pass<"convert-shard-to-ds", "::mlir::ModuleOp"> {
  let summary = "shardings of upstream's shard dialect and of Shardy become those of ds";
  let description = [{
    Before `ds-data-parallel`, for a step for one device that `shard.shard` annotates. Axis i of each grid is axis i of the
    `mesh` of `ds.config`, which gives it a name. The sharding of a parameter becomes its `ds.sharding`, that of another
    value, or for some users, a `ds.sharding_constraint`. Errors are grids of another shape than the mesh,
    halos, shards of given sizes, and other operations of the dialect.

    Shardy's annotations are read as they stand in text, since its dialect is not LLVM's (`--allow-unregistered-dialect`
    reads them, operations in the generic form): `sdy.sharding` of a parameter, a state or a batch becomes
    `ds.sharding`, that of another argument or result, and `sdy.sharding_constraint`, a `ds.sharding_constraint`. The axes
    of an `sdy.mesh` are those of `mesh`, in any order. Errors are other operations of the dialect, parts of
    axes, priorities, and values that are left unreduced.

    Input:
    ```mlir
    module attributes {ds.config = #ds.config<device_num = 4, mesh = "dp=2,tp=2">} {
      shard.grid @grid(shape = 2x2)
      func.func @step(%w: tensor<4x8xf32> {ds.param = "w"}) -> tensor<4x8xf32> {
        %columns = shard.sharding @grid split_axes = [[], [1]] : !shard.sharding
        %a = shard.shard %w to %columns : tensor<4x8xf32>
        %b = math.exp %a : tensor<4x8xf32>
        %c = shard.shard %b to %columns : tensor<4x8xf32>
        return %c : tensor<4x8xf32>
      }
    }
    ```

    Output:
    ```mlir
    module attributes {ds.config = #ds.config<device_num = 4, mesh = "dp=2,tp=2">} {
      func.func @step(%arg0: tensor<4x8xf32> {ds.param = "w", ds.sharding = #ds.sharding<[{}, {"tp"} ]>}) -> tensor<4x8xf32> {
        %0 = math.exp %arg0 : tensor<4x8xf32>
        %1 = ds.sharding_constraint %0 <[{}, {"tp"} ]> : tensor<4x8xf32>
        return %1 : tensor<4x8xf32>
      }
    }
    ```
  }];
  let dependentDialects = ["::ds::DsDialect", "::mlir::shard::ShardDialect"];
}

def StripAttributesPass : Pass<"ds-strip-attributes", "::mlir::ModuleOp"> {
  let summary = "takes the attributes of ds off a converted program";
  let description = [{
    The configuration, the roles of arguments and results, and what else is named `ds.*`, once no operation of ds is
    left. A compiler that does not know ds can read the module then, and one that does can lower the functions: a role
    is of tensors, and is refused on a pointer.

    Input:
    ```mlir
    module attributes {ds.config = #ds.config<device_num = 2>} {
      func.func @step(%w: tensor<4xf32> {ds.param = "w"}) -> (tensor<4xf32> {ds.updates = "w"}) {
        return %w : tensor<4xf32>
      }
    }
    ```

    Output:
    ```mlir
    func.func @step(%arg0: tensor<4xf32>) -> tensor<4xf32> {
      return %arg0 : tensor<4xf32>
    }
    ```
  }];
}

#endif // DS_CONVERSION_COLLECTIVES_PASSES
