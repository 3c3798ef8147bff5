//===- PackOperands.cpp - Matrices with a unit stride -----------*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A contraction reads its operands by any strides. A product of cuBLASLt has one loop each over
// rows, columns and depth, and each matrix needs a unit stride in one of its two: the input of a
// 1x1 convolution with a stride has none. Then one or two operands are copied to separate memory,
// depth innermost; a result is computed there and copied back.
//
//===----------------------------------------------------------------------===//
#include "DriverKernels.h"
#include "DriverMemory.h"
#include "Utils/Buffers.h"
#include "ds/Conversion/Gpu/Passes.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/IR/BuiltinOps.h"

namespace ds {
#define GEN_PASS_DEF_PACKOPERANDSPASS
#include "ds/Conversion/Gpu/Passes.h.inc"
} // namespace ds

using namespace mlir;
using namespace ds::gpu;

static constexpr StringLiteral operandNames[] = {"lhs", "rhs", "out"};

namespace {

/// The contraction that an attribute describes.
struct Contraction {
  explicit Contraction(DictionaryAttr plan)
      : sizes(plan.getAs<DenseI64ArrayAttr>("sizes").asArrayRef()),
        offsets(plan.getAs<DenseI64ArrayAttr>("offsets").asArrayRef()) {
    for (StringRef name : operandNames)
      strides.push_back(SmallVector<int64_t>(plan.getAs<DenseI64ArrayAttr>(name).asArrayRef()));
  }

  bool moves(size_t operand, size_t loop) const { return strides[operand][loop] != 0; }
  bool isBatch(size_t loop) const {
    return moves(lhs, loop) && moves(rhs, loop) && moves(out, loop);
  }
  /// Returns the loops over rows, columns or depth: those that do not index the operand `still`. A
  /// single null if there are none.
  SmallVector<std::optional<size_t>> loopsBeside(size_t still) const {
    SmallVector<std::optional<size_t>> loops;
    for (size_t loop = 0; loop < sizes.size(); ++loop)
      if (sizes[loop] > 1 && !moves(still, loop))
        loops.push_back(loop);
    if (loops.empty())
      loops.push_back(std::nullopt);
    return loops;
  }
  bool isMatrix(size_t operand, std::optional<size_t> a, std::optional<size_t> b) const {
    return !a || !b || strides[operand][*a] == 1 || strides[operand][*b] == 1;
  }
  /// True if three of its loops form a product of matrices.
  bool isProduct() const {
    for (std::optional<size_t> row : loopsBeside(rhs))
      for (std::optional<size_t> column : loopsBeside(lhs))
        for (std::optional<size_t> depth : loopsBeside(out))
          if (isMatrix(lhs, row, depth) && isMatrix(rhs, depth, column) &&
              isMatrix(out, row, column))
            return true;
    return false;
  }
  /// Returns the loops that index an operand, in the order of its copy: those of the batch, its
  /// own, depth. The depth loop with the smallest stride in the other factor is innermost.
  SmallVector<size_t> loopsOf(size_t operand) const {
    SmallVector<size_t> loops;
    for (size_t loop = 0; loop < sizes.size(); ++loop)
      if (sizes[loop] > 1 && moves(operand, loop))
        loops.push_back(loop);
    size_t other = operand == lhs ? rhs : lhs;
    auto key = [&](size_t loop) {
      int kind = isBatch(loop) ? 0 : moves(out, loop) ? 1 : 2;
      return std::pair(kind, kind == 2 ? -strides[other][loop] : -strides[operand][loop]);
    };
    llvm::stable_sort(loops, [&](size_t a, size_t b) { return key(a) < key(b); });
    return loops;
  }
  /// Gives the operand the dense layout of loopsOf.
  void packOperand(size_t operand) {
    int64_t stride = 1;
    for (size_t loop : llvm::reverse(loopsOf(operand))) {
      strides[operand][loop] = stride;
      stride *= sizes[loop];
    }
    offsets[operand] = 0;
  }

  enum Operand : size_t { lhs, rhs, out };
  SmallVector<int64_t> sizes, offsets;
  SmallVector<SmallVector<int64_t>> strides;
};

struct PackOperands final : ds::impl::PackOperandsPassBase<PackOperands> {
  void runOnOperation() override {
    func::FuncOp driver = ds::findDriver(getOperation());
    if (!driver)
      return signalPassFailure();
    DriverMemory memory(driver);
    SmallVector<func::CallOp> calls;
    driver.walk([&](func::CallOp call) { calls.push_back(call); });
    for (func::CallOp call : calls) {
      auto callee = getOperation().lookupSymbol<func::FuncOp>(call.getCallee());
      if (auto plan = callee->getAttrOfType<DictionaryAttr>(ds::kContractionFunction))
        pack(call, callee, plan, memory);
    }
    memory.finish();
  }

  void pack(func::CallOp call, func::FuncOp callee, DictionaryAttr plan, DriverMemory &memory) {
    const Contraction before(plan);
    // Tries as few copies of factors as possible before copies of the result.
    unsigned chosen = 0;
    Contraction contraction = before;
    for (unsigned copies : {0, 2, 1, 3, 4, 6, 5, 7}) { // a bit per operand
      if (copies >> Contraction::out & 1 && plan.contains("bias"))
        continue; // the bias has the layout of the result
      chosen = copies;
      contraction = before;
      for (size_t i = 0; i < std::size(operandNames); ++i)
        if (copies >> i & 1)
          contraction.packOperand(i);
      if (contraction.isProduct())
        break;
    }
    SmallVector<Value> operands(call.getOperands());
    OpBuilder builder(call);
    for (size_t i = 0; i < std::size(operandNames); ++i) {
      if (!(chosen >> i & 1))
        continue;
      // Operands are the library, both factors, perhaps a bias, and the result.
      Value &operand = i == Contraction::out ? operands.back() : operands[1 + i];
      // By their strides in the copy, slowest first.
      SmallVector<size_t> loops = contraction.loopsOf(i);
      llvm::stable_sort(loops, [&](size_t a, size_t b) {
        return contraction.strides[i][a] > contraction.strides[i][b];
      });
      SmallVector<int64_t> sizes, strides;
      for (size_t loop : loops) {
        sizes.push_back(before.sizes[loop]);
        strides.push_back(before.strides[i][loop]);
      }
      Type element = cast<MemRefType>(operand.getType()).getElementType();
      auto viewed = MemRefType::get(
          sizes, element, StridedLayoutAttr::get(&getContext(), before.offsets[i], strides));
      Value packed = memory.allocate(builder, MemRefType::get(sizes, element));
      bool isResult = i == Contraction::out;
      if (!isResult || plan.getAs<BoolAttr>("accumulate").getValue())
        callStridedCopy(builder, call.getLoc(), operand, packed, viewed, /*back=*/false);
      if (isResult) {
        builder.setInsertionPointAfter(call);
        callStridedCopy(builder, call.getLoc(), packed, operand, viewed, /*back=*/true);
        builder.setInsertionPoint(call);
      }
      operand = packed;
    }
    if (llvm::equal(operands, call.getOperands()))
      return;
    func::CallOp::create(builder, call.getLoc(), declare(callee, plan, contraction, operands),
                         operands);
    call.erase();
    if (SymbolTable::symbolKnownUseEmpty(callee, getOperation()))
      callee.erase();
  }

  func::FuncOp declare(func::FuncOp callee, DictionaryAttr plan, const Contraction &contraction,
                       ValueRange operands) {
    Builder builder(&getContext());
    NamedAttrList changed(plan);
    for (auto [name, strides] : llvm::zip(operandNames, contraction.strides))
      changed.set(name, builder.getDenseI64ArrayAttr(strides));
    changed.set("offsets", builder.getDenseI64ArrayAttr(contraction.offsets));
    auto packed = callee.clone();
    packed.setFunctionType(builder.getFunctionType(operands.getTypes(), {}));
    packed->setAttr(ds::kContractionFunction, changed.getDictionary(&getContext()));
    packed.setName((callee.getName() + "_packed").str());
    SymbolTable symbols(getOperation());
    symbols.insert(packed); // renames it if the name is taken
    return packed;
  }
};

} // namespace
