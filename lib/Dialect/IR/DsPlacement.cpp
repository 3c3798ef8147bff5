//===- DsPlacement.cpp - syntax of #ds.placement --------------------------===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "ds/Dialect/IR/Ds.h"

#include "mlir/IR/DialectImplementation.h"
#include "llvm/Support/FormatVariadic.h"

using namespace mlir;

namespace ds {

static ParseResult parseSharding(AsmParser &parser, SmallVectorImpl<int64_t> &sharding) {
  SMLoc loc = parser.getCurrentLocation();
  auto parseNumber = [&] { return parser.parseInteger(sharding.emplace_back()); };
  if (parser.parseCommaSeparatedList(AsmParser::Delimiter::Paren, parseNumber))
    return failure();
  if (sharding.size() != 3 || sharding[0] < 0 || sharding[1] < 1 || sharding[2] < 1)
    return parser.emitError(loc, "expected a dimension and two factors of at least 1");
  return success();
}

static ParseResult parseReduction(AsmParser &parser, std::optional<ReductionKind> &reduction) {
  StringRef word;
  if (parser.parseLParen() || parser.parseKeyword(&word) || parser.parseRParen())
    return failure();
  reduction = symbolizeReductionKind(word);
  if (!reduction)
    return parser.emitError(parser.getCurrentLocation(), "unknown reduction '")
           << word << "', expected sum, mean, max, min, prod, and or or";
  return success();
}

Attribute PlacementAttr::parse(AsmParser &parser, Type) {
  StringRef word;
  SmallVector<int64_t> sharding;
  std::optional<ReductionKind> reduction;
  SMLoc loc;
  if (parser.parseLess() || parser.getCurrentLocation(&loc) || parser.parseKeyword(&word))
    return {};
  if (word == "sharded" && parseSharding(parser, sharding))
    return {};
  if (word == "partial" && parseReduction(parser, reduction))
    return {};
  if (word != "replicated" && sharding.empty() && !reduction) {
    parser.emitError(loc, "unknown placement '")
        << word << "', expected replicated, sharded or partial";
    return {};
  }
  if (parser.parseGreater())
    return {};
  return get(parser.getContext(), sharding, reduction);
}

void PlacementAttr::print(AsmPrinter &printer) const {
  if (getReduction())
    printer << "<partial(" << stringifyReductionKind(*getReduction()) << ")>";
  else if (getSharding().empty())
    printer << "<replicated>";
  else
    printer << llvm::formatv("<sharded({0:$[, ]})>",
                             llvm::make_range(getSharding().begin(), getSharding().end()))
                   .str();
}

bool canExchangeBlocks(ArrayRef<int64_t> from, ArrayRef<int64_t> to, int64_t n) {
  return from[0] != to[0] || from[2] % (n * to[2]) == 0 || to[2] % (n * from[2]) == 0;
}

} // namespace ds
