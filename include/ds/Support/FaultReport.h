//===- FaultReport.h - A last word before a crash ---------------*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the signals of a crash become in a tool: one sentence with what was being done and whose
// code did it, and an exit code of its own. Libraries only say what they do; who embeds them keeps
// its own handlers.
//
//===----------------------------------------------------------------------===//
#ifndef DS_SUPPORT_FAULTREPORT_H
#define DS_SUPPORT_FAULTREPORT_H

#include "llvm/ADT/StringRef.h"

#include <cstddef>

namespace ds {

/// The exit code after a crash: EX_SOFTWARE of sysexits.h.
inline constexpr int exitFault = 70;

/// From now on a crash of this process is told in the name of `tool`. Handlers that somebody else
/// has set, as sanitizers do, stay.
void reportFaults(const char *tool);

/// What this thread does while the object lives, in words that go behind "while": "reading", 'x'.
/// The innermost one is told.
class Doing {
public:
  explicit Doing(llvm::StringRef what, llvm::StringRef name = "");
  ~Doing();
  Doing(const Doing &) = delete;
  Doing &operator=(const Doing &) = delete;
  const char *text() const { return words; }

private:
  const Doing *outer;
  char words[200];
};

/// Gives the signals back while the object lives: for libraries that complain of handlers that they
/// find.
class FaultsUnreported {
public:
  FaultsUnreported();
  ~FaultsUnreported();
  FaultsUnreported(const FaultsUnreported &) = delete;
  FaultsUnreported &operator=(const FaultsUnreported &) = delete;

private:
  bool reported;
};

} // namespace ds

#endif // DS_SUPPORT_FAULTREPORT_H
