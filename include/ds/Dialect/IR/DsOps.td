//===- DsOps.td - operations of the ds dialect -*- tablegen -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Every collective exists in two forms: on ranked tensors with one result per operand, and on memrefs, in place and
// without results. All operands of one operation travel as one collective.
//
//===----------------------------------------------------------------------===//

#ifndef DS_DIALECT_IR_DSOPS_TD
#define DS_DIALECT_IR_DSOPS_TD

include "ds/Dialect/IR/DsAttrs.td"
include "ds/Dialect/IR/DsInterfaces.td"
include "ds/Dialect/IR/DsTypes.td"
include "mlir/IR/OpAsmInterface.td"
include "mlir/Interfaces/InferTypeOpInterface.td"
include "mlir/Interfaces/SideEffectInterfaces.td"

class Ds_Op<string mnemonic, list<Trait> traits = []> : Op<Ds_Dialect, mnemonic, traits>;

def Ds_Data : AnyTypeOf<[AnyRankedTensor, AnyNon0RankedMemRef, MemRefRankOf<[AnyType], [0]>],
                        "ranked tensor or memref">;
// The ranks that meet, by number or by the mesh axes along which they lie.
def Ds_Group : AnyAttrOf<[DenseI64ArrayAttr, StrArrayAttr], "ranks, or names of mesh axes">;
def Ds_Names : TypedArrayAttrBase<TypedArrayAttrBase<StrAttr, "string array attribute">,
                                  "array of string arrays">;

// A collective touches the communicator and, in the memref form, its buffers.
class Ds_CollectiveOp<string mnemonic, list<Trait> traits = []>
    : Ds_Op<mnemonic, traits # [DeclareOpInterfaceMethods<MemoryEffectsOpInterface>, Ds_CollectiveOpInterface]> {
  let extraClassDefinition = [{
    void $cppClass::getEffects(
        ::llvm::SmallVectorImpl<::mlir::SideEffects::EffectInstance<::mlir::MemoryEffects::Effect>> &effects) {
      ::ds::addCollectiveEffects(*this, effects);
    }
  }];
}

// One that moves blocks, with a destination for each operand. `split` and `concat` are as those of the interface.
class Ds_BlockCollectiveOp<string mnemonic, string split, string concat>
    : Ds_CollectiveOp<mnemonic, [SameVariadicOperandSize]> {
  let extraClassDeclaration = [{
    ::mlir::MutableOperandRange getWritten() { return getOutsMutable(); }
    ::std::optional<int64_t> getSplitDim() { return }] # split # [{; }
    ::std::optional<int64_t> getConcatDim() { return }] # concat # [{; }
  }];
}

//===----------------------------------------------------------------------===//
// Marks and identities
//===----------------------------------------------------------------------===//

def Ds_GradientOp : Ds_Op<"gradient", [Pure, AllTypesMatch<["value", "result"]>]> {
  let summary = "names a value as the gradient of a parameter";
  let description = [{
    The annotation marks where the update of parameter `param` starts: ranks reduce the value here, or, unless `pinned`, at a
    cheaper place that gives the same. With `batch = local` it is the `ds.combine` of gradients: only uses of the result
    see the reduced value, the mean over ranks with `gradients_mean`, else the sum. With `batch = global` the value is
    global by itself, and the annotation names it.

    ```mlir
    %g = ds.gradient %dw of "w" : tensor<784x10xf32>
    ```

    **Constraints:**
    - (C1) the operand is a tensor of floats with a static shape.
    - (C2) `param` is not empty.
  }];
  let arguments = (ins AnyRankedTensor:$value, StrAttr:$param, UnitAttr:$pinned);
  let results = (outs AnyRankedTensor:$result);
  let assemblyFormat = "$value `of` $param attr-dict `:` type($value)";
  let hasFolder = 1;
  let hasVerifier = 1;
}

def Ds_CombineOp : Ds_Op<"combine", [Pure, AllTypesMatch<["value", "result"]>]> {
  let summary = "the reduction of the values that the ranks have here";
  let description = [{
    With `batch = local` a step means the same function on every rank (`vmap` over the ranks), and this operation is
    where they meet, as `psum`, `pmean`, `pmax` and `pmin` of JAX are: the result is the reduction of the operand over
    the ranks, the same on each of them. Uses of the operand still see the rank-local value. A replicated value is left as it
    is, but by `sum`, which counts it once for each rank. With `batch = global`, and on one device,
    the result is the operand.

    ```mlir
    %all = ds.combine mean %loss : f32
    ```

    **Constraints:**
    - (C1) the operand is an integer or a float, or a tensor of these of a static shape.
    - (C2) `mean` is of floats; `and` and `or` are of integers.
  }];
  let arguments = (ins Ds_ReductionKindAttr:$kind, AnyType:$value);
  let results = (outs AnyType:$result);
  let assemblyFormat = "custom<Kind>($kind) $value attr-dict `:` type($value)";
  let hasVerifier = 1;
}

def Ds_ReplicatedToPartialOp : Ds_Op<"replicated_to_partial", [Pure, AllTypesMatch<["value", "result"]>]> {
  let summary = "a replicated value as a partial one: on the first rank the value, elsewhere the identity of the reduction";
  let description = [{
    The result is the operand on rank 0 and the identity of the reduction on the other ranks (zero for a sum, one for a
    product, the operand itself for `max`, `min`, `and` and `or`), so that reducing the result over the ranks gives the
    operand back. Placement analysis inserts it where a replicated addend meets a partial value.

    ```mlir
    %p = ds.replicated_to_partial sum %decay : f32
    ```

    With `group`, the first of the ranks along those axes of the mesh counts it, for a reduction over these.

    **Constraints:**
    - (C1) `kind` is not `mean`.
    - (C2) the element type is an integer or a float.
    - (C3) `group` is not empty and its axes are distinct.
  }];
  let arguments = (ins Ds_ReductionKindAttr:$kind, AnyType:$value, OptionalAttr<StrArrayAttr>:$group);
  let results = (outs AnyType:$result);
  let builders = [OpBuilder<(ins "::mlir::Type":$type, "::ds::ReductionKind":$kind, "::mlir::Value":$value), [{
    build($_builder, $_state, type, kind, value, /*group=*/::mlir::ArrayAttr());
  }]>];
  let assemblyFormat = "custom<Kind>($kind) $value attr-dict `:` type($value)";
  let hasVerifier = 1;
}

def Ds_RankOp : Ds_Op<"rank", [Pure]> {
  let summary = "the number of this rank, from 0";
  let description = [{
    With `group`, the number among the ranks along those axes of the mesh. Folds to 0 where the module's configuration
    states that there is one.

    ```mlir
    %r = ds.rank : index
    %t = ds.rank {group = ["tp"]} : index
    ```

    **Constraints:**
    - (C1) `group` is not empty and its axes are distinct.
  }];
  let arguments = (ins OptionalAttr<StrArrayAttr>:$group);
  let results = (outs Index:$result);
  let assemblyFormat = "attr-dict `:` type($result)";
  let builders = [OpBuilder<(ins CArg<"::mlir::ArrayAttr", "{}">:$group),
                            [{ build($_builder, $_state, $_builder.getIndexType(), group); }]>];
  let hasFolder = 1;
  let hasVerifier = 1;
}

def Ds_NumRanksOp : Ds_Op<"num_ranks", [Pure]> {
  let summary = "how many ranks run the step";
  let description = [{
    With `group`, how many lie along those axes of the mesh. Folds to a constant where the module's configuration has it.

    ```mlir
    %n = ds.num_ranks : index
    ```

    **Constraints:**
    - (C1) `group` is not empty and its axes are distinct.
  }];
  let arguments = (ins OptionalAttr<StrArrayAttr>:$group);
  let results = (outs Index:$result);
  let assemblyFormat = "attr-dict `:` type($result)";
  let builders = [OpBuilder<(ins CArg<"::mlir::ArrayAttr", "{}">:$group),
                            [{ build($_builder, $_state, $_builder.getIndexType(), group); }]>];
  let hasFolder = 1;
  let hasVerifier = 1;
}

def Ds_ShardingConstraintOp : Ds_Op<"sharding_constraint", [Pure, AllTypesMatch<["value", "result"]>]> {
  let summary = "constrains which axes shard a value";
  let description = [{
    The value is the operand, and here the axes of the mesh shard it as `sharding` says; along axes that it does not name ranks
    hold all of it. As `with_sharding_constraint` of JAX and `sdy.sharding_constraint` it changes which rank holds what and never
    the value. `ds-shard-axes` reads the constraints and reshards the value where it is sharded otherwise. The first axis of the
    mesh, which shards the batch, may be named or left out: samples stay where they are.

    ```mlir
    %k = ds.sharding_constraint %h <[{"dp"}, {"tp"} ]> : tensor<8x4096xf32>
    ```

    **Constraints:**
    - (C1) `sharding` has as many dimensions as the value.
  }];
  let arguments = (ins AnyStaticShapeTensor:$value, Ds_ShardingAttr:$sharding);
  let results = (outs AnyStaticShapeTensor:$result);
  let assemblyFormat = "$value $sharding attr-dict `:` type($value)";
  let hasVerifier = 1;
}

def Ds_ReshardOp : Ds_Op<"reshard", [Pure, AllTypesMatch<["value", "result"]>]> {
  let summary = "the same value in another placement";
  let description = [{
    Ranks move the value from one placement to another: they take slices (replicated to sharded), gather (sharded to
    replicated), exchange blocks (sharded to sharded), reduce (partial to replicated), or reduce and keep a shard each
    (partial to sharded). Types are those of the
    whole value; `ds-localize-batch` writes the collectives and slices, and changes them to those of one rank.

    ```mlir
    %mine = ds.reshard %mask from <replicated> to <sharded(0, 1, 4)> : tensor<8x3xf32>
    ```

    **Constraints:**
    - (C1) of a shard `sharded(dim, a, b)`, `dim` is a dimension of the tensor, whose size is a multiple of a * b.
    - (C2) the two placements differ, and `to` is not partial.
    - (C3) two shards are of as many ranks, and lie along different dimensions, or, read as [a, n, b] and [c, n, d], one of
      b and d is a multiple of n times the other.
  }];
  let arguments = (ins AnyStaticShapeTensor:$value, Ds_PlacementAttr:$from, Ds_PlacementAttr:$to);
  let results = (outs AnyStaticShapeTensor:$result);
  let assemblyFormat = "$value `from` $from `to` $to attr-dict `:` type($value)";
  let hasVerifier = 1;
}

//===----------------------------------------------------------------------===//
// Collectives
//===----------------------------------------------------------------------===//

def Ds_AllReduceOp : Ds_CollectiveOp<"all_reduce"> {
  let summary = "reduces the values of all ranks; every rank receives the result";
  let description = [{
    Result i is the reduction of operand i over the ranks of `group`: a list of ranks, or names of mesh axes, along which
    the ranks lie that meet (all of them without a group). In the memref form the buffers are overwritten. `fusion` is the bucket: `ds-fuse-all-reduce` gives operations of one bucket one id, 0 keeps
    an operation alone. `names` lists, for each operand, the parameters or metrics it serves.

    ```mlir
    %r:2 = ds.all_reduce sum %a, %b {fusion = 1024 : i64, names = [["w"], ["b"]]}
        : tensor<784x10xf32>, tensor<10xf32>
    ds.all_reduce max %m {group = array<i64: 0, 1>} : memref<4xf32>
    %h = ds.all_reduce sum %p {group = ["tp"]} : tensor<8x16xf32>
    ```

    **Constraints:**
    - (C1) there is at least one operand.
    - (C2) the operands are all tensors, with one result of the same type each, or all memrefs, without results.
    - (C3) shapes are static; memrefs are contiguous.
    - (C4) all operands have one element type: it is the wire type.
    - (C5) the element type suits the kind: `sum`, `max`, `min` and `prod` take integers of at least 8 bits or floats,
      `mean` takes floats, `and` and `or` take integers.
    - (C6) `group` is not empty, and its ranks are distinct and not negative, or its axes distinct.
    - (C7) `names` is absent or has one list per operand, each with at least one name, none empty.
    - (C8) `fusion` is not negative.
    - (C9) in the memref form no buffer appears twice.
  }];
  let arguments = (ins Variadic<Ds_Data>:$inputs, Ds_ReductionKindAttr:$kind,
                       OptionalAttr<Ds_Group>:$group,
                       OptionalAttr<I64Attr>:$fusion,
                       DefaultValuedAttr<Ds_PurposeAttr, "::ds::Purpose::Gradient">:$purpose,
                       DefaultValuedAttr<Ds_Names, "{}">:$names);
  let results = (outs Variadic<AnyRankedTensor>:$results);
  let assemblyFormat = [{
    custom<Kind>($kind) $inputs attr-dict `:` custom<InPlaceTypes>(type($inputs), type($results))
  }];
  let builders = [
    OpBuilder<(ins "::ds::ReductionKind":$kind, "::mlir::ValueRange":$inputs,
                   CArg<"::ds::Purpose", "::ds::Purpose::Gradient">:$purpose,
                   CArg<"::mlir::ArrayAttr", "{}">:$names,
                   CArg<"std::optional<int64_t>", "{}">:$fusion,
                   CArg<"::mlir::Attribute", "{}">:$group)>
  ];
  let hasCanonicalizer = 1;
}

def Ds_AllReduceStartOp : Ds_CollectiveOp<"all_reduce_start"> {
  let summary = "starts an all-reduce and returns before it is done";
  let description = [{
    The first results are the operands in flight, tied to them in memory; the last is the handle. A started tensor is
    used by its `ds.wait` and by nothing else.

    ```mlir
    %t:2, %p = ds.all_reduce_start sum %a, %b : tensor<8xf32>, tensor<4xf32>
    %r:2 = ds.wait %p, %t#0, %t#1 : tensor<8xf32>, tensor<4xf32>
    ```

    **Constraints:**
    - (C1) to (C9) as `ds.all_reduce`.
    - (C10) the handle is used by exactly one `ds.wait`.
    - (C11) a started tensor is used by nothing but that wait.
  }];
  let arguments = (ins Variadic<Ds_Data>:$inputs, Ds_ReductionKindAttr:$kind,
                       OptionalAttr<Ds_Group>:$group,
                       OptionalAttr<I64Attr>:$fusion,
                       DefaultValuedAttr<Ds_PurposeAttr, "::ds::Purpose::Gradient">:$purpose,
                       DefaultValuedAttr<Ds_Names, "{}">:$names);
  let results = (outs Variadic<AnyRankedTensor>:$started, Ds_PendingType:$pending);
  let assemblyFormat = [{
    custom<Kind>($kind) $inputs attr-dict `:` custom<InPlaceTypes>(type($inputs), type($started))
  }];
  let builders = [
    OpBuilder<(ins "::ds::ReductionKind":$kind, "::mlir::ValueRange":$inputs,
                   CArg<"::ds::Purpose", "::ds::Purpose::Gradient">:$purpose,
                   CArg<"::mlir::ArrayAttr", "{}">:$names,
                   CArg<"std::optional<int64_t>", "{}">:$fusion,
                   CArg<"::mlir::Attribute", "{}">:$group)>
  ];
  let hasVerifier = 1;
}

def Ds_WaitOp : Ds_CollectiveOp<"wait", [AttrSizedOperandSegments]> {
  let summary = "waits for a started collective and returns its values";
  let description = [{
    Takes the handle and everything that was started with it, in order. What leaves the rank from other memory than that
    which receives is kept as it is until then. In the memref form the operands are the buffers in flight.

    ```mlir
    %s = ds.wait %p, %t : tensor<2x4xf32> keeping %g : tensor<8x4xf32>
    ```

    **Constraints:**
    - (C1) the handle comes from an operation that starts a collective.
    - (C2) the operands are the started tensors, or the buffers, of that operation, all of them and in order.
    - (C3) it keeps all operands of that operation that are read and not written, in order.
  }];
  let arguments = (ins Ds_PendingType:$pending, Variadic<Ds_Data>:$inputs, Variadic<Ds_Data>:$kept);
  let results = (outs Variadic<AnyRankedTensor>:$results);
  let assemblyFormat = [{
    $pending `,` $inputs attr-dict `:` custom<InPlaceTypes>(type($inputs), type($results))
    (`keeping` $kept^ `:` type($kept))?
  }];
  let builders = [OpBuilder<(ins "::mlir::Value":$pending, "::mlir::ValueRange":$inputs,
                                 CArg<"::mlir::ValueRange", "{}">:$kept)>];
  let extraClassDeclaration = [{
    ::mlir::Attribute getRanks();
    ::mlir::MutableOperandRange getRead() {
      return ::mlir::MutableOperandRange(getOperation(), 1, getOperation()->getNumOperands() - 1);
    }
  }];
  let hasVerifier = 1;
}

def Ds_BroadcastOp : Ds_CollectiveOp<"broadcast"> {
  let summary = "every rank receives the value of one rank";
  let description = [{
    `root` is a rank of the world; where the group is of axes, it is a number within the group.

    ```mlir
    %r = ds.broadcast %w from 0 : tensor<784x10xf32>
    ```

    **Constraints:**
    - (C1) to (C4), (C6), (C7) and (C9) as `ds.all_reduce`; any integer or float element type.
    - (C5) `root` is not negative and, with a group, one of its ranks.
  }];
  let arguments = (ins Variadic<Ds_Data>:$inputs, I64Attr:$root,
                       OptionalAttr<Ds_Group>:$group,
                       DefaultValuedAttr<Ds_PurposeAttr, "::ds::Purpose::State">:$purpose,
                       DefaultValuedAttr<Ds_Names, "{}">:$names);
  let results = (outs Variadic<AnyRankedTensor>:$results);
  let assemblyFormat = [{
    $inputs `from` custom<Root>($root) attr-dict `:` custom<InPlaceTypes>(type($inputs), type($results))
  }];
  let builders = [
    OpBuilder<(ins "::mlir::ValueRange":$inputs, "int64_t":$root,
                   CArg<"::ds::Purpose", "::ds::Purpose::State">:$purpose,
                   CArg<"::mlir::ArrayAttr", "{}">:$names,
                   CArg<"::mlir::Attribute", "{}">:$group)>
  ];
  let hasVerifier = 1;
}

def Ds_ReduceScatterOp : Ds_BlockCollectiveOp<"reduce_scatter", "getDim()", "{}"> {
  let summary = "reduces the values of all ranks; every rank receives its block";
  let description = [{
    Rank r receives block r of the reduction along dimension `dim`. The share has a destination of its own, as in
    `linalg`: the result is the destination's new value.

    ```mlir
    %s = ds.reduce_scatter sum %g into %init along 0 : tensor<8x4xf32> into tensor<2x4xf32>
    ```

    **Constraints:**
    - (C1) to (C8) as `ds.all_reduce`; one destination per operand, of the same kind of type.
    - (C9) `dim` is a dimension of every operand.
    - (C10) destination and operand agree but along `dim`, where the operand is n times the destination, the same n for
      all operands; with a group, n is its size.
  }];
  let arguments = (ins Variadic<Ds_Data>:$inputs, Variadic<Ds_Data>:$outs,
                       Ds_ReductionKindAttr:$kind, I64Attr:$dim,
                       OptionalAttr<Ds_Group>:$group,
                       OptionalAttr<I64Attr>:$fusion,
                       DefaultValuedAttr<Ds_PurposeAttr, "::ds::Purpose::Gradient">:$purpose,
                       DefaultValuedAttr<Ds_Names, "{}">:$names);
  let results = (outs Variadic<AnyRankedTensor>:$results);
  let assemblyFormat = [{
    custom<Kind>($kind) $inputs `into` $outs `along` custom<Root>($dim) attr-dict `:` type($inputs) `into`
    custom<InPlaceTypes>(type($outs), type($results))
  }];
}

def Ds_AllGatherOp : Ds_BlockCollectiveOp<"all_gather", "{}", "getDim()"> {
  let summary = "every rank receives the values of all ranks, one after another";
  let description = [{
    Block r of the result along dimension `dim` is the operand of rank r.

    ```mlir
    %w = ds.all_gather %s into %init along 0 : tensor<2x4xf32> into tensor<8x4xf32>
    ```

    **Constraints:**
    - (C1) to (C4) and (C6) to (C8) as `ds.all_reduce`; any integer or float element type; one destination per operand,
      of the same kind of type.
    - (C9) `dim` is a dimension of every operand.
    - (C10) destination and operand agree but along `dim`, where the destination is n times the operand, the same n for
      all operands; with a group, n is its size.
  }];
  let arguments = (ins Variadic<Ds_Data>:$inputs, Variadic<Ds_Data>:$outs, I64Attr:$dim,
                       OptionalAttr<Ds_Group>:$group,
                       OptionalAttr<I64Attr>:$fusion,
                       DefaultValuedAttr<Ds_PurposeAttr, "::ds::Purpose::State">:$purpose,
                       DefaultValuedAttr<Ds_Names, "{}">:$names);
  let results = (outs Variadic<AnyRankedTensor>:$results);
  let assemblyFormat = [{
    $inputs `into` $outs `along` custom<Root>($dim) attr-dict `:` type($inputs) `into`
    custom<InPlaceTypes>(type($outs), type($results))
  }];
}

def Ds_ReduceScatterStartOp : Ds_BlockCollectiveOp<"reduce_scatter_start", "getDim()", "{}"> {
  let summary = "starts a reduce-scatter and returns before it is done";
  let description = [{
    The first results are the destinations in flight, tied to them in memory; the last is the handle.

    ```mlir
    %t, %p = ds.reduce_scatter_start sum %g into %init along 0 : tensor<8x4xf32> into tensor<2x4xf32>
    %s = ds.wait %p, %t : tensor<2x4xf32> keeping %g : tensor<8x4xf32>
    ```

    **Constraints:**
    - (C1) to (C10) as `ds.reduce_scatter`.
    - (C11) the handle is used by exactly one `ds.wait`.
    - (C12) a started tensor is used by nothing but that wait.
  }];
  let arguments = (ins Variadic<Ds_Data>:$inputs, Variadic<Ds_Data>:$outs,
                       Ds_ReductionKindAttr:$kind, I64Attr:$dim,
                       OptionalAttr<Ds_Group>:$group,
                       OptionalAttr<I64Attr>:$fusion,
                       DefaultValuedAttr<Ds_PurposeAttr, "::ds::Purpose::Gradient">:$purpose,
                       DefaultValuedAttr<Ds_Names, "{}">:$names);
  let results = (outs Variadic<AnyRankedTensor>:$started, Ds_PendingType:$pending);
  let assemblyFormat = [{
    custom<Kind>($kind) $inputs `into` $outs `along` custom<Root>($dim) attr-dict `:` type($inputs) `into`
    custom<InPlaceTypes>(type($outs), type($started))
  }];
  let hasVerifier = 1;
}

def Ds_AllGatherStartOp : Ds_BlockCollectiveOp<"all_gather_start", "{}", "getDim()"> {
  let summary = "starts an all-gather and returns before it is done";
  let description = [{
    The first results are the destinations in flight, tied to them in memory; the last is the handle.

    ```mlir
    %t, %p = ds.all_gather_start %s into %init along 0 : tensor<2x4xf32> into tensor<8x4xf32>
    %w = ds.wait %p, %t : tensor<8x4xf32> keeping %s : tensor<2x4xf32>
    ```

    **Constraints:**
    - (C1) to (C4) and (C6) to (C10) as `ds.all_gather`.
    - (C11) the handle is used by exactly one `ds.wait`.
    - (C12) a started tensor is used by nothing but that wait.
  }];
  let arguments = (ins Variadic<Ds_Data>:$inputs, Variadic<Ds_Data>:$outs, I64Attr:$dim,
                       OptionalAttr<Ds_Group>:$group,
                       OptionalAttr<I64Attr>:$fusion,
                       DefaultValuedAttr<Ds_PurposeAttr, "::ds::Purpose::State">:$purpose,
                       DefaultValuedAttr<Ds_Names, "{}">:$names);
  let results = (outs Variadic<AnyRankedTensor>:$started, Ds_PendingType:$pending);
  let assemblyFormat = [{
    $inputs `into` $outs `along` custom<Root>($dim) attr-dict `:` type($inputs) `into`
    custom<InPlaceTypes>(type($outs), type($started))
  }];
  let hasVerifier = 1;
}

def Ds_AllToAllOp : Ds_BlockCollectiveOp<"all_to_all", "getSplit()", "getConcat()"> {
  let summary = "every rank receives a block from each rank";
  let description = [{
    The operand is one block for each rank, along dimension `split`; the result has one of each rank, one after another
    along `concat`: block r of the result on rank s is block s of the operand of rank r. A value that is sharded along
    `concat` is sharded along `split` afterwards.

    ```mlir
    %h = ds.all_to_all %x into %init split 1 concat 0 {group = ["sp"]} : tensor<2x8xf32> into tensor<8x2xf32>
    ```

    **Constraints:**
    - (C1) to (C4), (C6) and (C7) as `ds.all_reduce`; any integer or float element type; one destination per operand,
      of the same kind of type.
    - (C8) in the memref form no buffer appears twice.
    - (C9) `split` and `concat` are dimensions of every operand and destination.
    - (C10) destination and operand agree but along these two: the operand is n times the destination along `split`, and
      the destination n times the operand along `concat`, the same n for all operands. If the two are one dimension, the
      types are equal and their size along it is a multiple of n. With a group, n is its size.
  }];
  let arguments = (ins Variadic<Ds_Data>:$inputs, Variadic<Ds_Data>:$outs, I64Attr:$split, I64Attr:$concat,
                       OptionalAttr<Ds_Group>:$group,
                       DefaultValuedAttr<Ds_PurposeAttr, "::ds::Purpose::Activation">:$purpose,
                       DefaultValuedAttr<Ds_Names, "{}">:$names);
  let results = (outs Variadic<AnyRankedTensor>:$results);
  let assemblyFormat = [{
    $inputs `into` $outs `split` custom<Root>($split) `concat` custom<Root>($concat) attr-dict `:` type($inputs) `into`
    custom<InPlaceTypes>(type($outs), type($results))
  }];
  let hasCanonicalizer = 1;
}

def Ds_CollectivePermuteOp : Ds_CollectiveOp<"collective_permute", [SameVariadicOperandSize]> {
  let summary = "every rank receives the value of one rank, or zeros";
  let description = [{
    Member r of the group receives the operands of member `sources[r]`, or zeros where that is -1. Members are counted in
    the group: along axes, the last one of the mesh fastest. What leaves a rank is one copy of its values at most. JAX calls
    it ppermute, StableHLO collective_permute; both list pairs.

    ```mlir
    %y = ds.collective_permute %x into %init from [1, 0] {group = ["tp"]} : tensor<2x3xf32> into tensor<2x3xf32>
    ```

    **Constraints:**
    - (C1) to (C4), (C6) and (C7) as `ds.all_reduce`; any integer or float element type; one destination per operand,
      of the same kind of type.
    - (C8) in the memref form no buffer appears twice.
    - (C9) operand and destination have one shape.
    - (C10) `sources` has an entry for each member of the group.
    - (C11) each is -1 or the number of a member, and no member is there twice.
  }];
  let arguments = (ins Variadic<Ds_Data>:$inputs, Variadic<Ds_Data>:$outs, DenseI64ArrayAttr:$sources,
                       OptionalAttr<Ds_Group>:$group,
                       DefaultValuedAttr<Ds_PurposeAttr, "::ds::Purpose::Activation">:$purpose,
                       DefaultValuedAttr<Ds_Names, "{}">:$names);
  let results = (outs Variadic<AnyRankedTensor>:$results);
  let assemblyFormat = [{
    $inputs `into` $outs `from` $sources attr-dict `:` type($inputs) `into`
    custom<InPlaceTypes>(type($outs), type($results))
  }];
  let extraClassDeclaration = "::mlir::MutableOperandRange getWritten() { return getOutsMutable(); }";
  let hasCanonicalizer = 1;
  let hasVerifier = 1;
}

def Ds_PeerOp : Ds_Op<"peer", [Pure, AllTypesMatch<["buffer", "result"]>]> {
  let summary = "the same buffer of another rank of the process";
  let description = [{
    The memory that `buffer` has on the rank of that number. Where ranks hold values once, the driver reads the gradients
    of all ranks through it, between a collective that all enter when the buffers are written, and another before any of
    them is written again. `ds-share-replicas` makes it, `ds-plan-arena` resolves it.

    ```mlir
    %g1 = ds.peer %g {rank = 1 : i64} : memref<784x10xf32>
    ```

    **Constraints:**
    - (C1) `rank` is not negative.
  }];
  let arguments = (ins AnyNon0RankedMemRef:$buffer, ConfinedAttr<I64Attr, [IntNonNegative]>:$rank);
  let results = (outs AnyNon0RankedMemRef:$result);
  let assemblyFormat = "$buffer attr-dict `:` type($buffer)";
}

def Ds_BarrierOp : Ds_CollectiveOp<"barrier"> {
  let summary = "barrier over a group";
  let description = [{
    **Constraints:**
    - (C6) as `ds.all_reduce`.
  }];
  let arguments = (ins OptionalAttr<Ds_Group>:$group);
  let extraClassDeclaration = [{
    ::mlir::MutableOperandRange getRead() { return {getOperation(), 0, 0}; }
    ::mlir::MutableOperandRange getWritten() { return getRead(); }
  }];
  let assemblyFormat = "attr-dict";
}

#endif // DS_DIALECT_IR_DSOPS_TD
