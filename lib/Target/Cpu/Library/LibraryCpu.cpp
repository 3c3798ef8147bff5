//===- LibraryCpu.cpp - The CPU of the library's own code -------*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// oneDNN generates its code for the features of cpuid. SSE4.1 is the least it can be held to, so
// that x86-64 is the same as x86-64-v2 for it.
//
//===----------------------------------------------------------------------===//
#include "LibraryCpu.h"

#include <dnnl.h>
#include <mutex>

using namespace ds;

static dnnl_cpu_isa_t isaOf(llvm::function_ref<bool(const char *)> has) {
  if (has("avx512f") && has("avx512bw") && has("avx512vl") && has("avx512dq")) {
    if (!has("avx512vnni"))
      return dnnl_cpu_isa_avx512_core;
    return has("avx512bf16") ? dnnl_cpu_isa_avx512_core_bf16 : dnnl_cpu_isa_avx512_core_vnni;
  }
  if (has("avx2"))
    return dnnl_cpu_isa_avx2;
  return has("avx") ? dnnl_cpu_isa_avx : dnnl_cpu_isa_sse41;
}

void ds::limitLibraryTo(llvm::function_ref<bool(const char *)> has) {
  if (!has("sse2"))
    return;
  static std::once_flag limited;
  // A library that was built without this switch uses all instructions of the machine, which is
  // right, too.
  std::call_once(limited, [&] { (void)dnnl_set_max_cpu_isa(isaOf(has)); });
}
