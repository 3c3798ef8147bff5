//===- OutlineKernels.cpp - One function per distinct kernel ----*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A kernel takes the buffers and scalars that its operation uses; constants are cloned into it, and
// views whose layout is only known at run time are cloned too, so that every buffer argument has a
// static layout and is passed as a bare pointer. The offset of a slice is an argument, too: the
// slices of one buffer, say the positions of a sequence, share a kernel. The printed function
// without its name is the key: its text does not depend on the addresses of buffers, nor on which
// parameters share a collective.
//
//===----------------------------------------------------------------------===//
#include "CollapseLoops.h"
#include "Utils/Buffers.h"
#include "Utils/LoopOrder.h"
#include "ds/Conversion/Passes.h"
#include "ds/Dialect/IR/Ds.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Linalg/Transforms/Transforms.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/Transforms/RegionUtils.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/xxhash.h"

namespace ds {
#define GEN_PASS_DEF_OUTLINEKERNELSPASS
#include "ds/Conversion/Passes.h.inc"
} // namespace ds

using namespace mlir;

namespace {

/// The arguments of a kernel and the operations cloned into it, in dependency order.
struct Interface {
  llvm::SetVector<Value> arguments;
  llvm::SetVector<Operation *> cloned;
};

/// True for an infinity that a reduction takes in place of masked elements,
/// `max(sum, select(mask, x, -inf))`. LLVM would make that `select(mask, max(sum, x), sum)`, which
/// it does not vectorise; it cannot if the infinity is an argument.
bool isMaskedInfinity(Value value, linalg::GenericOp op) {
  if (op.getNumReductionLoops() == 0 ||
      !(matchPattern(value, m_PosInfFloat()) || matchPattern(value, m_NegInfFloat())))
    return false;
  return llvm::any_of(op.getBody()->getOps<arith::SelectOp>(), [&](arith::SelectOp select) {
    return (select.getTrueValue() == value || select.getFalseValue() == value) &&
           llvm::any_of(select->getUsers(), llvm::IsaPred<arith::MaximumFOp, arith::MinimumFOp>);
  });
}

LogicalResult collect(Value value, Operation *user, Interface &interface) {
  if (interface.arguments.contains(value))
    return success();
  Operation *op = value.getDefiningOp();
  bool isBuffer = isa<BaseMemRefType>(value.getType());
  if (isBuffer ? ds::hasStaticLayout(value.getType()) : !(op && matchPattern(op, m_Constant()))) {
    interface.arguments.insert(value);
    return success();
  }
  if (isBuffer && (!op || !ds::isView(op)))
    return user->emitOpError() << "cannot become a kernel: it uses a buffer of type "
                               << value.getType() << ", expected a static layout";
  for (Value operand : op->getOperands())
    if (failed(collect(operand, user, interface)))
      return failure();
  interface.cloned.insert(op);
  return success();
}

/// Returns the offset of a buffer; 0 for any other type.
int64_t offsetOf(Type type) {
  auto memref = dyn_cast<MemRefType>(type);
  return memref ? memref.getStridesAndOffset().second : 0;
}

/// Returns the same layout with another offset.
Type layoutAt(MemRefType type, int64_t offset) {
  return MemRefType::get(
      type.getShape(), type.getElementType(),
      StridedLayoutAttr::get(type.getContext(), offset, type.getStridesAndOffset().first),
      type.getMemorySpace());
}

Type withoutOffset(Type type) {
  return offsetOf(type) ? layoutAt(cast<MemRefType>(type), 0) : type;
}

/// Returns a view of `buffer`, shifted by `offset` elements.
Value sliceAt(OpBuilder &builder, Value buffer, OpFoldResult offset) {
  auto type = cast<MemRefType>(buffer.getType());
  auto indices = [&](ArrayRef<int64_t> values) {
    return getAsIndexOpFoldResult(builder.getContext(), values);
  };
  std::optional<int64_t> known = getConstantIntValue(offset);
  return memref::ReinterpretCastOp::create(
      builder, buffer.getLoc(),
      cast<MemRefType>(layoutAt(type, known.value_or(ShapedType::kDynamic))), buffer, offset,
      indices(type.getShape()), indices(type.getStridesAndOffset().first));
}

/// Returns the operands of the call: the pointers themselves, with their offsets as the last
/// operands.
SmallVector<Value> operandsOf(OpBuilder &builder, Operation *op, const Interface &interface) {
  SmallVector<Value> operands, offsets;
  for (Value value : interface.arguments) {
    int64_t offset = offsetOf(value.getType());
    operands.push_back(offset ? sliceAt(builder, value, builder.getIndexAttr(0)) : value);
    if (offset)
      offsets.push_back(arith::ConstantIndexOp::create(builder, op->getLoc(), offset));
  }
  operands.append(offsets);
  return operands;
}

struct OutlineKernels final : ds::impl::OutlineKernelsPassBase<OutlineKernels> {
  void runOnOperation() override {
    kernels.clear(); // a pass may run on one module after another
    func::FuncOp driver = ds::findDriver(getOperation());
    if (!driver)
      return signalPassFailure();
    SmallVector<linalg::GenericOp> kernels;
    driver.walk([&](linalg::GenericOp op) { kernels.push_back(op); });
    for (linalg::GenericOp op : kernels)
      if (failed(outline(op)))
        return signalPassFailure();
  }

  LogicalResult outline(linalg::GenericOp op) {
    if (!op.hasPureBufferSemantics())
      return op.emitOpError() << "cannot become a kernel: it still works on tensors";
    IRRewriter rewriter(&getContext());
    op = ds::collapseLoops(op, rewriter);
    auto [order, windowLoops, readsWindows] = ds::chooseLoopOrder(op);
    if (!llvm::is_sorted(order)) {
      auto moved = linalg::interchangeGenericOp(rewriter, op, order);
      if (failed(moved))
        windowLoops = 0;
      else
        op = *moved;
    }
    if (windowLoops || readsWindows)
      op->setAttr(ds::windowLoopsAttr, rewriter.getI64IntegerAttr(windowLoops));
    Interface interface;
    llvm::SetVector<Value> captured;
    getUsedValuesDefinedAbove(op->getRegions(), captured);
    for (Value value : captured)
      if (isMaskedInfinity(value, op))
        interface.arguments.insert(value);
    for (ValueRange values : {ValueRange(op->getOperands()), ValueRange(captured.getArrayRef())})
      for (Value value : values)
        if (failed(collect(value, op, interface)))
          return failure();
    func::FuncOp kernel = share(buildKernel(op, interface));
    rewriter.setInsertionPoint(op);
    func::CallOp::create(rewriter, op.getLoc(), kernel, operandsOf(rewriter, op, interface));
    op.erase();
    return success();
  }

  func::FuncOp buildKernel(linalg::GenericOp op, const Interface &interface) {
    ArrayRef<Value> arguments = interface.arguments.getArrayRef();
    OpBuilder builder(&getContext());
    // Locations are not part of the printed text: equal kernels share the first one's.
    Location loc = op.getLoc();
    SmallVector<Type> types;
    for (Value value : arguments)
      types.push_back(withoutOffset(value.getType()));
    types.append(llvm::count_if(arguments, [](Value v) { return offsetOf(v.getType()) != 0; }),
                 builder.getIndexType());
    auto type = builder.getFunctionType(types, {});
    func::FuncOp kernel = func::FuncOp::create(loc, "kernel", type);
    kernel.setPrivate();
    kernel->setAttr(ds::kKernelFunction, builder.getUnitAttr());
    // If arguments are known not to overlap, the kernel promises that to the optimiser.
    llvm::SmallDenseSet<Value> roots;
    bool distinct = llvm::all_of(arguments, [&](Value value) {
      return !isa<MemRefType>(value.getType()) || roots.insert(ds::rootOf(value)).second;
    });
    for (auto [i, value] : llvm::enumerate(arguments))
      if (distinct && isa<MemRefType>(value.getType()) && hasOwnMemory(ds::rootOf(value)))
        kernel.setArgAttr(i, LLVM::LLVMDialect::getNoAliasAttrName(), builder.getUnitAttr());
    IRMapping mapping;
    Block *entry = kernel.addEntryBlock();
    builder.setInsertionPointToStart(entry);
    unsigned nextOffset = arguments.size();
    for (auto [value, argument] : llvm::zip(arguments, entry->getArguments()))
      mapping.map(value, offsetOf(value.getType())
                             ? sliceAt(builder, argument, entry->getArgument(nextOffset++))
                             : argument);
    for (Operation *clone : interface.cloned)
      builder.clone(*clone, mapping);
    builder.clone(*op, mapping);
    func::ReturnOp::create(builder, loc);
    return kernel;
  }

  /// True for allocations and arguments of the step. A result of control flow may be any of several
  /// buffers.
  static bool hasOwnMemory(Value root) {
    if (auto arg = dyn_cast<BlockArgument>(root))
      return isa<func::FuncOp>(arg.getOwner()->getParentOp());
    return isa<memref::AllocOp, memref::GetGlobalOp, ds::PeerOp>(root.getDefiningOp());
  }

  func::FuncOp share(func::FuncOp kernel) {
    std::string text;
    llvm::raw_string_ostream stream(text);
    kernel->print(stream, OpPrintingFlags().useLocalScope().assumeVerified());
    func::FuncOp &shared = kernels[text];
    if (shared) {
      kernel.erase();
      return shared;
    }
    kernel.setName("kernel_" +
                   llvm::utohexstr(llvm::xxh3_64bits(text), /*LowerCase=*/true, /*Width=*/16));
    getOperation().push_back(kernel);
    return shared = kernel;
  }

  llvm::StringMap<func::FuncOp> kernels;
};

} // namespace
