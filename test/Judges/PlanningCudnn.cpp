//===- PlanningCudnn.cpp - NVIDIA's cuDNN, planning without a GPU -*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Loaded by ds as cuDNN (DS_CUDNN_LIBRARY). Calls go to the real one, DS_REAL_CUDNN, with the
// description of an H100 in the place of each handle, which would need a driver. Each plan that
// cuDNN makes is printed; nothing is executed.
//
//===----------------------------------------------------------------------===//
#include "../../lib/Target/Gpu/Cuda/CudaNumbers.h"

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <dlfcn.h>
#include <map>

#define EXPORT extern "C" __attribute__((visibility("default")))

namespace {

using namespace ds::gpu::cudnn;

// Numbers of cudnn_graph.h that ds itself does not use.
enum : int { deviceKind = 38, charType = 24 };
enum : int { heuristicDevice = 204, planDevice = 407, engineIndex = 1301, deviceText = 2702 };

// From data sheets, under names that the library's messages give; a device tells its own.
const char h100[] =
    R"({"maxGridSize":[2147483647,65535,65535],"maxBlockSize":[1024,1024,64],"regsPerBlock":65536,)"
    R"("multiProcessorCount":132,"warpSize":32,"maxSharedMemoryPerBlock":49152,)"
    R"("maxSharedMemoryPerBlockOptin":232448,"reservedSharedMemoryPerBlock":1024,)"
    R"("maxRegistersPerSM":65536,"maxCtasPerSM":32,"maxThreadsPerBlock":1024,)"
    R"("maxThreadsPerSM":2048,"pciDeviceId":0,"isTccDriver":0,"supportCoopLaunch":1,)"
    R"("totalGlobalMem":85045477376,"smClockRateKHz":1980000,"memClockRateKHz":2619000,)"
    R"("l2CacheSize":52428800,"cudaDeviceId":0,"deviceVer":900,"driverVer":13000,)"
    R"("deviceName":"NVIDIA H100 80GB HBM3"})";

template <typename Signature> Signature *real(const char *name) {
  static void *library = [] {
    const char *path = std::getenv("DS_REAL_CUDNN");
    void *loaded = dlopen(path ? path : "libcudnn.so.9", RTLD_NOW | RTLD_LOCAL);
    if (!loaded) {
      std::fprintf(stderr, "planning cuDNN: %s\n", dlerror());
      std::exit(1);
    }
    return loaded;
  }();
  return reinterpret_cast<Signature *>(dlsym(library, name));
}

using Create = int(int, void **);
using Set = int(void *, int, int, int64_t, const void *);
using Get = int(void *, int, int, int64_t, int64_t *, void *);
using Finish = int(void *);
#define REAL(type, name) real<type>("cudnnBackend" name)

struct Described {
  int kind = 0, mode = -1; // of a heuristic, and the configurations that it offered
  void *config = nullptr;  // of a plan
};
std::map<void *, Described> &descriptors() {
  static auto *made = new std::map<void *, Described>;
  return *made;
}

void *device() {
  static void *made = [] {
    void *one = nullptr;
    if (REAL(Create, "CreateDescriptor")(deviceKind, &one) ||
        REAL(Set, "SetAttribute")(one, deviceText, charType, sizeof h100 - 1, h100) ||
        REAL(Finish, "Finalize")(one)) {
      std::fprintf(stderr, "planning cuDNN: the description of the device is refused\n");
      std::exit(1);
    }
    return one;
  }();
  return made;
}

void report(void *plan, const Described &how) {
  int64_t workspace = 0, index = -1, count = 0;
  int notes[16] = {};
  void *engine = nullptr;
  REAL(Get, "GetAttribute")(plan, planWorkspace, typeInteger, 1, nullptr, &workspace);
  REAL(Create, "CreateDescriptor")(anEngine, &engine);
  REAL(Get, "GetAttribute")(how.config, configEngine, typeDescriptor, 1, &count, &engine);
  REAL(Get, "GetAttribute")(engine, engineIndex, typeInteger, 1, &count, &index);
  REAL(Get, "GetAttribute")(engine, engineNotes, typeNote, 16, &count, notes);
  REAL(Finish, "DestroyDescriptor")(engine);
  const int mode = descriptors()[how.config].mode;
  std::printf("  %s engine %lld",
              mode == heuristicA          ? "A"
              : mode == heuristicFallback ? "FALLBACK"
                                          : "another mode",
              static_cast<long long>(index));
  const char *names[] = {"tensor cores", "rounds factors", "narrow sums", "FFT",
                         "atomics",      "Winograd",       "Winograd 4",  "Winograd 6",
                         "Winograd 13",  "strict NaN"};
  for (int64_t i = 0; i < count; ++i)
    std::printf(", %s", notes[i] < 10 ? names[notes[i]] : "another note");
  std::printf(", %lld bytes\n", static_cast<long long>(workspace));
  std::fflush(stdout);
}

} // namespace

EXPORT int cudnnCreate(void **handle) {
  *handle = device();
  return 0;
}
EXPORT int cudnnDestroy(void *) { return 0; }
EXPORT int cudnnSetStream(void *, void *) { return 0; }

EXPORT int cudnnBackendCreateDescriptor(int kind, void **out) {
  const int status = REAL(Create, "CreateDescriptor")(kind, out);
  if (status == 0)
    descriptors()[*out] = {kind};
  return status;
}
EXPORT int cudnnBackendDestroyDescriptor(void *descriptor) {
  descriptors().erase(descriptor);
  return REAL(Finish, "DestroyDescriptor")(descriptor);
}
EXPORT int cudnnBackendSetAttribute(void *descriptor, int name, int type, int64_t count,
                                    const void *values) {
  Described &how = descriptors()[descriptor];
  if (name == heuristicMode)
    std::memcpy(&how.mode, values, sizeof how.mode);
  if (name == planConfig)
    std::memcpy(&how.config, values, sizeof how.config);
  if (name == planHandle || name == graphHandle)
    return 0;
  return REAL(Set, "SetAttribute")(descriptor, name, type, count, values);
}
EXPORT int cudnnBackendFinalize(void *descriptor) {
  const Described how = descriptors()[descriptor];
  void *target = device();
  if (how.kind == aHeuristic || how.kind == aPlan)
    if (int status =
            REAL(Set, "SetAttribute")(descriptor, how.kind == aPlan ? planDevice : heuristicDevice,
                                      typeDescriptor, 1, &target))
      return status;
  const int status = REAL(Finish, "Finalize")(descriptor);
  if (status == 0 && how.kind == aPlan)
    report(descriptor, how);
  return status;
}
EXPORT int cudnnBackendGetAttribute(void *descriptor, int name, int type, int64_t wanted,
                                    int64_t *count, void *values) {
  const int status = REAL(Get, "GetAttribute")(descriptor, name, type, wanted, count, values);
  if (status == 0 && name == heuristicResults)
    for (int64_t i = 0; i < wanted && i < *count; ++i)
      descriptors()[static_cast<void **>(values)[i]].mode = descriptors()[descriptor].mode;
  return status;
}
EXPORT int cudnnBackendExecute(void *, void *, void *) { return 3000; } // not supported
EXPORT size_t cudnnGetVersion() { return real<size_t()>("cudnnGetVersion")(); }
