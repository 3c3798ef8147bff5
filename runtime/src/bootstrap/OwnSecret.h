//===- OwnSecret.h - One user's secret on a machine -------------*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef DSRT_SRC_BOOTSTRAP_OWNSECRET_H
#define DSRT_SRC_BOOTSTRAP_OWNSECRET_H

#include <string>

namespace dsrt::bootstrap {

/// Reads the secret of this user on this machine, and makes it at the first call: a file in a
/// folder of the user's below TMPDIR or /tmp, which no other user can read. False: `why` is the
/// reason.
bool readOwnSecret(std::string &out, std::string &why);

} // namespace dsrt::bootstrap

#endif // DSRT_SRC_BOOTSTRAP_OWNSECRET_H
