//===- CallAssertions.cpp - A failed assertion ends the step ----*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Place and message are constants of the code, so that neither a kernel nor the driver needs an
// argument for them. Equal texts share one constant.
//
//===----------------------------------------------------------------------===//
#include "CallAssertions.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;

namespace {

constexpr StringLiteral functionName = "ds_assertion_failed";

std::string placeOf(Operation *op) {
  std::string text;
  llvm::raw_string_ostream stream(text);
  if (auto place = op->getLoc()->findInstanceOf<FileLineColLoc>())
    stream << place.getFilename().getValue() << ":" << place.getLine() << ":" << place.getColumn();
  return text;
}

/// Texts of a module, as zero-terminated constants.
class Texts {
public:
  explicit Texts(ModuleOp module) : module(module) {}

  Value pointTo(OpBuilder &b, Location loc, StringRef text) {
    LLVM::GlobalOp &global = globals[text];
    if (!global) {
      OpBuilder atStart = OpBuilder::atBlockBegin(module.getBody());
      std::string bytes = text.str() + '\0';
      auto type = LLVM::LLVMArrayType::get(b.getI8Type(), bytes.size());
      global = LLVM::GlobalOp::create(
          atStart, loc, type, /*isConstant=*/true, LLVM::Linkage::Internal,
          "ds_assertion_text_" + std::to_string(globals.size()), b.getStringAttr(bytes));
    }
    return LLVM::AddressOfOp::create(b, loc, global);
  }

private:
  ModuleOp module;
  llvm::StringMap<LLVM::GlobalOp> globals;
};

} // namespace

void ds::callAssertions(ModuleOp module) {
  SmallVector<cf::AssertOp> assertions;
  module.walk([&](cf::AssertOp op) { assertions.push_back(op); });
  if (assertions.empty())
    return;
  Texts texts(module);
  OpBuilder b = OpBuilder::atBlockBegin(module.getBody());
  Type pointer = LLVM::LLVMPointerType::get(module.getContext());
  auto function = func::FuncOp::create(b, module.getLoc(), functionName,
                                       b.getFunctionType({pointer, pointer}, {}));
  function.setPrivate();
  for (cf::AssertOp op : assertions) {
    Location loc = op.getLoc();
    b.setInsertionPoint(op);
    Value yes = arith::ConstantOp::create(b, loc, b.getBoolAttr(true));
    Value fails = arith::XOrIOp::create(b, loc, op.getArg(), yes);
    auto branch = scf::IfOp::create(b, loc, fails, /*withElseRegion=*/false);
    b.setInsertionPoint(branch.thenYield());
    func::CallOp::create(
        b, loc, function,
        ValueRange{texts.pointTo(b, loc, placeOf(op)), texts.pointTo(b, loc, op.getMsg())});
    op.erase();
  }
}
