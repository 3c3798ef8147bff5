//===- Machine.h - Which ranks are on one machine ---------------*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef DSRT_SRC_BOOTSTRAP_MACHINE_H
#define DSRT_SRC_BOOTSTRAP_MACHINE_H

#include <string>
#include <vector>

namespace dsrt::bootstrap {

/// Returns 32 bytes, the same for all processes that reach each other by 127.0.0.1 and by abstract
/// names of sockets, and for no others: of one start of the system, and one of its networks.
std::string nameOfMachine();

/// Returns the addresses of the interfaces by which other machines may reach this one.
std::vector<std::string> addressesOfInterfaces();

} // namespace dsrt::bootstrap

#endif // DSRT_SRC_BOOTSTRAP_MACHINE_H
