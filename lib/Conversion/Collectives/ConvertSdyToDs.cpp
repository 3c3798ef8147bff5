//===- ConvertSdyToDs.cpp - Shardings of Shardy, as they stand in text -*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Shardy is not part of LLVM, so its attributes are opaque here: a namespace and the text between
// the brackets. The dimensions of `#sdy.sharding<@mesh, [{"dp"}, {?}]>` are written as those of
// `#ds.sharding` (https://openxla.org/shardy/sharding_representation).
//
//===----------------------------------------------------------------------===//
#include "AnnotatedShardings.h"

#include "ds/Dialect/IR/Ds.h"
#include "ds/Dialect/IR/Roles.h"

#include "mlir/AsmParser/AsmParser.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"

using namespace mlir;

namespace {

constexpr StringLiteral shardingName = "sdy.sharding";

/// Returns the text of an attribute between its name and the last bracket: of
/// `#sdy.sharding<@mesh, [..]>` and `sharding` that is `@mesh, [..]`. None if it is another one.
std::optional<StringRef> bodyOf(Attribute attr, StringRef mnemonic) {
  auto opaque = dyn_cast_if_present<OpaqueAttr>(attr);
  if (!opaque || opaque.getDialectNamespace() != "sdy")
    return std::nullopt;
  StringRef text = opaque.getAttrData();
  if (!text.consume_front(mnemonic) || !text.consume_front("<") || !text.consume_back(">"))
    return std::nullopt;
  return text.trim();
}

/// Returns an attribute of an operation of an unregistered dialect, among its properties (`<{..}>`)
/// or the other attributes.
Attribute attributeOf(Operation *op, StringRef name) {
  if (auto properties = dyn_cast_if_present<DictionaryAttr>(op->getPropertiesAsAttribute()))
    if (Attribute found = properties.get(name))
      return found;
  return op->getAttr(name);
}

/// True if a sharding constrains nothing, as [{?}, {?}].
bool leavesOpen(ds::ShardingAttr sharding) {
  return llvm::all_of(llvm::enumerate(sharding.getDims()), [&](auto dim) {
    return dim.value().empty() && sharding.isOpen(dim.index());
  });
}

class SdyConverter {
public:
  SdyConverter(ModuleOp module, ArrayRef<ds::MeshAxis> mesh) : module(module), mesh(mesh) {}

  LogicalResult run() {
    SmallVector<Operation *> meshes, constraints;
    WalkResult walked = module.walk([&](Operation *op) {
      StringRef name = op->getName().getStringRef();
      if (name == "sdy.mesh")
        meshes.push_back(op);
      else if (name == "sdy.sharding_constraint")
        constraints.push_back(op);
      else if (name.starts_with("sdy.")) {
        op->emitOpError("is no annotation of values; expected 'sdy.mesh' and "
                        "'sdy.sharding_constraint', as a step for one device has them");
        return WalkResult::interrupt();
      }
      return WalkResult::advance();
    });
    if (walked.wasInterrupted())
      return failure();
    for (Operation *op : meshes)
      if (failed(checkMesh(op)))
        return failure();
    for (Operation *op : constraints)
      if (failed(convert(op)))
        return failure();
    for (auto function : module.getOps<func::FuncOp>())
      if (failed(convert(function)))
        return failure();
    for (Operation *op : meshes)
      op->erase();
    return success();
  }

private:
  /// Checks that every axis is one of the configuration's mesh, whose order of axes is kept.
  LogicalResult checkMesh(Operation *op) {
    std::optional<StringRef> text = bodyOf(attributeOf(op, "mesh"), "mesh");
    if (!text)
      return op->emitOpError("has no attribute 'mesh' of the form #sdy.mesh<[\"dp\"=2]>");
    StringRef axes = *text;
    if (!axes.consume_front("[") || !axes.consume_back("]"))
      return op->emitOpError("is <") << *text << ">, expected axes as in <[\"dp\"=2, \"tp\"=2]>";
    for (StringRef axis : llvm::split(axes, ",")) {
      auto [name, size] = axis.trim().split('=');
      int64_t count = 0;
      if (axis.trim().empty())
        continue; // the mesh of a single device
      if (!name.consume_front("\"") || !name.consume_back("\"") || size.getAsInteger(10, count))
        return op->emitOpError("has an axis ")
               << axis.trim() << ", expected a name and a size, as in \"dp\"=2";
      const auto *known = llvm::find_if(mesh, [&](const auto &m) { return m.name == name; });
      if (known == mesh.end() || known->size != count)
        return op->emitOpError("has an axis '")
               << name << "' of " << count
               << " devices; expected an axis of that name and size in 'mesh' of 'ds.config'";
    }
    return success();
  }

  /// Reads a sharding of whole axes.
  FailureOr<ds::ShardingAttr> read(Attribute attr, Operation *at) {
    std::optional<StringRef> text = bodyOf(attr, "sharding");
    auto refuse = [&](StringRef got, StringRef expected) {
      return at->emitError("the sharding #sdy.sharding<")
             << (text ? *text : "") << "> " << got << ", expected " << expected;
    };
    if (!text)
      return at->emitError("'sdy.sharding' is ") << attr << ", expected #sdy.sharding<@mesh, [..]>";
    auto [symbol, dims] = text->split(',');
    dims = dims.trim();
    size_t last = dims.rfind(']');
    if (!symbol.starts_with("@") || !dims.starts_with("[") || last == StringRef::npos)
      return refuse("names no mesh or no dimensions", "@mesh, [{\"dp\"}, {}]");
    if (StringRef rest = dims.drop_front(last + 1).trim(); !rest.empty()) {
      // A replicated axis closes each dimension to all axes that are not listed.
      return refuse(rest.contains("unreduced") ? "leaves a value unreduced"
                                               : "lists what is replicated",
                    "the dimensions alone; ds finds where values are partial, and a dimension "
                    "without '?' is closed");
    }
    dims = dims.take_front(last + 1);
    if (dims.contains(':'))
      return refuse("shards over a part of an axis", "whole axes; name its parts as axes");
    if (dims.contains("}p"))
      return refuse("has priorities", "dimensions without them");
    auto sharding = dyn_cast_if_present<ds::ShardingAttr>(
        parseAttribute(("#ds.sharding<" + dims + ">").str(), at->getContext()));
    if (!sharding)
      return refuse("cannot be read", "[{\"dp\"}, {}]");
    return sharding;
  }

  /// Returns the value under a constraint, or itself if the sharding constrains nothing.
  static Value constrained(OpBuilder builder, Value value, ds::ShardingAttr sharding) {
    if (leavesOpen(sharding))
      return value;
    return ds::ShardingConstraintOp::create(builder, value.getLoc(), value.getType(), value,
                                            sharding);
  }

  LogicalResult convert(Operation *op) {
    FailureOr<ds::ShardingAttr> sharding = read(attributeOf(op, "sharding"), op);
    if (failed(sharding))
      return failure();
    if (op->getNumOperands() != 1 || op->getNumResults() != 1)
      return op->emitOpError("expected one operand and one result");
    op->replaceAllUsesWith(ValueRange(constrained(OpBuilder(op), op->getOperand(0), *sharding)));
    op->erase();
    return success();
  }

  /// Converts the attributes of arguments and results. Values that are stored or are samples keep
  /// theirs as an attribute; any other one gets a constraint.
  LogicalResult convert(func::FuncOp function) {
    for (unsigned i = 0, e = function.getNumArguments(); i < e; ++i) {
      Attribute given = function.removeArgAttr(i, shardingName);
      if (!given)
        continue;
      FailureOr<ds::ShardingAttr> sharding = read(given, function);
      if (failed(sharding))
        return failure();
      auto has = [&](StringRef role) { return bool(function.getArgAttr(i, role)); };
      if (has(ds::role::param) || has(ds::role::state) || has(ds::role::batch)) {
        if (failed(ds::setSharding(function, i, *sharding, function)))
          return failure();
      } else if (!function.isDeclaration()) {
        Value argument = function.getArgument(i);
        Value made = constrained(OpBuilder::atBlockBegin(&function.front()), argument, *sharding);
        if (made != argument)
          argument.replaceAllUsesExcept(made, made.getDefiningOp());
      }
    }
    for (unsigned i = 0, e = function.getNumResults(); i < e; ++i) {
      Attribute given =
          function.removeResultAttr(i, StringAttr::get(function.getContext(), shardingName));
      if (!given)
        continue;
      FailureOr<ds::ShardingAttr> sharding = read(given, function);
      if (failed(sharding))
        return failure();
      if (function.getResultAttr(i, ds::role::updates)) {
        function.setResultAttr(i, ds::role::sharding, *sharding);
        continue;
      }
      function.walk([&](func::ReturnOp op) {
        op.setOperand(i, constrained(OpBuilder(op), op.getOperand(i), *sharding));
      });
    }
    return success();
  }

  ModuleOp module;
  ArrayRef<ds::MeshAxis> mesh;
};

} // namespace

LogicalResult ds::convertSdy(ModuleOp module, ArrayRef<MeshAxis> mesh) {
  return SdyConverter(module, mesh).run();
}
