//===- CudaApi.cpp - The CUDA functions that ds calls -----------*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "CudaApi.h"

#include "ds/Support/UserError.h"

#include <cstdlib>
#include <dlfcn.h>
#include <mutex>

using namespace ds;
using namespace ds::gpu;

namespace {

struct Library {
  const char *product, *variable, *remedy;
  std::vector<const char *> files;
};

struct Entry {
  const char *function;
  void **address;
};

} // namespace

static llvm::Error load(const Library &library, llvm::ArrayRef<Entry> entries) {
  std::vector<const char *> files = library.files;
  if (const char *named = std::getenv(library.variable); named && *named)
    files = {named};
  void *handle = nullptr;
  std::string reason;
  for (const char *file : files) {
    handle = dlopen(file, RTLD_NOW | RTLD_LOCAL);
    if (handle)
      break;
    const char *why = dlerror();
    reason += (reason.empty() ? "" : "; ") + std::string(why ? why : file);
  }
  if (!handle)
    return userError(llvm::Twine(library.product) + " cannot be loaded (" + reason + "); " +
                     library.remedy + ", or name its library in " + library.variable);
  for (const Entry &entry : entries)
    if (*entry.address = dlsym(handle, entry.function); !*entry.address)
      return userError(llvm::Twine(library.product) + " has no function '" + entry.function +
                       "'; " + library.remedy);
  return llvm::Error::success();
}

/// Filled by the first call that succeeds.
template <typename Api> struct Loaded {
  std::mutex mutex;
  bool ready = false;
  Api api;

  llvm::Expected<const Api *> get(const Library &library, llvm::ArrayRef<Entry> entries) {
    std::lock_guard<std::mutex> lock(mutex);
    if (!ready) {
      if (llvm::Error error = load(library, entries))
        return error;
      ready = true;
    }
    return &api;
  }
};

#define DS_ENTRY(name, ...) {#name, reinterpret_cast<void **>(&loaded.api.name)},

llvm::Expected<const CudaApi *> ds::gpu::loadCuda() {
  static Loaded<CudaApi> loaded;
  return loaded.get({"the CUDA driver",
                     "DS_CUDA_LIBRARY",
                     "install NVIDIA's driver 525 or newer",
                     {"libcuda.so.1"}},
                    {DS_CUDA_FUNCTIONS(DS_ENTRY)});
}

llvm::Expected<const CublasLtApi *> ds::gpu::loadCublasLt() {
  static Loaded<CublasLtApi> loaded;
  return loaded.get({"cuBLASLt",
                     "DS_CUBLASLT_LIBRARY",
                     "install cuBLAS 12 or newer",
                     {"libcublasLt.so.13", "libcublasLt.so.12"}},
                    {DS_CUBLASLT_FUNCTIONS(DS_ENTRY)});
}

llvm::Expected<const CudnnApi *> ds::gpu::loadCudnn() {
  static Loaded<CudnnApi> loaded;
  return loaded.get({"cuDNN", "DS_CUDNN_LIBRARY", "install cuDNN 9 or newer", {"libcudnn.so.9"}},
                    {DS_CUDNN_FUNCTIONS(DS_ENTRY)});
}

std::string ds::gpu::describeCudaError(const CudaApi &cuda, const char *function, int result) {
  const char *text = nullptr;
  if (cuda.cuGetErrorString(result, &text) != 0 || !text)
    text = "unknown";
  return (llvm::Twine(function) + " fails: CUDA error " + llvm::Twine(result) + " (" + text + ")")
      .str();
}
