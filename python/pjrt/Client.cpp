//===- Client.cpp - Devices that are ranks of this process ----------------===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Plugin.h"

#include <cstring>

using namespace ds::pjrt;

static constexpr char kPlatform[] = "ds";

template <typename Args> static Error *tell(Args *args, const char *text) {
  args->text = text;
  args->size = strlen(text);
  return nullptr;
}

template <typename Args, typename List> static Error *list(Args *args, const List &values) {
  args->list = values.data();
  args->count = values.size();
  return nullptr;
}

static Error *createClient(ClientCreate *args) {
  int64_t count = 1;
  for (size_t i = 0; i < args->numOptions; ++i) {
    const NamedValue &option = args->options[i];
    std::string name(option.name, option.nameSize);
    if (name != "devices" || option.type != 1)
      return fail("ds has no option '" + name + "', expected devices=NUMBER",
                  ErrorCode::invalidArgument);
    count = option.number;
  }
  if (count < 1 || count > 1024)
    return fail("devices=" + std::to_string(count) + ", expected 1 to 1024",
                ErrorCode::invalidArgument);
  auto client = std::make_unique<Client>();
  for (int id = 0; id < count; ++id) {
    auto device = std::make_unique<Device>();
    device->description = {id, "ds:" + std::to_string(id)};
    device->memory = {id, device.get()};
    device->memories[0] = &device->memory;
    client->devices.push_back(device.get());
    client->memories.push_back(&device->memory);
    client->topology.descriptions.push_back(&device->description);
    client->owned.push_back(std::move(device));
  }
  args->client = client.release();
  return nullptr;
}

static Error *destroyClient(Of<Client> *args) {
  delete args->of;
  return nullptr;
}

template <typename Args> static Error *tellPlatform(Args *args) { return tell(args, kPlatform); }
template <typename Args> static Error *tellVersion(Args *args) {
  return tell(args, hooks.version ? hooks.version : "");
}
template <typename T> static Error *isZero(ValueOf<T, int> *args) {
  args->value = 0;
  return nullptr;
}

static Error *listDevices(ListOf<Client, Device *> *args) { return list(args, args->of->devices); }
static Error *listMemories(ListOf<Client, Memory *> *args) {
  return list(args, args->of->memories);
}

static Error *findDevice(ClientLookupDevice *args) {
  if (args->id < 0 || static_cast<size_t>(args->id) >= args->client->devices.size())
    return fail("there is no device " + std::to_string(args->id), ErrorCode::invalidArgument);
  args->device = args->client->devices[args->id];
  return nullptr;
}

static Error *tellTopology(ValueOf<Client, Topology *> *args) {
  args->value = &args->of->topology;
  return nullptr;
}

static Error *assignDevices(ClientDefaultDeviceAssignment *args) {
  int64_t count = int64_t(args->numReplicas) * args->numPartitions;
  int64_t devices = args->client->devices.size();
  if (args->numReplicas != 1 || count > devices || static_cast<size_t>(count) > args->size)
    return fail(std::to_string(args->numReplicas) + " replicas of " +
                    std::to_string(args->numPartitions) + " partitions, expected one of at most " +
                    std::to_string(devices),
                ErrorCode::invalidArgument);
  for (int64_t i = 0; i < count; ++i)
    args->assignment[i] = i;
  return nullptr;
}

static Error *listDescriptions(ListOf<const Topology, DeviceDescription *> *args) {
  return list(args, args->of->descriptions);
}

template <typename T> static Error *hasNoAttributes(ListOf<T, NamedValue> *args) {
  args->list = nullptr;
  args->count = 0;
  return nullptr;
}

static Error *tellId(ValueOf<DeviceDescription, int> *args) {
  args->value = args->of->id;
  return nullptr;
}
static Error *hasNoDeviceAttributes(DeviceDescriptionAttributes *args) {
  args->attributes = nullptr;
  args->count = 0;
  return nullptr;
}
static Error *tellKind(TextOf<DeviceDescription> *args) { return tell(args, "ds rank"); }
static Error *tellName(TextOf<DeviceDescription> *args) {
  return tell(args, args->of->name.c_str());
}

static Error *describeDevice(ValueOf<Device, DeviceDescription *> *args) {
  args->value = &args->of->description;
  return nullptr;
}
static Error *isAddressable(ValueOf<Device, bool> *args) {
  args->value = true;
  return nullptr;
}
static Error *tellHardware(ValueOf<Device, int> *args) {
  args->value = args->of->description.id;
  return nullptr;
}
static Error *listDeviceMemories(ListOf<Device, Memory *> *args) {
  args->list = args->of->memories;
  args->count = 1;
  return nullptr;
}
static Error *tellDefaultMemory(ValueOf<Device, Memory *> *args) {
  args->value = &args->of->memory;
  return nullptr;
}

static Error *hasNoOwnAttributes(DeviceAttributes *args) {
  args->attributes = nullptr;
  args->count = 0;
  args->owner = nullptr;
  args->destroy = [](void *) {};
  return nullptr;
}

static Error *tellMemoryId(ValueOf<Memory, int> *args) {
  args->value = args->of->id;
  return nullptr;
}
static Error *tellMemoryKind(TextOf<Memory> *args) { return tell(args, "device"); }
static Error *tellMemoryName(TextOf<Memory> *args) {
  return tell(args, args->of->device->description.name.c_str());
}
static Error *listMemoryDevices(ListOf<Memory, Device *> *args) {
  args->list = &args->of->device;
  args->count = 1;
  return nullptr;
}

void ds::pjrt::addClientFunctions(Table &table) {
  table.set(Function::Client_Create, createClient);
  table.set(Function::Client_Destroy, destroyClient);
  table.set(Function::Client_PlatformName, tellPlatform<TextOf<Client>>);
  table.set(Function::Client_PlatformVersion, tellVersion<TextOf<Client>>);
  table.set(Function::Client_ProcessIndex, isZero<Client>);
  table.set(Function::Client_Devices, listDevices);
  table.set(Function::Client_AddressableDevices, listDevices);
  table.set(Function::Client_LookupDevice, findDevice);
  table.set(Function::Client_LookupAddressableDevice, findDevice);
  table.set(Function::Client_AddressableMemories, listMemories);
  table.set(Function::Client_TopologyDescription, tellTopology);
  table.set(Function::Client_DefaultDeviceAssignment, assignDevices);
  table.set(Function::TopologyDescription_PlatformName, tellPlatform<TextOf<const Topology>>);
  table.set(Function::TopologyDescription_PlatformVersion, tellVersion<TextOf<Topology>>);
  table.set(Function::TopologyDescription_GetDeviceDescriptions, listDescriptions);
  table.set(Function::TopologyDescription_Attributes, hasNoAttributes<Topology>);
  table.set(Function::DeviceDescription_Id, tellId);
  table.set(Function::DeviceDescription_ProcessIndex, isZero<DeviceDescription>);
  table.set(Function::DeviceDescription_Attributes, hasNoDeviceAttributes);
  table.set(Function::DeviceDescription_Kind, tellKind);
  table.set(Function::DeviceDescription_DebugString, tellName);
  table.set(Function::DeviceDescription_ToString, tellName);
  table.set(Function::Device_GetDescription, describeDevice);
  table.set(Function::Device_IsAddressable, isAddressable);
  table.set(Function::Device_LocalHardwareId, tellHardware);
  table.set(Function::Device_AddressableMemories, listDeviceMemories);
  table.set(Function::Device_DefaultMemory, tellDefaultMemory);
  table.set(Function::Device_GetAttributes, hasNoOwnAttributes);
  table.set(Function::Memory_Id, tellMemoryId);
  table.set(Function::Memory_Kind, tellMemoryKind);
  table.set(Function::Memory_Kind_Id, isZero<Memory>);
  table.set(Function::Memory_DebugString, tellMemoryName);
  table.set(Function::Memory_ToString, tellMemoryName);
  table.set(Function::Memory_AddressableByDevices, listMemoryDevices);
}
