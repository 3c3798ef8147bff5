//===- CompleteGpuDriver.cpp - Launches in the host's code ------*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A kernel's body puts its arguments on the stack, where cuLaunchKernel expects them, and launches
// each of its functions. A constant is in the host's memory; its address is replaced, once per
// step, by the device's.
//
//===----------------------------------------------------------------------===//
#include "CompleteGpuDriver.h"

#include "../Cpu/CompleteDriver.h"

#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/ReplaceConstant.h"

using namespace llvm;
using namespace ds;
using namespace ds::gpu;

static GlobalVariable *makeTable(Module &module, StructType *type,
                                 SmallVector<Constant *> entries) {
  entries.push_back(ConstantAggregateZero::get(type)); // the end
  auto *array = ArrayType::get(type, entries.size());
  return new GlobalVariable(module, array, /*isConstant=*/true, GlobalValue::InternalLinkage,
                            ConstantArray::get(array, entries), "table");
}

static void defineLaunches(Module &module, Function &function, ArrayRef<int64_t> numbers) {
  IRBuilder<> builder(BasicBlock::Create(module.getContext(), "entry", &function));
  Type *pointer = builder.getPtrTy();
  unsigned count = function.arg_size() - 1; // the first one is the library's state
  Value *addresses = builder.CreateAlloca(pointer, builder.getInt64(std::max(count, 1u)));
  for (unsigned i = 0; i < count; ++i) {
    Value *argument = function.getArg(i + 1);
    Value *slot = builder.CreateAlloca(argument->getType());
    builder.CreateStore(argument, slot);
    builder.CreateStore(slot, builder.CreateConstGEP1_64(pointer, addresses, i));
  }
  FunctionCallee launch = module.getOrInsertFunction(kLaunchName, builder.getVoidTy(), pointer,
                                                     builder.getInt64Ty(), pointer);
  for (int64_t number : numbers)
    builder.CreateCall(launch, {function.getArg(0), builder.getInt64(number), addresses});
  builder.CreateRetVoid();
}

static GlobalVariable *replaceConstants(Module &module, Function &driver, Value *library) {
  IRBuilder<> builder(module.getContext());
  Type *pointer = builder.getPtrTy();
  auto *record = StructType::get(module.getContext(), {pointer, builder.getInt64Ty()});
  FunctionCallee onDevice =
      module.getOrInsertFunction(kConstantName, pointer, pointer, builder.getInt64Ty());
  SmallVector<Constant *> entries;
  for (GlobalVariable &global : module.globals()) {
    if (!global.hasInitializer())
      continue;
    convertUsersOfConstantsToInstructions({&global}, &driver);
    SmallVector<Use *> uses;
    for (Use &use : global.uses())
      if (auto *user = dyn_cast<Instruction>(use.getUser()); user && user->getFunction() == &driver)
        uses.push_back(&use);
    if (uses.empty())
      continue;
    builder.SetInsertPoint(driver.getEntryBlock().begin());
    Value *address = builder.CreateCall(onDevice, {library, builder.getInt64(entries.size())});
    for (Use *use : uses)
      use->set(address);
    int64_t bytes = module.getDataLayout().getTypeAllocSize(global.getValueType());
    entries.push_back(ConstantStruct::get(record, {&global, builder.getInt64(bytes)}));
  }
  return makeTable(module, record, entries);
}

static GlobalVariable *makeAssertions(Module &module, const AssertionSpec &spec) {
  IRBuilder<> builder(module.getContext());
  SmallVector<Constant *> messages;
  for (const std::string &message : spec.messages)
    messages.push_back(builder.CreateGlobalString(message, "message", 0, &module));
  auto *array = ArrayType::get(builder.getPtrTy(), messages.size());
  auto *list = new GlobalVariable(module, array, /*isConstant=*/true, GlobalValue::InternalLinkage,
                                  ConstantArray::get(array, messages), "messages");
  Constant *record =
      ConstantStruct::getAnon({builder.getInt64(spec.offset), builder.getInt64(spec.bytes), list});
  return new GlobalVariable(module, record->getType(), /*isConstant=*/true,
                            GlobalValue::InternalLinkage, record, "assertions");
}

/// Makes the body call the function at an address that is filled in later.
static void callThrough(Function &function, GlobalVariable &address) {
  IRBuilder<> builder(BasicBlock::Create(function.getContext(), "entry", &function));
  SmallVector<Value *> arguments;
  for (Argument &argument : function.args())
    arguments.push_back(&argument);
  CallInst *call = builder.CreateCall(function.getFunctionType(),
                                      builder.CreateLoad(builder.getPtrTy(), &address), arguments);
  if (function.getReturnType()->isVoidTy())
    builder.CreateRetVoid();
  else
    builder.CreateRet(call);
  function.setLinkage(GlobalValue::InternalLinkage);
}

static GlobalVariable *makeImports(Module &module,
                                   ArrayRef<std::pair<const char *, void *>> imported) {
  IRBuilder<> builder(module.getContext());
  Type *pointer = builder.getPtrTy();
  SmallVector<Constant *> entries;
  auto *record = StructType::get(module.getContext(), {pointer, pointer});
  for (auto [name, here] : imported) {
    Function *function = module.getFunction(name);
    if (!function || !function->isDeclaration())
      continue;
    auto *address =
        new GlobalVariable(module, pointer, /*isConstant=*/false, GlobalValue::InternalLinkage,
                           ConstantPointerNull::get(builder.getPtrTy()), "address");
    callThrough(*function, *address);
    entries.push_back(ConstantStruct::get(
        record, {builder.CreateGlobalString(name, "name", 0, &module), address}));
  }
  return makeTable(module, record, entries);
}

void ds::gpu::completeGpuDriver(Module &module, Executable &executable, const DriverSpec &spec,
                                ArrayRef<std::pair<const char *, void *>> imported, bool profile) {
  IRBuilder<> builder(module.getContext());
  Type *pointer = builder.getPtrTy(), *number = builder.getInt64Ty();
  Constant *constants = nullptr;
  Function *driver = module.getFunction(executable.manifest.entry);
  for (unsigned i = 0; i < executable.driverArguments.size(); ++i)
    if (executable.driverArguments[i].kind == DriverArgument::library)
      constants = replaceConstants(module, *driver, driver->getArg(i));
  if (!constants)
    constants = makeTable(module, StructType::get(module.getContext(), {pointer, number}), {});
  completeDriver(module, executable, profile);

  auto *record =
      StructType::get(module.getContext(), {pointer, pointer, pointer, number, number, number});
  SmallVector<Constant *> entries;
  for (const auto &[name, specs] : spec.launches) {
    SmallVector<int64_t> numbers;
    for (const LaunchSpec &launch : specs) {
      numbers.push_back(entries.size());
      entries.push_back(ConstantStruct::get(
          record, {builder.CreateGlobalString(launch.kernel, "kernel", 0, &module),
                   builder.CreateGlobalString(launch.scheme, "scheme", 0, &module),
                   builder.CreateGlobalString(launch.source, "source", 0, &module),
                   builder.getInt64(launch.blocks), builder.getInt64(launch.threadsX),
                   builder.getInt64(launch.threadsY)}));
    }
    if (Function *function = module.getFunction(name))
      defineLaunches(module, *function, numbers);
  }
  Constant *launches = makeTable(module, record, entries);
  Constant *tables =
      ConstantStruct::getAnon({launches, constants, makeAssertions(module, spec.assertions),
                               makeImports(module, imported)});
  new GlobalVariable(module, tables->getType(), /*isConstant=*/true, GlobalValue::ExternalLinkage,
                     tables, kTables);
}
