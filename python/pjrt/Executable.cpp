//===- Executable.cpp - Programs that are compiled ------------------------===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Python compiles a program (dstep.jax.platform); its description is kept here.
//
//===----------------------------------------------------------------------===//
#include "Plugin.h"

#include <atomic>
#include <cstring>

using namespace ds::pjrt;

static uint64_t nextProgram() {
  static std::atomic<uint64_t> count = 0;
  return ++count;
}

Compiled::Compiled() : id(nextProgram()) {}
Compiled::~Compiled() {
  if (handle && hooks.release)
    hooks.release(handle);
}

extern "C" {

/// Adds an argument or a result to a program that is being compiled: the shapes of the global array
/// and of a device's part, and `offsets` of the parts, [device][dimension], or null. `other` is the
/// result that updates the argument, or -1.
__attribute__((visibility("default"))) void
ds_pjrt_slot(void *program, int32_t isResult, int32_t type, int32_t numDims, const int64_t *whole,
             const int64_t *part, const int64_t *offsets, int32_t numDevices, int64_t other,
             int32_t isDonated, const char *sharding, int64_t shardingSize) {
  auto *compiled = static_cast<Compiled *>(program);
  Slot slot;
  slot.type = static_cast<ElementType>(type);
  slot.whole.assign(whole, whole + numDims);
  slot.part.assign(part, part + numDims);
  if (offsets)
    slot.offsets.assign(offsets, offsets + int64_t(numDevices) * numDims);
  slot.other = other;
  slot.isDonated = isDonated;
  slot.sharding.assign(sharding, shardingSize);
  (isResult ? compiled->results : compiled->arguments).push_back(std::move(slot));
}

/// Completes a compiled program: an instance of ds, on devices given by their numbers.
__attribute__((visibility("default"))) void ds_pjrt_compiled(void *program, int64_t handle,
                                                             void *instance, const char *name,
                                                             int32_t numDevices,
                                                             const int64_t *devices, void *client) {
  auto *compiled = static_cast<Compiled *>(program);
  compiled->handle = handle;
  compiled->instance = instance;
  compiled->name = name;
  for (int32_t i = 0; i < numDevices; ++i)
    compiled->devices.push_back(static_cast<Client *>(client)->devices[devices[i]]);
}
}

static Error *compile(ClientCompile *args) {
  if (std::string(args->program->format, args->program->formatSize) != "mlir")
    return fail("the program is " + std::string(args->program->format, args->program->formatSize) +
                    ", expected mlir",
                ErrorCode::unimplemented);
  if (!hooks.compile)
    return fail("dstep.jax.platform is not there any more");
  auto compiled = std::make_shared<Compiled>();
  std::string text(4096, '\0');
  if (hooks.compile(compiled.get(), args->client, args->program->code, args->program->codeSize,
                    args->options, args->optionsSize, text.data(), text.size()))
    return fail(text.c_str(), ErrorCode::invalidArgument);
  for (Slot &result : compiled->results) {
    compiled->types.push_back(result.type);
    compiled->dims.insert(compiled->dims.end(), result.part.begin(), result.part.end());
    compiled->numDims.push_back(result.part.size());
    compiled->kinds.push_back("device");
    compiled->kindSizes.push_back(strlen("device"));
  }
  for (size_t i = 0; i < compiled->arguments.size(); ++i)
    if (compiled->arguments[i].other >= 0)
      compiled->results[compiled->arguments[i].other].other = i;
  for (const std::vector<Slot> *slots : {&compiled->arguments, &compiled->results})
    for (const Slot &slot : *slots) {
      compiled->shardings.push_back(slot.sharding.data());
      compiled->shardingSizes.push_back(slot.sharding.size());
    }
  args->executable = new LoadedExecutable{std::move(compiled)};
  return nullptr;
}

static Error *destroyExecutable(Of<Executable> *args) {
  delete args->of;
  return nullptr;
}
static Error *tellName(TextOf<Executable> *args) {
  args->text = args->of->compiled->name.c_str();
  args->size = args->of->compiled->name.size();
  return nullptr;
}
static Error *tellReplicas(ValueOf<Executable, size_t> *args) {
  args->value = 1;
  return nullptr;
}
static Error *tellPartitions(ValueOf<Executable, size_t> *args) {
  args->value = args->of->compiled->devices.size();
  return nullptr;
}
static Error *tellOutputs(ValueOf<Executable, size_t> *args) {
  args->value = args->of->compiled->results.size();
  return nullptr;
}
static Error *listTypes(ListOf<Executable, ElementType> *args) {
  args->list = args->of->compiled->types.data();
  args->count = args->of->compiled->types.size();
  return nullptr;
}
static Error *listDims(ExecutableOutputDimensions *args) {
  const Compiled &compiled = *args->of->compiled;
  args->numOutputs = compiled.results.size();
  args->dims = compiled.dims.data();
  args->dimSizes = compiled.numDims.data();
  return nullptr;
}
static Error *listMemoryKinds(ExecutableOutputMemoryKinds *args) {
  const Compiled &compiled = *args->of->compiled;
  args->numOutputs = compiled.results.size();
  args->kinds = compiled.kinds.data();
  args->sizes = compiled.kindSizes.data();
  return nullptr;
}

static Error *listShardings(ExecutableShardings *args, size_t first, size_t count) {
  args->count = count;
  args->shardings = args->of->compiled->shardings.data() + first;
  args->sizes = args->of->compiled->shardingSizes.data() + first;
  return nullptr;
}
static Error *listArgumentShardings(ExecutableShardings *args) {
  return listShardings(args, 0, args->of->compiled->arguments.size());
}
static Error *listResultShardings(ExecutableShardings *args) {
  const Compiled &compiled = *args->of->compiled;
  return listShardings(args, compiled.arguments.size(), compiled.results.size());
}

ShardingsExtension *ds::pjrt::shardingsExtension() {
  static ShardingsExtension extension = {{sizeof(ShardingsExtension), kShardingsExtension, nullptr},
                                         reinterpret_cast<void *>(listArgumentShardings),
                                         reinterpret_cast<void *>(listResultShardings)};
  return &extension;
}

static Error *destroyLoaded(Of<LoadedExecutable> *args) {
  delete args->of;
  return nullptr;
}
static Error *share(ValueOf<LoadedExecutable, Executable *> *args) {
  args->value = new Executable{args->of->compiled};
  return nullptr;
}
static Error *listDevices(ListOf<LoadedExecutable, Device *> *args) {
  args->list = args->of->compiled->devices.data();
  args->count = args->of->compiled->devices.size();
  return nullptr;
}
static Error *deleteIt(Of<LoadedExecutable> *args) {
  args->of->isDeleted = true;
  return nullptr;
}
static Error *isDeleted(ValueOf<LoadedExecutable, bool> *args) {
  args->value = args->of->isDeleted;
  return nullptr;
}

static void appendNumber(std::string &bytes, uint64_t number) {
  for (; number >= 128; number >>= 7)
    bytes += char((number & 127) | 128);
  bytes += char(number);
}

/// Returns a DeviceAssignmentProto: 1 replica_count, 2 computation_count, 3 computation_devices,
/// each with 1 replica_device_ids.
static Error *tellAssignment(OwnedBytesOf<LoadedExecutable> *args) {
  const std::vector<Device *> &devices = args->of->compiled->devices;
  auto bytes = std::make_unique<std::string>("\x08\x01\x10");
  appendNumber(*bytes, devices.size());
  for (const Device *device : devices) {
    std::string ids;
    appendNumber(ids, device->description.id);
    *bytes += '\x1a';
    appendNumber(*bytes, ids.size() + 2);
    *bytes += '\x0a';
    appendNumber(*bytes, ids.size());
    *bytes += ids;
  }
  args->bytes = bytes->data();
  args->size = bytes->size();
  args->owner = bytes.release();
  args->destroy = [](void *owner) { delete static_cast<std::string *>(owner); };
  return nullptr;
}

void ds::pjrt::addExecutableFunctions(Table &table) {
  table.set(Function::Client_Compile, compile);
  table.set(Function::Executable_Destroy, destroyExecutable);
  table.set(Function::Executable_Name, tellName);
  table.set(Function::Executable_NumReplicas, tellReplicas);
  table.set(Function::Executable_NumPartitions, tellPartitions);
  table.set(Function::Executable_NumOutputs, tellOutputs);
  table.set(Function::Executable_OutputElementTypes, listTypes);
  table.set(Function::Executable_OutputDimensions, listDims);
  table.set(Function::Executable_OutputMemoryKinds, listMemoryKinds);
  table.set(Function::LoadedExecutable_Destroy, destroyLoaded);
  table.set(Function::LoadedExecutable_GetExecutable, share);
  table.set(Function::LoadedExecutable_AddressableDevices, listDevices);
  table.set(Function::LoadedExecutable_Delete, deleteIt);
  table.set(Function::LoadedExecutable_IsDeleted, isDeleted);
  table.set(Function::LoadedExecutable_GetDeviceAssignment, tellAssignment);
  table.set(Function::LoadedExecutable_Execute, execute);
}
