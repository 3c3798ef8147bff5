//===- DataType.h - Element types of files and arrays -----------*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One list has what is known of each type; names, sizes, readers, writers and conversions follow.
//
//===----------------------------------------------------------------------===//
#ifndef DS_DATA_DATATYPE_H
#define DS_DATA_DATATYPE_H

#include "ds/Data/Half.h"
#include "ds/Step/Manifest.h"

#include "llvm/ADT/STLFunctionalExtras.h"

#include <cstdint>
#include <cstdlib>
#include <optional>
#include <type_traits>

namespace ds {

/// Each type: its enumerator, the C++ type of an element, its name in messages, its name in .npy.
#define DS_DATA_TYPES(X)                                                                           \
  X(f64, double, "f64", "<f8")                                                                     \
  X(f32, float, "f32", "<f4")                                                                      \
  X(f16, Float16, "f16", "<f2")                                                                    \
  X(bf16, BFloat16, "bf16", "<V2")                                                                 \
  X(i64, int64_t, "i64", "<i8")                                                                    \
  X(i32, int32_t, "i32", "<i4")                                                                    \
  X(i16, int16_t, "i16", "<i2")                                                                    \
  X(i8, int8_t, "i8", "|i1")                                                                       \
  X(u64, uint64_t, "u64", "<u8")                                                                   \
  X(u32, uint32_t, "u32", "<u4")                                                                   \
  X(u16, uint16_t, "u16", "<u2")                                                                   \
  X(u8, uint8_t, "u8", "|u1")                                                                      \
  X(boolean, Boolean, "bool", "|b1")

/// Element types of files. A superset of ElementType: steps are signless, files are not.
enum class DataType {
#define DS_ENUMERATOR(type, Element, name, npy) type,
  DS_DATA_TYPES(DS_ENUMERATOR)
#undef DS_ENUMERATOR
};

/// A byte of a file, which is true unless it is 0.
struct Boolean {
  uint8_t byte = 0;
  operator uint8_t() const { return byte != 0; }
};

/// True for the C++ types of floats.
template <typename Element>
inline constexpr bool isFloatElement =
    std::is_floating_point_v<Element> || std::is_same_v<Element, Float16> ||
    std::is_same_v<Element, BFloat16>;

/// Calls `function` with an element of the C++ type of `type`, which gives it that type.
template <typename Function> decltype(auto) dispatch(DataType type, Function &&function) {
  switch (type) {
#define DS_CASE(type, Element, name, npy)                                                          \
  case DataType::type:                                                                             \
    return function(Element());
    DS_DATA_TYPES(DS_CASE)
#undef DS_CASE
  }
  abort(); // not an enumerator of the type
}

/// Returns the bytes of one stored element.
int64_t byteSize(DataType type);
/// Returns `f32`, `u8`, `bool`: for messages.
const char *toString(DataType type);
/// Returns `<f4`, `|u1`: for .npy.
const char *toNpy(DataType type);
bool isFloat(DataType type);
/// Returns the first type that `matches` accepts.
std::optional<DataType> findDataType(llvm::function_ref<bool(DataType)> matches);
/// Returns the type in which an argument or result of a step is stored in a file. Element types
/// have no sign; without `isUnsigned` integers are signed.
DataType toDataType(ElementType type, bool isUnsigned = false);

} // namespace ds

#endif // DS_DATA_DATATYPE_H
