//===- CompleteGpuDriver.h - Launches in the host's code --------*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef DS_LIB_TARGET_GPU_COMPLETEGPUDRIVER_H
#define DS_LIB_TARGET_GPU_COMPLETEGPUDRIVER_H

#include "ds/Step/Executable.h"

#include <map>

namespace llvm {
class Module;
} // namespace llvm

namespace ds::gpu {

/// void(library, launch number, addresses of arguments): what functions of kernels contain.
inline constexpr char kLaunchName[] = "ds_gpu_launch";
/// pointer(library, constant number): where the device has it.
inline constexpr char kConstantName[] = "ds_gpu_constant";
/// Tables in the driver's object, which end with a null name or address.
inline constexpr char kLaunchTable[] = "ds_gpu_launches";
inline constexpr char kConstantTable[] = "ds_gpu_constants";
/// The scheme of a kernel that no driver launches by itself: exchanges between ranks do.
inline constexpr char kRanksScheme[] = "ranks";
/// One record.
inline constexpr char kAssertionRecord[] = "ds_gpu_assertions";

/// An entry of these tables.
struct LaunchRecord {
  const char *kernel, *scheme;
  int64_t blocks, threadsX, threadsY;
};
struct ConstantRecord {
  const void *data;
  int64_t bytes;
};

/// Where a step says which assertion does not hold: words of the arena, and what they number.
struct AssertionRecord {
  int64_t offset, bytes;
  const char *const *messages;
};
struct AssertionSpec {
  int64_t offset = 0, bytes = 0;
  std::vector<std::string> messages;
};

/// What a driver launches, by the names that it calls, and asserts.
struct LaunchSpec {
  std::string kernel, scheme;
  int64_t blocks, threadsX, threadsY;
};
struct DriverSpec {
  std::map<std::string, std::vector<LaunchSpec>> launches;
  AssertionSpec assertions;
};

/// Adds to the driver's LLVM module what `completeDriver` adds for a CPU, bodies of kernels, which
/// launch them, and the tables. Constants that the driver hands over become the device's.
void completeGpuDriver(llvm::Module &module, Executable &executable, const DriverSpec &spec,
                       bool profile);

} // namespace ds::gpu

#endif // DS_LIB_TARGET_GPU_COMPLETEGPUDRIVER_H
