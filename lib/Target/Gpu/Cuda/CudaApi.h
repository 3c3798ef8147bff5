//===- CudaApi.h - The CUDA functions that ds calls -------------*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Declared by hand, so that neither building nor compiling needs a toolkit. Names are those that
// the libraries export; handles are pointers, addresses of a device 64-bit numbers.
//
//===----------------------------------------------------------------------===//
#ifndef DS_LIB_TARGET_GPU_CUDA_CUDAAPI_H
#define DS_LIB_TARGET_GPU_CUDA_CUDAAPI_H

#include "CudaNumbers.h"

#include "llvm/Support/Error.h"

#include <cstddef>
#include <cstdint>
#include <string>

namespace ds::gpu {

using DevicePointer = uint64_t;

/// CUDA_MEMCPY2D, used only for copies on one device.
struct CopyRows {
  size_t fromX = 0, fromY = 0;
  int fromType = cuda::memoryOfDevice;
  const void *fromHost = nullptr;
  DevicePointer from = 0;
  void *fromArray = nullptr;
  size_t fromPitch = 0;
  size_t toX = 0, toY = 0;
  int toType = cuda::memoryOfDevice;
  void *toHost = nullptr;
  DevicePointer to = 0;
  void *toArray = nullptr;
  size_t toPitch = 0;
  size_t width = 0, height = 0; // bytes, rows
};

#define DS_CUDA_FUNCTIONS(X)                                                                       \
  X(cuInit, int(unsigned))                                                                         \
  X(cuDriverGetVersion, int(int *))                                                                \
  X(cuGetErrorString, int(int, const char **))                                                     \
  X(cuDeviceGetCount, int(int *))                                                                  \
  X(cuDeviceGet, int(int *, int))                                                                  \
  X(cuDeviceCanAccessPeer, int(int *, int, int))                                                   \
  X(cuDeviceGetName, int(char *, int, int))                                                        \
  X(cuDeviceGetAttribute, int(int *, int, int))                                                    \
  X(cuDevicePrimaryCtxRetain, int(void **, int))                                                   \
  X(cuCtxSetCurrent, int(void *))                                                                  \
  X(cuCtxEnablePeerAccess, int(void *, unsigned))                                                  \
  X(cuCtxGetStreamPriorityRange, int(int *, int *))                                                \
  X(cuMemGetInfo_v2, int(size_t *, size_t *))                                                      \
  X(cuMemAlloc_v2, int(DevicePointer *, size_t))                                                   \
  X(cuMemFree_v2, int(DevicePointer))                                                              \
  X(cuMemHostAlloc, int(void **, size_t, unsigned))                                                \
  X(cuMemFreeHost, int(void *))                                                                    \
  X(cuMemcpyHtoDAsync_v2, int(DevicePointer, const void *, size_t, void *))                        \
  X(cuMemcpyDtoHAsync_v2, int(void *, DevicePointer, size_t, void *))                              \
  X(cuMemcpyDtoDAsync_v2, int(DevicePointer, DevicePointer, size_t, void *))                       \
  X(cuMemcpy2DAsync_v2, int(const CopyRows *, void *))                                             \
  X(cuMemsetD8Async, int(DevicePointer, unsigned char, size_t, void *))                            \
  X(cuStreamCreate, int(void **, unsigned))                                                        \
  X(cuStreamCreateWithPriority, int(void **, unsigned, int))                                       \
  X(cuStreamDestroy_v2, int(void *))                                                               \
  X(cuStreamWaitEvent, int(void *, void *, unsigned))                                              \
  X(cuEventCreate, int(void **, unsigned))                                                         \
  X(cuEventRecord, int(void *, void *))                                                            \
  X(cuEventQuery, int(void *))                                                                     \
  X(cuEventElapsedTime, int(float *, void *, void *))                                              \
  X(cuEventDestroy_v2, int(void *))                                                                \
  X(cuStreamQuery, int(void *))                                                                    \
  X(cuStreamSynchronize, int(void *))                                                              \
  X(cuModuleLoadDataEx, int(void **, const void *, unsigned, const int *, void *const *))          \
  X(cuModuleUnload, int(void *))                                                                   \
  X(cuModuleGetFunction, int(void **, void *, const char *))                                       \
  X(cuLaunchKernel, int(void *, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned,        \
                        unsigned, void *, void **, void **))                                       \
  X(cuStreamBeginCapture_v2, int(void *, int))                                                     \
  X(cuStreamEndCapture, int(void *, void **))                                                      \
  X(cuGraphInstantiateWithFlags, int(void **, void *, unsigned long long))                         \
  X(cuGraphLaunch, int(void *, void *))                                                            \
  X(cuGraphExecDestroy, int(void *))                                                               \
  X(cuGraphDestroy, int(void *))

#define DS_CUBLASLT_FUNCTIONS(X)                                                                   \
  X(cublasLtGetVersion, size_t())                                                                  \
  X(cublasLtCreate, int(void **))                                                                  \
  X(cublasLtDestroy, int(void *))                                                                  \
  X(cublasLtMatmulDescCreate, int(void **, int, int))                                              \
  X(cublasLtMatmulDescDestroy, int(void *))                                                        \
  X(cublasLtMatmulDescSetAttribute, int(void *, int, const void *, size_t))                        \
  X(cublasLtMatrixLayoutCreate, int(void **, int, uint64_t, uint64_t, int64_t))                    \
  X(cublasLtMatrixLayoutDestroy, int(void *))                                                      \
  X(cublasLtMatrixLayoutSetAttribute, int(void *, int, const void *, size_t))                      \
  X(cublasLtMatmulPreferenceCreate, int(void **))                                                  \
  X(cublasLtMatmulPreferenceDestroy, int(void *))                                                  \
  X(cublasLtMatmulPreferenceSetAttribute, int(void *, int, const void *, size_t))                  \
  X(cublasLtMatmulAlgoGetHeuristic,                                                                \
    int(void *, void *, void *, void *, void *, void *, void *, int, void *, int *))               \
  X(cublasLtMatmul,                                                                                \
    int(void *, void *, const float *, const void *, void *, const void *, void *, const float *,  \
        const void *, void *, void *, void *, const void *, void *, size_t, void *))

#define DS_CUDNN_FUNCTIONS(X)                                                                      \
  X(cudnnCreate, int(void **))                                                                     \
  X(cudnnDestroy, int(void *))                                                                     \
  X(cudnnSetStream, int(void *, void *))                                                           \
  X(cudnnBackendCreateDescriptor, int(int, void **))                                               \
  X(cudnnBackendDestroyDescriptor, int(void *))                                                    \
  X(cudnnBackendSetAttribute, int(void *, int, int, int64_t, const void *))                        \
  X(cudnnBackendFinalize, int(void *))                                                             \
  X(cudnnBackendGetAttribute, int(void *, int, int, int64_t, int64_t *, void *))                   \
  X(cudnnBackendExecute, int(void *, void *, void *))

template <typename Signature> using Function = Signature *;
#define DS_MEMBER(name, ...) Function<__VA_ARGS__> name = nullptr;
struct CudaApi {
  DS_CUDA_FUNCTIONS(DS_MEMBER)
};
struct CublasLtApi {
  DS_CUBLASLT_FUNCTIONS(DS_MEMBER)
};
struct CudnnApi {
  DS_CUDNN_FUNCTIONS(DS_MEMBER)
};
#undef DS_MEMBER

/// Load the libraries, once per process, from the files that DS_CUDA_LIBRARY, DS_CUBLASLT_LIBRARY
/// and DS_CUDNN_LIBRARY name, or else by their usual names. Fail with one sentence.
llvm::Expected<const CudaApi *> loadCuda();
llvm::Expected<const CublasLtApi *> loadCublasLt();
llvm::Expected<const CudnnApi *> loadCudnn();

/// Returns "cuLaunchKernel fails: CUDA error 700 (an illegal memory access was encountered)".
std::string describeCudaError(const CudaApi &cuda, const char *function, int result);

} // namespace ds::gpu

#endif // DS_LIB_TARGET_GPU_CUDA_CUDAAPI_H
