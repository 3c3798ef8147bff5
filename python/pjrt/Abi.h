//===- Abi.h - PJRT's C interface as far as ds answers it -------*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The binary interface between JAX and a plugin, PJRT 0.94: the order of the table's functions, and
// the arguments of those that ds implements. These are facts of openxla/xla's
// xla/pjrt/c/pjrt_c_api.h, declared anew; nothing of that file is needed to build ds.
//
// Every function takes one struct, which begins with its size and a list of extensions, and returns
// null or an Error. Later versions append fields to structs and functions to the table, so a caller
// of a later version finds all earlier ones in their places.
//
//===----------------------------------------------------------------------===//
#ifndef DS_PJRT_ABI_H
#define DS_PJRT_ABI_H

#include <cstddef>
#include <cstdint>

namespace ds::pjrt {

inline constexpr int kMajorVersion = 0, kMinorVersion = 94;

// The functions of the table, in its order.
// clang-format off
#define DS_PJRT_FUNCTIONS(X) \
  X(Error_Destroy) X(Error_Message) X(Error_GetCode) X(Plugin_Initialize) X(Plugin_Attributes) \
  X(Event_Destroy) X(Event_IsReady) X(Event_Error) X(Event_Await) X(Event_OnReady) \
  X(Client_Create) X(Client_Destroy) X(Client_PlatformName) X(Client_ProcessIndex) \
  X(Client_PlatformVersion) X(Client_Devices) X(Client_AddressableDevices) X(Client_LookupDevice) \
  X(Client_LookupAddressableDevice) X(Client_AddressableMemories) X(Client_Compile) \
  X(Client_DefaultDeviceAssignment) X(Client_BufferFromHostBuffer) X(DeviceDescription_Id) \
  X(DeviceDescription_ProcessIndex) X(DeviceDescription_Attributes) X(DeviceDescription_Kind) \
  X(DeviceDescription_DebugString) X(DeviceDescription_ToString) X(Device_GetDescription) \
  X(Device_IsAddressable) X(Device_LocalHardwareId) X(Device_AddressableMemories) \
  X(Device_DefaultMemory) X(Device_MemoryStats) X(Memory_Id) X(Memory_Kind) X(Memory_DebugString) \
  X(Memory_ToString) X(Memory_AddressableByDevices) X(Executable_Destroy) X(Executable_Name) \
  X(Executable_NumReplicas) X(Executable_NumPartitions) X(Executable_NumOutputs) \
  X(Executable_SizeOfGeneratedCodeInBytes) X(Executable_GetCostAnalysis) \
  X(Executable_OutputMemoryKinds) X(Executable_OptimizedProgram) X(Executable_Serialize) \
  X(LoadedExecutable_Destroy) X(LoadedExecutable_GetExecutable) \
  X(LoadedExecutable_AddressableDevices) X(LoadedExecutable_Delete) X(LoadedExecutable_IsDeleted) \
  X(LoadedExecutable_Execute) X(Executable_DeserializeAndLoad) X(LoadedExecutable_Fingerprint) \
  X(Buffer_Destroy) X(Buffer_ElementType) X(Buffer_Dimensions) X(Buffer_UnpaddedDimensions) \
  X(Buffer_DynamicDimensionIndices) X(Buffer_GetMemoryLayout) X(Buffer_OnDeviceSizeInBytes) \
  X(Buffer_Device) X(Buffer_Memory) X(Buffer_Delete) X(Buffer_IsDeleted) X(Buffer_CopyToDevice) \
  X(Buffer_ToHostBuffer) X(Buffer_IsOnCpu) X(Buffer_ReadyEvent) X(Buffer_UnsafePointer) \
  X(Buffer_IncreaseExternalReferenceCount) X(Buffer_DecreaseExternalReferenceCount) \
  X(Buffer_OpaqueDeviceMemoryDataPointer) X(CopyToDeviceStream_Destroy) \
  X(CopyToDeviceStream_AddChunk) X(CopyToDeviceStream_TotalBytes) \
  X(CopyToDeviceStream_GranuleSize) X(CopyToDeviceStream_CurrentBytes) \
  X(TopologyDescription_Create) X(TopologyDescription_Destroy) \
  X(TopologyDescription_PlatformName) X(TopologyDescription_PlatformVersion) \
  X(TopologyDescription_GetDeviceDescriptions) X(TopologyDescription_Serialize) \
  X(TopologyDescription_Attributes) X(Compile) X(Executable_OutputElementTypes) \
  X(Executable_OutputDimensions) X(Buffer_CopyToMemory) X(Client_CreateViewOfDeviceBuffer) \
  X(Executable_Fingerprint) X(Client_TopologyDescription) X(Executable_GetCompiledMemoryStats) \
  X(Memory_Kind_Id) X(ExecuteContext_Create) X(ExecuteContext_Destroy) X(Buffer_CopyRawToHost) \
  X(AsyncHostToDeviceTransferManager_Destroy) X(AsyncHostToDeviceTransferManager_TransferData) \
  X(Client_CreateBuffersForAsyncHostToDevice) X(AsyncHostToDeviceTransferManager_RetrieveBuffer) \
  X(AsyncHostToDeviceTransferManager_Device) X(AsyncHostToDeviceTransferManager_BufferCount) \
  X(AsyncHostToDeviceTransferManager_BufferSize) \
  X(AsyncHostToDeviceTransferManager_SetBufferError) \
  X(AsyncHostToDeviceTransferManager_AddMetadata) X(Client_DmaMap) X(Client_DmaUnmap) \
  X(Client_CreateUninitializedBuffer) X(Client_UpdateGlobalProcessInfo) \
  X(TopologyDescription_Deserialize) X(Client_CreateAliasBuffer) X(Client_FulfillAliasBuffer) \
  X(LoadedExecutable_GetDeviceAssignment) X(Client_CreateErrorBuffer) \
  X(AsyncHostToDeviceTransferManager_TransferLiteral) X(Buffer_CopyRawToHostFuture) \
  X(Device_PoisonExecution) X(Device_CreateAsyncTrackingEvent) X(AsyncTrackingEvent_Destroy) \
  X(Executable_GetCompileOptions) X(Buffer_DonateWithControlDependency) X(Event_Create) \
  X(Event_Set) X(Device_GetAttributes)
// clang-format on

enum class Function {
#define DS_PJRT_NAME(name) name,
  DS_PJRT_FUNCTIONS(DS_PJRT_NAME)
#undef DS_PJRT_NAME
      count
};

struct Version {
  size_t structSize;
  void *extensions;
  int major, minor;
};

struct Extension {
  size_t structSize;
  int type;
  Extension *next;
};
inline constexpr int kShardingsExtension = 19;
/// The shardings of arguments and of results, each an OpSharding of XLA.
struct ShardingsExtension : Extension {
  void *arguments, *results;
};

/// The table that GetPjrtApi returns.
struct Api {
  size_t structSize;
  void *extensions;
  Version version;
  void *functions[static_cast<size_t>(Function::count)];
};

//===----------------------------------------------------------------------===//
// Opaque handles, defined by the plugin (Plugin.h).
//===----------------------------------------------------------------------===//

struct Error;
struct Event;
struct Client;
struct Device;
struct DeviceDescription;
struct Memory;
struct Topology;
struct Executable;
struct LoadedExecutable;
struct Buffer;

/// Codes of absl::Status and PJRT_Error_Code.
enum class ErrorCode : int { invalidArgument = 3, unimplemented = 12, internal = 13 };

/// The values of PJRT_Buffer_Type that ds supports.
enum class ElementType : int {
  boolean = 1,
  s8,
  s16,
  s32,
  s64, // clang-format off
  u8, u16, u32, u64,
  f16, f32, f64, bf16 // clang-format on
};

//===----------------------------------------------------------------------===//
// Arguments of the functions. The plugin writes the fields after a blank line.
//===----------------------------------------------------------------------===//

struct Call {
  size_t structSize;
  void *extensions;
};

/// Only a handle.
template <typename T> struct Of : Call {
  T *of;
};
template <typename T> struct TextOf : Call {
  T *of;

  const char *text;
  size_t size;
};
template <typename T, typename Value> struct ValueOf : Call {
  T *of;

  Value value;
};
template <typename T, typename Element> struct ListOf : Call {
  T *of;

  Element const *list;
  size_t count;
};

struct NamedValue : Call {
  const char *name;
  size_t nameSize;
  int type; // 1: a number, 2: numbers
  union {
    int64_t number;
    const int64_t *numbers;
  };
  size_t count;
};
struct PluginAttributes : Call {
  const NamedValue *attributes;
  size_t count;
};
struct EventOnReady : Call {
  Event *event;
  void (*callback)(Error *error, void *argument);
  void *argument;
};

struct ClientCreate : Call {
  const NamedValue *options;
  size_t numOptions;
  void *keyValueStore[4];

  Client *client;
};
struct ClientLookupDevice : Call {
  Client *client;
  int id;

  Device *device;
};
struct Program : Call {
  const char *code;
  size_t codeSize;
  const char *format;
  size_t formatSize;
};
struct ClientCompile : Call {
  Client *client;
  const Program *program;
  const char *options; // a CompileOptionsProto
  size_t optionsSize;

  LoadedExecutable *executable;
};
struct ClientDefaultDeviceAssignment : Call {
  Client *client;
  int numReplicas, numPartitions;
  size_t size;
  int *assignment;
};
struct ClientBufferFromHostBuffer : Call {
  Client *client;
  const void *data;
  ElementType type;
  const int64_t *dims;
  size_t numDims;
  const int64_t *byteStrides; // none: dense and row-major
  size_t numByteStrides;
  int semantics;
  Device *device;
  Memory *memory;
  void *layout;

  Event *done;
  Buffer *buffer;
};
struct DeviceDescriptionAttributes : Call {
  DeviceDescription *of;

  size_t count;
  const NamedValue *attributes;
};

struct DeviceAttributes : Call {
  Device *of;

  const NamedValue *attributes;
  size_t count;
  void *owner;
  void (*destroy)(void *owner);
};
struct ExecutableOutputDimensions : Call {
  Executable *of;
  size_t numOutputs;

  const int64_t *dims;    // of all outputs, concatenated
  const size_t *dimSizes; // the number of dimensions of each
};
struct ExecutableOutputMemoryKinds : Call {
  Executable *of;
  size_t numOutputs;

  const char *const *kinds;
  const size_t *sizes;
};
struct ExecutableShardings : Call {
  Executable *of;

  size_t count;
  const char *const *shardings;
  const size_t *sizes;
};
/// A protocol buffer message, valid until its owner is destroyed.
template <typename T> struct OwnedBytesOf : Call {
  T *of;

  const char *bytes;
  size_t size;
  void *owner;
  void (*destroy)(void *owner);
};
struct ExecuteOptions : Call {
  void *sendCallbacks, *receiveCallbacks;
  size_t numSends, numReceives;
  int launch;
  const int64_t *notDonated; // numbers of arguments
  size_t numNotDonated;
};
struct LoadedExecutableExecute : Call {
  LoadedExecutable *executable;
  ExecuteOptions *options;
  Buffer *const *const *arguments; // [device][argument]
  size_t numDevices, numArguments;
  Buffer **const *outputs; // [device][output]
  Event **completed;       // of each device, or null
  Device *device;          // the device to run on instead, or null
};

struct MemoryLayout : Call {
  struct Tiled : Call {
    const int64_t *minorToMajor;
    size_t numDims;
    const int64_t *tileDims;
    const size_t *tileSizes;
    size_t numTiles;
  } tiled;
  int type; // 0: tiled
};
struct BufferDynamicDimensions : Call {
  Buffer *of;

  const size_t *list;
  size_t count;
};
struct BufferToHostBuffer : Call {
  Buffer *of;
  void *layout;
  void *data; // null: only return the size
  size_t size;

  Event *event;
};
template <typename To> struct BufferCopyTo : Call {
  Buffer *of;
  To *to;

  Buffer *copy;
};

// The layout must be that of the caller's C compiler.
static_assert(sizeof(Version) == 24 && offsetof(Api, functions) == 40);
static_assert(sizeof(ShardingsExtension) == 40);
static_assert(sizeof(Of<Event>) == 24 && sizeof(TextOf<Client>) == 40);
static_assert(sizeof(ValueOf<Client, int>) == 32 && sizeof(NamedValue) == 56);
static_assert(sizeof(ClientCompile) == 56 && sizeof(ClientBufferFromHostBuffer) == 120);
static_assert(sizeof(LoadedExecutableExecute) == 80 && sizeof(MemoryLayout) == 80);

} // namespace ds::pjrt

#endif // DS_PJRT_ABI_H
