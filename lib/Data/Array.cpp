//===- Array.cpp - A dense array read from or written to a file --*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Sizes, spellings and memory of arrays.
//
//===----------------------------------------------------------------------===//
#include "ds/Data/Array.h"

#include "ds/Plan/ByteSize.h"

#include "llvm/Support/ErrorHandling.h"
#include "llvm/Support/Memory.h"

#include <cstdlib>
#include <cstring>

namespace ds {

int64_t byteSize(DataType type) {
  switch (type) {
  case DataType::f64:
  case DataType::i64:
  case DataType::u64:
    return 8;
  case DataType::f32:
  case DataType::i32:
  case DataType::u32:
    return 4;
  case DataType::f16:
  case DataType::bf16:
  case DataType::i16:
  case DataType::u16:
    return 2;
  case DataType::i8:
  case DataType::u8:
  case DataType::boolean:
    return 1;
  }
  abort(); // not an enumerator of the type
}

const char *toString(DataType type) {
  switch (type) {
  case DataType::f64:
    return "f64";
  case DataType::f32:
    return "f32";
  case DataType::f16:
    return "f16";
  case DataType::bf16:
    return "bf16";
  case DataType::i64:
    return "i64";
  case DataType::i32:
    return "i32";
  case DataType::i16:
    return "i16";
  case DataType::i8:
    return "i8";
  case DataType::u64:
    return "u64";
  case DataType::u32:
    return "u32";
  case DataType::u16:
    return "u16";
  case DataType::u8:
    return "u8";
  case DataType::boolean:
    return "bool";
  }
  abort(); // not an enumerator of the type
}

bool isFloat(DataType type) {
  return type == DataType::f64 || type == DataType::f32 || type == DataType::f16 ||
         type == DataType::bf16;
}

DataType toDataType(ElementType type, bool isUnsigned) {
  switch (type) {
  case ElementType::f64:
    return DataType::f64;
  case ElementType::f32:
    return DataType::f32;
  case ElementType::f16:
    return DataType::f16;
  case ElementType::bf16:
    return DataType::bf16;
  case ElementType::i64:
    return isUnsigned ? DataType::u64 : DataType::i64;
  case ElementType::i32:
    return isUnsigned ? DataType::u32 : DataType::i32;
  case ElementType::i16:
    return isUnsigned ? DataType::u16 : DataType::i16;
  case ElementType::i8:
    return isUnsigned ? DataType::u8 : DataType::i8;
  case ElementType::i1:
    return DataType::boolean;
  }
  abort(); // not an enumerator of the type
}

std::optional<int64_t> checkedByteSize(llvm::ArrayRef<int64_t> shape, DataType type) {
  return checkedByteSize(shape, byteSize(type));
}

std::string shapeToString(llvm::ArrayRef<int64_t> shape) {
  if (shape.empty())
    return "scalar";
  std::string text;
  for (size_t i = 0; i < shape.size(); ++i)
    text += (i ? "x" : "") + std::to_string(shape[i]);
  return text;
}

/// Large blocks are mapped: freeing them returns their memory to the system, which the heap may
/// keep.
static std::shared_ptr<uint8_t> zeroes(int64_t count) {
  using llvm::sys::Memory;
  constexpr int64_t large = int64_t(1) << 20;
  if (count < large) {
    auto storage = std::make_shared<std::vector<uint8_t>>(count);
    return {storage, storage->data()};
  }
  std::error_code error;
  auto block =
      Memory::allocateMappedMemory(count, nullptr, Memory::MF_READ | Memory::MF_WRITE, error);
  if (error)
    llvm::report_bad_alloc_error("no memory for an array");
  return {static_cast<uint8_t *>(block.base()),
          [block](uint8_t *) mutable { (void)Memory::releaseMappedMemory(block); }};
}

Array Array::allocate(DataType type, llvm::ArrayRef<int64_t> shape, uint8_t **bytes) {
  Array array;
  array.type = type;
  array.shape = shape.vec();
  auto storage = zeroes(array.bytes());
  array.data = storage.get();
  if (bytes)
    *bytes = storage.get();
  array.owner = std::move(storage);
  return array;
}

Array Array::copy(DataType type, llvm::ArrayRef<int64_t> shape, const void *source) {
  uint8_t *bytes = nullptr;
  Array array = allocate(type, shape, &bytes);
  if (array.bytes())
    memcpy(bytes, source, array.bytes());
  return array;
}

Array Array::view(DataType type, llvm::ArrayRef<int64_t> shape, std::shared_ptr<const void> owner) {
  return {type, shape.vec(), static_cast<const uint8_t *>(owner.get()), std::move(owner)};
}

} // namespace ds
