//===- FatBinary.cpp - Where the PTX of an image is -------------*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A fat binary is a header {magic u32, version u16, header's size u16, bytes behind it u64} and
// entries {kind u16: 1 for PTX, 2 for machine code; u16; header's size u32; payload's bytes u64;
// ..}.
//
//===----------------------------------------------------------------------===//
#include "FatBinary.h"

#include <algorithm>
#include <cstdint>
#include <cstring>

namespace fake {
namespace {

enum : int { invalidImage = 200, noBinary = 209 };
constexpr uint32_t magic = 0xba55ed50;
constexpr uint16_t ptxKind = 1;

template <typename T> T readAt(const char *data, size_t offset) {
  T value;
  std::memcpy(&value, data + offset, sizeof value);
  return value;
}

/// The number behind "sm_" in the text's .target; 0 if there is none.
unsigned targetOf(const std::string &text) {
  size_t at = text.find(".target");
  at = at == std::string::npos ? at : text.find("sm_", at);
  unsigned number = 0;
  for (at = at == std::string::npos ? text.size() : at + 3;
       at < text.size() && text[at] >= '0' && text[at] <= '9' && number < 10000; ++at)
    number = number * 10 + static_cast<unsigned>(text[at] - '0');
  return number;
}

} // namespace

std::string ptxOf(const void *image, size_t available, unsigned capability) {
  const char *data = static_cast<const char *>(image);
  auto checked = [&](std::string text) {
    const unsigned target = targetOf(text);
    if (target == 0)
      throw ImageError(invalidImage, "an image that is neither PTX nor a fat binary");
    if (target > capability)
      throw ImageError(noBinary, "code for sm_" + std::to_string(target) + ", the device is sm_" +
                                     std::to_string(capability));
    return text;
  };
  if (available < 4 || readAt<uint32_t>(data, 0) != magic)
    return checked(std::string(data, strnlen(data, available)));
  if (available < 16)
    throw ImageError(invalidImage, "a fat binary that ends in its header");
  const size_t header = readAt<uint16_t>(data, 6);
  const uint64_t behind = readAt<uint64_t>(data, 8);
  if (header < 16 || header > available || behind > available - header)
    throw ImageError(invalidImage, "a fat binary that is shorter than its header says");
  std::string best;
  unsigned bestTarget = 0, refused = 0;
  for (uint64_t at = header, end = header + behind; at < end;) {
    if (end - at < 16)
      throw ImageError(invalidImage, "a fat binary that ends in an entry");
    const auto kind = readAt<uint16_t>(data, at);
    const uint64_t entry = readAt<uint32_t>(data, at + 4), bytes = readAt<uint64_t>(data, at + 8);
    if (entry < 16 || entry > end - at || bytes > end - at - entry)
      throw ImageError(invalidImage, "an entry of a fat binary that is longer than the binary");
    if (kind == ptxKind) {
      const char *payload = data + at + entry;
      std::string text(payload, strnlen(payload, bytes));
      const unsigned target = targetOf(text);
      if (target == 0)
        throw ImageError(invalidImage, "PTX that is compressed, or none");
      if (target > capability)
        refused = target;
      else if (target >= bestTarget)
        best = std::move(text), bestTarget = target;
    }
    at += entry + bytes;
  }
  if (bestTarget == 0)
    throw ImageError(noBinary, refused ? "code for sm_" + std::to_string(refused) +
                                             ", the device is sm_" + std::to_string(capability)
                                       : "no PTX in the fat binary");
  return best;
}

} // namespace fake
