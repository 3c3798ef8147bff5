//===- DsInterfaces.td - what collectives have in common --*- tablegen -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A new collective is an operation of DsOps.td and a function of the runtime that has its name: constraints, effects, bufferization,
// dependence on ranks and the call follow from this interface.
//
//===----------------------------------------------------------------------===//

#ifndef DS_DIALECT_IR_DSINTERFACES_TD
#define DS_DIALECT_IR_DSINTERFACES_TD

include "mlir/IR/OpBase.td"

def Ds_CollectiveOpInterface : OpInterface<"CollectiveOpInterface"> {
  let cppNamespace = "::ds";
  let description = [{
    An operation in which ranks meet. On tensors its results are the new values of the operands that it writes, in order; on
    memrefs it has none, and writes these. Ranks agree on its attributes `kind`, `root` and `group`, if it has them.
  }];
  let methods = [
    InterfaceMethod<"What leaves this rank.",
      "::mlir::MutableOperandRange", "getRead", (ins), "", [{ return $_op.getInputsMutable(); }]>,
    InterfaceMethod<"What receives: the same operands, unless there are destinations.",
      "::mlir::MutableOperandRange", "getWritten", (ins), "", [{ return $_op.getInputsMutable(); }]>,
    InterfaceMethod<"The ranks that meet, or the axes of the mesh along which they lie; null: all.",
      "::mlir::Attribute", "getRanks", (ins), "", [{ return $_op->getAttr("group"); }]>,
    InterfaceMethod<"The dimension of which one side has a block and the other all; none: it works in place.",
      "::std::optional<int64_t>", "getSharedDim", (ins), "", [{ return ::std::nullopt; }]>,
    InterfaceMethod<"Whether all ranks that meet receive the same.",
      "bool", "makesAlike", (ins), "", [{ return true; }]>
  ];
  let extraSharedClassDeclaration = [{
    /// Whether it starts what goes on behind it, or ends that.
    bool isInFlight() {
      auto isPending = ::llvm::IsaPred<::ds::PendingType>;
      return ::llvm::any_of($_op->getOperandTypes(), isPending) ||
             ::llvm::any_of($_op->getResultTypes(), isPending);
    }
    /// The side that has a block of the shared dimension, and the one that has all of them.
    ::mlir::OperandRange getParts() {
      return ($_op.makesAlike() ? $_op.getRead() : $_op.getWritten()).getAsOperandRange();
    }
    ::mlir::OperandRange getWholes() {
      return ($_op.makesAlike() ? $_op.getWritten() : $_op.getRead()).getAsOperandRange();
    }
  }];
  let verify = [{ return ::ds::verifyCollective($_op); }];
}

#endif // DS_DIALECT_IR_DSINTERFACES_TD
