//===- DsInterfaces.td - what collectives have in common --*- tablegen -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A new collective is an operation of DsOps.td and a function of the runtime that has its name: constraints, effects, bufferization,
// dependence on ranks, placement, buckets, wire types and the call follow from this interface.
//
//===----------------------------------------------------------------------===//

#ifndef DS_DIALECT_IR_DSINTERFACES_TD
#define DS_DIALECT_IR_DSINTERFACES_TD

include "mlir/IR/OpBase.td"

def Ds_CollectiveOpInterface : OpInterface<"CollectiveOpInterface"> {
  let cppNamespace = "::ds";
  let description = [{
    An operation in which ranks meet. On tensors its results are the new values of the operands that it writes, in order; on
    memrefs it has none, and writes these. Ranks agree on its attributes `kind`, `root`, `sources` and `group`, if it has them.
  }];
  let methods = [
    InterfaceMethod<"What leaves this rank.",
      "::mlir::MutableOperandRange", "getRead", (ins), "", [{ return $_op.getInputsMutable(); }]>,
    InterfaceMethod<"What receives: the same operands, unless there are destinations.",
      "::mlir::MutableOperandRange", "getWritten", (ins), "", [{ return $_op.getInputsMutable(); }]>,
    InterfaceMethod<"The ranks that meet, or the axes of the mesh along which they lie; null: all.",
      "::mlir::Attribute", "getRanks", (ins), "", [{ return $_op->getAttr("group"); }]>,
    InterfaceMethod<"The dimension along which what is read has a block for each rank; none: all receive the same.",
      "::std::optional<int64_t>", "getSplitDim", (ins), "", [{ return ::std::nullopt; }]>,
    InterfaceMethod<"The dimension along which what is written has a block of each rank, one after another.",
      "::std::optional<int64_t>", "getConcatDim", (ins), "", [{ return ::std::nullopt; }]>,
    InterfaceMethod<"For each member the one whose value it receives, or -1; none: it does not receive that of one alone.",
      "::std::optional<::llvm::ArrayRef<int64_t>>", "getSources", (ins), "", [{ return ::std::nullopt; }]>,
    InterfaceMethod<"How the values of the ranks come together; none: they are moved as they are.",
      "::std::optional<::ds::ReductionKind>", "getKind", (ins), "", [{ return ::std::nullopt; }]>,
    InterfaceMethod<"What the values are for.", "::ds::Purpose", "getPurpose", (ins), "", [{ return ::ds::Purpose::State; }]>,
    InterfaceMethod<"For each operand that is read, the parameters or metrics that it serves; or empty.",
      "::mlir::ArrayAttr", "getNames", (ins), "", [{ return ::mlir::ArrayAttr::get($_op->getContext(), {}); }]>,
    InterfaceMethod<"The bucket that the operation is asked to be in.",
      "::std::optional<int64_t>", "getFusion", (ins), "", [{ return ::std::nullopt; }]>
  ];
  let extraSharedClassDeclaration = [{
    /// Returns whether the operation is a start or a wait.
    bool isInFlight() {
      auto isPending = ::llvm::IsaPred<::ds::PendingType>;
      return ::llvm::any_of($_op->getOperandTypes(), isPending) ||
             ::llvm::any_of($_op->getResultTypes(), isPending);
    }
    /// Returns whether the operation is a start; its last result is the handle.
    bool isStart() {
      return $_op->getNumResults() > 0 && ::llvm::isa<::ds::PendingType>($_op->getResults().back().getType());
    }
    /// Returns the values that receive, as the `ds.wait` of a start takes them: tensors in flight, or buffers.
    ::mlir::ValueRange getReceiving() {
      if ($_op->getNumResults() > 1)
        return $_op->getResults().drop_back();
      return $_op.getWritten().getAsOperandRange();
    }
    /// Returns the values that are sent from other memory than that which receives.
    ::mlir::ValueRange getLeaving() {
      ::mlir::OperandRange read = $_op.getRead().getAsOperandRange();
      bool isInPlace = read.getBeginOperandIndex() == $_op.getWritten().getAsOperandRange().getBeginOperandIndex();
      return isInPlace ? ::mlir::ValueRange() : ::mlir::ValueRange(read);
    }
    /// Returns whether all ranks that meet receive the same.
    bool makesAlike() { return !$_op.getSplitDim() && !$_op.getSources(); }
    /// Returns whether one side has a block of what the other has whole.
    bool hasParts() { return $_op.getSplitDim().has_value() != $_op.getConcatDim().has_value(); }
    /// Returns whether every rank receives the blocks of all.
    bool isGather() { return $_op.makesAlike() && hasParts(); }
    /// Returns whether operations of this name can share a bucket: they have room for its number.
    bool mayFuse() {
      return !isInFlight() && ::llvm::any_of($_op->getName().getAttributeNames(),
                                             [](::mlir::StringAttr name) { return name.getValue() == "fusion"; });
    }
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
