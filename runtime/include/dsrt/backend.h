//===- backend.h - The functions that a backend implements ------*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One versioned table of functions. The core (runtime/src/core) checks arguments, keeps errors
// sticky, runs asynchronous calls beside the caller and counts; a backend only meets its peers and
// moves data. docs/AddingABackend.md walks through a complete example.
//
//===----------------------------------------------------------------------===//
#ifndef DSRT_BACKEND_H
#define DSRT_BACKEND_H

#include "dsrt/dsrt.h"

#ifdef __cplusplus
extern "C" {
#endif

/// Grows when the meaning of an existing field changes; new fields go to the end and are guarded by
/// struct_size.
#define DSRT_BACKEND_ABI_VERSION 1u

/// Capability flags of a backend.
enum {
  DSRT_CAP_IN_ORDER =
      1u << 0, // can reduce in rank order (options.deterministic); otherwise it must be 0
  DSRT_CAP_MULTIPROCESS = 1u << 1, // ranks are processes
  DSRT_CAP_THREADS =
      1u << 2,            // collective() may run on another thread than the one that called init
  DSRT_CAP_NAN = 1u << 3, // max and min of floats give NaN if any element is NaN
  DSRT_CAP_POLLED =
      1u << 4, // collective() calls dsrt_call.yield whenever it waits, and then needs no thread
  DSRT_CAP_QUEUED = 1u << 5 // has queue, follow and probe: collective() can queue instead of wait
};

struct dsrt_mover;

/// Where a backend writes why it failed. `text` continues the sentence "all_reduce sum f32 ... on
/// rank 1 of 4: ".
typedef struct dsrt_error {
  char text[768];
  int32_t num_late; // how many ranks are late (DSRT_TIMEOUT)
  int32_t late[64]; // the first of them, ascending ranks of the world
} dsrt_error;

/// One collective, already checked by the core: sizes are not negative, pointers are set, the dtype
/// and the reduction are in the backend's table, and root is a member.
typedef struct dsrt_call {
  dsrt_op op;
  dsrt_dtype dtype;
  dsrt_reduction reduction; // all_reduce and reduce_scatter
  int32_t root;             // broadcast: index in the group
  int64_t n_buffers;
  const void *const *inputs; // equal to outputs for in-place calls
  void *const *outputs;
  const int64_t *elements; // per buffer; for buffers in parts, the elements of ONE member's part
  uint64_t sequence; // number of this call in its group, from 1; equal on all members that agree
  int64_t timeout_ms;
  uint32_t one_span; // 1: buffers lie in one registered arena, less than 64 bytes apart, ascending
  uint64_t *waiting_ns; // out: time until the last member had arrived
  void *ready;          // the mark that `mark` returned for this call, or null
  /// permute: for each of n_sources members the one it receives from, or -1. Null, in a group of
  /// group_create_apart alone: a call that only the members make which send or receive.
  const int64_t *sources;
  int64_t n_sources;
  int32_t source, destination; // permute: members to receive from and to send to, or -1
  uint64_t leaves_ns; // on the steady clock: when the call was made and this member's link was free
  uint64_t *latest_ns; // out, where there is a modelled link: the latest leaves_ns of the members
  /// (DSRT_CAP_POLLED) Called with `yields_to` before each poll for arrived data but the first.
  /// Returns 1 if the caller has computed meanwhile: poll again without sleeping. Returns 0: wait
  /// as without it. A null pointer means 0.
  int32_t (*yield)(void *yields_to);
  void *yields_to;
  void **done;   // out, if queued: the argument of `follow`, or null if the call has ended
  uint64_t step; // dsrt_set_step
} dsrt_call;

/// Where the core has placed a rank, for a backend that joins by a store instead of by a launcher
/// of its own.
typedef struct dsrt_place {
  int32_t rank, num_ranks;
  int32_t local_rank, local_size; // among the ranks of this machine: which device to take
  void *store;                    // dsrt::bootstrap::Store of this rank; lives until after shutdown
} dsrt_place;

typedef struct dsrt_backend {
  uint32_t abi_version; // DSRT_BACKEND_ABI_VERSION
  uint32_t struct_size; // sizeof(dsrt_backend)
  const char *name;     // lower case, without spaces
  uint32_t capabilities;
  uint32_t alignment; // bytes

  /// Bit r of entry d: reduction r works on dtype d. A zero entry: the dtype is not supported at
  /// all.
  uint32_t reductions[DSRT_NUM_DTYPES];

  /// Joins the world of this process. `state` is passed to all functions below.
  dsrt_status (*init)(const dsrt_options *options, void **out_state, int32_t *out_rank,
                      int32_t *out_num_ranks, dsrt_error *error);
  /// Frees the state. With `failed` it must not wait for other ranks.
  dsrt_status (*shutdown)(void *state, int32_t failed, dsrt_error *error);

  /// Makes a group of ranks, ascending, this one included; called by its members only, and for the
  /// world at init.
  dsrt_status (*group_create)(void *state, int32_t num_ranks, const int32_t *ranks,
                              int64_t timeout_ms, void **out_group, dsrt_error *error);
  void (*group_destroy)(void *state, void *group, int32_t failed);

  /// Runs one call to its end, or fails within about call->timeout_ms.
  dsrt_status (*collective)(void *state, void *group, const dsrt_call *call, dsrt_error *error);

  /// (optional) Notifies the other ranks that this rank's context has failed with `status`, without
  /// waiting, so that they need not run into their timeout.
  void (*failed)(void *state, dsrt_status status, const char *text, const dsrt_error *details);
  /// (optional) Returns DSRT_OK, or the status and text for this rank if another rank has ended the
  /// world. Called often and from any thread: cheap.
  dsrt_status (*poll)(void *state, dsrt_error *error);
  /// Ends the world, from any thread.
  void (*abort)(void *state, const char *reason);

  /// (optional) Memory that many calls will use.
  dsrt_status (*buffer_register)(void *state, void *data, int64_t bytes, dsrt_error *error);
  void (*buffer_unregister)(void *state, void *data);

  /// (instead of init) Joins the world at a place that the core has found in the environment
  /// (dsrt_init), or that is one of many in this process (dsrt_world_create). Ranks in one process
  /// call it at the same time on threads of their own.
  dsrt_status (*join)(const dsrt_options *options, const dsrt_place *place, void **out_state,
                      dsrt_error *error);

  /// Bit d: all_gather, all_to_all, permute and broadcast move dtype d although it has no
  /// reduction.
  uint32_t moves;
  uint32_t reserved;
  /// (optional) Overwrites the fields that only a living rank knows; the core fills in the rest.
  void (*describe)(void *state, dsrt_capabilities *capabilities);

  /// (optional, all or none) Device memory, and the stream on which the caller works.
  dsrt_status (*memory_alloc)(void *state, int64_t bytes, void **out_data, dsrt_error *error);
  void (*memory_free)(void *state, void *data);
  dsrt_status (*memory_copy)(void *state, void *to, const void *from, int64_t bytes,
                             int64_t timeout_ms, dsrt_error *error);
  dsrt_status (*set_stream)(void *state, void *stream, dsrt_error *error);
  /// (optional) Called on the caller's thread for each collective: marks the work that its buffers
  /// depend on, for dsrt_call.ready; null if there is none. Each mark goes to exactly one
  /// collective.
  dsrt_status (*mark)(void *state, void **out_mark, dsrt_error *error);
  /// (optional) Returns how many devices this process can use; "auto" chooses a backend that has
  /// enough. May load the vendor's libraries, but joins nothing.
  int32_t (*devices)(void);

  /// (DSRT_CAP_QUEUED) See queue.h: collectives of device buffers are queued after their mark,
  /// which belongs to `stream` or to the mover, until a call with both null. Without `checked` the
  /// ranks do not meet before a collective, unless by a mover.
  dsrt_status (*queue)(void *state, void *stream, const struct dsrt_mover *mover, int32_t checked,
                       dsrt_error *error);
  /// (DSRT_CAP_QUEUED) Makes the caller's stream wait for a collective, given its dsrt_call.done.
  dsrt_status (*follow)(void *state, void *done, dsrt_error *error);
  /// (DSRT_CAP_QUEUED) Checks the rank's wait number `wait`, 0 for one that other ranks do not take
  /// part in. grace_ms < 0: the wait has ended. 0: returns whether anything has failed since. Else
  /// the wait has timed out after `exchanges`: finds the late ranks, listening to the others for
  /// grace_ms, and ends the work under way.
  dsrt_status (*probe)(void *state, uint64_t wait, int64_t exchanges, int64_t grace_ms,
                       dsrt_error *error);

  /// (optional) As group_create, but for a group whose collectives run beside all others of this
  /// state, on any one thread each: the groups of ranks that share a process. Its members alone
  /// give `name`. Several threads may make groups at once.
  dsrt_status (*group_create_apart)(void *state, int32_t num_ranks, const int32_t *ranks,
                                    uint64_t name, int64_t timeout_ms, void **out_group,
                                    dsrt_error *error);
} dsrt_backend;

/// Adds a backend to those that dsrt_init knows; the table must outlive every context. Fails with
/// DSRT_INVALID_ARGUMENT if the version differs, a function is missing, or the name is taken.
DSRT_NODISCARD dsrt_status dsrt_register_backend(const dsrt_backend *backend);

#ifdef __cplusplus
} // extern "C"
#endif

#endif // DSRT_BACKEND_H
