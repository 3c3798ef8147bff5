//===- GpuSupport.h - A step on the fake driver ---------------*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The driver is the fake one, which executes PTX. Addresses of its devices are not the host's.
//
//===----------------------------------------------------------------------===//
#ifndef DS_UNITTESTS_CAPI_GPUSUPPORT_H
#define DS_UNITTESTS_CAPI_GPUSUPPORT_H

#include "Support.h"

#include <cstring>
#include <dlfcn.h>

using Address = unsigned long long;

/// What another program of the process calls of the driver.
struct Driver {
  void *library = dlopen(DS_FAKES "/libfake_cuda.so", RTLD_NOW);
  template <typename... A> int call(const char *name, A... arguments) const {
    return reinterpret_cast<int (*)(A...)>(dlsym(library, name))(arguments...);
  }
  void use(int device) const {
    void *context = nullptr;
    ASSERT_EQ(call("cuInit", 0u), 0);
    ASSERT_EQ(call("cuDevicePrimaryCtxRetain", &context, device), 0);
    ASSERT_EQ(call("cuCtxSetCurrent", context), 0);
  }
};

class Gpus : public CApiTest {
protected:
  Gpus() {
    setenv("DS_CUDA_LIBRARY", DS_FAKES "/libfake_cuda.so", 1);
    setenv("DS_CUBLASLT_LIBRARY", DS_FAKES "/libfake_cublaslt.so", 1);
    setenv("DS_CUDNN_LIBRARY", DS_FAKES "/libfake_cudnn.so", 1);
    device = "cuda";
    for (int i = 0; i < 8; ++i) {
      for (int j = 0; j < 3; ++j)
        x[i][j] = float((i * 3 + j) * 7 % 11) / 5 - 1;
      y[i] = 2 * x[i][0] - x[i][1] + x[i][2] / 2;
    }
  }
  void begin(int64_t ranks) {
    start(ranks);
    ASSERT_TRUE(instance);
    ASSERT_EQ(ds_instance_write(instance, 3, DS_WHOLE, &lr, sizeof lr), DS_OK) << first();
  }
  std::vector<float> weights() {
    std::vector<float> w(3);
    EXPECT_EQ(ds_instance_read_argument(instance, 0, w.data(), 12), DS_OK) << first();
    return w;
  }
  /// Of another program, on the current device.
  Address onDevice(const void *values, size_t bytes) {
    Address data = 0;
    EXPECT_EQ(driver.call("cuMemAlloc_v2", &data, bytes), 0);
    EXPECT_EQ(driver.call("cuMemcpyHtoD_v2", data, values, bytes), 0);
    return data;
  }
  ds_view view(int64_t rank, int32_t slot) {
    ds_view found = {};
    found.struct_size = sizeof found;
    EXPECT_EQ(ds_instance_view_argument(instance, rank, slot, &found), DS_OK) << first();
    return found;
  }

  Driver driver;
  float x[8][3], y[8], lr = 0.1f;
  const void *batch[4] = {nullptr, x, y, nullptr};
};

#endif // DS_UNITTESTS_CAPI_GPUSUPPORT_H
