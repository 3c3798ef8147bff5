//===- CudaStep.cpp - A step loaded on a GPU --------------------*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "CudaStep.h"

#include "ds/Support/UserError.h"

#include "llvm/Support/MathExtras.h"

using namespace ds;
using namespace ds::gpu;

static constexpr size_t slotAlignment = 64;

size_t ds::gpu::slotBytes(ElementType type, const std::vector<int64_t> &shape) {
  size_t bytes = static_cast<size_t>(elementCount(shape) * byteSize(type));
  return llvm::alignTo(std::max<size_t>(bytes, 1), slotAlignment);
}

CudaStep::~CudaStep() {
  if (!queue)
    return;
  queue->bind();
  for (DevicePointer constant : constants)
    queue->release(constant);
  if (module)
    (void)device.api->cuModuleUnload(module);
}

int64_t CudaStep::memoryBytes() const {
  int64_t total = executable.arenaBytes + workspaceBytes;
  for (const ArgumentSpec &argument : executable.manifest.arguments)
    total += slotBytes(argument.type, argument.shape);
  for (const ResultSpec &result : executable.manifest.results)
    if (!result.updates)
      total += slotBytes(result.type, result.shape);
  return total;
}

std::vector<std::pair<std::string, std::string>> CudaStep::libraryCalls() const {
  std::vector<std::pair<std::string, std::string>> calls;
  for (size_t i = 0; i < plans.size(); ++i)
    calls.emplace_back(executable.libraryCalls[i].name, plans[i]->implementation());
  return calls;
}

llvm::Error CudaStep::loadKernels(const std::string &ptx) {
  auto failed = [&](int result, const char *function) {
    return userError("the kernels cannot be loaded: " +
                     describeCudaError(*device.api, function, result));
  };
  if (int result = device.api->cuModuleLoadDataEx(&module, ptx.c_str(), 0, nullptr, nullptr))
    return failed(result, "cuModuleLoadDataEx");
  auto launchTable = jit->lookup(kLaunchTable);
  if (!launchTable)
    return launchTable.takeError();
  for (auto *record = launchTable->toPtr<const LaunchRecord *>(); record->kernel; ++record) {
    launches.push_back({*record});
    if (int result =
            device.api->cuModuleGetFunction(&launches.back().function, module, record->kernel))
      return failed(result, "cuModuleGetFunction");
  }
  auto assertionRecord = jit->lookup(kAssertionRecord);
  if (!assertionRecord)
    return assertionRecord.takeError();
  assertions = *assertionRecord->toPtr<const AssertionRecord *>();
  auto constantTable = jit->lookup(kConstantTable);
  if (!constantTable)
    return constantTable.takeError();
  for (auto *record = constantTable->toPtr<const ConstantRecord *>(); record->data; ++record) {
    size_t bytes = llvm::alignTo(std::max<size_t>(record->bytes, 1), slotAlignment);
    constants.push_back(queue->allocate(bytes));
    queue->zero(constants.back(), bytes);
    queue->upload(constants.back(), record->data, record->bytes);
  }
  queue->wait();
  return queue->hasFailed() ? userError("the kernels cannot be loaded: " + queue->error())
                            : llvm::Error::success();
}
