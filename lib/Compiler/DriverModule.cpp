//===- DriverModule.cpp - Reading and splitting a lowered module -*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Kernels are distributed by the length of their text, longest first, to the part with the least so
// far, since the time of code generation is about proportional to it.
//
//===----------------------------------------------------------------------===//
#include "DriverModule.h"

#include "../Conversion/Kernels/SmallFloats.h"
#include "../Conversion/Utils/Buffers.h"
#include "ds/Compiler/LowerStep.h"
#include "ds/Conversion/Passes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/Index/IR/IndexDialect.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Builders.h"

using namespace mlir;
using namespace ds;

func::FuncOp ds::selectEntry(ModuleOp module, StringRef entry) {
  if (entry.empty())
    return findDriver(module);
  auto step = module.lookupSymbol<func::FuncOp>(entry);
  if (!step || step.isExternal()) {
    module.emitError() << "the module has no function '" << entry << "'";
    return {};
  }
  for (auto func : module.getOps<func::FuncOp>())
    func.setVisibility(func == step ? SymbolTable::Visibility::Public
                                    : SymbolTable::Visibility::Private);
  return step;
}

/// True if an operation computes with its operands; small floats may only be converted and
/// forwarded.
static bool computes(Operation *op) {
  return isa_and_nonnull<arith::ArithDialect, math::MathDialect>(op->getDialect()) &&
         !isa<arith::ConstantOp, arith::ExtFOp, arith::TruncFOp, arith::BitcastOp, arith::SelectOp>(
             op);
}

/// Returns a number type without code generation among the operands and results; null if there is
/// none.
static Type findUnknownNumber(Operation *op) {
  for (Type type : llvm::concat<const Type>(op->getOperandTypes(), op->getResultTypes())) {
    Type element = getElementTypeOrSelf(type);
    if (isa<ComplexType>(element) ||
        (isa<FloatType>(element) &&
         !isa<Float16Type, BFloat16Type, Float32Type, Float64Type>(element) &&
         (!isSmallFloat(element) || computes(op))))
      return element;
  }
  return {};
}

LogicalResult ds::checkDriver(ModuleOp module) {
  func::FuncOp driver = findDriver(module);
  if (!driver)
    return failure();
  WalkResult walked = driver.walk([&](Operation *op) {
    if (isa<func::FuncOp, func::ReturnOp, func::CallOp>(op))
      return WalkResult::advance();
    bool isAllocation =
        isa<memref::AllocOp, memref::AllocaOp, memref::DeallocOp, memref::ReallocOp>(op);
    if (!isAllocation &&
        isa_and_nonnull<arith::ArithDialect, memref::MemRefDialect, scf::SCFDialect,
                        math::MathDialect, index::IndexDialect, LLVM::LLVMDialect,
                        cf::ControlFlowDialect>(op->getDialect()))
      return WalkResult::advance();
    op->emitOpError() << "cannot be executed: it is neither a kernel, a contraction, a collective, "
                         "nor scalar code";
    return WalkResult::interrupt();
  });
  if (walked.wasInterrupted())
    return failure();
  walked = module.walk([](Operation *op) {
    Type unknown = findUnknownNumber(op);
    if (!unknown)
      return WalkResult::advance();
    op->emitOpError() << "cannot be executed: there is no code for " << unknown
                      << (isa<ComplexType>(unknown) ? "; expected a pair of f32 or f64"
                                                    : "; expected f16, bf16, f32 or f64");
    return WalkResult::interrupt();
  });
  return failure(walked.wasInterrupted());
}

static std::vector<int64_t> listOf(DictionaryAttr plan, StringRef name) {
  ArrayRef<int64_t> values = plan.getAs<DenseI64ArrayAttr>(name).asArrayRef();
  return std::vector<int64_t>(values.begin(), values.end());
}

template <typename Plan> static void readOffsets(DictionaryAttr plan, Plan &result) {
  std::vector<int64_t> offsets = listOf(plan, "offsets");
  result.lhsOffset = offsets[0];
  result.rhsOffset = offsets[1];
  result.outOffset = offsets[2];
}

static ElementType productType(DictionaryAttr plan, StringRef name) {
  auto type = plan.getAs<TypeAttr>(name);
  if (!type || type.getValue().isF32())
    return ElementType::f32;
  return type.getValue().isBF16() ? ElementType::bf16 : ElementType::f16;
}

static StridedContraction readContraction(DictionaryAttr plan) {
  StridedContraction contraction;
  contraction.sizes = listOf(plan, "sizes");
  contraction.lhs = listOf(plan, "lhs");
  contraction.rhs = listOf(plan, "rhs");
  contraction.out = listOf(plan, "out");
  contraction.accumulate = plan.getAs<BoolAttr>("accumulate").getValue();
  readOffsets(plan, contraction);
  if (plan.contains("bias")) {
    contraction.bias = listOf(plan, "bias");
    contraction.biasOffset = listOf(plan, "offsets")[3];
  }
  contraction.relu = plan.contains("relu");
  contraction.factors = productType(plan, "factors");
  contraction.resultType = productType(plan, "result");
  return contraction;
}

static Convolution readConvolution(DictionaryAttr plan) {
  Convolution convolution;
  StringRef kind = plan.getAs<StringAttr>("kind").getValue();
  convolution.kind = kind == "forward"           ? Convolution::forward
                     : kind == "source_gradient" ? Convolution::sourceGradient
                                                 : Convolution::weightsGradient;
  auto readTensor = [&](const Twine &name, Convolution::Tensor &tensor, int64_t groupStride) {
    tensor.sizes = listOf(plan, (name + "_sizes").str());
    tensor.strides = listOf(plan, (name + "_strides").str());
    tensor.groupStride = groupStride;
  };
  std::vector<int64_t> groups = listOf(plan, "groups"); // their number and distance
  convolution.groups = groups[0];
  readTensor("source", convolution.source, groups[1]);
  readTensor("destination", convolution.destination, groups[2]);
  readTensor("weights", convolution.weights, groups[3]);
  convolution.stride = listOf(plan, "stride");
  convolution.dilation = listOf(plan, "dilation");
  convolution.padding = listOf(plan, "padding");
  readOffsets(plan, convolution);
  convolution.type = productType(plan, "type");
  return convolution;
}

void ds::readDriverArguments(ModuleOp module, Executable &executable) {
  func::FuncOp driver = findDriver(module);
  unsigned nextArgument = 0;
  executable.driverArguments.clear();
  for (unsigned i = 0; i < driver.getNumArguments(); ++i) {
    if (driver.getArgAttr(i, kContextArgument)) {
      executable.driverArguments.push_back({DriverArgument::context});
    } else if (driver.getArgAttr(i, kLibraryArgument)) {
      executable.driverArguments.push_back({DriverArgument::library});
    } else if (driver.getArgAttr(i, kArenaArgument)) {
      executable.driverArguments.push_back({DriverArgument::arena});
      executable.arenaBytes = cast<MemRefType>(driver.getArgumentTypes()[i]).getNumElements();
    } else if (auto peer = driver.getArgAttrOfType<IntegerAttr>(i, kPeerArgument)) {
      executable.driverArguments.push_back(
          {DriverArgument::peerArena, static_cast<unsigned>(peer.getInt())});
    } else if (auto result = driver.getArgAttrOfType<IntegerAttr>(i, kResultArgument)) {
      executable.driverArguments.push_back(
          {DriverArgument::result, static_cast<unsigned>(result.getInt())});
    } else {
      if (driver.getArgAttr(i, kSharedArgument))
        executable.sharedArguments.push_back(nextArgument);
      executable.driverArguments.push_back({DriverArgument::argument, nextArgument++});
    }
  }
}

void ds::readDriver(ModuleOp module, Executable &executable) {
  readDriverArguments(module, executable);
  readLibraryCalls(module, executable);
  for (auto func : module.getOps<func::FuncOp>()) {
    executable.communicates |= func->hasAttr(kCollectiveFunction);
    if (func->hasAttr(kKernelFunction))
      executable.kernels.push_back(func.getName().str());
  }
}

void ds::readLibraryCalls(ModuleOp module, Executable &executable) {
  executable.libraryCalls.clear();
  for (auto func : module.getOps<func::FuncOp>()) {
    std::string name = func.getName().str();
    if (auto product = func->getAttrOfType<DictionaryAttr>(kContractionFunction))
      executable.libraryCalls.push_back({name, readContraction(product)});
    else if (auto convolution = func->getAttrOfType<DictionaryAttr>(kConvolutionFunction))
      executable.libraryCalls.push_back({name, readConvolution(convolution)});
  }
}

static void declareIn(ModuleOp part, func::FuncOp func) {
  OpBuilder builder = OpBuilder::atBlockEnd(part.getBody());
  auto declaration =
      func::FuncOp::create(builder, func.getLoc(), func.getName(), func.getFunctionType());
  declaration.setPrivate();
}

OwningOpRef<ModuleOp> ds::splitDriver(ModuleOp module, unsigned numParts) {
  struct Sized {
    func::FuncOp kernel;
    size_t length;
  };
  SmallVector<Sized> kernels;
  for (auto func : module.getOps<func::FuncOp>())
    if (func->hasAttr(kKernelFunction)) {
      std::string text;
      llvm::raw_string_ostream stream(text);
      func->print(stream, OpPrintingFlags().useLocalScope().assumeVerified());
      kernels.push_back({func, text.size()});
    }
  llvm::stable_sort(kernels, [](const Sized &a, const Sized &b) { return a.length > b.length; });
  OwningOpRef<ModuleOp> parts = ModuleOp::create(module.getLoc());
  OpBuilder builder = OpBuilder::atBlockEnd(parts->getBody());
  auto driverPart = ModuleOp::create(builder, module.getLoc());
  SmallVector<std::pair<ModuleOp, size_t>> kernelParts;
  for (unsigned i = 0; i < std::min<size_t>(numParts, kernels.size()); ++i)
    kernelParts.emplace_back(ModuleOp::create(builder, module.getLoc()), 0);
  for (const Sized &sized : kernels) {
    auto *least = std::min_element(kernelParts.begin(), kernelParts.end(),
                                   [](auto &a, auto &b) { return a.second < b.second; });
    declareIn(driverPart, sized.kernel);
    func::FuncOp kernel = sized.kernel;
    kernel->moveBefore(least->first.getBody(), least->first.getBody()->end());
    least->second += sized.length;
  }
  for (Operation &op : llvm::make_early_inc_range(*module.getBody()))
    op.moveBefore(driverPart.getBody(), driverPart.getBody()->end());
  // The roles have been read. LLVM's translation warns of each, which takes longer than
  // translating.
  for (auto func : driverPart.getOps<func::FuncOp>()) {
    for (StringRef name : {kContractionFunction, kConvolutionFunction, kCollectiveFunction})
      func->removeAttr(name);
    func.removeArgAttrsAttr();
    func.removeResAttrsAttr();
  }
  return parts;
}
