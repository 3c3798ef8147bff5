//===- DsDialect.cpp - registration of the ds dialect -----------*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ds/Dialect/IR/Ds.h"
#include "ds/Dialect/IR/Version.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/DialectImplementation.h"
#include "mlir/IR/OpImplementation.h"
#include "mlir/Transforms/InliningUtils.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace ds;

#include "ds/Dialect/IR/DsDialect.cpp.inc"

#include "ds/Dialect/IR/DsEnums.cpp.inc"

#include "ds/Dialect/IR/DsInterfaces.cpp.inc"

#define GET_ATTRDEF_CLASSES
#include "ds/Dialect/IR/DsAttrs.cpp.inc"

#define GET_TYPEDEF_CLASSES
#include "ds/Dialect/IR/DsTypes.cpp.inc"

namespace {

/// Allows inlining of ds operations into any caller: ranks communicate by the sequence of
/// collectives, and inlining keeps it.
struct DsInlinerInterface final : DialectInlinerInterface {
  using DialectInlinerInterface::DialectInlinerInterface;

  bool isLegalToInline(Operation *call, Operation *callable, bool wouldBeCloned) const final {
    return true;
  }
  bool isLegalToInline(Operation *op, Region *dest, bool wouldBeCloned,
                       IRMapping &mapping) const final {
    return true;
  }
};

/// Writes the version of the dialect into bytecode, and refuses a file of a later one. Earlier
/// files are read, for as long as docs/Compatibility.md promises. Attributes are written as text,
/// so one parser reads both forms.
struct DsBytecodeInterface final : BytecodeDialectInterface {
  explicit DsBytecodeInterface(Dialect *dialect) : BytecodeDialectInterface(dialect) {}

  void writeVersion(DialectBytecodeWriter &writer) const final {
    FailureOr<const DialectVersion *> asked = writer.getDialectVersion<DsDialect>();
    writer.writeVarInt(succeeded(asked) ? static_cast<const DsDialectVersion *>(*asked)->number
                                        : dialectVersion);
  }

  std::unique_ptr<DialectVersion> readVersion(DialectBytecodeReader &reader) const final {
    uint64_t number = 0;
    if (failed(reader.readVarInt(number)))
      return nullptr;
    if (number > dialectVersion) {
      reader.emitError() << "the file has version " << number
                         << " of the dialect ds, expected at most " << dialectVersion
                         << ": a later ds wrote it";
      return nullptr;
    }
    return std::make_unique<DsDialectVersion>(number);
  }
};

/// Parses an operation by a name that it had in earlier versions.
template <typename Op> ParseResult parseRenamed(OpAsmParser &parser, OperationState &state) {
  emitWarning(parser.getEncodedSourceLoc(parser.getNameLoc()))
      << "'" << state.name << "' is now called '" << Op::getOperationName() << "'";
  state.name = OperationName(Op::getOperationName(), parser.getContext());
  return Op::parse(parser, state);
}

} // namespace

std::optional<Dialect::ParseOpHook> DsDialect::getParseOperationHook(StringRef name) const {
  if (name == "ds.once")
    return parseRenamed<ReplicatedToPartialOp>;
  if (name == "ds.permute")
    return parseRenamed<CollectivePermuteOp>;
  if (name == "ds.shard")
    return parseRenamed<ShardingConstraintOp>;
  return Dialect::getParseOperationHook(name);
}

void DsDialect::initialize() {
  addAttributes<
#define GET_ATTRDEF_LIST
#include "ds/Dialect/IR/DsAttrs.cpp.inc"
      >();
  addTypes<
#define GET_TYPEDEF_LIST
#include "ds/Dialect/IR/DsTypes.cpp.inc"
      >();
  addOperations<
#define GET_OP_LIST
#include "ds/Dialect/IR/DsOps.cpp.inc"
      >();
  addInterfaces<DsInlinerInterface, DsBytecodeInterface>();
}

bool ds::isCollective(Operation *op) { return isa<CollectiveOpInterface>(op); }
