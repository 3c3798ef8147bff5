//===- DsOps.cpp - builders and syntax of ds operations ---------*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The assembly gives the types of the operands only: a tensor operand has a result of its own type,
// a memref operand has none.
//
//===----------------------------------------------------------------------===//

#include "ds/Dialect/IR/Ds.h"

#include "mlir/IR/Builders.h"

using namespace mlir;
using namespace ds;

/// Returns the result types of an in-place collective on `inputs`.
static SmallVector<Type> inPlaceTypes(TypeRange inputs) {
  return llvm::to_vector(
      llvm::make_filter_range(inputs, [](Type type) { return isa<TensorType>(type); }));
}

static ParseResult parseInPlaceTypes(OpAsmParser &parser, SmallVectorImpl<Type> &inputs,
                                     SmallVectorImpl<Type> &results) {
  if (parser.parseTypeList(inputs))
    return failure();
  results = inPlaceTypes(inputs);
  return success();
}

static void printInPlaceTypes(OpAsmPrinter &printer, Operation *, TypeRange inputs, TypeRange) {
  llvm::interleaveComma(inputs, printer);
}

/// Parses the kind as a bare word.
static ParseResult parseKind(OpAsmParser &parser, ReductionKindAttr &kind) {
  StringRef word;
  SMLoc loc = parser.getCurrentLocation();
  if (parser.parseKeyword(&word))
    return failure();
  std::optional<ReductionKind> known = symbolizeReductionKind(word);
  if (!known)
    return parser.emitError(loc, "unknown reduction '")
           << word << "', expected sum, mean, max, min, prod, and or or";
  kind = ReductionKindAttr::get(parser.getContext(), *known);
  return success();
}

static void printKind(OpAsmPrinter &printer, Operation *, ReductionKindAttr kind) {
  printer << stringifyReductionKind(kind.getValue());
}

/// Parses a rank or a dimension: the number alone, without its type.
static ParseResult parseRoot(OpAsmParser &parser, IntegerAttr &root) {
  int64_t value;
  if (parser.parseInteger(value))
    return failure();
  root = parser.getBuilder().getI64IntegerAttr(value);
  return success();
}

static void printRoot(OpAsmPrinter &printer, Operation *, IntegerAttr root) {
  printer << root.getInt();
}

std::optional<int64_t> ds::getNumShares(CollectiveOpInterface op) {
  std::optional<int64_t> split = op.getSplitDim(), concat = op.getConcatDim();
  if (split == concat)
    return std::nullopt;
  auto sizeOf = [dim = split ? *split : *concat](ValueRange values) {
    return cast<ShapedType>(values.front().getType()).getDimSize(dim);
  };
  return sizeOf(op.getWholes()) / sizeOf(op.getParts());
}

Operation *ds::createLike(OpBuilder &builder, Location loc, CollectiveOpInterface op,
                          ValueRange read, ValueRange outs) {
  OperationState state(loc, op->getName());
  state.addOperands(read);
  state.addOperands(outs);
  state.addTypes((outs.empty() ? read : outs).getTypes());
  state.addAttributes(op->getAttrDictionary().getValue());
  return builder.create(state);
}

Attribute WaitOp::getRanks() {
  auto start = getPending().getDefiningOp<CollectiveOpInterface>();
  return start ? start.getRanks() : Attribute();
}

#define GET_OP_CLASSES
#include "ds/Dialect/IR/DsOps.cpp.inc"

template <typename Properties>
static void setOptional(OpBuilder &builder, Properties &properties, Purpose purpose,
                        ArrayAttr names, Attribute group) {
  properties.purpose = PurposeAttr::get(builder.getContext(), purpose);
  properties.names = names ? names : builder.getArrayAttr({});
  if (group)
    properties.group = group;
}

void AllReduceOp::build(OpBuilder &builder, OperationState &state, ReductionKind kind,
                        ValueRange inputs, Purpose purpose, ArrayAttr names,
                        std::optional<int64_t> fusion, Attribute group) {
  state.addOperands(inputs);
  state.addTypes(inPlaceTypes(inputs.getTypes()));
  auto &properties = state.getOrAddProperties<Properties>();
  properties.kind = ReductionKindAttr::get(builder.getContext(), kind);
  setOptional(builder, properties, purpose, names, group);
  if (fusion)
    properties.fusion = builder.getI64IntegerAttr(*fusion);
}

void AllReduceStartOp::build(OpBuilder &builder, OperationState &state, ReductionKind kind,
                             ValueRange inputs, Purpose purpose, ArrayAttr names,
                             std::optional<int64_t> fusion, Attribute group) {
  state.addOperands(inputs);
  state.addTypes(inPlaceTypes(inputs.getTypes()));
  state.addTypes(PendingType::get(builder.getContext()));
  auto &properties = state.getOrAddProperties<Properties>();
  properties.kind = ReductionKindAttr::get(builder.getContext(), kind);
  setOptional(builder, properties, purpose, names, group);
  if (fusion)
    properties.fusion = builder.getI64IntegerAttr(*fusion);
}

void WaitOp::build(OpBuilder &builder, OperationState &state, Value pending, ValueRange inputs,
                   ValueRange kept) {
  state.addOperands(pending);
  state.addOperands(inputs);
  state.addOperands(kept);
  state.getOrAddProperties<Properties>().operandSegmentSizes = {
      1, static_cast<int32_t>(inputs.size()), static_cast<int32_t>(kept.size())};
  state.addTypes(inPlaceTypes(inputs.getTypes()));
}

void BroadcastOp::build(OpBuilder &builder, OperationState &state, ValueRange inputs, int64_t root,
                        Purpose purpose, ArrayAttr names, Attribute group) {
  state.addOperands(inputs);
  state.addTypes(inPlaceTypes(inputs.getTypes()));
  auto &properties = state.getOrAddProperties<Properties>();
  properties.root = builder.getI64IntegerAttr(root);
  setOptional(builder, properties, purpose, names, group);
}
