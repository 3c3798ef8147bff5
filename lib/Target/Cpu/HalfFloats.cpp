//===- HalfFloats.cpp - f16 and bf16 for targets without them ---*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// LLVM's treatment of sixteen-bit floats depends on the target: it calls functions such as
// __truncsfbf2, which not every libgcc holds, or picks instructions that flush denormals. After
// this rewriting no such value is left, before any pass of LLVM could see one, so that the same
// step has the same results on every CPU, in kernels and in the driver.
//
// Blocks are visited in reverse post order: every value but those of phis is known when it is used.
//
//===----------------------------------------------------------------------===//
#include "HalfFloats.h"

#include "HalfConversions.h"

#include "llvm/ADT/PostOrderIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Intrinsics.h"
#include "llvm/Transforms/Utils/Local.h"

using namespace llvm;
using namespace ds;

namespace {

bool isHalf(Type *type) { return type->getScalarType()->is16bitFPTy(); }

Half kindOf(Type *type) { return type->getScalarType()->isHalfTy() ? Half::f16 : Half::bf16; }

/// Returns the type with `scalar` in place of every sixteen-bit float.
Type *replaced(Type *type, Type *scalar) {
  if (isHalf(type))
    return type->getWithNewType(scalar);
  if (auto *array = dyn_cast<ArrayType>(type))
    return ArrayType::get(replaced(array->getElementType(), scalar), array->getNumElements());
  auto *structure = dyn_cast<StructType>(type);
  if (!structure || !structure->isLiteral())
    return type;
  SmallVector<Type *> elements;
  for (Type *element : structure->elements())
    elements.push_back(replaced(element, scalar));
  return StructType::get(type->getContext(), elements, structure->isPacked());
}

FunctionType *replaced(FunctionType *type, Type *scalar) {
  SmallVector<Type *> parameters;
  for (Type *parameter : type->params())
    parameters.push_back(replaced(parameter, scalar));
  return FunctionType::get(replaced(type->getReturnType(), scalar), parameters, type->isVarArg());
}

class Rewriter {
public:
  Rewriter(Module &module, bool hasF16)
      : module(module), builder(module.getContext()), convert(builder, hasF16),
        bitsType(builder.getInt16Ty()), wideType(builder.getFloatTy()) {}

  Error run() {
    SmallVector<Function *> functions;
    for (Function &function : module)
      if (!function.isIntrinsic())
        functions.push_back(&function);
    for (Function *&function : functions)
      function = withBits(*function);
    for (Function *function : functions)
      if (Error error = rewriteBody(*function))
        return error;
    for (Function *function : obsolete)
      function->eraseFromParent();
    return Error::success();
  }

private:
  bool changes(Type *type) const { return replaced(type, bitsType) != type; }

  /// Returns the function with i16 parameters and results, with the body of the old one.
  Function *withBits(Function &function) {
    FunctionType *type = replaced(function.getFunctionType(), bitsType);
    if (type == function.getFunctionType())
      return &function;
    Function *result =
        Function::Create(type, function.getLinkage(), function.getAddressSpace(), "", &module);
    result->copyAttributesFrom(&function);
    result->takeName(&function);
    result->splice(result->begin(), &function);
    for (auto [from, to] : zip(function.args(), result->args())) {
      if (from.getType() == to.getType())
        from.replaceAllUsesWith(&to);
      else
        known[&from] = &to;
    }
    function.replaceAllUsesWith(result);
    obsolete.push_back(&function);
    return result;
  }

  Error rewriteBody(Function &function) {
    if (function.isDeclaration())
      return Error::success();
    removeUnreachableBlocks(function);
    SmallVector<PHINode *> phis;
    for (BasicBlock &block : function)
      for (PHINode &phi : block.phis())
        if (changes(phi.getType())) {
          builder.SetInsertPoint(&phi);
          known[&phi] = builder.CreatePHI(replaced(phi.getType(), bitsType),
                                          phi.getNumIncomingValues(), phi.getName());
          phis.push_back(&phi);
        }
    for (BasicBlock *block : ReversePostOrderTraversal<Function *>(&function))
      for (Instruction &instruction : make_early_inc_range(*block))
        if (concerns(instruction))
          if (Error error = rewrite(instruction))
            return error;
    for (PHINode *phi : phis)
      for (unsigned i = 0; i < phi->getNumIncomingValues(); ++i)
        cast<PHINode>(known[phi])
            ->addIncoming(bits(phi->getIncomingValue(i)), phi->getIncomingBlock(i));
    for (Instruction *instruction : rewritten)
      instruction->dropAllReferences();
    for (Instruction *instruction : rewritten)
      instruction->eraseFromParent();
    for (PHINode *phi : phis) {
      phi->replaceAllUsesWith(PoisonValue::get(phi->getType()));
      phi->eraseFromParent();
    }
    rewritten.clear();
    return Error::success();
  }

  bool concerns(Instruction &instruction) const {
    return !isa<PHINode>(instruction) &&
           (changes(instruction.getType()) ||
            any_of(instruction.operands(), [&](Value *v) { return changes(v->getType()); }));
  }

  /// Returns the value as i16.
  Value *bits(Value *value) {
    if (!changes(value->getType()))
      return value;
    if (auto *constant = dyn_cast<Constant>(value))
      return bitsOf(*constant);
    return known.lookup(value);
  }

  Constant *bitsOf(Constant &constant) {
    Type *type = replaced(constant.getType(), bitsType);
    if (isHalf(constant.getType()))
      return ConstantExpr::getBitCast(&constant, type);
    if (isa<PoisonValue>(constant))
      return PoisonValue::get(type);
    if (isa<UndefValue>(constant))
      return UndefValue::get(type);
    SmallVector<Constant *> elements;
    unsigned count =
        isa<ArrayType>(type) ? type->getArrayNumElements() : type->getStructNumElements();
    for (unsigned i = 0; i < count; ++i) {
      Constant *element = constant.getAggregateElement(i);
      elements.push_back(changes(element->getType()) ? bitsOf(*element) : element);
    }
    if (auto *array = dyn_cast<ArrayType>(type))
      return ConstantArray::get(array, elements);
    return ConstantStruct::get(cast<StructType>(type), elements);
  }

  /// Returns the value as f32, if it is a sixteen-bit float.
  Value *wide(Value *value) {
    return isHalf(value->getType()) ? convert.extend(bits(value), kindOf(value->getType())) : value;
  }

  /// Replaces `instruction` by `value`: its bits if the instruction was a sixteen-bit float.
  Error become(Instruction &instruction, Value *value) {
    if (changes(instruction.getType())) {
      known[&instruction] = value;
    } else {
      instruction.replaceAllUsesWith(value);
      if (isa<Instruction>(value) && !instruction.getType()->isVoidTy())
        value->takeName(&instruction);
    }
    return remove(instruction);
  }
  Error becomeRounded(Instruction &instruction, Value *value) {
    return become(instruction, convert.truncate(value, kindOf(instruction.getType())));
  }
  Error remove(Instruction &instruction) {
    if (!changes(instruction.getType()))
      instruction.replaceAllUsesWith(PoisonValue::get(instruction.getType()));
    rewritten.push_back(&instruction);
    return Error::success();
  }

  Error refuse(const Twine &what) {
    return createStringError(inconvertibleErrorCode(),
                             "'" + what + "' of sixteen-bit floats has no code on any CPU");
  }

  Error rewrite(Instruction &instruction);
  Error rewriteCast(CastInst &cast);
  Error rewriteCall(CallInst &call);
  Error rewriteIntrinsic(CallInst &call);
  Error rewriteInPlace(Instruction &instruction);

  Module &module;
  IRBuilder<> builder;
  HalfConversions convert;
  Type *bitsType, *wideType;
  DenseMap<Value *, Value *> known; // from a sixteen-bit float to its i16
  SmallVector<Instruction *> rewritten;
  SmallVector<Function *> obsolete;
};

} // namespace

Error Rewriter::rewriteCast(CastInst &cast) {
  Value *source = cast.getOperand(0);
  Type *target = cast.getType();
  switch (cast.getOpcode()) {
  case Instruction::BitCast:
    return become(cast, builder.CreateBitCast(bits(source), replaced(target, bitsType)));
  case Instruction::FPExt:
    return become(cast, builder.CreateFPExt(wide(source), target));
  case Instruction::FPTrunc:
    if (!is_contained({Type::FloatTyID, Type::DoubleTyID},
                      source->getType()->getScalarType()->getTypeID()))
      break;
    return becomeRounded(cast, source);
  case Instruction::FPToSI:
  case Instruction::FPToUI:
    return become(cast, builder.CreateCast(cast.getOpcode(), wide(source), target));
  case Instruction::SIToFP:
  case Instruction::UIToFP:
    if (source->getType()->getScalarSizeInBits() > 64)
      break;
    return become(
        cast, convert.fromInteger(source, cast.getOpcode() == Instruction::SIToFP, kindOf(target)));
  default:
    break;
  }
  return refuse(cast.getOpcodeName());
}

Error Rewriter::rewriteIntrinsic(CallInst &call) {
  Function *function = call.getCalledFunction();
  Value *first = call.getArgOperand(0);
  switch (function->getIntrinsicID()) {
  case Intrinsic::fabs:
    return become(call, builder.CreateAnd(bits(first), 0x7fff));
  case Intrinsic::copysign:
    return become(call, builder.CreateOr(builder.CreateAnd(bits(first), 0x7fff),
                                         builder.CreateAnd(bits(call.getArgOperand(1)), 0x8000)));
  case Intrinsic::fma:
  case Intrinsic::fmuladd:
    return become(call,
                  convert.fusedMultiplyAdd(bits(first), bits(call.getArgOperand(1)),
                                           bits(call.getArgOperand(2)), kindOf(call.getType())));
  case Intrinsic::is_fpclass:
    return become(
        call, builder.createIsFPClass(convert.sameClass(bits(first), kindOf(first->getType())),
                                      cast<ConstantInt>(call.getArgOperand(1))->getZExtValue()));
  default:
    break;
  }
  SmallVector<Type *> overloads;
  if (!call.doesNotAccessMemory() || isa<ArrayType>(call.getType()) ||
      !Intrinsic::getIntrinsicSignature(function, overloads))
    return refuse(Intrinsic::getBaseName(function->getIntrinsicID()));
  for (Type *&type : overloads)
    type = replaced(type, wideType);
  SmallVector<Value *> operands;
  for (Value *operand : call.args())
    operands.push_back(wide(operand));
  auto *result = builder.CreateIntrinsic(function->getIntrinsicID(), overloads, operands);
  if (isa<FPMathOperator>(result) && isa<FPMathOperator>(call))
    result->copyFastMathFlags(&call);
  if (isHalf(call.getType()))
    return becomeRounded(call, result);
  if (!changes(call.getType()))
    return become(call, result);
  // Several results, as those of frexp.
  auto *type = cast<StructType>(call.getType());
  Value *all = PoisonValue::get(replaced(type, bitsType));
  for (unsigned i = 0; i < type->getNumElements(); ++i) {
    Value *element = builder.CreateExtractValue(result, i);
    if (isHalf(type->getElementType(i)))
      element = convert.truncate(element, kindOf(type->getElementType(i)));
    all = builder.CreateInsertValue(all, element, i);
  }
  return become(call, all);
}

Error Rewriter::rewriteCall(CallInst &call) {
  if (isa<IntrinsicInst>(call))
    return rewriteIntrinsic(call);
  SmallVector<Value *> operands;
  for (Value *operand : call.args())
    operands.push_back(bits(operand));
  CallInst *result = builder.CreateCall(replaced(call.getFunctionType(), bitsType),
                                        call.getCalledOperand(), operands);
  result->setAttributes(call.getAttributes());
  result->setCallingConv(call.getCallingConv());
  return become(call, result);
}

/// Makes the same instruction on i16: it moves values without interpreting them.
Error Rewriter::rewriteInPlace(Instruction &instruction) {
  Instruction *moved = instruction.clone();
  moved->mutateType(replaced(instruction.getType(), bitsType));
  for (Use &operand : moved->operands())
    operand.set(bits(operand.get()));
  builder.Insert(moved);
  return become(instruction, moved);
}

Error Rewriter::rewrite(Instruction &instruction) {
  builder.SetInsertPoint(&instruction);
  if (auto *cast = dyn_cast<CastInst>(&instruction))
    return rewriteCast(*cast);
  if (auto *call = dyn_cast<CallInst>(&instruction))
    return rewriteCall(*call);
  if (auto *binary = dyn_cast<BinaryOperator>(&instruction)) {
    Value *result = builder.CreateBinOp(binary->getOpcode(), wide(binary->getOperand(0)),
                                        wide(binary->getOperand(1)));
    if (auto *created = dyn_cast<Instruction>(result))
      created->copyFastMathFlags(binary);
    return becomeRounded(instruction, result);
  }
  switch (instruction.getOpcode()) {
  case Instruction::FNeg:
    return become(instruction, builder.CreateXor(bits(instruction.getOperand(0)), 0x8000));
  case Instruction::FCmp:
    return become(instruction, builder.CreateFCmp(cast<FCmpInst>(instruction).getPredicate(),
                                                  wide(instruction.getOperand(0)),
                                                  wide(instruction.getOperand(1))));
  case Instruction::Select:
    return become(instruction,
                  builder.CreateSelect(instruction.getOperand(0), bits(instruction.getOperand(1)),
                                       bits(instruction.getOperand(2))));
  case Instruction::Load:
  case Instruction::Store:
  case Instruction::Freeze:
  case Instruction::Ret:
  case Instruction::ExtractElement:
  case Instruction::InsertElement:
  case Instruction::ShuffleVector:
  case Instruction::ExtractValue:
  case Instruction::InsertValue:
    return rewriteInPlace(instruction);
  default:
    return refuse(instruction.getOpcodeName());
  }
}

Error ds::expandHalfFloats(Module &module, bool hasF16) { return Rewriter(module, hasF16).run(); }
