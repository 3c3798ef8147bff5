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
def Ds_ZoneAttr : EnumAttr<Ds_Dialect, Ds_Zone, "zone">;

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

#endif // DS_DIALECT_IR_DSATTRS_TD
