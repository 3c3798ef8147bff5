//===- PlanningDriver.cpp - A driver of CUDA without a device ---*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What cuDNN needs of libcuda.so.1 to plan with engines that it compiles at run time: it looks
// these functions up and loads the code that it has compiled. There is no device, as with NVIDIA's
// stub.
//
//===----------------------------------------------------------------------===//

#define EXPORT extern "C" __attribute__((visibility("default")))

namespace {
constexpr int success = 0, stubLibrary = 34;
}

#define DS_ABSENT(X)                                                                               \
  X(cuInit)                                                                                        \
  X(cuCtxGetCurrent)                                                                               \
  X(cuCtxGetLimit)                                                                                 \
  X(cuCtxPopCurrent)                                                                               \
  X(cuCtxPushCurrent)                                                                              \
  X(cuDeviceGet)                                                                                   \
  X(cuDeviceGetCount)                                                                              \
  X(cuDriverGetVersion)                                                                            \
  X(cuGetErrorName)                                                                                \
  X(cuGetErrorString)                                                                              \
  X(cuKernelGetAttribute)                                                                          \
  X(cuKernelSetAttribute)                                                                          \
  X(cuLaunchCooperativeKernel)                                                                     \
  X(cuLaunchKernel)                                                                                \
  X(cuLaunchKernelEx)                                                                              \
  X(cuLinkAddData)                                                                                 \
  X(cuLinkComplete)                                                                                \
  X(cuLinkCreate)                                                                                  \
  X(cuLinkDestroy)                                                                                 \
  X(cuOccupancyMaxPotentialClusterSize)                                                            \
  X(cuStreamGetCtx)
#define DS_DEFINE(name)                                                                            \
  EXPORT int name() { return stubLibrary; }
DS_ABSENT(DS_DEFINE)

EXPORT int cuLibraryLoadData(void **library) {
  *library = library;
  return success;
}
EXPORT int cuLibraryLoadFromFile(void **library) {
  *library = library;
  return success;
}
EXPORT int cuLibraryGetKernel(void **kernel) {
  *kernel = kernel;
  return success;
}
EXPORT int cuLibraryUnload(void *) { return success; }
