//===- CudaModule.cpp - Modules and launches of the fake driver -*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Kernels are executed by the interpreter of fakes/ptx. What it finds becomes an error of the
// context, as on a device: every later call returns it.
//
//===----------------------------------------------------------------------===//
#include "FakeCuda.h"
#include "FatBinary.h"
#include "ptx/Ptx.h"
#include "ptx/Region.h"

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <map>

#define EXPORT extern "C" __attribute__((visibility("default")))

namespace {

enum : int {
  success = 0,
  invalidValue = 1,
  invalidImage = 200,
  invalidPtx = 218,
  invalidHandle = 400,
  notFound = 500,
  illegalAddress = 700,
  outOfResources = 701,
  misaligned = 716,
  launchFailed = 719
};

struct Module;
struct Function {
  const fake::ptx::Kernel *kernel;
  std::shared_ptr<const fake::ptx::Module> code;
  int32_t device;
  std::vector<size_t> parameters;
};
struct Module {
  std::shared_ptr<const fake::ptx::Module> code;
  int32_t device;
  std::map<std::string, Function> functions;
};

fake::Handles &modules() {
  static auto *handles = new fake::Handles;
  return *handles;
}
fake::Handles &functions() {
  static auto *handles = new fake::Handles;
  return *handles;
}

class DeviceMemory final : public fake::ptx::Memory {
public:
  explicit DeviceMemory(int32_t device) : device(device) {}
  fake::ptx::Region *find(uint64_t address) override {
    const auto *data = reinterpret_cast<const void *>(address);
    const int32_t owner = fake::ownerOf(data);
    return owner < 0 || fake::cudaReaches(device, owner) ? fake::regionAt(data) : nullptr;
  }

private:
  const int32_t device;
};

int errorOf(fake::ptx::Finding::Kind kind) {
  switch (kind) {
  case fake::ptx::Finding::Kind::address:
    return illegalAddress;
  case fake::ptx::Finding::Kind::alignment:
    return misaligned;
  case fake::ptx::Finding::Kind::other:
    return launchFailed;
  }
  return launchFailed;
}

/// One launch at a time: what blocks of a launch touch is noted beside the memory.
void execute(const Function &function, const fake::ptx::Launch &launch) {
  static auto *mutex = new std::mutex;
  std::lock_guard<std::mutex> lock(*mutex);
  fake::countWork("launch");
  DeviceMemory memory(function.device);
  try {
    fake::ptx::run(*function.kernel, launch, memory);
  } catch (const fake::ptx::Finding &finding) {
    fake::failCuda(function.device, errorOf(finding.kind), finding.what());
  }
}

/// Every launch has an order of blocks of its own, the same in every run.
uint64_t nextSeed() {
  static std::atomic<uint64_t> launches{0};
  const char *seed = std::getenv("DS_FAKE_CUDA_SEED");
  return (seed ? std::strtoull(seed, nullptr, 10) : 0) * 1000003 + ++launches;
}

int load(void **out, const void *image, std::string &log) {
  if (int state = fake::cudaReadyUncaptured(); state != success)
    return state;
  if (!out || !image)
    return invalidValue;
  if (fake::nextCudaFault("module") != fake::CudaFault::none)
    return invalidImage;
  // As with the driver, an image says itself how long it is.
  uint32_t first;
  std::memcpy(&first, image, 4);
  size_t bytes = 0;
  if (first == 0xba55ed50) {
    uint16_t header;
    uint64_t behind;
    std::memcpy(&header, static_cast<const char *>(image) + 6, 2);
    std::memcpy(&behind, static_cast<const char *>(image) + 8, 8);
    bytes = header + behind;
  } else {
    bytes = std::strlen(static_cast<const char *>(image));
  }
  try {
    auto made = std::make_unique<Module>();
    made->code = fake::ptx::Module::parse(
        fake::ptxOf(image, bytes, fake::cudaCapability(fake::currentCudaDevice())));
    made->device = fake::currentCudaDevice();
    *out = made.get();
    modules().add(made.release());
    return success;
  } catch (const fake::ImageError &error) {
    log = error.what();
    return error.error;
  } catch (const fake::ptx::ParseError &error) {
    log = error.what();
    return invalidPtx;
  }
}

} // namespace

EXPORT int cuModuleLoadData(void **out, const void *image) {
  std::string log;
  const int result = load(out, image, log);
  if (!log.empty())
    std::fprintf(stderr, "fake CUDA: %s\n", log.c_str());
  return result;
}

/// Of the options, only the buffer for errors means anything here.
EXPORT int cuModuleLoadDataEx(void **out, const void *image, unsigned count, const int *options,
                              void *const *values) {
  constexpr int errorBuffer = 5, errorBufferBytes = 6;
  std::string log;
  const int result = load(out, image, log);
  char *buffer = nullptr;
  size_t bytes = 0;
  for (unsigned index = 0; index < count; ++index) {
    if (options[index] == errorBuffer)
      buffer = static_cast<char *>(values[index]);
    if (options[index] == errorBufferBytes)
      bytes = static_cast<unsigned>(reinterpret_cast<uintptr_t>(values[index]));
  }
  if (buffer && bytes)
    std::snprintf(buffer, bytes, "%s", log.c_str());
  return result;
}

EXPORT int cuModuleUnload(void *module) {
  if (int state = fake::cudaReadyUncaptured(); state != success)
    return state;
  if (!modules().remove(module))
    return invalidHandle;
  auto *loaded = static_cast<Module *>(module);
  for (auto &[name, function] : loaded->functions)
    functions().remove(&function);
  delete loaded;
  return success;
}

EXPORT int cuModuleGetFunction(void **out, void *module, const char *name) {
  if (int state = fake::cudaReady(); state != success)
    return state;
  if (!modules().has(module))
    return invalidHandle;
  if (!out || !name)
    return invalidValue;
  auto &loaded = *static_cast<Module *>(module);
  const fake::ptx::Kernel *kernel = loaded.code->kernel(name);
  if (!kernel)
    return notFound;
  auto [entry, isNew] = loaded.functions.try_emplace(
      name, Function{kernel, loaded.code, loaded.device, fake::ptx::parameterSizes(*kernel)});
  if (isNew)
    functions().add(&entry->second);
  *out = &entry->second;
  return success;
}

EXPORT int cuFuncLoad(void *function) {
  if (int state = fake::cudaReady(); state != success)
    return state;
  return functions().has(function) ? success : invalidHandle;
}

EXPORT int cuLaunchKernel(void *handle, unsigned gridX, unsigned gridY, unsigned gridZ,
                          unsigned blockX, unsigned blockY, unsigned blockZ, unsigned sharedBytes,
                          void *streamHandle, void **parameters, void **extra) {
  if (int state = fake::cudaReady(); state != success)
    return state;
  fake::Stream *stream = fake::cudaStream(streamHandle, fake::currentCudaDevice());
  if (!functions().has(handle) || !stream)
    return invalidHandle;
  const auto &function = *static_cast<Function *>(handle);
  if (function.device != fake::currentCudaDevice())
    return invalidHandle;
  const uint64_t threads = uint64_t(blockX) * blockY * blockZ;
  constexpr unsigned mostBlocksX = 0x7fffffff, mostBlocksYZ = 0xffff, mostThreadsZ = 64;
  const uint32_t most = fake::ptx::maxThreads(*function.kernel);
  if (sharedBytes != 0 || extra || gridX == 0 || gridY == 0 || gridZ == 0 || threads == 0 ||
      gridX > mostBlocksX || gridY > mostBlocksYZ || gridZ > mostBlocksYZ || threads > 1024 ||
      blockZ > mostThreadsZ || (most && threads > most) ||
      (!function.parameters.empty() && !parameters))
    return invalidValue;
  const fake::CudaFault fault = fake::nextCudaFault("launch");
  if (fault == fake::CudaFault::error)
    return outOfResources;
  // Parameters are read now; a replayed launch has the same ones.
  fake::ptx::Launch launch{{gridX, gridY, gridZ}, {blockX, blockY, blockZ}, {}};
  for (size_t index = 0; index < function.parameters.size(); ++index)
    launch.arguments.emplace_back(static_cast<const char *>(parameters[index]),
                                  function.parameters[index]);
  fake::pushWithFault(*stream, function.device, fault, [function, launch]() mutable {
    launch.seed = nextSeed();
    execute(function, launch);
  });
  return success;
}
