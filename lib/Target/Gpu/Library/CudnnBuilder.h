//===- CudnnBuilder.h - Descriptors of cuDNN's backend interface -*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef DS_LIB_TARGET_GPU_LIBRARY_CUDNNBUILDER_H
#define DS_LIB_TARGET_GPU_LIBRARY_CUDNNBUILDER_H

#include "../Cuda/CudaApi.h"
#include "ds/Support/UserError.h"

#include "llvm/ADT/Twine.h"

#include <algorithm>
#include <vector>

namespace ds::gpu::cudnn {

using Sizes = std::vector<int64_t>;

/// Makes descriptors until a call fails, and destroys them in the end.
class Builder {
public:
  explicit Builder(const CudnnApi &api) : api(api) {}
  ~Builder() {
    for (void *descriptor : made)
      (void)api.cudnnBackendDestroyDescriptor(descriptor);
  }
  void *make(int kind) {
    void *descriptor = nullptr;
    if (check(api.cudnnBackendCreateDescriptor(kind, &descriptor), "cudnnBackendCreateDescriptor"))
      made.push_back(descriptor);
    return descriptor;
  }
  /// Destroys a descriptor that no other one needs.
  void drop(void *descriptor) {
    auto found = std::find(made.begin(), made.end(), descriptor);
    if (found == made.end())
      return; // it was never made
    made.erase(found);
    (void)api.cudnnBackendDestroyDescriptor(descriptor);
  }
  void set(void *descriptor, int name, int type, int64_t count, const void *values) {
    if (status == 0)
      check(api.cudnnBackendSetAttribute(descriptor, name, type, count, values),
            "cudnnBackendSetAttribute");
  }
  void set(void *descriptor, int name, const Sizes &values) {
    set(descriptor, name, typeInteger, static_cast<int64_t>(values.size()), values.data());
  }
  void setNumber(void *descriptor, int name, int type, int value) {
    set(descriptor, name, type, 1, &value);
  }
  void set(void *descriptor, int name, void *value) {
    set(descriptor, name, typeDescriptor, 1, &value);
  }
  void finish(void *descriptor) {
    if (status == 0)
      check(api.cudnnBackendFinalize(descriptor), "cudnnBackendFinalize");
  }
  bool check(int result, const char *name) {
    if (status == 0 && result != 0) {
      status = result;
      function = name;
    }
    return result == 0;
  }
  /// Clears the error of a call that may fail.
  void forget() { status = 0; }
  /// Returns how many elements an attribute has; writes up to `count` of them to `values`.
  int64_t get(void *descriptor, int name, int type, int64_t count, void *values) {
    int64_t found = 0;
    if (status == 0)
      check(api.cudnnBackendGetAttribute(descriptor, name, type, count, &found, values),
            "cudnnBackendGetAttribute");
    return found;
  }
  llvm::Error error() const {
    return status == 0 ? llvm::Error::success()
                       : userError(llvm::Twine(function) + " fails: cuDNN status " +
                                   llvm::Twine(status) + ", for a convolution");
  }

  const CudnnApi &api;
  int status = 0;

private:
  const char *function = "";
  std::vector<void *> made;
};

} // namespace ds::gpu::cudnn

#endif // DS_LIB_TARGET_GPU_LIBRARY_CUDNNBUILDER_H
