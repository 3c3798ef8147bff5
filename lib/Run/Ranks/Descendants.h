//===- Descendants.h - Processes that a process has started -----*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef DS_RUN_RANKS_DESCENDANTS_H
#define DS_RUN_RANKS_DESCENDANTS_H

#include <sys/types.h>
#include <vector>

namespace ds {

/// Returns the processes that `ancestor` has started, directly or not, and that run this program.
std::vector<pid_t> descendantsOfThisProgram(pid_t ancestor);
/// True if a process lives and runs this program.
bool runsThisProgram(pid_t process);
/// True if a process has a handler for the signal; without a handler the signal would end it.
bool handlesSignal(pid_t process, int signal);

} // namespace ds

#endif // DS_RUN_RANKS_DESCENDANTS_H
