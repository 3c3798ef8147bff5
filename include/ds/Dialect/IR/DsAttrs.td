//===- DsAttrs.td - attributes of the ds dialect -*- tablegen -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef DS_DIALECT_IR_DSATTRS_TD
#define DS_DIALECT_IR_DSATTRS_TD

include "ds/Dialect/IR/DsDialect.td"
include "ds/Dialect/IR/DsEnums.td"
include "mlir/IR/AttrTypeBase.td"
include "mlir/IR/EnumAttr.td"

def Ds_ReductionKindAttr : EnumAttr<Ds_Dialect, Ds_ReductionKind, "reduction">;
def Ds_PurposeAttr : EnumAttr<Ds_Dialect, Ds_Purpose, "purpose">;

def Ds_ConfigAttr : AttrDef<Ds_Dialect, "Config"> {
  let mnemonic = "config";
  let summary = "how a step is compiled for n ranks";
  let description = [{
    The value of the module attribute `ds.config`. Every key is optional; the ones written are kept in alphabetical
    order. A plain dictionary with the same keys is accepted wherever the configuration is read.

    ```mlir
    module attributes {ds.config = #ds.config<
        all_reduce_fusion_config = [20, 35], batch = global, device_num = 4>} {
    }
    ```

    `comm_fusion` also takes the field's dictionary: `{allreduce = {config = 25, mode = "size"}}` is `"size:25"`.

    **Constraints:**
    - (C1) every key is one of the table of `ds::Config`; an unknown one is reported with the nearest known key.
    - (C2) every value has the type of its key.
    - (C3) every value lies in the range of its key; `all_reduce_fusion_config` is not empty, without
      duplicates, ascending and not negative.
    - (C4) keys do not contradict one another: `global_rank` is smaller than `device_num`; index 0 needs
      `mindspore_inclusive`; `comm_fusion` and `all_reduce_fusion_config` agree.
  }];
  let parameters = (ins "::mlir::DictionaryAttr":$values);
  let hasCustomAssemblyFormat = 1;
  let genVerifyDecl = 1;
  let extraClassDeclaration = [{
    /// Writes a configuration as an attribute.
    static ConfigAttr get(::mlir::MLIRContext *context, const ::ds::Config &config);
    /// The configuration this attribute writes.
    ::ds::Config getConfig() const;
  }];
}

def Ds_PlacementAttr : AttrDef<Ds_Dialect, "Placement"> {
  let mnemonic = "placement";
  let summary = "where the data of a value lives";
  let description = [{
    One of `replicated` (all ranks have it), `sharded(dim, a, b)` (dimension `dim` is read as [a, n, b], and the middle index is
    the rank) and `partial(kind)` (the value is the reduction of what the ranks have).

    ```mlir
    #ds.placement<sharded(0, 1, 4)>
    ```
  }];
  let parameters = (ins ArrayRefParameter<"int64_t">:$sharding,
                        "::std::optional<::ds::ReductionKind>":$reduction);
  let hasCustomAssemblyFormat = 1;
}

def Ds_ShardingAttr : AttrDef<Ds_Dialect, "Sharding"> {
  let mnemonic = "sharding";
  let summary = "which mesh axes shard the dimensions of a tensor";
  let description = [{
    For each dimension the axes of the mesh that shard it into contiguous blocks, from major to minor, as shardy writes it. The
    key `mesh` names the axes; without it `dp`, all ranks, is the only one. A dimension that ends with `?` is open: axes that the
    annotation does not name may shard it further, as a search chooses for an argument, or as it is made for a value.

    ```mlir
    #ds.sharding<[{"dp", "tp"}, {} ]>
    #ds.sharding<[{"dp"}, {"tp", ?} ]>
    ```

    **Constraints:**
    - (C1) an axis divides one dimension at most.
  }];
  let parameters = (ins ArrayRefParameter<"::mlir::ArrayAttr", "axes of each dimension">:$dims,
                        OptionalArrayRefParameter<"int64_t", "dimensions that are open">:$open);
  let builders = [
    AttrBuilder<(ins "::llvm::ArrayRef<::mlir::ArrayAttr>":$dims),
                [{ return $_get($_ctxt, dims, ::llvm::ArrayRef<int64_t>()); }]>
  ];
  let extraClassDeclaration = [{
    bool isOpen(int64_t dim) const { return ::llvm::is_contained(getOpen(), dim); }
    /// The same without open dimensions.
    ShardingAttr closed() const { return get(getContext(), getDims()); }
  }];
  let hasCustomAssemblyFormat = 1;
  let genVerifyDecl = 1;
}

def Ds_ShardingRuleAttr : AttrDef<Ds_Dialect, "ShardingRule"> {
  let mnemonic = "sharding_rule";
  let summary = "how an operation may be sharded";
  let description = [{
    The value of `ds.sharding_rule`, by which an operation of another dialect without the interface in C++ is sharded, and of
    `ds.rule`, which `ds-print-sharding-rules` writes. An operation is a nest of loops, its *factors*; for each dimension of each
    operand and result the rule has the factors that run over it:

    ```mlir
    %y = "other.matmul"(%x, %w) {ds.sharding_rule =
        #ds.sharding_rule<([i, k], [k, j]) -> ([i, j]) {i=4, j=8, k=16, k: sum} linear=[arg0 * arg1]>}
        : (tensor<4x16xf32>, tensor<16x8xf32>) -> tensor<4x8xf32>
    ```

    | dimension | |
    |---|---|
    | `i` | factor i runs over it |
    | `ij` | i and j do, as over the dimension that a reshape makes of both: j is the minor one |
    | `i[2:6]` | the rounds 2 to 5 of i do: a slice, something padded, or a piece of what is joined |
    | `i*2+k` | an index that is computed of the factors; it is not sharded |
    | `_` | no factor: it is not sharded |

    Factors are called `i` to `z`, then `a` to `h`, then `i_1` and so on. `k: sum` (or prod, max, min, and, or) is how the rounds of a
    factor are combined that a result lacks; `none`, as no reduction does. `linear` has for each result the sum of products that it
    is: `arg0 * arg1 + arg2`. An operand that stands in none is a coefficient, of which the terms may be any function and which
    must be whole; without `linear` a result is linear in nothing. A printed rule may name values that a body captures,
    numbered after the operands, and `whole` for an addend that is no operand.

    **Constraints** (on the operation that carries `ds.sharding_rule`):
    - (C1) every operand and every result has its dimensions.
    - (C2) they are as many as the value has; none for a scalar.
    - (C3) sizes multiply to those of the value.
    - (C4) a factor that a result lacks has a way of being combined.
    - (C5) `linear` has an entry for each result; each operand stands once in one, and there is no `whole`.
    - (C6) the operation has no regions.
  }];
  let parameters = (ins
    "::mlir::ArrayAttr":$operands,
    "::mlir::ArrayAttr":$results,
    ArrayRefParameter<"int64_t", "rounds of each factor">:$sizes,
    ArrayRefParameter<"unsigned", "factors that are combined">:$reductions,
    "::ds::ReductionKindAttr":$combiner,
    "::mlir::ArrayAttr":$linear);
  let hasCustomAssemblyFormat = 1;
}

#endif // DS_DIALECT_IR_DSATTRS_TD
