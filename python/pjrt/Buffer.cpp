//===- Buffer.cpp - Arrays in the memory of the host ----------------------===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Plugin.h"

#include <cstdlib>
#include <cstring>

using namespace ds::pjrt;

HostMemory::HostMemory(size_t bytes)
    : data(static_cast<char *>(std::aligned_alloc(64, (bytes + 64) / 64 * 64))) {}
HostMemory::~HostMemory() { std::free(data); }

size_t ds::pjrt::bytesOf(ElementType type) {
  switch (type) {
  case ElementType::boolean:
  case ElementType::s8:
  case ElementType::u8:
    return 1;
  case ElementType::s16:
  case ElementType::u16:
  case ElementType::f16:
  case ElementType::bf16:
    return 2;
  case ElementType::s32:
  case ElementType::u32:
  case ElementType::f32:
    return 4;
  case ElementType::s64:
  case ElementType::u64:
  case ElementType::f64:
    return 8;
  }
  return 0; // not a type of ds
}

int64_t ds::pjrt::product(const std::vector<int64_t> &dims) {
  int64_t count = 1;
  for (int64_t dim : dims)
    count *= dim;
  return count;
}

Buffer::Buffer(ElementType type, std::vector<int64_t> dims, Device *device,
               std::shared_ptr<HostMemory> memory)
    : type(type), dims(std::move(dims)), device(device), memory(std::move(memory)) {
  for (size_t dim = this->dims.size(); dim-- > 0;)
    minorToMajor.push_back(dim);
  if (!this->memory)
    this->memory = std::make_shared<HostMemory>(bytes());
}

void ds::pjrt::deleteBuffer(Buffer &buffer) {
  if (buffer.numReaders)
    buffer.kept = buffer.memory;
  buffer.memory.reset();
}

/// Copies an array with `strides` in bytes to a dense one; returns the end of the copy.
static char *copyStrided(char *to, const char *from, const int64_t *dims, const int64_t *strides,
                         size_t numDims, size_t elementBytes) {
  if (!numDims) {
    memcpy(to, from, elementBytes);
    return to + elementBytes;
  }
  for (int64_t i = 0; i < *dims; ++i)
    to = copyStrided(to, from + i * *strides, dims + 1, strides + 1, numDims - 1, elementBytes);
  return to;
}

static bool isDense(const ClientBufferFromHostBuffer &args, size_t elementBytes) {
  int64_t stride = elementBytes;
  for (size_t dim = args.numByteStrides; dim-- > 0; stride *= args.dims[dim])
    if (args.byteStrides[dim] != stride && args.dims[dim] != 1)
      return false;
  return true;
}

static Error *createBuffer(ClientBufferFromHostBuffer *args) {
  size_t elementBytes = bytesOf(args->type);
  if (!elementBytes)
    return fail("ds has no arrays of PJRT's element type " +
                    std::to_string(static_cast<int>(args->type)) +
                    ", expected booleans, integers of 8 to 64 bits, f16, bf16, f32 or f64",
                ErrorCode::unimplemented);
  Device *device = args->device   ? args->device
                   : args->memory ? args->memory->device
                                  : args->client->devices[0];
  auto buffer = std::make_unique<Buffer>(
      args->type, std::vector<int64_t>(args->dims, args->dims + args->numDims), device);
  if (!buffer->data())
    return hasNoMemory(buffer->bytes());
  const char *data = static_cast<const char *>(args->data);
  if (isDense(*args, elementBytes))
    memcpy(buffer->data(), data, buffer->bytes());
  else
    copyStrided(buffer->data(), data, args->dims, args->byteStrides, args->numDims, elementBytes);
  args->buffer = buffer.release();
  args->done = new Event;
  return nullptr;
}

static Error *destroyBuffer(Of<Buffer> *args) {
  delete args->of;
  return nullptr;
}
static Error *tellType(ValueOf<Buffer, ElementType> *args) {
  args->value = args->of->type;
  return nullptr;
}
static Error *listDims(ListOf<Buffer, int64_t> *args) {
  args->list = args->of->dims.data();
  args->count = args->of->dims.size();
  return nullptr;
}
static Error *hasNoDynamicDims(BufferDynamicDimensions *args) {
  args->list = nullptr;
  args->count = 0;
  return nullptr;
}
static Error *tellLayout(ValueOf<Buffer, MemoryLayout> *args) {
  const std::vector<int64_t> &order = args->of->minorToMajor;
  args->value = {};
  args->value.structSize = sizeof(MemoryLayout);
  args->value.tiled.structSize = sizeof(MemoryLayout::Tiled);
  args->value.tiled.minorToMajor = order.data();
  args->value.tiled.numDims = order.size();
  return nullptr;
}
static Error *tellBytes(ValueOf<Buffer, size_t> *args) {
  args->value = args->of->bytes();
  return nullptr;
}
static Error *tellDevice(ValueOf<Buffer, Device *> *args) {
  args->value = args->of->device;
  return nullptr;
}
static Error *tellMemory(ValueOf<Buffer, Memory *> *args) {
  args->value = &args->of->device->memory;
  return nullptr;
}
static Error *deleteIt(Of<Buffer> *args) {
  deleteBuffer(*args->of);
  return nullptr;
}
static Error *isDeleted(ValueOf<Buffer, bool> *args) {
  args->value = !args->of->memory;
  return nullptr;
}
static Error *isOnCpu(ValueOf<Buffer, bool> *args) {
  args->value = true;
  return nullptr;
}
static Error *tellReady(ValueOf<Buffer, Event *> *args) {
  args->value = new Event;
  return nullptr;
}

static Error *isGone() {
  return fail("the array has been deleted or donated", ErrorCode::invalidArgument);
}
template <typename Address> static Error *tellAddress(ValueOf<Buffer, Address> *args) {
  const auto &memory = args->of->memory ? args->of->memory : args->of->kept;
  if (!memory)
    return isGone();
  args->value = reinterpret_cast<Address>(memory->data);
  return nullptr;
}
static Error *addReader(Of<Buffer> *args) {
  if (!args->of->memory)
    return isGone();
  ++args->of->numReaders;
  return nullptr;
}
static Error *removeReader(Of<Buffer> *args) {
  if (!args->of->numReaders)
    return fail("no caller outside reads the array", ErrorCode::invalidArgument);
  if (!--args->of->numReaders)
    args->of->kept.reset();
  return nullptr;
}

static Error *copyToHost(BufferToHostBuffer *args) {
  if (!args->data) {
    args->size = args->of->bytes();
    return nullptr;
  }
  if (!args->of->memory)
    return isGone();
  if (args->size < args->of->bytes())
    return fail("the array has " + std::to_string(args->of->bytes()) + " bytes, got room for " +
                    std::to_string(args->size),
                ErrorCode::invalidArgument);
  memcpy(args->data, args->of->data(), args->of->bytes());
  args->event = new Event;
  return nullptr;
}

static Device *deviceOf(Device *device) { return device; }
static Device *deviceOf(Memory *memory) { return memory->device; }

/// Shares the memory: values are immutable, so two devices can read the same bytes.
template <typename To> static Error *copyTo(BufferCopyTo<To> *args) {
  if (!args->of->memory)
    return isGone();
  args->copy = new Buffer(args->of->type, args->of->dims, deviceOf(args->to), args->of->memory);
  return nullptr;
}

void ds::pjrt::addBufferFunctions(Table &table) {
  table.set(Function::Client_BufferFromHostBuffer, createBuffer);
  table.set(Function::Buffer_Destroy, destroyBuffer);
  table.set(Function::Buffer_ElementType, tellType);
  table.set(Function::Buffer_Dimensions, listDims);
  table.set(Function::Buffer_UnpaddedDimensions, listDims);
  table.set(Function::Buffer_DynamicDimensionIndices, hasNoDynamicDims);
  table.set(Function::Buffer_GetMemoryLayout, tellLayout);
  table.set(Function::Buffer_OnDeviceSizeInBytes, tellBytes);
  table.set(Function::Buffer_Device, tellDevice);
  table.set(Function::Buffer_Memory, tellMemory);
  table.set(Function::Buffer_Delete, deleteIt);
  table.set(Function::Buffer_IsDeleted, isDeleted);
  table.set(Function::Buffer_IsOnCpu, isOnCpu);
  table.set(Function::Buffer_ReadyEvent, tellReady);
  table.set(Function::Buffer_UnsafePointer, tellAddress<uintptr_t>);
  table.set(Function::Buffer_OpaqueDeviceMemoryDataPointer, tellAddress<void *>);
  table.set(Function::Buffer_IncreaseExternalReferenceCount, addReader);
  table.set(Function::Buffer_DecreaseExternalReferenceCount, removeReader);
  table.set(Function::Buffer_ToHostBuffer, copyToHost);
  table.set(Function::Buffer_CopyToDevice, copyTo<Device>);
  table.set(Function::Buffer_CopyToMemory, copyTo<Memory>);
}
