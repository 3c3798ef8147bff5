//===- DsTypes.td - types of the ds dialect -*- tablegen -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef DS_DIALECT_IR_DSTYPES_TD
#define DS_DIALECT_IR_DSTYPES_TD

include "ds/Dialect/IR/DsDialect.td"
include "mlir/IR/AttrTypeBase.td"

def Ds_PendingType : TypeDef<Ds_Dialect, "Pending"> {
  let mnemonic = "pending";
  let summary = "a collective that was started and not yet waited for";
  let description = [{
    Only the handle. The tensors in flight stay operands and results of `ds.all_reduce_start` and `ds.wait`, so that
    bufferization sees the owner of their memory.
  }];
}

#endif // DS_DIALECT_IR_DSTYPES_TD
