//===- Jit.cpp - Object files to callable code ------------------*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The runtime's functions are given by address, so that a step finds them whether or not the
// program exports symbols; libm and memcpy come from the process.
//
//===----------------------------------------------------------------------===//
#include "Jit.h"

#include "dsrt/dsrt.h"

#include "llvm/ExecutionEngine/Orc/AbsoluteSymbols.h"
#include "llvm/ExecutionEngine/Orc/ExecutionUtils.h"

using namespace llvm;
using namespace llvm::orc;

template <typename F> static std::pair<const char *, void *> named(const char *name, F *function) {
  return {name, reinterpret_cast<void *>(function)};
}

static std::vector<std::pair<const char *, void *>> runtimeFunctions() {
  return {named("dsrt_all_reduce", dsrt_all_reduce),
          named("dsrt_all_reduce_start", dsrt_all_reduce_start),
          named("dsrt_reduce_scatter", dsrt_reduce_scatter),
          named("dsrt_all_gather", dsrt_all_gather),
          named("dsrt_broadcast", dsrt_broadcast),
          named("dsrt_barrier", dsrt_barrier),
          named("dsrt_wait", dsrt_wait),
          named("dsrt_group_create", dsrt_group_create),
          named("dsrt_rank", dsrt_rank),
          named("dsrt_num_ranks", dsrt_num_ranks),
          named("dsrt_failed", dsrt_failed)};
}

Expected<std::unique_ptr<LLJIT>>
ds::linkObjects(std::vector<std::unique_ptr<MemoryBuffer>> objects,
                ArrayRef<std::pair<const char *, void *>> functions) {
  auto jit = LLJITBuilder().create();
  if (!jit)
    return jit.takeError();
  JITDylib &dylib = (*jit)->getMainJITDylib();
  SymbolMap symbols;
  auto define = [&](const std::pair<const char *, void *> &function) {
    symbols[(*jit)->mangleAndIntern(function.first)] = {ExecutorAddr::fromPtr(function.second),
                                                        JITSymbolFlags::Exported |
                                                            JITSymbolFlags::Callable};
  };
  for_each(runtimeFunctions(), define);
  for_each(functions, define);
  if (Error error = dylib.define(absoluteSymbols(std::move(symbols))))
    return error;
  char prefix = (*jit)->getDataLayout().getGlobalPrefix();
  auto process = DynamicLibrarySearchGenerator::GetForCurrentProcess(prefix);
  if (!process)
    return process.takeError();
  dylib.addGenerator(std::move(*process));
  for (std::unique_ptr<MemoryBuffer> &object : objects)
    if (Error error = (*jit)->addObjectFile(std::move(object)))
      return error;
  return std::move(*jit);
}
