//===- DsShardingRule.cpp - writing and checking #ds.sharding_rule --------===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Factors are named i to z, then a to h, then i_1 and so on. On an operation, the rule is checked
// as far as the operation's types allow.
//
//===----------------------------------------------------------------------===//

#include "ds/Dialect/IR/Ds.h"
#include "ds/Dialect/IR/ShardingRuleDim.h"

#include "llvm/ADT/SmallBitVector.h"

using namespace mlir;
using namespace ds;

//===----------------------------------------------------------------------===//
// One dimension
//===----------------------------------------------------------------------===//

RuleDim RuleDim::of(DenseI64ArrayAttr attr) {
  ArrayRef<int64_t> numbers = attr.asArrayRef();
  RuleDim dim;
  dim.begin = numbers[0];
  dim.size = numbers[1];
  for (unsigned i = 2; i < numbers.size(); i += 2)
    dim.factors.push_back({unsigned(numbers[i]), numbers[i + 1]});
  return dim;
}

DenseI64ArrayAttr RuleDim::toAttr(MLIRContext *ctx) const {
  SmallVector<int64_t> numbers = {begin, size};
  for (auto [factor, stride] : factors)
    numbers.append({factor, stride});
  return DenseI64ArrayAttr::get(ctx, numbers);
}

/// True if the factors are the digits of a number, major to minor.
static bool isNumber(const RuleDim &dim, ArrayRef<int64_t> sizes) {
  int64_t stride = 1;
  for (auto [factor, ownStride] : llvm::reverse(dim.factors)) {
    if (ownStride != stride || ShapedType::isDynamic(sizes[factor]))
      return dim.factors.size() == 1 && ownStride == 1;
    stride *= sizes[factor];
  }
  return true;
}

//===----------------------------------------------------------------------===//
// Names
//===----------------------------------------------------------------------===//

static std::string nameOf(unsigned factor) {
  std::string name(1, char('a' + (factor + 8) % 26));
  return factor < 26 ? name : name + "_" + std::to_string(factor / 26);
}

//===----------------------------------------------------------------------===//
// Writing
//===----------------------------------------------------------------------===//

static void printDim(AsmPrinter &printer, const RuleDim &dim, ArrayRef<int64_t> sizes) {
  auto print = [&](const auto &each) { printer << nameOf(each.first); };
  if (dim.factors.empty()) {
    printer << "_";
  } else if (!isNumber(dim, sizes)) {
    auto printProduct = [&](auto each) {
      printer << nameOf(each.first);
      if (each.second == RuleDim::noStride)
        printer << "*?";
      else if (each.second != 1)
        printer << "*" << each.second;
    };
    llvm::interleave(dim.factors, printer, printProduct, "+");
  } else {
    llvm::for_each(dim.factors, print);
    if (dim.factors.size() == 1 && (dim.begin != 0 || dim.size != sizes[dim.factors[0].first]))
      printer << "[" << dim.begin << ":" << dim.begin + dim.size << "]";
  }
}

static void printValues(AsmPrinter &printer, ArrayAttr values, ArrayRef<int64_t> sizes) {
  printer << "(";
  llvm::interleaveComma(values.getAsRange<ArrayAttr>(), printer, [&](ArrayAttr value) {
    printer << "[";
    llvm::interleaveComma(
        value.getAsRange<DenseI64ArrayAttr>(), printer,
        [&](DenseI64ArrayAttr dim) { printDim(printer, RuleDim::of(dim), sizes); });
    printer << "]";
  });
  printer << ")";
}

static void printTerms(AsmPrinter &printer, ArrayAttr terms) {
  if (terms.empty())
    printer << "none";
  auto printTerm = [&](DenseI64ArrayAttr term) {
    if (term.empty())
      printer << "whole";
    llvm::interleave(
        term.asArrayRef(), printer, [&](int64_t operand) { printer << "arg" << operand; }, " * ");
  };
  llvm::interleave(terms.getAsRange<DenseI64ArrayAttr>(), printer, printTerm, " + ");
}

void ShardingRuleAttr::print(AsmPrinter &printer) const {
  printer << "<";
  printValues(printer, getOperands(), getSizes());
  printer << " -> ";
  printValues(printer, getResults(), getSizes());
  if (!getSizes().empty()) {
    printer << " {";
    llvm::interleaveComma(llvm::enumerate(getSizes()), printer, [&](auto factor) {
      printer << nameOf(factor.index()) << "=";
      if (ShapedType::isDynamic(factor.value()))
        printer << "?";
      else
        printer << factor.value();
    });
    for (unsigned factor : getReductions())
      printer << ", " << nameOf(factor) << ": "
              << (getCombiner() ? stringifyReductionKind(getCombiner().getValue()) : "none");
    printer << "}";
  }
  if (llvm::any_of(getLinear().getAsRange<ArrayAttr>(),
                   [](ArrayAttr terms) { return !terms.empty(); })) {
    printer << " linear=[";
    llvm::interleaveComma(getLinear().getAsRange<ArrayAttr>(), printer,
                          [&](ArrayAttr terms) { printTerms(printer, terms); });
    printer << "]";
  }
  printer << ">";
}

//===----------------------------------------------------------------------===//
// On an operation
//===----------------------------------------------------------------------===//

static InFlightDiagnostic emitRuleError(Operation *op) {
  return op->emitOpError("'") << shardingRuleAttrName << "' ";
}

static LogicalResult verifyValues(Operation *op, StringRef what, ArrayAttr written, TypeRange types,
                                  ArrayRef<int64_t> sizes) {
  if (written.size() != types.size()) // C1
    return emitRuleError(op) << "has " << written.size() << " " << what << "s, expected "
                             << types.size();
  for (auto [i, value, type] : llvm::enumerate(written.getAsRange<ArrayAttr>(), types)) {
    auto tensor = dyn_cast<RankedTensorType>(type);
    unsigned rank = tensor ? tensor.getRank() : 0;
    if (value.size() != rank) // C2
      return emitRuleError(op) << "has " << value.size() << " dimensions for " << what << " #" << i
                               << ", expected " << rank;
    for (auto [at, attr] : llvm::enumerate(value.template getAsRange<DenseI64ArrayAttr>())) {
      RuleDim dim = RuleDim::of(attr);
      int64_t size = tensor.getDimSize(at);
      if (!ShapedType::isDynamic(dim.size) && !ShapedType::isDynamic(size) &&
          dim.size != size) // C3
        return emitRuleError(op) << "has " << dim.size << " elements in dimension " << at << " of "
                                 << what << " #" << i << ", expected " << size;
    }
  }
  return success();
}

/// A factor that a result lacks is reduced in it.
static LogicalResult verifyReductions(Operation *op, ShardingRuleAttr rule) {
  for (auto [i, result] : llvm::enumerate(rule.getResults().getAsRange<ArrayAttr>())) {
    llvm::SmallBitVector has(rule.getSizes().size());
    for (auto dim : result.getAsRange<DenseI64ArrayAttr>())
      for (auto [factor, stride] : RuleDim::of(dim).factors)
        has.set(factor);
    for (unsigned factor : rule.getReductions())
      has.set(factor);
    if (!has.all()) { // C4
      std::string name = nameOf(has.find_first_unset());
      return emitRuleError(op) << "has factor '" << name << "', which result #" << i
                               << " lacks; expected how it is combined, as in '" << name
                               << ": sum'";
    }
  }
  return success();
}

static LogicalResult verifyLinear(Operation *op, ShardingRuleAttr rule) {
  if (rule.getLinear().size() != op->getNumResults()) // C5
    return emitRuleError(op) << "has linear terms of " << rule.getLinear().size()
                             << " results, expected " << op->getNumResults();
  for (auto terms : rule.getLinear().getAsRange<ArrayAttr>()) {
    llvm::SmallBitVector seen(op->getNumOperands());
    for (auto term : terms.getAsRange<DenseI64ArrayAttr>()) {
      if (term.empty()) // C5
        return emitRuleError(op)
               << "has an addend 'whole', which cannot be counted once outside of the operation";
      for (int64_t operand : term.asArrayRef()) {
        if (operand >= op->getNumOperands()) // C5
          return emitRuleError(op) << "is linear in 'arg" << operand << "', expected one of "
                                   << op->getNumOperands() << " operands";
        if (seen.test(operand)) // C5
          return emitRuleError(op)
                 << "has 'arg" << operand << "' twice in the terms of a result, expected once";
        seen.set(operand);
      }
    }
  }
  return success();
}

LogicalResult ds::verifyShardingRule(Operation *op, Attribute attr) {
  auto rule = dyn_cast<ShardingRuleAttr>(attr);
  if (!rule)
    return emitRuleError(op) << "must be #ds.sharding_rule<...>, got " << attr;
  if (op->getNumRegions() != 0) // C6
    return emitRuleError(op)
           << "is for operations without regions; implement ds::PlacementOpInterface for this one";
  if (failed(verifyValues(op, "operand", rule.getOperands(), op->getOperandTypes(),
                          rule.getSizes())) ||
      failed(verifyValues(op, "result", rule.getResults(), op->getResultTypes(), rule.getSizes())))
    return failure();
  if (failed(verifyReductions(op, rule)))
    return failure();
  return verifyLinear(op, rule);
}
