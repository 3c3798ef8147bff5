//===- Lookup.h - Addresses of names, within a deadline ---------*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The system's resolver blocks for as long as its configuration sets, which no caller can change.
// It runs on a thread of its own, which is abandoned when the deadline passes.
//
//===----------------------------------------------------------------------===//
#ifndef DSRT_SRC_BOOTSTRAP_LOOKUP_H
#define DSRT_SRC_BOOTSTRAP_LOOKUP_H

#include "base/Deadline.h"

#include <string>
#include <sys/socket.h>
#include <vector>

namespace dsrt::bootstrap {

struct Address {
  sockaddr_storage storage = {};
  socklen_t length = 0;

  int family() const { return storage.ss_family; }
  const sockaddr *get() const { return reinterpret_cast<const sockaddr *>(&storage); }
};

/// Returns the addresses of a number such as 10.0.0.1 or ::1 without a look-up; none if it is a
/// name.
std::vector<Address> addressesOfNumber(const std::string &number, int32_t port);

/// Returns all addresses of a name or number; of "", those by which a machine reaches itself. None:
/// `why` is the reason.
std::vector<Address> lookUp(const std::string &name, int32_t port, const Deadline &deadline,
                            std::string &why);

/// Returns every address of this machine: of both families first, where the system has IPv6.
std::vector<Address> anyAddress(int32_t port);

} // namespace dsrt::bootstrap

#endif // DSRT_SRC_BOOTSTRAP_LOOKUP_H
