//===- CallLibrary.cpp - Contractions become library calls ------*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// For each loop d the stride of an operand is the sum over its dimensions of
// coefficient(expression, d) times the stride of that dimension. Sizes and strides describe the
// contraction completely; the engine chooses gemm or convolution from them. Also covers windows (oh
// * s + kh), which are no projected permutations.
//
//===----------------------------------------------------------------------===//
#include "Buffers.h"
#include "ds/Conversion/Contraction.h"
#include "ds/Conversion/Passes.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinOps.h"

namespace ds {
#define GEN_PASS_DEF_CALLLIBRARYPASS
#include "ds/Conversion/Passes.h.inc"
} // namespace ds

using namespace mlir;

namespace {

/// Adds the linear expression `expr`, times `scale`, to the strides per loop and to the offset.
bool addLinear(AffineExpr expr, int64_t scale, MutableArrayRef<int64_t> strides, int64_t &offset) {
  if (auto constant = dyn_cast<AffineConstantExpr>(expr)) {
    offset += constant.getValue() * scale;
    return true;
  }
  if (auto dim = dyn_cast<AffineDimExpr>(expr)) {
    strides[dim.getPosition()] += scale;
    return true;
  }
  auto binary = dyn_cast<AffineBinaryOpExpr>(expr);
  if (!binary)
    return false;
  if (binary.getKind() == AffineExprKind::Add)
    return addLinear(binary.getLHS(), scale, strides, offset) &&
           addLinear(binary.getRHS(), scale, strides, offset);
  auto factor = dyn_cast<AffineConstantExpr>(binary.getRHS());
  return binary.getKind() == AffineExprKind::Mul && factor &&
         addLinear(binary.getLHS(), scale * factor.getValue(), strides, offset);
}

struct Access {
  SmallVector<int64_t> strides;
  int64_t offset = 0;
};

std::optional<Access> accessOf(linalg::GenericOp op, OpOperand *operand) {
  auto type = cast<MemRefType>(operand->get().getType());
  Access access;
  SmallVector<int64_t> dimStrides;
  if (!ds::hasStaticLayout(type) || failed(type.getStridesAndOffset(dimStrides, access.offset)))
    return std::nullopt;
  access.strides.assign(op.getNumLoops(), 0);
  for (auto [expr, stride] : llvm::zip(op.getMatchingIndexingMap(operand).getResults(), dimStrides))
    if (!addLinear(expr, stride, access.strides, access.offset))
      return std::nullopt;
  return access;
}

/// The zero fill of exactly this buffer with nothing in between that touches its memory.
Operation *findZeroFill(linalg::GenericOp op) {
  Value out = op.getDpsInits()[0];
  Value root = ds::rootOf(out);
  auto type = cast<MemRefType>(out.getType());
  for (Operation *prior = op->getPrevNode(); prior; prior = prior->getPrevNode()) {
    if (auto fill = dyn_cast<linalg::GenericOp>(prior); fill && ds::isZeroFill(fill)) {
      Value filled = fill.getDpsInits()[0];
      auto filledType = cast<MemRefType>(filled.getType());
      if (filled == out ||
          (ds::rootOf(filled) == root && filledType.getLayout().isIdentity() &&
           type.getLayout().isIdentity() && filledType.getNumElements() == type.getNumElements()))
        return fill;
    }
    if (isa<memref::AllocOp>(prior) || ds::isView(prior))
      continue;
    if (prior->getNumRegions() != 0 && !isa<linalg::GenericOp>(prior))
      return nullptr;
    bool touches =
        llvm::any_of(prior->getOperands(), [&](Value v) { return ds::rootOf(v) == root; });
    if (isa<linalg::GenericOp>(prior))
      prior->getRegion(0).walk([&](Operation *inner) {
        for (Value v : inner->getOperands())
          touches |= ds::rootOf(v) == root;
      });
    if (touches)
      return nullptr;
  }
  return nullptr;
}

struct CallLibrary final : ds::impl::CallLibraryPassBase<CallLibrary> {
  void runOnOperation() override {
    func::FuncOp driver = ds::findDriver(getOperation());
    if (!driver)
      return signalPassFailure();
    unsigned index = ds::findMarkedArgument(driver, ds::kContextArgument) ? 1 : 0;
    Value library = ds::getOrAddMarkedArgument(driver, ds::kLibraryArgument, index,
                                               LLVM::LLVMPointerType::get(&getContext()));
    driver.walk([&](linalg::GenericOp op) {
      if (ds::isContraction(op))
        callLibrary(op, library);
    });
  }

  void callLibrary(linalg::GenericOp op, Value library) {
    SmallVector<NamedAttribute> plan;
    OpBuilder builder(op);
    SmallVector<int64_t> offsets;
    const StringRef names[] = {"lhs", "rhs", "out"};
    for (auto [name, operand] : llvm::zip(names, op->getOpOperands())) {
      std::optional<Access> access = accessOf(op, &operand);
      if (!access || !cast<MemRefType>(operand.get().getType()).getElementType().isF32())
        return; // stays a kernel
      plan.push_back(builder.getNamedAttr(name, builder.getDenseI64ArrayAttr(access->strides)));
      offsets.push_back(access->offset);
    }
    Operation *fill = findZeroFill(op);
    plan.push_back(builder.getNamedAttr("accumulate", builder.getBoolAttr(!fill)));
    plan.push_back(builder.getNamedAttr("offsets", builder.getDenseI64ArrayAttr(offsets)));
    plan.push_back(
        builder.getNamedAttr("sizes", builder.getDenseI64ArrayAttr(op.getStaticLoopRanges())));
    SmallVector<Value> operands = {library};
    llvm::append_range(operands, op->getOperands());
    func::FuncOp callee = declare(builder.getDictionaryAttr(plan), ValueRange(operands).getTypes());
    func::CallOp::create(builder, op.getLoc(), callee, operands);
    op.erase();
    if (fill)
      fill->erase();
  }

  func::FuncOp declare(DictionaryAttr plan, TypeRange types) {
    auto type = FunctionType::get(&getContext(), types, {});
    func::FuncOp &callee = declared[{plan, type}];
    if (callee)
      return callee;
    OpBuilder builder = OpBuilder::atBlockEnd(getOperation().getBody());
    callee = func::FuncOp::create(builder, getOperation().getLoc(),
                                  "contraction_" + std::to_string(declared.size() - 1), type);
    callee.setPrivate();
    callee->setAttr(ds::kContractionFunction, plan);
    return callee;
  }

  DenseMap<std::pair<Attribute, Type>, func::FuncOp> declared;
};

} // namespace
