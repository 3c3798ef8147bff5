//===- DsShardingRuleParser.cpp - reading #ds.sharding_rule ---------------===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Sizes follow the dimensions, so the dimensions are read as names first.
//
//===----------------------------------------------------------------------===//

#include "ds/Dialect/IR/Ds.h"
#include "ds/Dialect/IR/ShardingRuleDim.h"

#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/StringExtras.h"

using namespace mlir;
using namespace ds;

/// Splits a word into the names that it consists of; empty if it does not consist of names.
static SmallVector<StringRef> splitNames(StringRef word) {
  SmallVector<StringRef> names;
  while (!word.empty()) {
    if (!llvm::isLower(word.front()))
      return {};
    size_t end = 1;
    if (end < word.size() && word[end] == '_')
      end = word.find_if_not(llvm::isDigit, end + 1);
    names.push_back(word.take_front(end));
    word = word.drop_front(names.back().size());
  }
  return names;
}

namespace {

struct WrittenDim {
  SMLoc loc;
  SmallVector<std::pair<StringRef, int64_t>> factors;
  bool isSum = false;
  std::optional<std::pair<int64_t, int64_t>> part;
};
using WrittenValue = SmallVector<WrittenDim>;

class RuleParser {
public:
  explicit RuleParser(AsmParser &parser) : parser(parser) {}

  ShardingRuleAttr parse() {
    SmallVector<WrittenValue> operands, results;
    if (parser.parseLess() || parseValues(operands) || parser.parseArrow() ||
        parseValues(results) || parseFactors() || parseLinear() || parser.parseGreater())
      return {};
    FailureOr<ArrayAttr> ofOperands = resolve(operands), ofResults = resolve(results);
    if (failed(ofOperands) || failed(ofResults))
      return {};
    MLIRContext *ctx = parser.getContext();
    if (linear.empty())
      linear.assign(results.size(), ArrayAttr::get(ctx, {}));
    return ShardingRuleAttr::get(ctx, *ofOperands, *ofResults, sizes, reductions, combiner,
                                 ArrayAttr::get(ctx, linear));
  }

private:
  ParseResult parseValues(SmallVector<WrittenValue> &values) {
    return parser.parseCommaSeparatedList(AsmParser::Delimiter::Paren, [&] {
      WrittenValue &value = values.emplace_back();
      return parser.parseCommaSeparatedList(AsmParser::Delimiter::Square,
                                            [&] { return parseDim(value.emplace_back()); });
    });
  }

  /// Parses _, i, ij, i[2:6] or i*2+k.
  ParseResult parseDim(WrittenDim &dim) {
    dim.loc = parser.getCurrentLocation();
    do {
      StringRef word;
      SMLoc loc = parser.getCurrentLocation();
      if (parser.parseKeyword(&word))
        return failure();
      if (word == "_" && dim.factors.empty())
        return success();
      SmallVector<StringRef> names = splitNames(word);
      if (names.empty())
        return parser.emitError(loc, "expected factors such as 'i', 'ij' or 'i_1', got '")
               << word << "'";
      for (StringRef name : names)
        dim.factors.push_back({name, 1});
      if (succeeded(parser.parseOptionalStar())) {
        dim.isSum = true;
        if (succeeded(parser.parseOptionalQuestion()))
          dim.factors.back().second = RuleDim::noStride;
        else if (parser.parseInteger(dim.factors.back().second))
          return failure();
      }
      if (succeeded(parser.parseOptionalLSquare())) {
        auto &part = dim.part.emplace();
        if (parser.parseInteger(part.first) || parser.parseColon() ||
            parser.parseInteger(part.second) || parser.parseRSquare())
          return failure();
      }
    } while (succeeded(parser.parseOptionalPlus()) && (dim.isSum = true));
    return success();
  }

  /// Parses {i=4, k=16, k: sum}.
  ParseResult parseFactors() {
    if (failed(parser.parseOptionalLBrace()))
      return success();
    if (parser.parseCommaSeparatedList([&] { return parseFactor(); }))
      return failure();
    return parser.parseRBrace();
  }

  ParseResult parseFactor() {
    StringRef name;
    SMLoc loc = parser.getCurrentLocation();
    if (parser.parseKeyword(&name))
      return failure();
    if (succeeded(parser.parseOptionalColon()))
      return parseReduction(name, loc);
    int64_t size = ShapedType::kDynamic;
    if (parser.parseEqual() ||
        (failed(parser.parseOptionalQuestion()) && parser.parseInteger(size)))
      return failure();
    if (splitNames(name).size() != 1)
      return parser.emitError(loc, "expected a factor such as 'i' or 'i_1', got '") << name << "'";
    if (size < 1 && !ShapedType::isDynamic(size))
      return parser.emitError(loc, "factor '")
             << name << "' has size " << size << ", expected at least 1";
    if (!numbers.insert({name, sizes.size()}).second)
      return parser.emitError(loc, "factor '") << name << "' has two sizes";
    sizes.push_back(size);
    return success();
  }

  ParseResult parseReduction(StringRef name, SMLoc loc) {
    StringRef word;
    SMLoc wordLoc = parser.getCurrentLocation();
    if (parser.parseKeyword(&word))
      return failure();
    std::optional<ReductionKind> kind = symbolizeReductionKind(word);
    if (word != "none" && (!kind || kind == ReductionKind::Mean))
      return parser.emitError(wordLoc, "expected sum, prod, max, min, and, or or none, got '")
             << word << "'";
    auto written = kind ? ReductionKindAttr::get(parser.getContext(), *kind) : ReductionKindAttr();
    FailureOr<unsigned> factor = find(name, loc);
    if (failed(factor))
      return failure();
    if (!reductions.empty() && written != combiner)
      return parser.emitError(loc, "two factors are combined differently");
    combiner = written;
    reductions.push_back(*factor);
    return success();
  }

  /// Parses linear=[arg0 * arg1 + arg2, none].
  ParseResult parseLinear() {
    if (failed(parser.parseOptionalKeyword("linear")))
      return success();
    if (parser.parseEqual())
      return failure();
    return parser.parseCommaSeparatedList(AsmParser::Delimiter::Square, [&]() -> ParseResult {
      SmallVector<Attribute> terms;
      if (failed(parser.parseOptionalKeyword("none")))
        do {
          if (parseTerm(terms))
            return failure();
        } while (succeeded(parser.parseOptionalPlus()));
      linear.push_back(ArrayAttr::get(parser.getContext(), terms));
      return success();
    });
  }

  ParseResult parseTerm(SmallVector<Attribute> &terms) {
    SmallVector<int64_t> term;
    if (failed(parser.parseOptionalKeyword("whole")))
      do {
        StringRef word;
        SMLoc loc = parser.getCurrentLocation();
        if (parser.parseKeyword(&word))
          return failure();
        StringRef number = word;
        if (!number.consume_front("arg") || number.getAsInteger(10, term.emplace_back()))
          return parser.emitError(loc, "expected an operand such as 'arg0', got '") << word << "'";
      } while (succeeded(parser.parseOptionalStar()));
    terms.push_back(DenseI64ArrayAttr::get(parser.getContext(), term));
    return success();
  }

  FailureOr<unsigned> find(StringRef name, SMLoc loc) {
    auto it = numbers.find(name);
    if (it != numbers.end())
      return it->second;
    parser.emitError(loc, "factor '") << name << "' has no size; write '" << name << "=..' in {}";
    return failure();
  }

  FailureOr<RuleDim> resolve(const WrittenDim &written) {
    RuleDim dim;
    dim.size = written.factors.empty() || written.isSum ? ShapedType::kDynamic : 1;
    for (auto [name, stride] : llvm::reverse(written.factors)) {
      FailureOr<unsigned> factor = find(name, written.loc);
      if (failed(factor))
        return failure();
      int64_t size = sizes[*factor];
      if (ShapedType::isDynamic(size) && written.factors.size() > 1 && !written.isSum)
        return parser.emitError(written.loc, "factor '") << name << "' needs a size here";
      dim.factors.insert(dim.factors.begin(), {*factor, written.isSum ? stride : dim.size});
      if (!written.isSum)
        dim.size = ShapedType::isDynamic(size) ? size : dim.size * size;
    }
    if (!written.part)
      return dim;
    auto [begin, end] = *written.part;
    if (written.factors.size() != 1 || begin < 0 || end < begin ||
        (!ShapedType::isDynamic(dim.size) && end > dim.size))
      return parser.emitError(written.loc, "[")
             << begin << ":" << end << "] is no part of one factor";
    dim.begin = begin;
    dim.size = end - begin;
    return dim;
  }

  FailureOr<ArrayAttr> resolve(ArrayRef<WrittenValue> values) {
    MLIRContext *ctx = parser.getContext();
    SmallVector<Attribute> resolved;
    for (const WrittenValue &value : values) {
      SmallVector<Attribute> dims;
      for (const WrittenDim &written : value) {
        FailureOr<RuleDim> dim = resolve(written);
        if (failed(dim))
          return failure();
        dims.push_back(dim->toAttr(ctx));
      }
      resolved.push_back(ArrayAttr::get(ctx, dims));
    }
    return ArrayAttr::get(ctx, resolved);
  }

  AsmParser &parser;
  llvm::MapVector<StringRef, unsigned> numbers;
  SmallVector<int64_t> sizes;
  SmallVector<unsigned> reductions;
  ReductionKindAttr combiner;
  SmallVector<Attribute> linear;
};

} // namespace

Attribute ShardingRuleAttr::parse(AsmParser &parser, Type) { return RuleParser(parser).parse(); }
