//===- LibraryFunctions.h - Functions that a step's code calls --*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Code that is linked in this process gets their addresses (Jit.h); code that ds-compile has
// written is linked with the library that exports them.
//
//===----------------------------------------------------------------------===//
#ifndef DS_LIB_TARGET_CPU_LIBRARYFUNCTIONS_H
#define DS_LIB_TARGET_CPU_LIBRARYFUNCTIONS_H

#include <cstdint>

namespace ds {
struct LibraryState;

/// Their names; on a GPU others follow them.
inline constexpr char kLibraryRunName[] = "ds_library_run";
inline constexpr char kProfileMarkName[] = "ds_profile_mark";
inline constexpr char kAssertionFailedName[] = "ds_assertion_failed";
} // namespace ds

extern "C" {

/// Makes call number `plan` of a rank: the body of the functions of library calls. Only GPUs have a
/// `bias`.
__attribute__((visibility("default"))) void ds_library_run(ds::LibraryState *state, int64_t plan,
                                                           const float *lhs, const float *rhs,
                                                           float *out, const float *bias);
/// Marks the end of call number `call` of the driver, for profiles.
__attribute__((visibility("default"))) void ds_profile_mark(ds::LibraryState *state, int64_t call);
/// Ends the step that runs on the calling thread, because an assertion of it does not hold.
__attribute__((visibility("default"))) [[noreturn]] void ds_assertion_failed(const char *place,
                                                                             const char *message);

} // extern "C"

#endif // DS_LIB_TARGET_CPU_LIBRARYFUNCTIONS_H
