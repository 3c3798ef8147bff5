//===- StepFixture.h - Compile and run steps in tests -----------*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef DS_UNITTESTS_TARGET_STEPFIXTURE_H
#define DS_UNITTESTS_TARGET_STEPFIXTURE_H

#include "ds/Target/All/Targets.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace ds {

/// For the CPU that the whole run of tests is for.
inline CompileOptions defaultOptions() {
  CompileOptions options;
  options.targetCpu = defaultTargetCpu();
  return options;
}

/// Compiles MLIR text; a failure is a test failure and gives null.
std::unique_ptr<CompiledStep> compileText(const std::string &text,
                                          const CompileOptions &options = defaultOptions());
std::unique_ptr<CompiledStep> compileFile(const std::string &path,
                                          const CompileOptions &options = defaultOptions());
/// Everything that is said while the text compiles.
std::vector<std::string> compileMessages(const std::string &text);
/// The message with which compilation fails; empty if it does not.
std::string compileFailure(const std::string &text,
                           const CompileOptions &options = defaultOptions());

template <typename T = float>
void set(StepInstance &instance, unsigned slot, const std::vector<T> &values) {
  instance.write(slot, [&](char *bytes) {
    std::copy(values.begin(), values.end(), reinterpret_cast<T *>(bytes));
  });
}
template <typename T = float>
std::vector<T> argument(StepInstance &instance, unsigned slot, size_t count) {
  HostView view = instance.readArgument(slot);
  auto *data = static_cast<const T *>(view.get());
  return std::vector<T>(data, data + count);
}
template <typename T = float>
std::vector<T> result(StepInstance &instance, unsigned slot, size_t count) {
  HostView view = instance.readResult(slot);
  auto *data = static_cast<const T *>(view.get());
  return std::vector<T>(data, data + count);
}

} // namespace ds

#endif // DS_UNITTESTS_TARGET_STEPFIXTURE_H
