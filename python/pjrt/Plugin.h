//===- Plugin.h - The handles of PJRT in ds ---------------------*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Devices are ranks of this process, and their memory is the host's. Nothing is asynchronous: a
// function returns when its results are complete, and every event has happened.
//
// Python compiles StableHLO to a step of ds, and releases it, by two hooks (dstep.jax.platform).
// Steps run here without Python, by functions of libds.so whose addresses are among the hooks.
//
//===----------------------------------------------------------------------===//
#ifndef DS_PJRT_PLUGIN_H
#define DS_PJRT_PLUGIN_H

#include "Abi.h"

#include <memory>
#include <mutex>
#include <string>
#include <vector>

namespace ds::pjrt {

/// Functions of dstep.jax.platform and libds.so. An error text has room for `size` bytes.
struct Hooks {
  /// Compiles StableHLO, and describes the result with ds_pjrt_slot and ds_pjrt_compiled; returns
  /// non-zero if it failed.
  int32_t (*compile)(void *program, void *client, const char *code, int64_t codeSize,
                     const char *options, int64_t optionsSize, char *text, int64_t size);
  void (*release)(int64_t handle);
  /// Writes why the last step of a program failed.
  void (*failure)(int64_t handle, char *text, int64_t size);
  int32_t (*run)(void *instance, const void *const *inputs); // ds_instance_run
  int32_t (*read)(void *instance, int32_t slot, void *data,
                  int64_t bytes); // ds_instance_read_result
  const char *version;            // ds_version()
};
extern Hooks hooks;

struct Error {
  ErrorCode code;
  std::string text;
};
inline Error *fail(std::string text, ErrorCode code = ErrorCode::internal) {
  return new Error{code, std::move(text)};
}
struct Event {};

struct DeviceDescription {
  int id;
  std::string name;
};
struct Memory {
  int id;
  Device *device;
};
struct Device {
  DeviceDescription description;
  Memory memory;
  Memory *memories[1];
};
struct Topology {
  std::vector<DeviceDescription *> descriptions;
};
struct Client {
  std::vector<std::unique_ptr<Device>> owned;
  std::vector<Device *> devices;
  std::vector<Memory *> memories;
  Topology topology;
};

/// Bytes of the host, aligned to 64; null data if there is no memory left.
struct HostMemory {
  explicit HostMemory(size_t bytes);
  ~HostMemory();
  HostMemory(const HostMemory &) = delete;
  HostMemory &operator=(const HostMemory &) = delete;
  char *const data;
};

inline Error *hasNoMemory(size_t bytes) {
  return fail("there is no memory for " + std::to_string(bytes) + " bytes");
}
size_t bytesOf(ElementType type);
int64_t product(const std::vector<int64_t> &dims);

/// The result and run that a value comes from; the instance holds the value until the next run.
struct Origin {
  uint64_t program = 0, run = 0;
  size_t result = 0;
  bool operator==(const Origin &other) const {
    return program == other.program && run == other.run && result == other.result;
  }
};

struct Buffer {
  Buffer(ElementType type, std::vector<int64_t> dims, Device *device,
         std::shared_ptr<HostMemory> memory = nullptr);
  size_t bytes() const { return product(dims) * bytesOf(type); }
  char *data() const { return memory ? memory->data : nullptr; }

  ElementType type;
  std::vector<int64_t> dims, minorToMajor;
  Device *device;
  std::shared_ptr<HostMemory> memory; // null: deleted
  int64_t numReaders = 0;             // readers outside of PJRT
  std::shared_ptr<HostMemory> kept;   // memory of a deleted buffer, for these readers
  Origin origin;
};
/// Deletes a buffer's value; readers outside of PJRT keep the memory until they release it.
void deleteBuffer(Buffer &buffer);

/// An argument or a result of a program.
struct Slot {
  bool isSharded() const { return !offsets.empty(); }

  ElementType type;
  std::vector<int64_t> whole, part; // shapes of the global array and of a device's part
  std::vector<int64_t> offsets;     // [device][dimension] of the parts; empty: replicated
  int64_t other = -1; // the result that updates an argument, or the argument it updates
  bool isDonated = false;
  std::string sharding; // an OpSharding of XLA
};

/// A compiled program, shared by its handles.
struct Compiled {
  Compiled();
  ~Compiled();

  const uint64_t id;  // unique in this process
  int64_t handle = 0; // of the program in Python
  void *instance = nullptr;
  std::string name;
  std::vector<Device *> devices;
  std::vector<Slot> arguments, results;
  // In the form of PJRT's queries:
  std::vector<ElementType> types;
  std::vector<int64_t> dims;
  std::vector<size_t> numDims, kindSizes;
  std::vector<const char *> kinds;

  std::vector<const char *> shardings; // of arguments, then of results
  std::vector<size_t> shardingSizes;

  std::mutex running;
  uint64_t runs = 0;
};
struct Executable {
  std::shared_ptr<Compiled> compiled;
};
struct LoadedExecutable {
  std::shared_ptr<Compiled> compiled;
  bool isDeleted = false;
};

Error *execute(LoadedExecutableExecute *args);
ShardingsExtension *shardingsExtension();

/// Writes functions into the table.
struct Table {
  template <typename Args> void set(Function at, Error *(*function)(Args *)) {
    api.functions[static_cast<size_t>(at)] = reinterpret_cast<void *>(function);
  }
  Api &api;
};
void addClientFunctions(Table &table);
void addBufferFunctions(Table &table);
void addExecutableFunctions(Table &table);

} // namespace ds::pjrt

#endif // DS_PJRT_PLUGIN_H
