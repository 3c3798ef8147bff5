//===- StandardStreams.h - Descriptors 0, 1 and 2 of a program --*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What every program of the project does first and last. Nothing of it is part of the runtime: a
// library leaves the descriptors of its host alone.
//
//===----------------------------------------------------------------------===//
#ifndef DSRT_SUPPORT_STANDARDSTREAMS_H
#define DSRT_SUPPORT_STANDARDSTREAMS_H

namespace dsrt {

/// Before anything is opened: descriptors that the caller has closed become /dev/null. A file or
/// socket would take their number otherwise, and get what is meant for the user.
void openStandardStreams();

/// The exit code of a program that would end with `code`: 1, with a sentence on standard error, if
/// `lost` is an error of a write to standard output, or stdio has one. Flushes stdio.
int closeStandardStreams(const char *program, int code, int lost = 0);

} // namespace dsrt

#endif // DSRT_SUPPORT_STANDARDSTREAMS_H
