//===- Jit.cpp - Object files to callable code ------------------*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The runtime's functions are given by address, so that a step finds them whether or not the
// program exports symbols; libm and memcpy come from the process, and no other symbol of it does.
//
//===----------------------------------------------------------------------===//
#include "Jit.h"

#include "Symbols.h"

#include "llvm/ExecutionEngine/Orc/AbsoluteSymbols.h"
#include "llvm/ExecutionEngine/Orc/ExecutionUtils.h"
#include "llvm/Support/TargetSelect.h"

using namespace llvm;
using namespace llvm::orc;

Expected<std::unique_ptr<LLJIT>> ds::linkObjects(std::vector<std::unique_ptr<MemoryBuffer>> objects,
                                                 ArrayRef<NamedFunction> functions) {
  std::vector<NamedFunction> given = runtimeFunctions();
  llvm::append_range(given, functions);
  SmallVector<MemoryBufferRef> references;
  for (const std::unique_ptr<MemoryBuffer> &object : objects)
    references.push_back(object->getMemBufferRef());
  if (Error error = checkSymbols(references, given))
    return error;
  // A step that another process compiled may be linked by one that has compiled nothing.
  [[maybe_unused]] static const bool known = !InitializeNativeTarget();
  auto jit = LLJITBuilder().create();
  if (!jit)
    return jit.takeError();
  JITDylib &dylib = (*jit)->getMainJITDylib();
  SymbolMap symbols;
  for (const NamedFunction &function : given)
    symbols[(*jit)->mangleAndIntern(function.first)] = {ExecutorAddr::fromPtr(function.second),
                                                        JITSymbolFlags::Exported |
                                                            JITSymbolFlags::Callable};
  if (Error error = dylib.define(absoluteSymbols(std::move(symbols))))
    return error;
  char prefix = (*jit)->getDataLayout().getGlobalPrefix();
  auto process = DynamicLibrarySearchGenerator::GetForCurrentProcess(
      prefix, [prefix](const SymbolStringPtr &name) {
        StringRef text = *name;
        if (prefix)
          text.consume_front(StringRef(&prefix, 1));
        return isSystemFunction(text);
      });
  if (!process)
    return process.takeError();
  dylib.addGenerator(std::move(*process));
  for (std::unique_ptr<MemoryBuffer> &object : objects)
    if (Error error = (*jit)->addObjectFile(std::move(object)))
      return error;
  return std::move(*jit);
}
