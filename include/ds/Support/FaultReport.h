//===- FaultReport.h - Reports the cause of a crash -------------*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Turns the signals of a crash in a tool into one sentence, with the current activity and the file
// of the faulting code, and an exit code of its own. Libraries only record their activity; a
// program that embeds them keeps its own handlers.
//
//===----------------------------------------------------------------------===//
#ifndef DS_SUPPORT_FAULTREPORT_H
#define DS_SUPPORT_FAULTREPORT_H

#include "llvm/ADT/StringRef.h"

#include <cstddef>

namespace ds {

/// The exit code after a crash: EX_SOFTWARE of sysexits.h.
inline constexpr int exitFault = 70;

/// From now on, reports a crash of this process in the name of `tool`. Handlers that are already
/// set, as by sanitizers, stay.
void reportFaults(const char *tool);

/// The activity of this thread while the object lives, in words that follow "while": "reading",
/// 'x'. The innermost one is reported.
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

/// Restores the default handlers while the object lives: for libraries that complain about handlers
/// that they find.
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
