//===- CudaFixture.h - The fake CUDA driver in a test -----------*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef DSRT_TEST_CUDA_CUDAFIXTURE_H
#define DSRT_TEST_CUDA_CUDAFIXTURE_H

#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <dlfcn.h>
#include <gtest/gtest.h>
#include <string>
#include <vector>

namespace cuda {

/// A function of a fake library, by the name it is exported under.
template <typename Signature> class Function {
public:
  Function(const char *library, const char *name)
      : address(reinterpret_cast<Signature *>(
            dlsym(dlopen((std::string(DSRT_FAKES "/") + library).c_str(), RTLD_NOW), name))) {}
  template <typename... Arguments> auto operator()(Arguments... arguments) const {
    return address(arguments...);
  }
  explicit operator bool() const { return address != nullptr; }

private:
  Signature *address;
};

#define DSRT_CUDA_FUNCTIONS(X)                                                                     \
  X(cuInit, int(unsigned))                                                                         \
  X(cuDevicePrimaryCtxRetain, int(void **, int))                                                   \
  X(cuCtxSetCurrent, int(void *))                                                                  \
  X(cuMemAlloc_v2, int(uint64_t *, size_t))                                                        \
  X(cuMemFree_v2, int(uint64_t))                                                                   \
  X(cuMemGetInfo_v2, int(size_t *, size_t *))                                                      \
  X(cuMemHostAlloc, int(void **, size_t, unsigned))                                                \
  X(cuMemcpyHtoD_v2, int(uint64_t, const void *, size_t))                                          \
  X(cuMemcpyDtoH_v2, int(void *, uint64_t, size_t))                                                \
  X(cuMemcpyHtoDAsync_v2, int(uint64_t, const void *, size_t, void *))                             \
  X(cuMemcpyDtoDAsync_v2, int(uint64_t, uint64_t, size_t, void *))                                 \
  X(cuMemsetD8Async, int(uint64_t, unsigned char, size_t, void *))                                 \
  X(cuStreamCreate, int(void **, unsigned))                                                        \
  X(cuStreamSynchronize, int(void *))                                                              \
  X(cuStreamQuery, int(void *))                                                                    \
  X(cuStreamWaitEvent, int(void *, void *, unsigned))                                              \
  X(cuEventCreate, int(void **, unsigned))                                                         \
  X(cuEventRecord, int(void *, void *))                                                            \
  X(cuEventQuery, int(void *))                                                                     \
  X(cuEventSynchronize, int(void *))                                                               \
  X(cuEventElapsedTime, int(float *, void *, void *))                                              \
  X(cuDeviceGetAttribute, int(int *, int, int))                                                    \
  X(cuModuleLoadData, int(void **, const void *))                                                  \
  X(cuModuleLoadDataEx, int(void **, const void *, unsigned, const int *, void *const *))          \
  X(cuModuleUnload, int(void *))                                                                   \
  X(cuModuleGetFunction, int(void **, void *, const char *))                                       \
  X(cuFuncLoad, int(void *))                                                                       \
  X(cuLaunchKernel, int(void *, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned,        \
                        unsigned, void *, void **, void **))                                       \
  X(cuStreamBeginCapture_v2, int(void *, int))                                                     \
  X(cuStreamEndCapture, int(void *, void **))                                                      \
  X(cuStreamIsCapturing, int(void *, int *))                                                       \
  X(cuGraphGetNodes, int(void *, void **, size_t *))                                               \
  X(cuGraphInstantiateWithFlags, int(void **, void *, unsigned long long))                         \
  X(cuGraphLaunch, int(void *, void *))                                                            \
  X(cuGraphExecDestroy, int(void *))                                                               \
  X(cuGraphDestroy, int(void *))                                                                   \
  X(fake_cuda_finding, const char *(int))
#define DSRT_DECLARE(name, ...) inline const Function<__VA_ARGS__> name("libfake_cuda.so", #name);
DSRT_CUDA_FUNCTIONS(DSRT_DECLARE)
#undef DSRT_DECLARE

/// Kernels for tests: y = a x + y, and y = x, of `n` floats by blocks of 64 threads.
inline const char *const kernels = R"(
.version 8.0
.target sm_90
.address_size 64
.visible .entry saxpy(.param .u64 x, .param .u64 y, .param .f32 a, .param .u32 n)
.maxntid 64, 1, 1
{
  .reg .pred %p<2>; .reg .b32 %r<9>; .reg .b64 %d<9>;
  ld.param.b64 %d0, [x]; ld.param.b64 %d1, [y]; ld.param.b32 %r0, [a]; ld.param.b32 %r1, [n];
  mov.u32 %r2, %tid.x; mov.u32 %r3, %ctaid.x; mad.lo.s32 %r4, %r3, 64, %r2;
  setp.ge.u32 %p0, %r4, %r1; @%p0 bra $end;
  mul.wide.u32 %d2, %r4, 4; add.s64 %d3, %d0, %d2; add.s64 %d4, %d1, %d2;
  ld.global.nc.b32 %r5, [%d3]; ld.global.b32 %r6, [%d4];
  fma.rn.f32 %r7, %r5, %r0, %r6; st.global.b32 [%d4], %r7;
$end: ret;
}
.visible .entry copy(.param .u64 x, .param .u64 y)
{
  .reg .b32 %r<9>; .reg .b64 %d<9>;
  ld.param.b64 %d0, [x]; ld.param.b64 %d1, [y];
  mov.u32 %r2, %tid.x; mov.u32 %r3, %ctaid.x; mad.lo.s32 %r4, %r3, 64, %r2;
  mul.wide.u32 %d2, %r4, 4; add.s64 %d3, %d0, %d2; add.s64 %d4, %d1, %d2;
  ld.global.b32 %r5, [%d3]; st.global.b32 [%d4], %r5;
  ret;
}
)";

/// Entries (kind, payload) in a fat binary.
inline std::string fatBinary(const std::vector<std::pair<uint16_t, std::string>> &entries) {
  auto add = [](std::string &to, auto value) {
    to.append(reinterpret_cast<const char *>(&value), sizeof value);
  };
  std::string body;
  for (const auto &[kind, payload] : entries) {
    add(body, kind);
    add(body, uint16_t(0x101));
    add(body, uint32_t(64));
    add(body, uint64_t(payload.size()));
    body.append(64 - 16, '\0');
    body += payload;
  }
  std::string all;
  add(all, uint32_t(0xba55ed50));
  add(all, uint16_t(1));
  add(all, uint16_t(16));
  add(all, uint64_t(body.size()));
  return all + body;
}

/// Each test has a device of its own: what goes wrong on one stays wrong.
class Cuda : public testing::Test {
protected:
  void SetUp() override {
    static int devices = 0;
    device = devices++ % 64;
    setenv("DS_FAKE_DEVICES", "64", 1);
    ASSERT_EQ(cuInit(0), 0);
    void *context = nullptr;
    ASSERT_EQ(cuDevicePrimaryCtxRetain(&context, device), 0);
    ASSERT_EQ(cuCtxSetCurrent(context), 0);
    stream = makeStream();
    void *module = nullptr;
    ASSERT_EQ(cuModuleLoadData(&module, kernels), 0);
    ASSERT_EQ(cuModuleGetFunction(&saxpyKernel, module, "saxpy"), 0);
    ASSERT_EQ(cuModuleGetFunction(&copyKernel, module, "copy"), 0);
  }
  void TearDown() override {
    for (const char *name :
         {"DS_FAKE_CUDA_FAULTS", "DS_FAKE_CUDA_MEMORY", "DS_FAKE_CUDA_CAPABILITY"})
      unsetenv(name);
  }
  static void *makeStream() {
    void *made = nullptr;
    EXPECT_EQ(cuStreamCreate(&made, 1u), 0);
    return made;
  }
  static void *makeEvent() {
    void *made = nullptr;
    EXPECT_EQ(cuEventCreate(&made, 0), 0);
    return made;
  }
  static uint64_t allocate(size_t bytes) {
    uint64_t data = 0;
    EXPECT_EQ(cuMemAlloc_v2(&data, bytes), 0);
    return data;
  }
  static uint64_t upload(const std::vector<float> &values) {
    const uint64_t data = allocate(values.size() * 4);
    EXPECT_EQ(cuMemcpyHtoD_v2(data, values.data(), values.size() * 4), 0);
    return data;
  }
  static std::vector<float> download(uint64_t data, size_t count) {
    std::vector<float> values(count);
    EXPECT_EQ(cuMemcpyDtoH_v2(values.data(), data, count * 4), 0);
    return values;
  }
  static int launch(void *function, unsigned blocks, void *on, std::vector<void *> parameters) {
    return cuLaunchKernel(function, blocks, 1u, 1u, 64u, 1u, 1u, 0u, on, parameters.data(),
                          static_cast<void **>(nullptr));
  }
  int saxpy(void *on, uint64_t x, uint64_t y, float a, unsigned n) {
    return launch(saxpyKernel, (n + 63) / 64, on, {&x, &y, &a, &n});
  }
  int copy(void *on, uint64_t x, uint64_t y, unsigned n) {
    return launch(copyKernel, n / 64, on, {&x, &y});
  }
  std::string finding() const { return fake_cuda_finding(device); }

  int device = 0;
  void *stream = nullptr, *saxpyKernel = nullptr, *copyKernel = nullptr;
};

} // namespace cuda

#endif // DSRT_TEST_CUDA_CUDAFIXTURE_H
