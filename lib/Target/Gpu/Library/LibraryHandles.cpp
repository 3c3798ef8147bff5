//===- LibraryHandles.cpp - One device's handles of libraries ---*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "LibraryHandles.h"

#include "ds/Support/UserError.h"

using namespace ds;
using namespace ds::gpu;

static llvm::Error failed(const char *function, const char *library, int status) {
  return userError(llvm::Twine(function) + " fails: " + library + " status " + llvm::Twine(status));
}

// A handle is there only if its library is loaded.
LibraryHandles::~LibraryHandles() {
  if (cublasLt)
    (void)llvm::cantFail(loadCublasLt())->cublasLtDestroy(cublasLt);
  if (cudnn)
    (void)llvm::cantFail(loadCudnn())->cudnnDestroy(cudnn);
}

llvm::Expected<void *> LibraryHandles::forProducts() {
  auto api = loadCublasLt();
  if (!api)
    return api.takeError();
  std::lock_guard<std::mutex> lock(turn);
  if (!cublasLt)
    if (int status = (*api)->cublasLtCreate(&cublasLt))
      return failed("cublasLtCreate", "cuBLASLt", status);
  return cublasLt;
}

llvm::Expected<void *> LibraryHandles::forConvolutions() {
  auto api = loadCudnn();
  if (!api)
    return api.takeError();
  std::lock_guard<std::mutex> lock(turn);
  if (!cudnn)
    if (int status = (*api)->cudnnCreate(&cudnn))
      return failed("cudnnCreate", "cuDNN", status);
  return cudnn;
}
