//===- DeviceCode.cpp - A step's kernels and plans on one GPU ---*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "DeviceCode.h"

#include "CudaStep.h"
#include "ds/Support/UserError.h"
#include "dsrt/dsrt.h"

#include "llvm/Support/MathExtras.h"

using namespace ds;
using namespace ds::gpu;

// Numbers of cuda.h: CU_JIT_ERROR_LOG_BUFFER and its size.
static constexpr int errorLog = 5, errorLogBytes = 6;

DeviceCode::~DeviceCode() {
  if (isAbandoned) {
    queue.abandon("");
    return;
  }
  queue.bind();
  for (DevicePointer constant : constants)
    queue.release(constant);
  if (module)
    (void)device.api->cuModuleUnload(module);
}

static llvm::Expected<std::unique_ptr<DevicePlan>> planCall(const LibraryCallSpec &call) {
  if (const auto *contraction = std::get_if<StridedContraction>(&call.what))
    return planProduct(*contraction);
  return planConvolution(std::get<Convolution>(call.what));
}

llvm::Error DeviceCode::plan(const std::vector<LibraryCallSpec> &calls) {
  queue.bind();
  for (const LibraryCallSpec &call : calls) {
    auto planned = planCall(call);
    if (!planned)
      return planned.takeError();
    workspaceBytes = std::max(workspaceBytes, (*planned)->workspaceBytes());
    plans.push_back(std::move(*planned));
  }
  return llvm::Error::success();
}

llvm::Error DeviceCode::loadKernels(const std::string &ptx, const DeviceTables &driver) {
  queue.bind();
  auto failed = [&](int result, const char *function) {
    return userError("the kernels cannot be loaded: " +
                     describeCudaError(*device.api, function, result));
  };
  char log[512] = {};
  const int options[] = {errorLog, errorLogBytes};
  void *const values[] = {log, reinterpret_cast<void *>(sizeof log)};
  if (int result = device.api->cuModuleLoadDataEx(&module, ptx.c_str(), 2, options, values))
    return userError("the kernels cannot be loaded: " +
                     describeCudaError(*device.api, "cuModuleLoadDataEx", result) +
                     (*log ? ": " : "") + llvm::StringRef(log).split('\n').first);
  for (const LaunchRecord *record = driver.launches; record->kernel; ++record) {
    void *function = nullptr;
    if (int result = device.api->cuModuleGetFunction(&function, module, record->kernel))
      return failed(result, "cuModuleGetFunction");
    launches.push_back({*record, function});
    if (llvm::StringRef(record->scheme) == kRanksScheme)
      reductions[record->kernel] = function;
  }
  for (const ConstantRecord *record = driver.constants; record->data; ++record) {
    size_t bytes = llvm::alignTo(std::max<size_t>(record->bytes, 1), kSlotAlignment);
    constants.push_back(queue.allocate(bytes));
    queue.zero(constants.back(), bytes);
    queue.upload(constants.back(), record->data, record->bytes);
  }
  queue.wait();
  return queue.hasFailed() ? userError("the kernels cannot be loaded: " + queue.error())
                           : llvm::Error::success();
}

std::string ds::gpu::nameOf(const RankReduction &reduction) {
  return (llvm::Twine("ds_reduce_") + dsrt_reduction_name(reduction.reduction) + "_" +
          dsrt_dtype_name(reduction.dtype) + "_of_" + llvm::Twine(reduction.members) +
          (reduction.toAll ? "_to_all" : ""))
      .str();
}

void *DeviceCode::find(const RankReduction &reduction) const {
  auto found = reductions.find(nameOf(reduction));
  return found == reductions.end() ? nullptr : found->second;
}
