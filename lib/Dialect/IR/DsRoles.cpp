//===- DsRoles.cpp - checks of roles and of ds.config -----------*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A table gives each role attribute its type and where it is allowed. Properties of one attribute
// are checked by the dialect whenever the function is verified; properties of the whole function
// are checked by verifyRoles, linear in arguments and results.
//
//===----------------------------------------------------------------------===//
#include "ds/Dialect/IR/Ds.h"
#include "ds/Dialect/IR/Roles.h"

#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringSet.h"

using namespace mlir;
using namespace ds;

namespace {

enum class Form { Unit, Name, Number, Layout, Sharding, Range, Reduce };

struct RoleAttr {
  StringRef name;
  Form form;
  bool onArguments, onResults;
  /// The roles it adds to; one of these must be present beside it.
  ArrayRef<StringRef> beside;
};

} // namespace

static ArrayRef<RoleAttr> roleTable() {
  static const StringRef toParam[] = {role::param};
  static const StringRef toState[] = {role::state};
  static const StringRef toStored[] = {role::param, role::state};
  static const StringRef toHeld[] = {role::param, role::state, role::batch};
  static const StringRef toBatch[] = {role::batch};
  static const StringRef toSharded[] = {role::batch, role::sharding};
  static const StringRef toUpdated[] = {role::updates};
  static const StringRef toMetric[] = {role::metric};
  static const RoleAttr table[] = {
      {role::param, Form::Name, true, false, {}},
      {role::state, Form::Name, true, false, {}},
      {role::batch, Form::Number, true, true, {}},
      {role::seed, Form::Unit, true, false, {}},
      {role::updates, Form::Name, false, true, {}},
      {role::metric, Form::Name, false, true, {}},
      {role::name, Form::Name, true, true, {}},
      {role::init, Form::Name, true, false, toStored},
      {role::fusion, Form::Number, true, false, toParam},
      {role::layerwiseParallel, Form::Unit, true, false, toParam},
      {role::perRank, Form::Unit, true, false, toState},
      {role::layout, Form::Layout, true, true, toSharded},
      {role::sharding, Form::Sharding, true, false, toHeld},
      {role::sharding, Form::Sharding, false, true, toUpdated},
      {role::weight, Form::Unit, true, false, toBatch},
      {role::apart, Form::Unit, true, false, toBatch},
      {role::indexRange, Form::Range, true, false, toBatch},
      {role::isUnsigned, Form::Unit, true, false, toBatch},
      {role::reduce, Form::Reduce, false, true, toMetric},
      {"ds.context", Form::Unit, true, false, {}},
      {"ds.library", Form::Unit, true, false, {}},
      {"ds.arena", Form::Unit, true, false, {}},
      {"ds.peer_arena", Form::Number, true, false, {}},
      {"ds.guard", Form::Unit, true, false, {}},
      {"ds.shared", Form::Unit, true, false, {}},
      {"ds.result", Form::Number, true, false, {}},
  };
  return table;
}

static SmallVector<StringRef> roleNames() {
  SmallVector<StringRef> names;
  for (const RoleAttr &entry : roleTable())
    names.push_back(entry.name);
  return names;
}

//===----------------------------------------------------------------------===//
// One attribute
//===----------------------------------------------------------------------===//

static bool isWordOf(Attribute attr, ArrayRef<StringRef> words) {
  auto text = dyn_cast<StringAttr>(attr);
  return text && llvm::is_contained(words, text.getValue());
}

std::optional<int64_t> ds::blockOfLayout(StringRef layout) {
  int64_t rows;
  if (!layout.consume_front("block_cyclic(") || !layout.consume_back(")") ||
      layout.getAsInteger(10, rows) || rows < 1)
    return std::nullopt;
  return rows;
}

/// Returns the expected form of the attribute; empty if it is well formed.
static StringRef expectedForm(Form form, Attribute attr) {
  switch (form) {
  case Form::Unit:
    return isa<UnitAttr>(attr) ? "" : "a unit attribute";
  case Form::Name: {
    auto text = dyn_cast<StringAttr>(attr);
    return text && !text.empty() ? "" : "a string that is not empty";
  }
  case Form::Number: {
    auto number = dyn_cast<IntegerAttr>(attr);
    bool fits = number && number.getType().isSignlessInteger(64) && number.getInt() >= 0;
    return fits ? "" : "an i64 of at least 0";
  }
  case Form::Layout:
    if (auto text = dyn_cast<StringAttr>(attr); text && ds::blockOfLayout(text))
      return "";
    return isWordOf(attr, {"block", "cyclic"}) ? ""
                                               : "\"block\", \"cyclic\" or \"block_cyclic(N)\"";
  case Form::Sharding:
    return isa<ShardingAttr>(attr) ? "" : "#ds.sharding<[..]>";
  case Form::Range: {
    auto range = dyn_cast<DenseI64ArrayAttr>(attr);
    return range && range.size() >= 2 && range[0] < range[1]
               ? ""
               : "an array<i64: LOW, HIGH, ..> with LOW below HIGH";
  }
  case Form::Reduce:
    return isWordOf(attr, {"mean", "sum", "max", "none"})
               ? ""
               : "\"mean\", \"sum\", \"max\" or \"none\"";
  }
  llvm_unreachable("all forms are handled");
}

/// Returns a role that excludes `name` beside it: an argument with two roles would be fed in two
/// ways, a result used in two. A state may hold samples, which are not read from data.
static StringRef excludedRole(StringRef name, DictionaryAttr others) {
  static const StringRef ofArgument[] = {role::param, role::state, role::seed};
  static const StringRef ofData[] = {role::param, role::batch, role::seed};
  static const StringRef ofSamplesRead[] = {role::weight, role::indexRange, role::isUnsigned};
  static const StringRef ofResult[] = {role::updates, role::metric};
  if (name == role::state)
    for (StringRef other : ofSamplesRead)
      if (others.contains(other))
        return other;
  for (ArrayRef<StringRef> roles : {ArrayRef(ofArgument), ArrayRef(ofData), ArrayRef(ofResult)})
    if (llvm::is_contained(roles, name))
      for (StringRef other : roles)
        if (other != name && others.contains(other))
          return other;
  return "";
}

static LogicalResult verifyType(NamedAttribute attr, Type type,
                                llvm::function_ref<InFlightDiagnostic()> emitError) {
  auto shaped = dyn_cast<ShapedType>(type);
  if (attr.getName() == role::param && !(shaped && isa<FloatType>(shaped.getElementType())))
    return emitError() << "expected a tensor of floats for 'ds.param', got " << type;
  if (attr.getName() == role::perRank &&
      !(shaped && shaped.hasRank() && shaped.getRank() > 0 && shaped.getDimSize(0) > 0))
    return emitError() << "expected a tensor whose dimension 0 counts ranks for 'ds.per_rank', got "
                       << type;
  if (attr.getName() == role::seed && !(shaped && isa<IntegerType>(shaped.getElementType())))
    return emitError() << "expected a tensor of integers for 'ds.seed', got " << type;
  if (attr.getName() == role::seed && shaped.hasRank() && llvm::is_contained(shaped.getShape(), 0))
    return emitError() << "expected at least one word for 'ds.seed', got " << type;
  if (attr.getName() == role::weight && !(shaped && shaped.hasRank() && shaped.getRank() == 1 &&
                                          isa<FloatType>(shaped.getElementType())))
    return emitError() << "expected a tensor of one float per sample for 'ds.weight', got " << type;
  if (auto sharding = dyn_cast<ShardingAttr>(attr.getValue());
      sharding && !(shaped && shaped.hasRank() &&
                    shaped.getRank() == static_cast<int64_t>(sharding.getDims().size())))
    return emitError() << "expected " << sharding.getDims().size()
                       << " dimensions, as 'ds.sharding' has, got " << type;
  bool ofIntegers = attr.getName() == role::indexRange || attr.getName() == role::isUnsigned;
  if (ofIntegers && !(shaped && shaped.getElementType().isInteger()))
    return emitError() << "expected a tensor of integers for '" << attr.getName().strref()
                       << "', got " << type;
  if (attr.getName() != role::batch)
    return success();
  int64_t dim = cast<IntegerAttr>(attr.getValue()).getInt();
  if (!shaped || !shaped.hasRank() || dim >= shaped.getRank())
    return emitError() << "expected a dimension of " << type << " for 'ds.batch', got " << dim;
  if (shaped.getDimSize(dim) == 0)
    return emitError() << "expected at least one sample for 'ds.batch', got " << type;
  return success();
}

/// Verifies one role attribute of an argument or a result among the `others` on it.
static LogicalResult verifyRole(NamedAttribute attr, bool onArgument, Type type,
                                DictionaryAttr others,
                                llvm::function_ref<InFlightDiagnostic()> emitError) {
  StringRef name = attr.getName().strref();
  auto find = [&](auto fits) {
    return llvm::find_if(roleTable(),
                         [&](const RoleAttr &entry) { return entry.name == name && fits(entry); });
  };
  const RoleAttr *entry =
      find([&](const RoleAttr &entry) { return onArgument ? entry.onArguments : entry.onResults; });
  if (entry == roleTable().end())
    entry = find([](const RoleAttr &) { return true; });
  if (entry == roleTable().end()) {
    InFlightDiagnostic diag = emitError() << "unknown attribute '" << name << "'";
    if (std::optional<StringRef> near = nearest(name, roleNames()))
      diag << ", did you mean '" << *near << "'?";
    return diag;
  }
  if (!(onArgument ? entry->onArguments : entry->onResults))
    return emitError() << "'" << name << "' belongs on "
                       << (onArgument ? "a result, got an argument" : "an argument, got a result");
  if (StringRef expected = expectedForm(entry->form, attr.getValue()); !expected.empty())
    return emitError() << "expected " << expected << " for '" << name << "', got "
                       << attr.getValue();
  if (!entry->beside.empty() &&
      llvm::none_of(entry->beside, [&](StringRef other) { return others.contains(other); }))
    return emitError() << "'" << name << "' needs '" << entry->beside.front() << "' beside it";
  if (StringRef other = excludedRole(name, others); !other.empty())
    return emitError() << "'" << name << "' and '" << other << "' exclude one another";
  return verifyType(attr, type, emitError);
}

LogicalResult DsDialect::verifyRegionArgAttribute(Operation *op, unsigned regionIndex,
                                                  unsigned argument, NamedAttribute attr) {
  auto function = dyn_cast<FunctionOpInterface>(op);
  if (!function)
    return success();
  return verifyRole(attr, /*onArgument=*/true, function.getArgumentTypes()[argument],
                    function.getArgAttrDict(argument),
                    [&] { return op->emitOpError("argument ") << argument << ": "; });
}

LogicalResult DsDialect::verifyRegionResultAttribute(Operation *op, unsigned regionIndex,
                                                     unsigned result, NamedAttribute attr) {
  auto function = dyn_cast<FunctionOpInterface>(op);
  if (!function)
    return success();
  return verifyRole(attr, /*onArgument=*/false, function.getResultTypes()[result],
                    function.getResultAttrDict(result),
                    [&] { return op->emitOpError("result ") << result << ": "; });
}

LogicalResult DsDialect::verifyOperationAttribute(Operation *op, NamedAttribute attr) {
  StringRef name = attr.getName().strref();
  if (name == configAttrName) {
    if (auto module = dyn_cast<ModuleOp>(op))
      return getConfig(module);
    return op->emitOpError("'ds.config' belongs on a module");
  }
  if (name == shardingRuleAttrName)
    return verifyShardingRule(op, attr.getValue());
  if (llvm::is_contained(roleNames(), name))
    return op->emitOpError("'") << name << "' belongs on an argument or a result of a function";
  if (nearest(name, {StringRef(configAttrName)}))
    return op->emitOpError("unknown attribute '") << name << "', did you mean 'ds.config'?";
  return success();
}

//===----------------------------------------------------------------------===//
// The whole function
//===----------------------------------------------------------------------===//

bool ds::isOfEachRank(FunctionOpInterface step, unsigned argument) {
  return step.getArgAttr(argument, role::layerwiseParallel) &&
         !step.getArgAttr(argument, role::sharding);
}

StringRef ds::paramOrState(FunctionOpInterface step, unsigned argument) {
  for (StringRef role : {role::param, role::state})
    if (auto name = step.getArgAttrOfType<StringAttr>(argument, role))
      return name.getValue();
  return "";
}

StringRef ds::argumentName(FunctionOpInterface step, unsigned argument) {
  StringRef stored = paramOrState(step, argument);
  auto plain = step.getArgAttrOfType<StringAttr>(argument, role::name);
  return stored.empty() && plain ? plain.getValue() : stored;
}

bool ds::hasRoles(FunctionOpInterface step) {
  for (unsigned i = 0; i < step.getNumArguments(); ++i)
    for (StringRef role : {role::param, role::state})
      if (step.getArgAttr(i, role))
        return true;
  for (unsigned i = 0; i < step.getNumResults(); ++i)
    if (step.getResultAttr(i, role::updates))
      return true;
  return false;
}

static LogicalResult verifyStaticShapes(FunctionOpInterface step) {
  for (auto [i, type] : llvm::enumerate(step.getArgumentTypes()))
    if (auto shaped = dyn_cast<ShapedType>(type); shaped && !shaped.hasStaticShape())
      return step.emitError() << "argument " << i
                              << " has a dynamic shape, expected a static one: " << type;
  for (auto [i, type] : llvm::enumerate(step.getResultTypes()))
    if (auto shaped = dyn_cast<ShapedType>(type); shaped && !shaped.hasStaticShape())
      return step.emitError() << "result " << i
                              << " has a dynamic shape, expected a static one: " << type;
  return success();
}

/// Returns the arguments by the names of 'ds.param' and 'ds.state', which share one name space with
/// 'ds.name'.
static FailureOr<llvm::StringMap<unsigned>> argumentsByName(FunctionOpInterface step) {
  llvm::StringMap<unsigned> byName, stored;
  for (unsigned i = 0; i < step.getNumArguments(); ++i) {
    StringRef name = argumentName(step, i);
    if (name.empty())
      continue;
    auto [first, inserted] = byName.try_emplace(name, i);
    if (!inserted)
      return step.emitError() << "arguments " << first->second << " and " << i
                              << " have the same name '" << name << "'";
    if (!paramOrState(step, i).empty())
      stored[name] = i;
  }
  return stored;
}

/// A step divides by the sum of the weights, so there is one such sum, and it has a use.
static LogicalResult verifyWeight(FunctionOpInterface step) {
  std::optional<unsigned> first;
  for (unsigned i = 0; i < step.getNumArguments(); ++i) {
    if (!step.getArgAttr(i, role::weight))
      continue;
    if (first)
      return step.emitError() << "arguments " << *first << " and " << i
                              << " both weigh the samples, expected one 'ds.weight'";
    first = i;
    if (!step.isExternal() && step.getArgument(i).use_empty())
      return step.emitError() << "argument " << i
                              << " weighs the samples, but nothing reads it: padding would count";
  }
  return success();
}

int64_t ds::countSamples(ArrayRef<int64_t> sizes, std::optional<int64_t> weights) {
  if (weights)
    return *weights;
  int64_t best = 0, most = 0;
  for (int64_t size : sizes) {
    if (size == 0)
      continue;
    int64_t multiples = llvm::count_if(sizes, [&](int64_t other) { return other % size == 0; });
    if (multiples > most || (multiples == most && size < best)) {
      best = size;
      most = multiples;
    }
  }
  return best;
}

/// A state and its new value hold one entry per sample along the same dimension, or neither does.
static LogicalResult verifySamples(FunctionOpInterface step, unsigned argument, unsigned result) {
  auto before = step.getArgAttrOfType<IntegerAttr>(argument, role::batch);
  auto now = step.getResultAttrOfType<IntegerAttr>(result, role::batch);
  if (before == now)
    return success();
  auto text = [](IntegerAttr dim) {
    return dim ? "samples along dimension " + std::to_string(dim.getInt()) : "no samples";
  };
  return step.emitError() << "result " << result << " holds " << text(now) << " (ds.batch), but '"
                          << argumentName(step, argument) << "', which it updates, "
                          << text(before);
}

LogicalResult ds::verifyRoles(FunctionOpInterface step) {
  if (failed(verifyStaticShapes(step)) || failed(verifyWeight(step)))
    return failure();
  FailureOr<llvm::StringMap<unsigned>> stored = argumentsByName(step);
  if (failed(stored))
    return failure();
  llvm::StringMap<unsigned> updated;
  for (unsigned i = 0; i < step.getNumResults(); ++i) {
    auto name = step.getResultAttrOfType<StringAttr>(i, role::updates);
    if (!name)
      continue;
    auto argument = stored->find(name);
    if (argument == stored->end()) {
      InFlightDiagnostic diag = step.emitError()
                                << "result " << i << " updates '" << name.getValue()
                                << "', which is no parameter or state";
      SmallVector<StringRef> known(stored->keys());
      if (std::optional<StringRef> near = nearest(name, known))
        diag << ", did you mean '" << *near << "'?";
      return diag;
    }
    Type from = step.getArgumentTypes()[argument->second], to = step.getResultTypes()[i];
    if (from != to)
      return step.emitError() << "result " << i << " updates '" << name.getValue() << "' of type "
                              << from << " with a value of type " << to;
    if (failed(verifySamples(step, argument->second, i)))
      return failure();
    auto [first, inserted] = updated.try_emplace(name, i);
    if (!inserted)
      return step.emitError() << "results " << first->second << " and " << i << " both update '"
                              << name.getValue() << "'";
  }
  return success();
}
