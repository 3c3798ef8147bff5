//===- queue.h - Collectives that a device's stream carries ------*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// For a program whose buffers and work are a device's. Between dsrt_queue_begin and dsrt_queue_end
// collectives, starts and waits return as soon as their work is queued, so that a step can be
// captured as a graph and launched again. What goes wrong later is seen by dsrt_queue_wait.
//
//===----------------------------------------------------------------------===//
#ifndef DSRT_QUEUE_H
#define DSRT_QUEUE_H

#include "dsrt/backend.h"

#ifdef __cplusplus
extern "C" {
#endif

/// Moves the buffers of ranks that are threads of one process (`local`), which host threads cannot
/// reach: the ranks meet and compare their calls as ever, and then each queues its share. Marks are
/// the program's own; they live until dsrt_queue_end of all ranks.
typedef struct dsrt_mover {
  void *state;
  /// On this rank's thread, before the ranks meet: what the call's buffers depend on.
  dsrt_status (*mark)(void *state, void **out_mark, dsrt_error *error);
  /// All members have come: queues this member's share, behind the marks of all (calls[m]->ready).
  dsrt_status (*move)(void *state, const dsrt_call *const *calls, int64_t members, int64_t index,
                      dsrt_error *error);
  /// All members have queued theirs. Once this rank's work has come to `out_done` its buffers are
  /// its own again.
  dsrt_status (*join)(void *state, void *const *marks, int64_t members, int64_t index,
                      void **out_done, dsrt_error *error);
  /// The program's stream goes on behind `done`.
  dsrt_status (*follow)(void *state, void *done, dsrt_error *error);
} dsrt_mover;

/// A number that no other context of this process has or had, not 0; and whether that context still
/// exists, for memory that may outlive it.
uint64_t dsrt_context_number(const dsrt_context *context);
int32_t dsrt_context_exists(uint64_t number);

/// 1 if the backend can queue (DSRT_CAP_QUEUED); `local` does it by a mover.
int32_t dsrt_can_queue(const dsrt_context *context);

/// From here on collectives of device buffers begin behind what `stream` holds, and `stream` goes
/// on behind them, or behind their wait. `mover` is for backends without a stream of their own.
/// `checked`: members meet at each call and compare it, as ever; else nobody is waited for, as a
/// capture may need, and dsrt_queue_compare does it once. Movers always meet.
DSRT_NODISCARD dsrt_status dsrt_queue_begin(dsrt_context *context, void *stream,
                                            const dsrt_mover *mover, int32_t checked);
DSRT_NODISCARD dsrt_status dsrt_queue_end(dsrt_context *context);
/// Compares all calls between the last dsrt_queue_begin and dsrt_queue_end with those of the other
/// members of their groups, by one hash of each group's: what was captured unchecked, before it
/// runs. A collective of these groups.
DSRT_NODISCARD dsrt_status dsrt_queue_compare(dsrt_context *context);

/// Polls `look`, which gives 1 once all queued work has ended, and writes to how many exchanges of
/// the step this rank's work has come. Fails with DSRT_TIMEOUT if that takes longer than the
/// context's timeout, and ends the communicators; where all ranks wait `together`, it names those
/// that have come least far, or do not answer. What is queued may then never end: its memory must
/// not be freed.
DSRT_NODISCARD dsrt_status dsrt_queue_wait(dsrt_context *context, int32_t together,
                                           int32_t (*look)(void *state, int64_t *out_exchanges),
                                           void *state);

/// The context's timeout, in milliseconds; that of the defaults for null.
int64_t dsrt_timeout_ms(const dsrt_context *context);

/// What is queued, for the message of a dsrt_queue_wait that ends with the timeout: "step 3", or
/// "step 3, kernel 'k'". Lives until the next one; null: nothing is said.
void dsrt_queue_note(dsrt_context *context, const char *what);

#ifdef __cplusplus
} // extern "C"
#endif

#endif // DSRT_QUEUE_H
