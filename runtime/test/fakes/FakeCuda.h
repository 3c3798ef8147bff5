//===- FakeCuda.h - The fake driver, for the libraries above it -*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef DSRT_TEST_FAKES_FAKECUDA_H
#define DSRT_TEST_FAKES_FAKECUDA_H

#include "FakeDevice.h"

#include <string>

namespace fake {

/// The device that the calling thread uses; -1 if it has not said.
int32_t currentCudaDevice();
/// The device of a context; -1 if it is none.
int32_t cudaContextDevice(void *context);
/// Null unless it is a stream of that device.
Stream *cudaStream(void *handle, int32_t device);
/// Null unless it is a stream.
Stream *cudaStream(void *handle);
int32_t cudaDeviceOf(void *stream);
bool isCudaEvent(void *handle);

/// What every call on memory and streams needs first: 0, or the error that it returns.
int cudaReady();
/// The same for a call that a capture of this thread forbids, which ends the capture.
int cudaReadyUncaptured();
/// The capture that this thread has begun. Null for none.
std::shared_ptr<Recording> &cudaCapture();

/// Work of the device went wrong: from now on every call of its context returns `error`. The first
/// text is kept, and printed.
void failCuda(int32_t device, int error, const std::string &what);
bool cudaFailed(int32_t device);

/// Whether kernels of a device may touch memory of another one: cuCtxEnablePeerAccess was called.
/// DS_FAKE_CUDA_PEERS=0: no device can.
bool cudaReaches(int32_t device, int32_t owner);

/// Bytes of the device's memory: DS_FAKE_CUDA_MEMORY, or 16 GiB.
size_t cudaMemory();
/// 10 times its compute capability: DS_FAKE_CUDA_CAPABILITY, or 90. A list as 90,80 gives each
/// device its own, and the last one to the rest.
unsigned cudaCapability(int32_t device);

/// Memory that NCCL can register, which the driver calls none of its plain allocations.
void setVirtual(const void *data, size_t bytes);
void forgetVirtual(const void *data);
bool isVirtual(const void *data, size_t bytes);

/// DS_FAKE_CUDA_FAULTS plans faults: "launch=3,do=error; device=1,alloc=2,do=error". Calls of each
/// kind are counted from 1 in the process, or of one device where it is named. Kinds are alloc,
/// module, launch, copy, graph, product, heuristic (of a product), convolution, memory
/// (ncclMemAlloc), register (ncclCommRegister). What it can do:
///   error   the call returns an error
///   fail    the call is accepted and fails later, as an access outside of memory does
///   hang    what is queued never ends
enum class CudaFault { none, error, fail, hang };
CudaFault nextCudaFault(const char *kind);
/// Queues work that may be planned to fail or hang.
void pushWithFault(Stream &stream, int32_t device, CudaFault fault, std::function<void()> work);

} // namespace fake

#endif // DSRT_TEST_FAKES_FAKECUDA_H
