//===- DsAttrs.cpp - syntax and checks of #ds.config ------------*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The attribute holds a dictionary in the form that Config gives its values. Parsing, verifying and
// the plain dictionary all go through Config, so one table and one message judge a value.
//
//===----------------------------------------------------------------------===//

#include "ds/Dialect/IR/Ds.h"

#include "mlir/IR/Builders.h"
#include "llvm/ADT/StringExtras.h"

using namespace mlir;
using namespace ds;

//===----------------------------------------------------------------------===//
// Attributes to configurations
//===----------------------------------------------------------------------===//

static std::optional<int64_t> toInteger(Attribute attr) {
  auto integer = dyn_cast<IntegerAttr>(attr);
  if (!integer || isa<BoolAttr>(attr))
    return std::nullopt;
  return integer.getValue().trySExtValue();
}

/// Returns none for an attribute of a kind that no key has.
static std::optional<llvm::json::Value> toData(Attribute attr) {
  if (auto flag = dyn_cast<BoolAttr>(attr))
    return flag.getValue();
  if (std::optional<int64_t> number = toInteger(attr))
    return *number;
  if (auto text = dyn_cast<StringAttr>(attr))
    return text.str();
  if (auto list = dyn_cast<DenseI64ArrayAttr>(attr))
    return llvm::json::Array(list.asArrayRef());
  if (auto list = dyn_cast<ArrayAttr>(attr)) {
    llvm::json::Array items;
    for (Attribute item : list) {
      std::optional<llvm::json::Value> data = toData(item);
      if (!data)
        return std::nullopt;
      items.push_back(std::move(*data));
    }
    return items;
  }
  auto dictionary = dyn_cast<DictionaryAttr>(attr);
  if (!dictionary)
    return std::nullopt;
  llvm::json::Object entries;
  for (NamedAttribute entry : dictionary) {
    std::optional<llvm::json::Value> data = toData(entry.getValue());
    if (!data)
      return std::nullopt;
    entries.try_emplace(entry.getName().str(), std::move(*data));
  }
  return entries;
}

/// Passes a value of a kind that no key has to the key as text, so that its message gives what it
/// expects.
static llvm::Error setFromAttr(Config &config, StringRef key, Attribute attr) {
  if (std::optional<llvm::json::Value> data = toData(attr))
    return config.setFromData(key, *data);
  std::string text;
  llvm::raw_string_ostream(text) << attr;
  return config.set(key, ConfigValue(text));
}

static FailureOr<Config> toConfig(DictionaryAttr values,
                                  llvm::function_ref<InFlightDiagnostic()> emitError) {
  Config config;
  for (NamedAttribute entry : values)
    if (llvm::Error error = setFromAttr(config, entry.getName().strref(), entry.getValue()))
      return emitError() << llvm::toString(std::move(error));
  if (llvm::Error error = config.validate())
    return emitError() << llvm::toString(std::move(error));
  return config;
}

FailureOr<Config> ds::getConfig(ModuleOp module) {
  Attribute attr = module->getAttr(configAttrName);
  if (!attr)
    return Config();
  if (auto config = dyn_cast<ConfigAttr>(attr))
    return config.getConfig();
  auto emitError = [&] { return module.emitError(); };
  if (auto values = dyn_cast<DictionaryAttr>(attr))
    return toConfig(values, emitError);
  return emitError() << "'ds.config' must be #ds.config<...> or a dictionary, got " << attr;
}

void ds::setConfig(ModuleOp module, const Config &config) {
  module->setAttr(configAttrName, ConfigAttr::get(module.getContext(), config));
}

//===----------------------------------------------------------------------===//
// ConfigAttr
//===----------------------------------------------------------------------===//

static Attribute toAttr(Builder &builder, const ConfigValue &value) {
  if (auto *flag = std::get_if<bool>(&value))
    return builder.getBoolAttr(*flag);
  if (auto *number = std::get_if<int64_t>(&value))
    return builder.getI64IntegerAttr(*number);
  if (auto *text = std::get_if<std::string>(&value))
    return builder.getStringAttr(*text);
  return builder.getDenseI64ArrayAttr(std::get<std::vector<int64_t>>(value));
}

ConfigAttr ConfigAttr::get(MLIRContext *context, const Config &config) {
  Builder builder(context);
  NamedAttrList values;
  for (const auto &[key, value] : config.written())
    values.append(key, toAttr(builder, value));
  return get(context, values.getDictionary(context));
}

Config ConfigAttr::getConfig() const {
  FailureOr<Config> config =
      toConfig(getValues(), [&] { return mlir::emitError(UnknownLoc::get(getContext())); });
  return succeeded(config) ? *config : Config();
}

LogicalResult ConfigAttr::verify(llvm::function_ref<InFlightDiagnostic()> emitError,
                                 DictionaryAttr values) {
  return toConfig(values, emitError);
}

//===----------------------------------------------------------------------===//
// Syntax
//===----------------------------------------------------------------------===//

static ParseResult parseIndices(AsmParser &parser, Attribute &value) {
  if (failed(parser.parseOptionalLSquare()))
    return parser.emitError(parser.getCurrentLocation(), "expected a value");
  SmallVector<int64_t> items;
  auto parseItem = [&] { return parser.parseInteger(items.emplace_back()); };
  if (failed(parser.parseOptionalRSquare()))
    if (parser.parseCommaSeparatedList(parseItem) || parser.parseRSquare())
      return failure();
  value = parser.getBuilder().getDenseI64ArrayAttr(items);
  return success();
}

static ParseResult parseNumber(AsmParser &parser, int64_t number, Attribute &value) {
  Type type; // '4 : i64', as dictionaries write it
  if (succeeded(parser.parseOptionalColon()) && parser.parseType(type))
    return failure();
  value = parser.getBuilder().getI64IntegerAttr(number);
  return success();
}

/// Parses true, 4, global, "30s", [20, 35] or {mode = "size", config = 25}.
static ParseResult parseValue(AsmParser &parser, Attribute &value) {
  Builder &builder = parser.getBuilder();
  std::string text;
  if (succeeded(parser.parseOptionalString(&text))) {
    value = builder.getStringAttr(text);
    return success();
  }
  StringRef word;
  if (succeeded(parser.parseOptionalKeyword(&word))) {
    std::optional<bool> flag = configScalar(word).getAsBoolean();
    value = flag ? Attribute(builder.getBoolAttr(*flag)) : Attribute(builder.getStringAttr(word));
    return success();
  }
  int64_t number;
  if (OptionalParseResult result = parser.parseOptionalInteger(number); result.has_value())
    return failed(*result) ? failure() : parseNumber(parser, number, value);
  SMLoc start = parser.getCurrentLocation();
  NamedAttrList entries;
  if (parser.parseOptionalAttrDict(entries))
    return failure();
  if (parser.getCurrentLocation() == start)
    return parseIndices(parser, value);
  value = entries.getDictionary(parser.getContext());
  return success();
}

static ParseResult parseEntry(AsmParser &parser, Config &config) {
  StringRef key;
  SMLoc keyLoc = parser.getCurrentLocation();
  if (parser.parseKeyword(&key) || parser.parseEqual())
    return failure();
  if (config.isSet(key))
    return parser.emitError(keyLoc, "configuration key '") << key << "' is given twice";
  Attribute value;
  if (parseValue(parser, value))
    return failure();
  if (llvm::Error error = setFromAttr(config, key, value))
    return parser.emitError(keyLoc, llvm::toString(std::move(error)));
  return success();
}

Attribute ConfigAttr::parse(AsmParser &parser, Type) {
  Config config;
  SMLoc loc = parser.getCurrentLocation();
  if (parser.parseCommaSeparatedList(AsmParser::Delimiter::LessGreater,
                                     [&] { return parseEntry(parser, config); }))
    return {};
  if (llvm::Error error = config.validate()) {
    parser.emitError(loc, llvm::toString(std::move(error)));
    return {};
  }
  return ConfigAttr::get(parser.getContext(), config);
}

/// True for words, which are printed bare; anything else is quoted.
static bool isWord(StringRef text) {
  return !text.empty() && llvm::isAlpha(text.front()) && text != "true" && text != "false" &&
         llvm::all_of(text, [](char c) { return llvm::isAlnum(c) || c == '_'; });
}

static void printValue(AsmPrinter &printer, Attribute value) {
  if (auto flag = dyn_cast<BoolAttr>(value))
    printer << (flag.getValue() ? "true" : "false");
  else if (auto number = dyn_cast<IntegerAttr>(value))
    printer << number.getInt();
  else if (auto list = dyn_cast<DenseI64ArrayAttr>(value))
    printer << '[' << list.asArrayRef() << ']';
  else if (auto text = dyn_cast<StringAttr>(value); text && isWord(text))
    printer << text.getValue();
  else
    printer << value;
}

void ConfigAttr::print(AsmPrinter &printer) const {
  printer << '<';
  llvm::interleaveComma(getValues(), printer, [&](NamedAttribute entry) {
    printer << entry.getName().strref() << " = ";
    printValue(printer, entry.getValue());
  });
  printer << '>';
}
