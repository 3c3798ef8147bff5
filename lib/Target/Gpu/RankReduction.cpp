//===- RankReduction.cpp - Kernels that reduce over ranks -------*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The arithmetic of runtime/src/base/Kernels*.cpp, element by element: ranks in order, f16 and bf16
// in f32 with one rounding at the end, a mean times 1/n as f32, NaN from max and min of a NaN. The
// number of members is part of a kernel, so that all loads of a thread are under way at once.
//
//===----------------------------------------------------------------------===//
#include "RankReduction.h"

#include "dsrt/dsrt.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/Matchers.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/IntrinsicsNVPTX.h"
#include "llvm/IR/Module.h"

using namespace llvm;
using namespace ds::gpu;

//===----------------------------------------------------------------------===//
// Which ones a driver needs.
//===----------------------------------------------------------------------===//

static std::optional<int64_t> constantOf(mlir::Value value) {
  APInt number;
  if (mlir::matchPattern(value, mlir::m_ConstantInt(&number)))
    return number.getSExtValue();
  return std::nullopt;
}

/// Returns the members of the group that the function of a collective looks up; else those of the
/// world.
static int64_t membersOf(mlir::func::CallOp call, int64_t numRanks) {
  int64_t members = numRanks;
  call->getParentOfType<mlir::func::FuncOp>().walk([&](mlir::func::CallOp lookUp) {
    if (lookUp.getCallee() == "dsrt_group_create")
      members = constantOf(lookUp.getOperand(1)).value_or(numRanks);
  });
  return members;
}

std::set<RankReduction> ds::gpu::findRankReductions(mlir::ModuleOp driver, int64_t numRanks) {
  std::set<RankReduction> found;
  driver.walk([&](mlir::func::CallOp call) {
    StringRef callee = call.getCallee();
    const bool toAll = callee.starts_with("dsrt_all_reduce");
    if (!toAll && !callee.starts_with("dsrt_reduce_scatter"))
      return;
    const unsigned dtype = toAll ? 4 : 5; // the argument; the reduction is the next one
    std::optional<int64_t> type = constantOf(call.getOperand(dtype)),
                           kind = constantOf(call.getOperand(dtype + 1));
    const int64_t members = membersOf(call, numRanks);
    if (type && kind && members > 1 && members <= kMostReducedRanks)
      found.insert(
          {static_cast<dsrt_dtype>(*type), static_cast<dsrt_reduction>(*kind), members, toAll});
  });
  return found;
}

//===----------------------------------------------------------------------===//
// The kernels.
//===----------------------------------------------------------------------===//

static bool isUnsigned(dsrt_dtype dtype) {
  return dtype == DSRT_I1 || (dtype >= DSRT_U64 && dtype <= DSRT_U8);
}

static Type *typeOf(dsrt_dtype dtype, IRBuilder<> &builder) {
  switch (dtype) {
  case DSRT_F64:
    return builder.getDoubleTy();
  case DSRT_F32:
    return builder.getFloatTy();
  case DSRT_F16:
    return builder.getHalfTy();
  case DSRT_BF16:
    return builder.getBFloatTy();
  default:
    return builder.getIntNTy(static_cast<unsigned>(dsrt_dtype_size(dtype)) * 8);
  }
}

static Value *combine(IRBuilder<> &builder, const RankReduction &of, Value *a, Value *b) {
  const bool isFloat = a->getType()->isFloatingPointTy(), isMax = of.reduction == DSRT_MAX;
  switch (of.reduction) {
  case DSRT_SUM:
  case DSRT_MEAN:
    return isFloat ? builder.CreateFAdd(a, b) : builder.CreateAdd(a, b);
  case DSRT_PROD:
    return isFloat ? builder.CreateFMul(a, b) : builder.CreateMul(a, b);
  case DSRT_AND:
    return builder.CreateAnd(a, b);
  case DSRT_OR:
    return builder.CreateOr(a, b);
  case DSRT_MAX:
  case DSRT_MIN:
    break;
  }
  Value *keeps = nullptr;
  if (isFloat) // a NaN stays; if b is one, the comparison is false and b is taken
    keeps = builder.CreateOr(isMax ? builder.CreateFCmpOGT(a, b) : builder.CreateFCmpOLT(a, b),
                             builder.CreateFCmpUNO(a, a));
  else if (isUnsigned(of.dtype))
    keeps = isMax ? builder.CreateICmpUGT(a, b) : builder.CreateICmpULT(a, b);
  else
    keeps = isMax ? builder.CreateICmpSGT(a, b) : builder.CreateICmpSLT(a, b);
  return builder.CreateSelect(keeps, a, b);
}

void ds::gpu::addRankReduction(Module &module, const RankReduction &of) {
  IRBuilder<> builder(module.getContext());
  Type *type = typeOf(of.dtype, builder), *number = builder.getInt64Ty();
  const bool isWide = type->isHalfTy() || type->isBFloatTy();
  Type *carrier = isWide ? builder.getFloatTy() : type;
  SmallVector<Type *> parameters(of.members + (of.toAll ? 0 : 1), builder.getPtrTy());
  parameters.push_back(number);
  auto *kernel =
      Function::Create(FunctionType::get(builder.getVoidTy(), parameters, /*isVarArg=*/false),
                       GlobalValue::ExternalLinkage, nameOf(of), module);
  kernel->setCallingConv(CallingConv::PTX_Kernel);

  builder.SetInsertPoint(BasicBlock::Create(module.getContext(), "entry", kernel));
  auto special = [&](Intrinsic::ID id) {
    return builder.CreateZExt(builder.CreateIntrinsic(builder.getInt32Ty(), id, {}), number);
  };
  Value *index = builder.CreateAdd(builder.CreateMul(special(Intrinsic::nvvm_read_ptx_sreg_ctaid_x),
                                                     builder.getInt64(kRankReductionThreads)),
                                   special(Intrinsic::nvvm_read_ptx_sreg_tid_x));
  auto *body = BasicBlock::Create(module.getContext(), "body", kernel);
  auto *end = BasicBlock::Create(module.getContext(), "end", kernel);
  Value *count = kernel->getArg(kernel->arg_size() - 1);
  builder.CreateCondBr(builder.CreateICmpULT(index, count), body, end);

  builder.SetInsertPoint(body);
  auto address = [&](unsigned argument) {
    return builder.CreateGEP(type, kernel->getArg(argument), index);
  };
  SmallVector<Value *> values;
  for (int64_t m = 0; m < of.members; ++m) {
    Value *value = builder.CreateLoad(type, address(m));
    values.push_back(isWide ? builder.CreateFPExt(value, carrier) : value);
  }
  Value *result = values.front();
  for (Value *value : drop_begin(values))
    result = combine(builder, of, result, value);
  if (of.reduction == DSRT_MEAN) {
    const double factor = 1.0 / static_cast<double>(of.members);
    result = builder.CreateFMul(
        result, carrier->isDoubleTy()
                    ? ConstantFP::get(carrier, factor)
                    : ConstantFP::get(carrier, static_cast<double>(static_cast<float>(factor))));
  }
  if (isWide)
    result = builder.CreateFPTrunc(result, type);
  for (int64_t m = 0; m < of.members && of.toAll; ++m)
    builder.CreateStore(result, address(m));
  if (!of.toAll)
    builder.CreateStore(result, address(of.members));
  builder.CreateBr(end);
  builder.SetInsertPoint(end);
  builder.CreateRetVoid();
}
