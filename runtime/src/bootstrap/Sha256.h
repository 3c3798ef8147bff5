//===- Sha256.h - SHA-256 and HMAC ------------------------------*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef DSRT_SRC_BOOTSTRAP_SHA256_H
#define DSRT_SRC_BOOTSTRAP_SHA256_H

#include <array>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <string>
#include <string_view>

namespace dsrt::bootstrap {

using Digest = std::array<uint8_t, 32>;

/// FIPS 180-4.
Digest sha256(std::string_view message);
/// RFC 2104 with SHA-256, of the concatenated parts.
Digest hmacSha256(std::string_view key, std::initializer_list<std::string_view> parts);
/// Takes the same time for any position of the first difference.
bool equalInConstantTime(const Digest &a, const Digest &b);

} // namespace dsrt::bootstrap

#endif // DSRT_SRC_BOOTSTRAP_SHA256_H
