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
  return dispatch(type, [](auto element) { return int64_t(sizeof(element)); });
}

bool isFloat(DataType type) {
  return dispatch(type, [](auto element) { return isFloatElement<decltype(element)>; });
}

const char *toString(DataType type) {
#define DS_NAME(type, Element, name, npy) name,
  static constexpr const char *names[] = {DS_DATA_TYPES(DS_NAME)};
#undef DS_NAME
  return names[static_cast<size_t>(type)];
}

const char *toNpy(DataType type) {
#define DS_NAME(type, Element, name, npy) npy,
  static constexpr const char *names[] = {DS_DATA_TYPES(DS_NAME)};
#undef DS_NAME
  return names[static_cast<size_t>(type)];
}

std::optional<DataType> findDataType(llvm::function_ref<bool(DataType)> matches) {
#define DS_TYPE(type, Element, name, npy) DataType::type,
  for (DataType type : {DS_DATA_TYPES(DS_TYPE)})
    if (matches(type))
      return type;
#undef DS_TYPE
  return std::nullopt;
}

DataType toDataType(ElementType type, bool isUnsigned) {
  switch (type) {
#define DS_CASE(type, bytes, stored, natural)                                                      \
  case ElementType::type:                                                                          \
    return isUnsigned ? DataType::natural : DataType::stored;
    DS_ELEMENT_TYPES(DS_CASE)
#undef DS_CASE
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
