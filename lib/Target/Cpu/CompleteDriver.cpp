//===- CompleteDriver.cpp - Entry, library calls, profile marks -*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Adds the parts that are easier to write in LLVM IR: an entry that takes all arguments in one
// array, so that the caller needs no signature; bodies of library calls, which pass their number;
// and a mark after each call when profiling.
//
//===----------------------------------------------------------------------===//
#include "CompleteDriver.h"

#include "LibraryFunctions.h"
#include "ds/Target/EntrySlots.h"

#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Module.h"

using namespace llvm;
using namespace ds;

static void defineLibraryCall(Module &module, Function &function, unsigned plan) {
  IRBuilder<> builder(BasicBlock::Create(module.getContext(), "entry", &function));
  Type *pointer = builder.getPtrTy();
  FunctionCallee run =
      module.getOrInsertFunction(kLibraryRunName, builder.getVoidTy(), pointer,
                                 builder.getInt64Ty(), pointer, pointer, pointer, pointer);
  // The result comes last.
  const bool hasBias = function.arg_size() > 4;
  Value *bias = hasBias ? static_cast<Value *>(function.getArg(3))
                        : ConstantPointerNull::get(builder.getPtrTy());
  builder.CreateCall(run, {function.getArg(0), builder.getInt64(plan), function.getArg(1),
                           function.getArg(2), function.getArg(hasBias ? 4 : 3), bias});
  builder.CreateRetVoid();
}

static void defineEntry(Module &module, Function &driver) {
  LLVMContext &context = module.getContext();
  auto *type =
      FunctionType::get(Type::getVoidTy(context), {PointerType::getUnqual(context)}, false);
  auto *entry = Function::Create(type, GlobalValue::ExternalLinkage, kEntryName, module);
  IRBuilder<> builder(BasicBlock::Create(context, "entry", entry));
  SmallVector<Value *> arguments;
  for (unsigned i = 0; i < driver.arg_size(); ++i)
    arguments.push_back(builder.CreateLoad(
        builder.getPtrTy(), builder.CreateConstGEP1_64(builder.getPtrTy(), entry->getArg(0), i)));
  builder.CreateCall(&driver, arguments);
  builder.CreateRetVoid();
}

static void markCalls(Module &module, Function &driver, Value *library,
                      std::vector<std::string> &names) {
  SmallVector<CallInst *> calls;
  for (BasicBlock &block : driver)
    for (Instruction &instruction : block)
      if (auto *call = dyn_cast<CallInst>(&instruction))
        if (call->getCalledFunction() && !call->getCalledFunction()->isIntrinsic())
          calls.push_back(call);
  for (CallInst *call : calls) {
    IRBuilder<> builder(call->getNextNode());
    FunctionCallee mark = module.getOrInsertFunction(kProfileMarkName, builder.getVoidTy(),
                                                     builder.getPtrTy(), builder.getInt64Ty());
    builder.CreateCall(mark, {library, builder.getInt64(names.size())});
    names.push_back(call->getCalledFunction()->getName().str());
  }
}

void ds::completeDriver(Module &module, Executable &executable, bool profile) {
  for (unsigned i = 0; i < executable.libraryCalls.size(); ++i)
    if (Function *function = module.getFunction(executable.libraryCalls[i].name))
      defineLibraryCall(module, *function, i);
  Function *driver = module.getFunction(executable.manifest.entry);
  if (profile)
    for (unsigned i = 0; i < executable.driverArguments.size(); ++i)
      if (executable.driverArguments[i].kind == DriverArgument::library)
        markCalls(module, *driver, driver->getArg(i), executable.callNames);
  defineEntry(module, *driver);
}
