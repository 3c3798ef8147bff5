//===- DnnlObjects.h - Objects of the library, with owners ------*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef DS_LIB_TARGET_CPU_LIBRARY_DNNLOBJECTS_H
#define DS_LIB_TARGET_CPU_LIBRARY_DNNLOBJECTS_H

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/ErrorHandling.h"
#include "llvm/Support/MathExtras.h"

#include <dnnl.h>
#include <utility>

namespace ds {

/// A failure here is our mistake or a lack of memory: descriptors were accepted when the plan was
/// made.
inline void check(dnnl_status_t status) {
  if (status != dnnl_success)
    llvm::report_fatal_error("oneDNN failed while a library call was prepared or run");
}

inline dnnl_engine_t cpuEngine() {
  static dnnl_engine_t engine = [] {
    dnnl_engine_t created;
    check(dnnl_engine_create(&created, dnnl_cpu, 0));
    return created;
  }();
  return engine;
}

inline size_t alignedSize(const dnnl_memory_desc_t &desc) {
  return llvm::alignTo(dnnl_memory_desc_get_size(&desc), 64);
}

/// The library's choice of an implementation, before it is made.
class PrimitiveDesc {
public:
  PrimitiveDesc() = default;
  PrimitiveDesc(PrimitiveDesc &&other) noexcept : desc(std::exchange(other.desc, nullptr)) {}
  PrimitiveDesc &operator=(PrimitiveDesc &&other) noexcept {
    std::swap(desc, other.desc);
    return *this;
  }
  ~PrimitiveDesc() {
    if (desc)
      dnnl_primitive_desc_destroy(desc);
  }
  explicit operator bool() const { return desc; }
  dnnl_primitive_desc_t get() const { return desc; }
  /// Returns where a function of the library stores the object that it creates.
  dnnl_primitive_desc_t *receive() { return &desc; }
  /// Returns the library's name of the implementation, such as "brgconv:avx512_core".
  llvm::StringRef implementation() const {
    const char *name = nullptr;
    check(dnnl_primitive_desc_query(desc, dnnl_query_impl_info_str, 0, &name));
    return name;
  }
  const dnnl_memory_desc_t &layout(dnnl_query_t what) const {
    return *dnnl_primitive_desc_query_md(desc, what, 0);
  }

private:
  dnnl_primitive_desc_t desc = nullptr;
};

/// Code of the library, shared by all ranks; null until it is made.
class Primitive {
public:
  Primitive() = default;
  Primitive(const Primitive &) = delete;
  Primitive &operator=(const Primitive &) = delete;
  ~Primitive() {
    if (primitive)
      dnnl_primitive_destroy(primitive);
  }
  [[nodiscard]] bool make(const PrimitiveDesc &desc) {
    return dnnl_primitive_create(&primitive, desc.get()) == dnnl_success;
  }
  explicit operator bool() const { return primitive; }
  dnnl_primitive_t get() const { return primitive; }

private:
  dnnl_primitive_t primitive = nullptr;
};

/// The location of a call's tensor; the address is set on every call.
class Memory {
public:
  explicit Memory(const dnnl_memory_desc_t &desc) {
    check(dnnl_memory_create(&memory, &desc, cpuEngine(), DNNL_MEMORY_NONE));
  }
  Memory(const Memory &) = delete;
  Memory &operator=(const Memory &) = delete;
  ~Memory() { dnnl_memory_destroy(memory); }
  void set(const void *data) {
    check(dnnl_memory_set_data_handle(memory, const_cast<void *>(data)));
  }
  dnnl_memory_t get() const { return memory; }

private:
  dnnl_memory_t memory = nullptr;
};

class Stream {
public:
  Stream() { check(dnnl_stream_create(&stream, cpuEngine(), dnnl_stream_default_flags)); }
  Stream(const Stream &) = delete;
  Stream &operator=(const Stream &) = delete;
  ~Stream() { dnnl_stream_destroy(stream); }
  dnnl_stream_t get() const { return stream; }

private:
  dnnl_stream_t stream = nullptr;
};

} // namespace ds

#endif // DS_LIB_TARGET_CPU_LIBRARY_DNNLOBJECTS_H
