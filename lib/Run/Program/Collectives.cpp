//===- Collectives.cpp - What a step exchanges, for a report ----*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Program/Execute.h"

#include "ds/Analysis/Placement.h"
#include "ds/Dialect/IR/Ds.h"
#include "ds/Run/Program/Program.h"

#include "mlir/IR/BuiltinOps.h"

namespace ds {

namespace json = llvm::json;

/// Names of what a collective serves, each once.
static json::Array namesOf(CollectiveOpInterface op) {
  json::Array names;
  for (mlir::Attribute list : op.getNames())
    for (auto name : mlir::cast<mlir::ArrayAttr>(list).getAsRange<mlir::StringAttr>())
      if (!llvm::is_contained(names, json::Value(name.getValue())))
        names.push_back(name.getValue());
  return names;
}

llvm::Error logCollectives(Report &report, Program &program, int64_t numRanks) {
  return program.withDistributed(
      numRanks, Program::Side::ranks, [&](mlir::ModuleOp module) -> llvm::Error {
        json::Array rows;
        module.walk([&](CollectiveOpInterface op) {
          if (mlir::isa<WaitOp, BarrierOp>(op))
            return;
          int64_t bytes = 0;
          for (mlir::Value value : op.getRead().getAsOperandRange())
            if (!mlir::isa<PendingType>(value.getType()))
              bytes += getWireBytes(value);
          llvm::StringRef operation = op->getName().stripDialect();
          operation.consume_back("_start");
          rows.push_back(json::Object{{"operation", operation},
                                      {"in_flight", op.isInFlight()},
                                      {"purpose", stringifyPurpose(op.getPurpose())},
                                      {"names", namesOf(op)},
                                      {"bytes", bytes}});
        });
        report.logOnly("collectives", json::Object{{"collectives", std::move(rows)}});
        return llvm::Error::success();
      });
}

} // namespace ds
