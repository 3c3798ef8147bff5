//===- MapKernels.cpp - Kernels of a driver for a GPU -----------*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Each kernel becomes one or two functions of the gpu dialect, by the scheme of its loops, and a
// declaration with the shapes of their launches. The driver calls the declaration with the state of
// the library as first argument and memory for partial results as last one, which all kernels
// share, since launches of one rank follow one another. An assertion is a word for each block, zero
// while it holds.
//
//===----------------------------------------------------------------------===//
#include "DriverMemory.h"
#include "KernelBuilder.h"
#include "RowChain.h"
#include "ScalarChain.h"
#include "Utils/Buffers.h"
#include "ds/Conversion/Gpu/Passes.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

namespace ds {
#define GEN_PASS_DEF_MAPKERNELSPASS
#include "ds/Conversion/Gpu/Passes.h.inc"
} // namespace ds

using namespace mlir;
using namespace ds::gpu;

/// True for functions that are instructions of a GPU or that ds-device-math expands: all on f32,
/// f64 and integers, except powers by integers.
static bool hasDeviceCode(Operation *op) {
  if (isa<math::IPowIOp, math::FPowIOp>(op))
    return false;
  if (isa_and_nonnull<math::MathDialect>(op->getDialect()))
    return llvm::all_of(op->getOperandTypes(),
                        [](Type type) { return type.isF32() || type.isF64() || type.isInteger(); });
  return !isa<func::CallOp>(op);
}

namespace {

struct MapKernels final : ds::impl::MapKernelsPassBase<MapKernels> {
  using MapKernelsPassBase::MapKernelsPassBase;

  void runOnOperation() override {
    ModuleOp module = getOperation();
    func::FuncOp driver = ds::findDriver(module);
    if (!driver)
      return signalPassFailure();
    DriverMemory memory(driver);
    unsigned index = ds::findMarkedArgument(driver, ds::kContextArgument) ? 1 : 0;
    library = ds::getOrAddMarkedArgument(driver, ds::kLibraryArgument, index,
                                         LLVM::LLVMPointerType::get(&getContext()));
    OpBuilder builder = OpBuilder::atBlockEnd(module.getBody());
    auto kernels = mlir::gpu::GPUModuleOp::create(builder, module.getLoc(), kKernelsModule);
    SmallVector<func::FuncOp> functions;
    for (auto func : module.getOps<func::FuncOp>())
      if (func->hasAttr(ds::kKernelFunction) && !func.isExternal())
        functions.push_back(func);
    words = wordsBegin = memory.size();
    messages.clear();
    wordsOf.clear();
    DenseMap<StringAttr, func::FuncOp> mapped;
    for (func::FuncOp func : functions) {
      FailureOr<func::FuncOp> declaration = map(func, kernels);
      if (failed(declaration))
        return signalPassFailure();
      mapped[func.getNameAttr()] = *declaration;
    }
    memory.grow(words);
    scratch = memory.size();
    SmallVector<func::CallOp> calls;
    driver.walk([&](func::CallOp call) {
      if (mapped.contains(call.getCalleeAttr().getAttr()))
        calls.push_back(call);
    });
    for (func::CallOp call : calls)
      extend(call, mapped[call.getCalleeAttr().getAttr()], memory);
    memory.finish();
    if (!messages.empty())
      driver->setAttr(kAssertions, describeAssertions(builder));
    for (func::FuncOp func : functions)
      func.erase();
    for (auto [name, declaration] : mapped)
      declaration.setName(name);
    module->setAttr(mlir::gpu::GPUDialect::getContainerModuleAttrName(), builder.getUnitAttr());
  }

  /// Writes the kernel's functions. Returns the declaration that the driver calls.
  FailureOr<func::FuncOp> map(func::FuncOp func, mlir::gpu::GPUModuleOp kernels) {
    WalkResult walked = func.walk([](Operation *op) {
      if (hasDeviceCode(op))
        return WalkResult::advance();
      op->emitOpError() << "has no code on a GPU";
      return WalkResult::interrupt();
    });
    if (walked.wasInterrupted())
      return failure();
    if (isScalar(func)) {
      buildScalarChain(func, kernels);
      return declare(func, {{func.getName().str(), "scalar"}}, {});
    }
    if (func->hasAttr(kRowChain)) {
      FailureOr<Launch> launch = buildRowChain(func, kernels);
      return failed(launch) ? FailureOr<func::FuncOp>(failure()) : declare(func, *launch, {});
    }
    auto generics = func.front().getOps<linalg::GenericOp>();
    FailureOr<KernelLoops> loops = readLoops(*generics.begin());
    if (failed(loops))
      return failure();
    Scheme scheme = chooseScheme(*loops);
    if (std::optional<Scheme> other = forced();
        other && !loops->reduction.empty() && loops->reorders && loops->rounds() > 1)
      scheme = *other;
    KernelBuilder kernel(func, *loops, kernels, messages.size() + 1);
    kernel.build(scheme);

    SmallVector<Type> more(kernel.scratch());
    if (!kernel.assertions().empty()) {
      auto type =
          MemRefType::get({kernel.launches()[0].blocks}, IntegerType::get(&getContext(), 32));
      wordsOf[func.getName()] = words;
      words += slotBytes(type);
      more.push_back(type);
      messages.append(kernel.assertions().begin(), kernel.assertions().end());
    }
    return declare(func, kernel.launches(), more);
  }

  /// Declares the function that the driver calls instead of the kernel, with arguments of the types
  /// `more` after its own.
  func::FuncOp declare(func::FuncOp kernel, ArrayRef<Launch> launches, ArrayRef<Type> more) {
    OpBuilder builder(kernel);
    SmallVector<Type> types = {library.getType()};
    llvm::append_range(types, kernel.getArgumentTypes());
    llvm::append_range(types, more);
    auto declaration =
        func::FuncOp::create(builder, kernel.getLoc(), (kernel.getName() + "_").str(),
                             builder.getFunctionType(types, {}));
    declaration.setPrivate();
    SmallVector<Attribute> described;
    for (const Launch &launch : launches)
      described.push_back(builder.getDictionaryAttr(
          {builder.getNamedAttr("kernel", builder.getStringAttr(launch.kernel)),
           builder.getNamedAttr("scheme", builder.getStringAttr(launch.scheme)),
           builder.getNamedAttr("shape", builder.getDenseI64ArrayAttr(
                                             {launch.blocks, launch.threadsX, launch.threadsY})),
           builder.getNamedAttr("thread_rounds", builder.getI64IntegerAttr(launch.rounds))}));
    declaration->setAttr(kLaunches, builder.getArrayAttr(described));
    return declaration;
  }

  /// Returns the scheme that a test option forces, regardless of sizes.
  std::optional<Scheme> forced() const {
    return llvm::StringSwitch<std::optional<Scheme>>(scheme)
        .Case("serial", Scheme::serial)
        .Case("warp", Scheme::warp)
        .Case("block", Scheme::block)
        .Case("column", Scheme::column)
        .Case("split", Scheme::split)
        .Default(std::nullopt);
  }

  void extend(func::CallOp call, func::FuncOp declaration, DriverMemory &memory) {
    OpBuilder builder(call);
    SmallVector<Value> operands = {library};
    llvm::append_range(operands, call.getOperands());
    int64_t offset = scratch;
    auto asserted = wordsOf.find(call.getCallee());
    for (Type type : declaration.getArgumentTypes().drop_front(operands.size())) {
      auto partial = cast<MemRefType>(type);
      if (asserted != wordsOf.end() && operands.size() + 1 == declaration.getNumArguments())
        offset = asserted->second;
      operands.push_back(memory.view(builder, partial, offset));
      offset += slotBytes(partial);
    }
    func::CallOp::create(builder, call.getLoc(), call.getCallee(), TypeRange(), operands);
    call.erase();
  }

  DictionaryAttr describeAssertions(OpBuilder &builder) const {
    return builder.getDictionaryAttr(
        {builder.getNamedAttr("offset", builder.getI64IntegerAttr(wordsBegin)),
         builder.getNamedAttr("bytes", builder.getI64IntegerAttr(words - wordsBegin)),
         builder.getNamedAttr("messages", builder.getArrayAttr(messages))});
  }

  Value library;
  int64_t scratch = 0;               // offset of partial results
  int64_t words = 0, wordsBegin = 0; // of assertions, for each kernel with assertions
  llvm::StringMap<int64_t> wordsOf;
  SmallVector<Attribute> messages;
};

} // namespace
