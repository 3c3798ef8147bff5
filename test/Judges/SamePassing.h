//===- SamePassing.h - Whether two declarations are called alike -*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef DS_TEST_JUDGES_SAMEPASSING_H
#define DS_TEST_JUDGES_SAMEPASSING_H

#include <type_traits>

namespace ds::judges {

/// Whether a value of one type is passed exactly like one of the other: types may have other names,
/// pointers for pointers, integers of the same size for enums.
template <typename Ours, typename Theirs> constexpr bool samePassing() {
  if constexpr (std::is_pointer_v<Ours> || std::is_pointer_v<Theirs>)
    return std::is_pointer_v<Ours> && std::is_pointer_v<Theirs>;
  else if constexpr (std::is_class_v<Ours> || std::is_class_v<Theirs>)
    return std::is_class_v<Ours> && std::is_class_v<Theirs> && sizeof(Ours) == sizeof(Theirs) &&
           alignof(Ours) == alignof(Theirs);
  else
    return sizeof(Ours) == sizeof(Theirs) &&
           std::is_floating_point_v<Ours> == std::is_floating_point_v<Theirs>;
}

template <typename Ours, typename Theirs> struct SameCall : std::false_type {};
template <typename R, typename... A, typename S, typename... B>
struct SameCall<R (*)(A...), S (*)(B...)> {
  static constexpr bool test() {
    if constexpr (sizeof...(A) != sizeof...(B))
      return false;
    else
      return samePassing<R, S>() && (samePassing<A, B>() && ...);
  }
  static constexpr bool value = test();
};

} // namespace ds::judges

#endif // DS_TEST_JUDGES_SAMEPASSING_H
