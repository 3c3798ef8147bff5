//===- queue.h - Collectives that a device's stream carries ------*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// For programs whose buffers and work are on a device. Between dsrt_queue_begin and dsrt_queue_end
// collectives, starts and waits return as soon as their work is queued, so that a step can be
// captured as a graph and launched again. dsrt_queue_wait reports what fails later.
//
//===----------------------------------------------------------------------===//
#ifndef DSRT_QUEUE_H
#define DSRT_QUEUE_H

#include "dsrt/backend.h"

#ifdef __cplusplus
extern "C" {
#endif

/// Moves the buffers of ranks that are threads of one process (`local`), which host threads cannot
/// reach: the ranks meet and compare their calls as usual, and then each queues its share. Marks
/// belong to the program; they live until dsrt_queue_end of all ranks.
typedef struct dsrt_mover {
  void *state;
  /// Called on this rank's thread before the ranks meet: marks the work that the call's buffers
  /// depend on.
  dsrt_status (*mark)(void *state, void **out_mark, dsrt_error *error);
  /// Called when all members have arrived: queues this member's share, after the marks of all
  /// (calls[m]->ready).
  dsrt_status (*move)(void *state, const dsrt_call *const *calls, int64_t members, int64_t index,
                      dsrt_error *error);
  /// Called when all members have queued their shares. Once this rank's work reaches `out_done`, no
  /// other rank uses its buffers.
  dsrt_status (*join)(void *state, void *const *marks, int64_t members, int64_t index,
                      void **out_done, dsrt_error *error);
  /// Makes the program's stream wait for `done`.
  dsrt_status (*follow)(void *state, void *done, dsrt_error *error);
} dsrt_mover;

/// Returns a number, not 0, that no other context of this process has or had; and, given a number,
/// whether its context still exists, for memory that may outlive it.
uint64_t dsrt_context_number(const dsrt_context *context);
int32_t dsrt_context_exists(uint64_t number);

/// Returns 1 if the backend can queue (DSRT_CAP_QUEUED); `local` does it by a mover.
int32_t dsrt_can_queue(const dsrt_context *context);

/// From here on collectives of device buffers begin after the work that `stream` holds, and later
/// work of `stream` waits for them: for a blocking call from the call on, for a started one from
/// its wait on. `mover` is for backends without a stream of their own. `checked`: members meet at
/// each call and compare it, as usual; else they do not meet, as a capture may need, and
/// dsrt_queue_compare compares once. Movers always meet.
DSRT_NODISCARD dsrt_status dsrt_queue_begin(dsrt_context *context, void *stream,
                                            const dsrt_mover *mover, int32_t checked);
DSRT_NODISCARD dsrt_status dsrt_queue_end(dsrt_context *context);
/// Compares all calls between the last dsrt_queue_begin and dsrt_queue_end with those of the other
/// members of their groups, by one hash per group: checks an unchecked capture before it runs. A
/// collective of these groups.
DSRT_NODISCARD dsrt_status dsrt_queue_compare(dsrt_context *context);

/// Polls `look`, which returns 1 once all queued work has ended, and writes how many exchanges of
/// the step this rank's work has reached. Fails with DSRT_TIMEOUT if that takes longer than the
/// context's timeout, and ends the communicators; where all ranks wait `together`, it names those
/// that have reached the fewest exchanges, or do not answer. The queued work may then never end:
/// its memory must not be freed.
DSRT_NODISCARD dsrt_status dsrt_queue_wait(dsrt_context *context, int32_t together,
                                           int32_t (*look)(void *state, int64_t *out_exchanges),
                                           void *state);

/// Returns the context's timeout in milliseconds; the default for null.
int64_t dsrt_timeout_ms(const dsrt_context *context);

/// Describes the queued work, for the message of a dsrt_queue_wait that times out: "step 3", or
/// "step 3, kernel 'k'". The text lives until the next call; null: no description.
void dsrt_queue_note(dsrt_context *context, const char *what);

#ifdef __cplusplus
} // extern "C"
#endif

#endif // DSRT_QUEUE_H
