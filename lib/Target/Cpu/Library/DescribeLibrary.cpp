//===- DescribeLibrary.cpp - oneDNN's description for --target-cpu --------===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "LibraryCpu.h"

#include "ds/Target/TargetCpu.h"

#include <dnnl.h>

using namespace ds;

void ds::limitLibrary(const std::string &targetCpu) {
  if (targetCpu != kNativeCpu)
    limitLibraryTo([&](const char *feature) { return hasFeature(targetCpu, feature); });
}

static std::string nameOf(dnnl_cpu_isa_t isa) {
  switch (isa) {
  case dnnl_cpu_isa_sse41:
    return "SSE4.1";
  case dnnl_cpu_isa_avx:
    return "AVX";
  case dnnl_cpu_isa_avx2:
    return "AVX2";
  case dnnl_cpu_isa_avx512_core:
    return "AVX-512";
  case dnnl_cpu_isa_avx512_core_vnni:
    return "AVX-512 and VNNI";
  case dnnl_cpu_isa_avx512_core_bf16:
    return "AVX-512 and BF16";
  case dnnl_cpu_isa_avx512_core_amx:
    return "AVX-512 and AMX";
  default:
    return "instruction set " + std::to_string(isa);
  }
}

std::string ds::describeLibrary(const std::string &targetCpu) {
  limitLibrary(targetCpu);
  const dnnl_version_t *version = dnnl_version();
  return "oneDNN " + std::to_string(version->major) + "." + std::to_string(version->minor) + "." +
         std::to_string(version->patch) + " (" + std::string(version->hash).substr(0, 8) +
         ") with " + nameOf(dnnl_get_effective_cpu_isa());
}
