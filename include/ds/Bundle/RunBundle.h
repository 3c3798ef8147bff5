//===- RunBundle.h - ds-run-bundle as a function -----------------*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef DS_BUNDLE_RUNBUNDLE_H
#define DS_BUNDLE_RUNBUNDLE_H

#include <string>
#include <vector>

namespace ds {

/// Runs ds-run-bundle with the `arguments` after the program's name. Returns the exit code; an
/// error is printed as one sentence.
int runBundleMain(const std::vector<std::string> &arguments);

} // namespace ds

#endif // DS_BUNDLE_RUNBUNDLE_H
