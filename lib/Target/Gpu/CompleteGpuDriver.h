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

#include "llvm/ADT/ArrayRef.h"

#include <map>

namespace llvm {
class Module;
} // namespace llvm

namespace ds::gpu {

/// void(library, launch number, addresses of arguments): called by the functions of kernels.
inline constexpr char kLaunchName[] = "ds_gpu_launch";
/// pointer(library, constant number): returns its address on the device.
inline constexpr char kConstantName[] = "ds_gpu_constant";
/// The scheme of a kernel that no driver launches by itself: exchanges between ranks launch it.
inline constexpr char kRanksScheme[] = "ranks";

/// Entries of the tables in the driver's object, which end with a null name or address.
struct LaunchRecord {
  const char *kernel, *scheme, *source;
  int64_t blocks, threadsX, threadsY;
};
struct ConstantRecord {
  const void *data;
  int64_t bytes;
};

/// Where a step records which assertion does not hold: words of the arena, and the messages that
/// they number.
struct AssertionRecord {
  int64_t offset, bytes;
  const char *const *messages;
};
/// A function of ds that the driver calls through `address`, which is filled before the first step.
struct ImportRecord {
  const char *name;
  void **address;
};
/// All tables; the lists end as the tables do.
inline constexpr char kTables[] = "ds_gpu_tables";
struct DeviceTables {
  const LaunchRecord *launches;
  const ConstantRecord *constants;
  const AssertionRecord *assertions;
  const ImportRecord *imports;
};
struct AssertionSpec {
  int64_t offset = 0, bytes = 0;
  std::vector<std::string> messages;
};

/// A launch of a kernel. A driver has them by the names that it calls, and assertions.
struct LaunchSpec {
  std::string kernel, scheme, source; // the operations that the kernel was made of, by their places
  int64_t blocks, threadsX, threadsY;
};
struct DriverSpec {
  std::map<std::string, std::vector<LaunchSpec>> launches;
  AssertionSpec assertions;
};

/// Adds to the driver's LLVM module what `completeDriver` adds for a CPU, bodies of kernels, which
/// launch them, bodies of the functions in `imported`, and the tables. Constants that the driver
/// passes become the device's.
void completeGpuDriver(llvm::Module &module, Executable &executable, const DriverSpec &spec,
                       llvm::ArrayRef<std::pair<const char *, void *>> imported, bool profile);

} // namespace ds::gpu

#endif // DS_LIB_TARGET_GPU_COMPLETEGPUDRIVER_H
