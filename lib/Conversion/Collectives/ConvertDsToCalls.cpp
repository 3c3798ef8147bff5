//===- ConvertDsToCalls.cpp - Calls of a caller's functions -----*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Collectives are packed first, so each moves one flat tensor, and one function of `tensor<?xT>`
// serves every size. The name of a function encodes its operation, reduction, element type and
// group; roots and sources are operands. ds.rank and ds.num_ranks become calls, too.
//
//===----------------------------------------------------------------------===//
#include "PackCollectives.h"
#include "Utils/Groups.h"
#include "ds/Conversion/Collectives/Passes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/raw_ostream.h"

namespace ds {
#define GEN_PASS_DEF_CONVERTDSTOCALLSPASS
#include "ds/Conversion/Collectives/Passes.h.inc"
} // namespace ds

using namespace mlir;

/// Returns the group as a part of a name: '_along_dp_tp', '_among_0_2', or nothing for all ranks.
static std::string nameOf(Attribute group) {
  std::string name;
  if (auto axes = dyn_cast_if_present<ArrayAttr>(group)) {
    name = "_along";
    for (auto axis : axes.getAsRange<StringAttr>())
      name += "_" + axis.getValue().str();
  }
  if (auto ranks = dyn_cast_if_present<DenseI64ArrayAttr>(group)) {
    name = "_among";
    for (int64_t rank : ranks.asArrayRef())
      name += "_" + std::to_string(rank);
  }
  return name;
}

/// Returns the name of a collective's function after the prefix, without the '_start' of a started
/// one.
static std::string nameOf(ds::CollectiveOpInterface op) {
  std::string name;
  llvm::raw_string_ostream out(name);
  StringRef operation = op->getName().stripDialect();
  operation.consume_back("_start");
  out << operation;
  if (std::optional<ds::ReductionKind> kind = op.getKind())
    out << '_' << stringifyReductionKind(*kind);
  if (op->getNumOperands() > 0)
    out << '_' << cast<ShapedType>(op->getOperand(0).getType()).getElementType();
  out << nameOf(op.getRanks());
  return name;
}

namespace {

struct ConvertDsToCalls final : ds::impl::ConvertDsToCallsPassBase<ConvertDsToCalls> {
  using ConvertDsToCallsPassBase::ConvertDsToCallsPassBase;

  void runOnOperation() override {
    ModuleOp module = getOperation();
    bool isName = !prefix.empty() && !llvm::isDigit(prefix[0]) && llvm::all_of(prefix, [](char c) {
      return llvm::isAlnum(c) || c == '_' || c == '.';
    });
    if (!isName) {
      module.emitError(
          "expected 'prefix' to begin the names of functions, as in prefix=acme, got '")
          << prefix << "'";
      return signalPassFailure();
    }
    if (failed(ds::expandRanksAlongAxes(module)) || failed(ds::packCollectives(module)))
      return signalPassFailure();
    SmallVector<Operation *> ops = ds::findRankOps(module);
    for (Operation *op : ops)
      if (failed(convert(op)))
        return signalPassFailure();
    for (Operation *op : llvm::reverse(ops))
      op->erase();
  }

private:
  LogicalResult convert(Operation *op) {
    OpBuilder builder(op);
    Location loc = op->getLoc();
    if (isa<ds::RankOp, ds::NumRanksOp>(op)) {
      FailureOr<Operation *> asked =
          call(op, op->getName().stripDialect(), {}, builder.getI64Type());
      if (failed(asked))
        return failure();
      op->getResult(0).replaceAllUsesWith(
          arith::IndexCastOp::create(builder, loc, builder.getIndexType(), (*asked)->getResult(0)));
      return success();
    }
    if (failed(ds::requireTensors(op)))
      return failure();
    auto wait = dyn_cast<ds::WaitOp>(op);
    auto collective =
        cast<ds::CollectiveOpInterface>(wait ? wait.getPending().getDefiningOp() : op);
    std::string name = nameOf(collective);
    SmallVector<Value> operands;
    SmallVector<Type> results;
    if (wait) {
      // The values in flight are the results of the call that starts them, all of dynamic size.
      operands.push_back(values.lookup(wait.getPending()));
      operands.push_back(values.lookup(wait.getInputs().front()));
      for (Value kept : wait.getKept())
        operands.push_back(flexible(builder, loc, kept));
      name += "_wait";
    } else {
      for (Value value : collective.getRead().getAsOperandRange())
        operands.push_back(flexible(builder, loc, value));
      if (auto root = op->getAttrOfType<IntegerAttr>("root"))
        operands.push_back(arith::ConstantOp::create(builder, loc, root));
      if (std::optional<ArrayRef<int64_t>> sources = collective.getSources())
        operands.push_back(
            flexible(builder, loc,
                     arith::ConstantOp::create(builder, loc, builder.getI64TensorAttr(*sources))));
    }
    if (op->getNumResults() > 0)
      results.push_back(flexible(op->getResult(0).getType()));
    if (collective.isStart() && !wait) {
      results.push_back(builder.getI64Type());
      name += "_start";
    }
    FailureOr<Operation *> called = call(op, name, operands, results);
    if (failed(called))
      return failure();
    if (collective.isStart() && !wait) {
      values[op->getResult(0)] = (*called)->getResult(0);
      values[op->getResult(1)] = (*called)->getResult(1);
    } else if (op->getNumResults() > 0) {
      Value result =
          tensor::CastOp::create(builder, loc, op->getResult(0).getType(), (*called)->getResult(0));
      op->getResult(0).replaceAllUsesWith(result);
    }
    return success();
  }

  static Type flexible(Type type) {
    return RankedTensorType::get({ShapedType::kDynamic}, cast<ShapedType>(type).getElementType());
  }
  static Value flexible(OpBuilder &builder, Location loc, Value value) {
    return tensor::CastOp::create(builder, loc, flexible(value.getType()), value);
  }

  /// Calls the function, and declares it at its first call.
  FailureOr<Operation *> call(Operation *op, const Twine &name, ValueRange operands,
                              TypeRange results) {
    StringRef joint = StringRef(prefix).ends_with(".") ? "" : "_";
    std::string symbol = (prefix + joint + name).str();
    OpBuilder builder(op);
    auto type = builder.getFunctionType(operands.getTypes(), results);
    Operation *known = getOperation().lookupSymbol(symbol);
    auto callee = dyn_cast_if_present<func::FuncOp>(known);
    if (known && (!callee || !callee.isExternal() || callee.getFunctionType() != type))
      return known->emitError("the module has '")
             << symbol << "', expected a declaration of type " << type;
    if (!callee) {
      OpBuilder::InsertionGuard guard(builder);
      builder.setInsertionPointToEnd(getOperation().getBody());
      callee = func::FuncOp::create(builder, getOperation().getLoc(), symbol, type);
      callee.setPrivate();
      callee->setAttr(LLVM::LLVMDialect::getEmitCWrapperAttrName(), builder.getUnitAttr());
    }
    return func::CallOp::create(builder, op->getLoc(), callee, operands).getOperation();
  }

  DenseMap<Value, Value> values; // values in flight, by the result of their start
};

} // namespace
