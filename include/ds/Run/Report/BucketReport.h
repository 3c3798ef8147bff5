//===- BucketReport.h - The certificate of planned buckets ------*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef DS_RUN_REPORT_BUCKETREPORT_H
#define DS_RUN_REPORT_BUCKETREPORT_H

#include "ds/Step/Manifest.h"

#include "llvm/Support/JSON.h"

#include <string>

namespace ds {

/// Describes a plan in one line: its exposed time, and the lower bound.
std::string describeBuckets(const BucketFigures &plan);
llvm::json::Object bucketsToJson(const BucketFigures &plan);

} // namespace ds

#endif // DS_RUN_REPORT_BUCKETREPORT_H
