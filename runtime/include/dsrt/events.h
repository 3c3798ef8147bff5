//===- events.h - When a rank starts and waits ------------------*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// For profiles: the times at which the caller's thread enters and leaves asynchronous collectives.
//
//===----------------------------------------------------------------------===//
#ifndef DSRT_EVENTS_H
#define DSRT_EVENTS_H

#include "dsrt/dsrt.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum dsrt_event_kind {
  DSRT_EVENT_START = 0,   // a start is called
  DSRT_EVENT_WAIT = 1,    // a wait is called
  DSRT_EVENT_WAITED = 2,  // a wait returns
  DSRT_EVENT_STARTED = 3, // a start returns
} dsrt_event_kind;

typedef struct dsrt_event {
  dsrt_event_kind kind;
  uint32_t exchange; // counts the starts of the context, from 0
  uint64_t ns;       // of the steady clock
} dsrt_event;

/// Moves the events since the last call to out_events, the oldest first, and returns their number,
/// `capacity` at most; events that do not fit are dropped. None are kept before the first call.
int64_t dsrt_take_events(dsrt_context *context, int64_t capacity, dsrt_event *out_events);

#ifdef __cplusplus
} // extern "C"
#endif

#endif // DSRT_EVENTS_H
