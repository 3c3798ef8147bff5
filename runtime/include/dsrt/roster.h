//===- roster.h - Processes that come and go ---------------------*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// For programs that outlive their world. One process, such as a launcher, keeps a roster; the
// others are its members. All members together make a world (dsrt_member_init), and when a process
// of it is lost, or a new one waits, those that are there make the next one. What a rank computed
// is the program's own affair: contexts of the last world are shut down before.
//
//   dsrt_member_join(address, port, -1, 60000, &member);
//   while (work is left) {
//     dsrt_member_init(member, &options, &context);   // waits for the others
//     ... dsrt_failed(context), or dsrt_member_is_awaited(member) at a place where all can stop
//     dsrt_member_miss(member, context);              // if a process did not answer
//     dsrt_shutdown(context);
//   }
//   dsrt_member_leave(member);
//
// The secret is that of Launching.md: DS_SECRET, DS_SECRET_FILE, or the user's own on 127.0.0.1.
//
//===----------------------------------------------------------------------===//
#ifndef DSRT_ROSTER_H
#define DSRT_ROSTER_H

#include "dsrt/dsrt.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct dsrt_roster dsrt_roster;
typedef struct dsrt_member dsrt_member;

typedef struct dsrt_roster_options {
  uint32_t struct_size; // sizeof(dsrt_roster_options)
  int32_t expected;     // processes that make the first world
  int32_t least, most;  // processes of any world, 1 to 4096; `most` is the number of ranks
  int64_t max_wait_ms;  // for members that do not arrive, and for worlds that do not come up
} dsrt_roster_options;

/// Keeps a roster on a thread of this process, at `address` and `port`; 0 takes a free one, which
/// is written back. Errors are texts of dsrt_last_error(NULL), as of all functions here.
DSRT_NODISCARD dsrt_status dsrt_roster_open(const dsrt_roster_options *options, const char *address,
                                            int32_t *port, dsrt_roster **out_roster);
/// Returns how many members there are, those that wait for a place included; -1 once they have been
/// refused because they were too few.
int32_t dsrt_roster_members(const dsrt_roster *roster);
/// Members that wait fail.
void dsrt_roster_close(dsrt_roster *roster);

/// Joins a roster, waiting for it to come up. Members of a host get ranks in the order of their
/// numbers, new ones after the others; `number` is taken if it is free and not -1, else the lowest
/// that is free.
DSRT_NODISCARD dsrt_status dsrt_member_join(const char *address, int32_t port, int32_t number,
                                            int64_t timeout_ms, dsrt_member **out_member);
/// Waits for a place, and makes the world over tcp with the others. `out_context` is null if this
/// process is alone. DSRT_UNAVAILABLE: there are too few members, or the roster has ended; after
/// any other failure the member may try again, because a process was lost meanwhile.
DSRT_NODISCARD dsrt_status dsrt_member_init(dsrt_member *member, const dsrt_options *options,
                                            dsrt_context **out_context);
/// Informs the roster, when this member arrives next, which processes the collectives of its last
/// world have waited for in vain (dsrt_late_ranks), so that the next world does not wait for them
/// again. Of a context that is not late it takes nothing.
void dsrt_member_miss(dsrt_member *member, const dsrt_context *context);
/// Returns the number of this member's last world, from 1 on; 0 before the first.
int64_t dsrt_member_generation(const dsrt_member *member);
/// Returns 1 if a process waits for the end of the world and there is room for it, 0 if none does,
/// -1 if the roster has ended. Asks at most every 50 ms.
int32_t dsrt_member_is_awaited(dsrt_member *member);
void dsrt_member_leave(dsrt_member *member);

#ifdef __cplusplus
} // extern "C"
#endif

#endif // DSRT_ROSTER_H
