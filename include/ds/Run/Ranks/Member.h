//===- Member.h - A process of a training that others may leave -*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The processes of a job under --min-processes are members of a roster, which the launcher keeps.
// A world of them ends when one is lost, leaves or joins; then each is a member of the next one.
//
//===----------------------------------------------------------------------===//
#ifndef DS_RUN_RANKS_MEMBER_H
#define DS_RUN_RANKS_MEMBER_H

#include "ds/Run/Options/RosterAddress.h"
#include "dsrt/roster.h"

#include "llvm/Support/Error.h"

#include <memory>

namespace ds {

class Member {
public:
  /// Joins the roster, waiting for it to come up. The number of DS_RANK, which the launcher gives,
  /// orders members of a host.
  static llvm::Expected<std::unique_ptr<Member>> join(const RosterAddress &address,
                                                      int64_t timeoutMs);
  ~Member() { dsrt_member_leave(handle); }
  Member(const Member &) = delete;

  /// Waits for the other members, and makes a world of all; `context` is null if there are no
  /// others. Tries again where a process is lost meanwhile. Fails if there are too few.
  llvm::Error makeWorld(const dsrt_options &options, dsrt_context *&context);

  /// Makes the next world not wait for processes that a collective has waited for in vain.
  void miss(const dsrt_context *context) { dsrt_member_miss(handle, context); }

  /// Returns the number of the world, from 1 on.
  int64_t generation() const { return dsrt_member_generation(handle); }
  bool isAwaited() { return dsrt_member_is_awaited(handle) > 0; }
  /// True if the training's processes are too few, or the roster has ended.
  bool isAlone() const { return alone; }
  bool isRosterLost() { return dsrt_member_is_awaited(handle) < 0; }

private:
  explicit Member(dsrt_member *handle) : handle(handle) {}

  dsrt_member *const handle;
  bool alone = false;
};

} // namespace ds

#endif // DS_RUN_RANKS_MEMBER_H
