//===- DsDialect.td - the ds dialect -*- tablegen -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A training step for one device, made a step for n ranks. The dialect holds what upstream dialects have no word for:
// which value is a gradient, which values ranks combine, and the number of a rank.
//
//===----------------------------------------------------------------------===//

#ifndef DS_DIALECT_IR_DSDIALECT_TD
#define DS_DIALECT_IR_DSDIALECT_TD

include "mlir/IR/OpBase.td"

def Ds_Dialect : Dialect {
  let name = "ds";
  let summary = "distributed training steps: gradients, collectives and the configuration of ranks";
  let description = [{
    A *step* is a `func.func` that computes one training step. Its arguments and results carry their role:

    | attribute | on | meaning |
    |---|---|---|
    | `ds.param = "w"` | argument | trainable parameter, equal on every rank |
    | `ds.state = "w.momentum"` | argument | optimizer state, running statistics, counters |
    | `ds.batch = 0 : i64` | argument, result | that dimension counts samples, or a multiple of them: several entries for each. Beside `ds.state` it holds values of samples that go from step to step (a hidden state), and so does the result that updates it |
    | `ds.apart` | batch argument | the entries of a sample lie apart (`[entries, samples]`), not together (`[samples, entries]`): the order of rows in data files |
    | `ds.layout = "block"`, `"cyclic"` or `"block_cyclic(N)"` | batch argument or result, sharded parameter or state | which rows a rank holds |
    | `ds.sharding = #ds.sharding<[{"dp"}, {} ]>` | param, state, batch argument; result that updates one | which axes of the mesh shard it, between steps, too |
    | `ds.weight` | batch argument of one float per sample | what a sample counts; rows that only fill the last batch weigh 0 |
    | `ds.index_range = array<i64: 0, 10, -100>` | batch argument of integers | what it may hold: from the first to below the second number, and the others |
    | `ds.unsigned` | batch argument of integers | the bits are those of unsigned integers (the type has no sign): files may hold what is too large for signed ones |
    | `ds.seed` | argument | random key, given by the runtime for every step |
    | `ds.name = "x"` | argument, result | name in messages, data files and recordings |
    | `ds.init = "glorot_uniform"` | param, state | how the value starts |
    | `ds.updates = "w"` | result | the new value of that parameter or state |
    | `ds.metric = "loss"`, `ds.reduce = "mean"` | result | reported, not fed back |
    | `ds.fusion = 3 : i64` | param | bucket of its all-reduce; 0 is never fused |
    | `ds.layerwise_parallel` | param | excluded from aggregation |
    | `ds.per_rank` | state, with `batch=local` | dimension 0 counts ranks: each holds one entry (or several), its own, and checkpoints hold those of all |

    The module attribute `ds.config` holds for how many ranks and how the step is compiled; see `#ds.config`.
    Information lives on arguments, results or in `ds` operations only: attributes on other operations vanish at the
    first rewrite.

    Every collective reads and writes the communicator, so that no pass drops, merges or reorders one: ranks that
    disagree about the sequence of collectives wait for one another forever.

    Text with the earlier names `ds.once`, `ds.permute` and `ds.shard` is still read, with a warning that names
    `ds.replicated_to_partial`, `ds.collective_permute` or `ds.sharding_constraint`.
  }];
  let cppNamespace = "::ds";
  let dependentDialects = ["::mlir::arith::ArithDialect"];
  let hasConstantMaterializer = 1;
  let hasOperationAttrVerify = 1;
  let hasRegionArgAttrVerify = 1;
  let hasRegionResultAttrVerify = 1;
  let useDefaultAttributePrinterParser = 1;
  let useDefaultTypePrinterParser = 1;
  let extraClassDeclaration = [{
    /// Operations by names that they once had, too.
    std::optional<ParseOpHook> getParseOperationHook(::llvm::StringRef name) const override;
  }];
}

#endif // DS_DIALECT_IR_DSDIALECT_TD
