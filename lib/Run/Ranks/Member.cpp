//===- Member.cpp - A process of a training that others may leave ---------===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "ds/Run/Ranks/Member.h"

#include "llvm/ADT/StringRef.h"

#include <cstdlib>

namespace ds {

using llvm::Error;
using llvm::Expected;

Expected<std::unique_ptr<Member>> Member::join(const RosterAddress &address, int64_t timeoutMs) {
  dsrt_member *handle = nullptr;
  int32_t number = -1;
  const char *given = std::getenv("DS_RANK");
  if (!given || llvm::StringRef(given).getAsInteger(10, number))
    number = -1;
  if (dsrt_member_join(address.host.c_str(), address.port, number, timeoutMs, &handle) != DSRT_OK)
    return llvm::createStringError("no roster at " + address.text() +
                                   " (--roster): " + dsrt_last_error(nullptr));
  return std::unique_ptr<Member>(new Member(handle));
}

Error Member::makeWorld(const dsrt_options &options, dsrt_context *&context) {
  constexpr int mostLosses = 100; // each is a process that ended before its first exchange
  for (int losses = 0;; ++losses) {
    const dsrt_status status = dsrt_member_init(handle, &options, &context);
    if (status == DSRT_OK)
      return Error::success();
    alone = status == DSRT_UNAVAILABLE;
    if (alone || losses == mostLosses)
      return llvm::createStringError(std::string("the processes make no world: ") +
                                     dsrt_last_error(nullptr));
  }
}

} // namespace ds
