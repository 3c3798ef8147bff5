//===- TableTest.cpp - The functions that JAX is given --------------------===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Abi.h"

#include "gtest/gtest.h"

#include <cstring>
#include <string>
#include <vector>

using namespace ds::pjrt;

extern "C" const Api *GetPjrtApi();

namespace {

struct Answer {
  int code = 0; // 0: none
  std::string text;
};

template <typename Args> Answer call(Function function, Args &args) {
  const Api &api = *GetPjrtApi();
  auto at = [&](Function which) { return api.functions[static_cast<size_t>(which)]; };
  auto *error = reinterpret_cast<Error *(*)(Args *)>(at(function))(&args);
  if (!error)
    return {};
  TextOf<const Error> text = {};
  text.of = error;
  reinterpret_cast<void (*)(TextOf<const Error> *)>(at(Function::Error_Message))(&text);
  ValueOf<const Error, int> code = {};
  code.of = error;
  reinterpret_cast<Error *(*)(ValueOf<const Error, int> *)>(at(Function::Error_GetCode))(&code);
  Answer answer = {code.value, std::string(text.text, text.size)};
  Of<Error> gone = {};
  gone.of = error;
  reinterpret_cast<void (*)(Of<Error> *)>(at(Function::Error_Destroy))(&gone);
  return answer;
}

Client *clientOf(int64_t devices) {
  NamedValue option = {};
  option.name = "devices";
  option.nameSize = strlen(option.name);
  option.type = 1;
  option.number = devices;
  ClientCreate create = {};
  create.options = &option;
  create.numOptions = 1;
  EXPECT_EQ(call(Function::Client_Create, create).text, "");
  return create.client;
}

Buffer *bufferOf(Client *client, const std::vector<float> &values, std::vector<int64_t> dims,
                 std::vector<int64_t> strides) {
  ClientBufferFromHostBuffer args = {};
  args.client = client;
  args.data = values.data();
  args.type = ElementType::f32;
  args.dims = dims.data();
  args.numDims = dims.size();
  args.byteStrides = strides.data();
  args.numByteStrides = strides.size();
  EXPECT_EQ(call(Function::Client_BufferFromHostBuffer, args).text, "");
  Of<Event> event = {};
  event.of = args.done;
  EXPECT_EQ(call(Function::Event_Destroy, event).text, "");
  return args.buffer;
}

const float *dataOf(Buffer *buffer) {
  ValueOf<Buffer, const float *> address = {};
  address.of = buffer;
  EXPECT_EQ(call(Function::Buffer_OpaqueDeviceMemoryDataPointer, address).text, "");
  return address.value;
}

Answer change(Function function, Buffer *buffer) {
  Of<Buffer> args = {};
  args.of = buffer;
  return call(function, args);
}

} // namespace

TEST(PjrtTable, says_its_version_and_size) {
  const Api &api = *GetPjrtApi();
  EXPECT_EQ(api.structSize, sizeof(Api));
  EXPECT_EQ(api.version.major, 0);
  EXPECT_EQ(api.version.minor, kMinorVersion);
  for (void *function : api.functions)
    EXPECT_NE(function, nullptr);
  const auto *shardings = static_cast<const ShardingsExtension *>(api.extensions);
  EXPECT_EQ(shardings->type, kShardingsExtension);
  EXPECT_EQ(shardings->structSize, sizeof(ShardingsExtension));
}

TEST(PjrtTable, functions_that_are_not_written_say_their_name) {
  const std::pair<Function, const char *> missing[] = {
      {Function::Device_MemoryStats, "PJRT_Device_MemoryStats"},
      {Function::Executable_SizeOfGeneratedCodeInBytes,
       "PJRT_Executable_SizeOfGeneratedCodeInBytes"},
      {Function::Executable_GetCostAnalysis, "PJRT_Executable_GetCostAnalysis"},
      {Function::Executable_OptimizedProgram, "PJRT_Executable_OptimizedProgram"},
      {Function::Executable_Serialize, "PJRT_Executable_Serialize"},
      {Function::Executable_DeserializeAndLoad, "PJRT_Executable_DeserializeAndLoad"},
      {Function::LoadedExecutable_Fingerprint, "PJRT_LoadedExecutable_Fingerprint"},
      {Function::CopyToDeviceStream_AddChunk, "PJRT_CopyToDeviceStream_AddChunk"},
      {Function::TopologyDescription_Create, "PJRT_TopologyDescription_Create"},
      {Function::Compile, "PJRT_Compile"},
      {Function::Client_CreateViewOfDeviceBuffer, "PJRT_Client_CreateViewOfDeviceBuffer"},
      {Function::Buffer_CopyRawToHost, "PJRT_Buffer_CopyRawToHost"},
      {Function::Client_FulfillAliasBuffer, "PJRT_Client_FulfillAliasBuffer"},
  };
  for (auto [function, name] : missing) {
    Call args = {};
    Answer answer = call(function, args);
    EXPECT_EQ(answer.code, static_cast<int>(ErrorCode::unimplemented));
    EXPECT_EQ(answer.text, std::string("ds has no function ") + name);
  }
}

TEST(PjrtClient, has_as_many_devices_as_it_is_told) {
  for (int64_t count : {1, 3}) {
    Client *client = clientOf(count);
    ListOf<Client, Device *> devices = {};
    devices.of = client;
    EXPECT_EQ(call(Function::Client_Devices, devices).text, "");
    EXPECT_EQ(devices.count, size_t(count));
    ClientLookupDevice find = {};
    find.client = client;
    find.id = count - 1;
    EXPECT_EQ(call(Function::Client_LookupDevice, find).text, "");
    EXPECT_EQ(find.device, devices.list[count - 1]);
    find.id = count;
    EXPECT_EQ(call(Function::Client_LookupDevice, find).text,
              "there is no device " + std::to_string(count));
    Of<Client> gone = {};
    gone.of = client;
    EXPECT_EQ(call(Function::Client_Destroy, gone).text, "");
  }
}

TEST(PjrtClient, refuses_options_that_it_does_not_have) {
  NamedValue option = {};
  option.name = "ranks";
  option.nameSize = 5;
  ClientCreate create = {};
  create.options = &option;
  create.numOptions = 1;
  EXPECT_EQ(call(Function::Client_Create, create).text,
            "ds has no option 'ranks', expected devices=NUMBER");
  option.name = "devices";
  option.nameSize = 7;
  option.type = 1;
  EXPECT_EQ(call(Function::Client_Create, create).text, "devices=0, expected 1 to 1024");
}

TEST(PjrtBuffer, takes_arrays_of_any_strides) {
  Client *client = clientOf(1);
  const std::vector<float> values = {1, 2, 3, 4, 5, 6};
  Buffer *dense = bufferOf(client, values, {2, 3}, {});
  Buffer *turned = bufferOf(client, values, {3, 2}, {4, 12});
  EXPECT_EQ(std::vector<float>(dataOf(dense), dataOf(dense) + 6), values);
  EXPECT_EQ(std::vector<float>(dataOf(turned), dataOf(turned) + 6),
            (std::vector<float>{1, 4, 2, 5, 3, 6}));
  EXPECT_EQ(change(Function::Buffer_Destroy, dense).text, "");
  EXPECT_EQ(change(Function::Buffer_Destroy, turned).text, "");
}

TEST(PjrtBuffer, readers_keep_the_memory_of_a_deleted_one) {
  Client *client = clientOf(1);
  Buffer *buffer = bufferOf(client, {7, 8}, {2}, {});
  EXPECT_EQ(change(Function::Buffer_DecreaseExternalReferenceCount, buffer).text,
            "no caller outside reads the array");
  EXPECT_EQ(change(Function::Buffer_IncreaseExternalReferenceCount, buffer).text, "");
  const float *data = dataOf(buffer);
  EXPECT_EQ(change(Function::Buffer_Delete, buffer).text, "");
  EXPECT_EQ(dataOf(buffer), data);
  EXPECT_EQ(data[1], 8);
  EXPECT_EQ(change(Function::Buffer_DecreaseExternalReferenceCount, buffer).text, "");
  BufferToHostBuffer copy = {};
  float there[2];
  copy.of = buffer;
  copy.data = there;
  copy.size = sizeof there;
  EXPECT_EQ(call(Function::Buffer_ToHostBuffer, copy).text,
            "the array has been deleted or donated");
  EXPECT_EQ(change(Function::Buffer_Destroy, buffer).text, "");
}

TEST(PjrtBuffer, refuses_types_that_ds_does_not_have) {
  Client *client = clientOf(1);
  ClientBufferFromHostBuffer args = {};
  args.client = client;
  args.type = static_cast<ElementType>(14);
  EXPECT_EQ(call(Function::Client_BufferFromHostBuffer, args).text,
            "ds has no arrays of PJRT's element type 14, expected booleans, integers of 8 to 64 "
            "bits, f16, bf16, f32 or f64");
}
