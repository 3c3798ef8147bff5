//===- Messages.h - How the runtime words its errors ------------*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef DSRT_SRC_BASE_MESSAGES_H
#define DSRT_SRC_BASE_MESSAGES_H

#include "dsrt/backend.h"

#include <string>
#include <vector>

namespace dsrt {

/// "rank 3" or "ranks 1, 3"; long lists end with how many more there are.
std::string nameRanks(const std::vector<int32_t> &ranks);

/// "all_reduce sum f32 (2 buffers, 4096 bytes) in the world of 4 on rank 1"; a group is named by
/// its ranks.
std::string describeCall(const dsrt_call &call, const std::vector<int32_t> &group,
                         int32_t worldSize, int32_t rank);

/// Returns the payload of a call on one rank: the part of one member, where there are parts.
int64_t payloadBytes(const dsrt_call &call);

/// Returns a hash that is the same for all members of a group.
uint64_t hashRanks(const std::vector<int32_t> &ranks);

/// Turns a text of a user, or of another rank, into one line that cannot control a terminal.
void keepPrintable(char *text);
/// Fills error->text like printf. Truncates.
void setText(dsrt_error *error, const char *format, ...) __attribute__((format(printf, 2, 3)));
/// Fills error->text likewise and returns `status`.
dsrt_status failWith(dsrt_error *error, dsrt_status status, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
/// Fills error with "timed out after T ms waiting for rank 3" and the list.
void setLate(dsrt_error *error, int64_t timeoutMs, const std::vector<int32_t> &late);

/// Values of CallSignature::op for rendezvous that are not collectives.
enum : int32_t { rendezvousJoin = -1, rendezvousLeave = -2, rendezvousGroup = -3 };

/// The fields of a call that all members must agree on, without pointers, so that processes can
/// exchange it.
struct CallSignature {
  uint64_t sequence = 0; // 0: not compared
  uint64_t step = 0;     // dsrt_set_step
  int32_t op = 0;
  int32_t dtype = 0;
  int32_t reduction = 0;
  int32_t root = 0;
  int64_t n_buffers = 0;
  uint64_t elementsHash = 0, sourcesHash = 0;
  int64_t totalElements = 0;

  /// Returns a hash of all fields.
  uint64_t fingerprint() const;
};

CallSignature signatureOf(const dsrt_call &call);

/// Compares the calls of two ranks; on a difference fills `error` with both values and returns
/// false. callA and callB make the message name the exact buffer or member; both are null if only
/// the signatures are at hand.
bool agree(int32_t rankA, const CallSignature &a, const dsrt_call *callA, int32_t rankB,
           const CallSignature &b, const dsrt_call *callB, dsrt_error *error);

} // namespace dsrt

#endif // DSRT_SRC_BASE_MESSAGES_H
