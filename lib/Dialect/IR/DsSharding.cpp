//===- DsSharding.cpp - syntax of #ds.sharding ----------------------------===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "ds/Dialect/IR/Ds.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/DialectImplementation.h"
#include "llvm/ADT/StringSet.h"

using namespace mlir;

namespace ds {

/// Parses `{"dp", "tp"}` or `{"dp", ?}`.
static ParseResult parseAxes(AsmParser &parser, SmallVectorImpl<ArrayAttr> &dims,
                             SmallVectorImpl<int64_t> &open) {
  SmallVector<Attribute> axes;
  auto parseAxis = [&]() -> ParseResult {
    if (!open.empty() && open.back() == static_cast<int64_t>(dims.size()))
      return parser.emitError(parser.getCurrentLocation(), "expected '}' after '?'");
    if (succeeded(parser.parseOptionalQuestion())) {
      open.push_back(dims.size());
      return success();
    }
    std::string axis;
    if (parser.parseString(&axis))
      return failure();
    axes.push_back(StringAttr::get(parser.getContext(), axis));
    return success();
  };
  if (parser.parseCommaSeparatedList(AsmParser::Delimiter::Braces, parseAxis))
    return failure();
  dims.push_back(ArrayAttr::get(parser.getContext(), axes));
  return success();
}

Attribute ShardingAttr::parse(AsmParser &parser, Type) {
  SmallVector<ArrayAttr> dims;
  SmallVector<int64_t> open;
  SMLoc loc = parser.getCurrentLocation();
  if (parser.parseLess() ||
      parser.parseCommaSeparatedList(AsmParser::Delimiter::Square,
                                     [&] { return parseAxes(parser, dims, open); }) ||
      parser.parseGreater())
    return {};
  return parser.getChecked<ShardingAttr>(loc, parser.getContext(), ArrayRef<ArrayAttr>(dims),
                                         ArrayRef<int64_t>(open));
}

void ShardingAttr::print(AsmPrinter &printer) const {
  printer << "<[";
  llvm::interleaveComma(llvm::enumerate(getDims()), printer, [&](auto dim) {
    printer << '{';
    llvm::interleaveComma(dim.value(), printer);
    if (isOpen(dim.index()))
      printer << (dim.value().empty() ? "?" : ", ?");
    printer << '}';
  });
  printer << "]>";
}

LogicalResult ShardingAttr::verify(function_ref<InFlightDiagnostic()> emitError,
                                   ArrayRef<ArrayAttr> dims, ArrayRef<int64_t> open) {
  llvm::StringSet<> seen;
  for (ArrayAttr axes : dims)
    for (Attribute axis : axes)
      if (StringRef name = cast<StringAttr>(axis).getValue(); !seen.insert(name).second)
        return emitError() << "axis '" << name << "' is named twice, expected once at most";
  // Text cannot spell other orders; a front end that builds the attribute can.
  int64_t next = 0;
  for (int64_t dim : open)
    if (std::exchange(next, dim + 1) > dim || dim >= static_cast<int64_t>(dims.size())) {
      InFlightDiagnostic error = emitError() << "open dimensions ";
      llvm::interleaveComma(open, error);
      return error << ", expected ascending ones from 0, below " << dims.size();
    }
  return success();
}

} // namespace ds
