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

#include "llvm/Support/Endian.h"
#include "llvm/Support/MathExtras.h"

using namespace ds;
using namespace ds::gpu;

DeviceCode::~DeviceCode() {
  if (isAbandoned) {
    queue.abandon("");
    return;
  }
  queue.bind();
  if (!queue.drain(kFarewellMs)) {
    queue.abandon("");
    return;
  }
  for (DevicePointer constant : constants)
    queue.release(constant);
  for (DevicePointer data : kept)
    queue.release(data);
  if (loaded)
    events.give(loaded);
  if (module)
    (void)device.api->cuModuleUnload(module);
}

static llvm::Expected<std::unique_ptr<DevicePlan>> planCall(const LibraryCallSpec &call,
                                                            LibraryHandles &handles) {
  if (const auto *contraction = std::get_if<StridedContraction>(&call.what))
    return planProduct(*contraction, handles);
  return planConvolution(std::get<Convolution>(call.what), handles);
}

llvm::Error DeviceCode::plan(const std::vector<LibraryCallSpec> &calls) {
  queue.bind();
  for (const LibraryCallSpec &call : calls) {
    auto planned = planCall(call, handles);
    if (!planned)
      return planned.takeError();
    workspaceBytes = std::max(workspaceBytes, (*planned)->workspaceBytes());
    plans.push_back(std::move(*planned));
  }
  return llvm::Error::success();
}

template <typename Number> static Number readAt(llvm::StringRef bytes, size_t offset) {
  return llvm::support::endian::read<Number, llvm::endianness::little>(bytes.data() + offset);
}

/// True if the sizes in a fat binary are right, because drivers trust them: a header {magic u32,
/// version u16, header's size u16, bytes after it u64}, and entries {u16, u16, header's size u32,
/// bytes u64}. Text ends in a null byte.
static bool isWhole(llvm::StringRef image) {
  constexpr uint32_t fatBinary = 0xba55ed50;
  constexpr size_t least = 16;
  if (image.size() < sizeof fatBinary || readAt<uint32_t>(image, 0) != fatBinary)
    return true;
  if (image.size() < least)
    return false;
  const size_t header = readAt<uint16_t>(image, 6);
  if (header < least || header > image.size() ||
      readAt<uint64_t>(image, 8) != image.size() - header)
    return false;
  for (llvm::StringRef rest = image.drop_front(header); !rest.empty();) {
    if (rest.size() < least)
      return false;
    const uint64_t entry = readAt<uint32_t>(rest, 4), bytes = readAt<uint64_t>(rest, 8);
    if (entry < least || entry > rest.size() || bytes > rest.size() - entry)
      return false;
    rest = rest.drop_front(entry + bytes);
  }
  return true;
}

llvm::Error DeviceCode::loadKernels(const std::string &image, const DeviceTables &driver) {
  if (!isWhole(image))
    return userError("the kernels cannot be loaded: their fat binary is not whole");
  queue.bind();
  auto failed = [&](int result, const char *function) {
    return userError("the kernels cannot be loaded: " +
                     describeCudaError(*device.api, function, result));
  };
  char log[512] = {};
  const int options[] = {cuda::jitErrorLog, cuda::jitErrorLogBytes};
  void *const values[] = {log, reinterpret_cast<void *>(sizeof log)};
  if (int result = device.api->cuModuleLoadDataEx(&module, image.data(), 2, options, values))
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
  // Ranks make their streams wait for it, and have a timeout.
  int result = 0;
  loaded = events.take(result);
  if (queue.check(result, "cuEventCreate"))
    queue.record(loaded);
  return queue.hasFailed() ? userError("the kernels cannot be loaded: " + queue.error())
                           : llvm::Error::success();
}

std::string ds::gpu::nameOf(const RankReduction &reduction) {
  return (llvm::Twine("ds_reduce_") + dsrt_reduction_name(reduction.reduction) + "_" +
          dsrt_dtype_name(reduction.dtype) + "_of_" + llvm::Twine(reduction.members) +
          (reduction.toAll ? "_to_all" : ""))
      .str();
}

void DeviceCode::keep(llvm::ArrayRef<DevicePointer> memory) const {
  std::lock_guard<std::mutex> lock(keeping);
  kept.insert(kept.end(), memory.begin(), memory.end());
}

void *DeviceCode::find(const RankReduction &reduction) const {
  auto found = reductions.find(nameOf(reduction));
  return found == reductions.end() ? nullptr : found->second;
}
