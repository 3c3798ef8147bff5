//===- BucketReport.cpp - The certificate of planned buckets ----*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "ds/Run/Report/BucketReport.h"

#include "ds/Support/Memory.h"

#include "llvm/Support/FormatVariadic.h"

namespace ds {

static std::string ms(int64_t ps) { return llvm::formatv("{0:F3}", double(ps) * 1e-9).str(); }

std::string describeBuckets(const BucketFigures &plan) {
  return llvm::formatv(
      "buckets: {0} of {1} gradients ({2}), planned: {3} ms of the exchange exposed behind {4} ms "
      "of computing, lower bound {5} (gap {6:F2} %)",
      plan.buckets, plan.gradients, bytesToString(plan.bytes), ms(plan.exposedPs),
      ms(plan.computePs), ms(plan.boundPs), double(plan.gapPpm) * 1e-4);
}

llvm::json::Object bucketsToJson(const BucketFigures &plan) {
  llvm::json::Object presets;
  for (const auto &[name, exposedPs] : plan.presets)
    presets[name] = exposedPs;
  return llvm::json::Object{{"hash", plan.hash},
                            {"buckets", plan.buckets},
                            {"gradients", plan.gradients},
                            {"bytes", plan.bytes},
                            {"compute_ps", plan.computePs},
                            {"exposed_ps", plan.exposedPs},
                            {"bound_ps", plan.boundPs},
                            {"gap_ppm", plan.gapPpm},
                            {"presets_exposed_ps", std::move(presets)}};
}

} // namespace ds
