//===- PtxFixture.h - Kernels and memory for tests of PTX -------*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef DSRT_TEST_PTX_PTXFIXTURE_H
#define DSRT_TEST_PTX_PTXFIXTURE_H

#include "fakes/ptx/Ptx.h"
#include "fakes/ptx/Region.h"

#include <cstring>

namespace fake::ptx {

/// Buffers at addresses that the host cannot touch.
class TestMemory final : public Memory {
public:
  /// The address of a new buffer of so many bytes, of which nothing is written.
  uint64_t add(size_t bytes) {
    buffers.push_back(std::make_unique<Buffer>(next, bytes));
    next += (bytes / 4096 + 2) * 4096;
    return buffers.back()->region.begin;
  }
  template <typename T> uint64_t add(const std::vector<T> &values) {
    const uint64_t address = add(values.size() * sizeof(T));
    Buffer &buffer = *buffers.back();
    if (!values.empty())
      std::memcpy(buffer.data.data(), values.data(), buffer.data.size());
    buffer.region.define(0, buffer.data.size());
    return address;
  }
  template <typename T> std::vector<T> read(uint64_t address) {
    for (auto &buffer : buffers)
      if (buffer->region.begin == address) {
        std::vector<T> values(buffer->data.size() / sizeof(T));
        std::memcpy(values.data(), buffer->data.data(), values.size() * sizeof(T));
        return values;
      }
    return {};
  }
  Region *find(uint64_t address) override {
    for (auto &buffer : buffers)
      if (address >= buffer->region.begin && address < buffer->region.end)
        return &buffer->region;
    return nullptr;
  }

private:
  struct Buffer {
    Buffer(uint64_t address, size_t bytes)
        : data(bytes, char(0xa5)), region(address, bytes, data.data()) {}
    std::vector<char> data;
    Region region;
  };
  std::vector<std::unique_ptr<Buffer>> buffers;
  uint64_t next = 0x7000'0000'0000;
};

inline std::string argument(uint64_t value) {
  return std::string(reinterpret_cast<const char *>(&value), sizeof value);
}

/// A kernel `k` with parameters p0, p1, .. of 64 bits, in %d0, %d1, .., and registers to use.
inline std::string kernelText(size_t parameters, const std::string &body,
                              const std::string &bounds = "") {
  std::string list, loads;
  for (size_t index = 0; index < parameters; ++index) {
    const std::string name = "p" + std::to_string(index);
    list += (index ? ", .param .u64 " : ".param .u64 ") + name;
    loads += "ld.param.b64 %d" + std::to_string(index) + ", [" + name + "];\n";
  }
  return ".version 8.0\n.target sm_90\n.address_size 64\n.visible .entry k(" + list + ")\n" +
         bounds + "{\n.reg .pred %p<9>; .reg .b16 %h<9>; .reg .b32 %r<20>; .reg .b64 %d<20>;\n" +
         loads + body + "\nret;\n}\n";
}

/// The sentence of what is found; empty for nothing.
inline std::string launch(const std::string &text, Dim grid, Dim block,
                          const std::vector<uint64_t> &arguments, Memory &memory, uint64_t seed = 0,
                          uint64_t budget = uint64_t(1) << 32) {
  auto module = Module::parse(text);
  Launch launch{grid, block, {}, seed, budget};
  for (uint64_t value : arguments)
    launch.arguments.push_back(argument(value));
  try {
    run(*module->kernel("k"), launch, memory);
  } catch (const Finding &finding) {
    return finding.what();
  }
  return "";
}

} // namespace fake::ptx

#endif // DSRT_TEST_PTX_PTXFIXTURE_H
