//===- FatBinary.h - Where the PTX of an image is ---------------*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef DSRT_TEST_FAKES_CUDA_FATBINARY_H
#define DSRT_TEST_FAKES_CUDA_FATBINARY_H

#include <cstddef>
#include <stdexcept>
#include <string>

namespace fake {

struct ImageError : std::runtime_error {
  ImageError(int error, const std::string &text) : std::runtime_error(text), error(error) {}
  int error; // of CUDA
};

/// The PTX of an image for a device of that capability (90: 9.0): the text itself, or the newest of
/// a fat binary's texts that the device takes. Its machine code is passed over. Reads at most
/// `available` bytes. Throws ImageError.
std::string ptxOf(const void *image, size_t available, unsigned capability);

} // namespace fake

#endif // DSRT_TEST_FAKES_CUDA_FATBINARY_H
