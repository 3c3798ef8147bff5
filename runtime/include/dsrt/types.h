//===- types.h - Types of the runtime's calls -----------------------*- C -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The numbers are part of the ABI: compiled code holds them as constants.
//
//===----------------------------------------------------------------------===//
#ifndef DSRT_TYPES_H
#define DSRT_TYPES_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/// The result of a call. The comments state which one a backend chooses.
typedef enum dsrt_status {
  DSRT_OK = 0,
  /// The caller's mistake, seen without asking another rank: null, negative, not a member.
  DSRT_INVALID_ARGUMENT = 1,
  /// Well-formed, but this backend has no such dtype, reduction or feature.
  DSRT_UNSUPPORTED = 2,
  /// The backend cannot be used here: not built, no launcher, a library that does not fit.
  DSRT_UNAVAILABLE = 3,
  /// The wrong moment: a wait for an unknown handle, MPI after its finalisation.
  DSRT_FAILED_PRECONDITION = 4,
  /// Ranks disagree on call, dtype, reduction, root, sources or sizes; names ranks and both values.
  DSRT_MISMATCH = 5,
  /// Ranks did not arrive in time; names them.
  DSRT_TIMEOUT = 6,
  /// Some rank called dsrt_abort.
  DSRT_ABORTED = 7,
  /// Another rank's context failed first; names it and repeats its reason.
  DSRT_PEER_FAILED = 8,
  /// An allocation inside the runtime failed.
  DSRT_OUT_OF_MEMORY = 9,
  /// The library below reported an error; its text is in the message.
  DSRT_INTERNAL = 10
} dsrt_status;

/// Element types, in the order of ds's own. i1 is one byte that holds 0 or 1.
typedef enum dsrt_dtype {
  DSRT_F64 = 0,
  DSRT_F32 = 1,
  DSRT_F16 = 2,
  DSRT_BF16 = 3,
  DSRT_I64 = 4,
  DSRT_I32 = 5,
  DSRT_I16 = 6,
  DSRT_I8 = 7,
  DSRT_I1 = 8,
  DSRT_U64 = 9,
  DSRT_U32 = 10,
  DSRT_U16 = 11,
  DSRT_U8 = 12
} dsrt_dtype;
#define DSRT_NUM_DTYPES 13

/// sum, mean, max, min, prod: floats; all but mean: integers (sum and prod wrap). and, or:
/// integers, bit by bit. i1 has max, min, and, or. f16 and bf16 accumulate in f32 and round once.
/// mean is the sum times 1/n rounded to f32 (f64 for f64). max and min of a NaN are NaN.
typedef enum dsrt_reduction {
  DSRT_SUM = 0,
  DSRT_MEAN = 1,
  DSRT_MAX = 2,
  DSRT_MIN = 3,
  DSRT_PROD = 4,
  DSRT_AND = 5,
  DSRT_OR = 6
} dsrt_reduction;
#define DSRT_NUM_REDUCTIONS 7

typedef enum dsrt_op {
  DSRT_OP_ALL_REDUCE = 0,
  DSRT_OP_REDUCE_SCATTER = 1,
  DSRT_OP_ALL_GATHER = 2,
  DSRT_OP_BROADCAST = 3,
  DSRT_OP_BARRIER = 4,
  DSRT_OP_ALL_TO_ALL = 5,
  DSRT_OP_COLLECTIVE_PERMUTE = 6
} dsrt_op;
#define DSRT_NUM_OPS 7

/// One rank of a world.
typedef struct dsrt_context dsrt_context;
/// A subset of the ranks, by a handle of this context. DSRT_WORLD (0), every rank, always exists.
typedef int64_t dsrt_group;
#define DSRT_WORLD ((dsrt_group)0)

/// A collective under way, from a *_start call until its one dsrt_wait.
typedef struct dsrt_pending dsrt_pending;

/// Set struct_size and the defaults with dsrt_options_init. Null options mean the defaults.
typedef struct dsrt_options {
  uint32_t struct_size;   // sizeof(dsrt_options) of the caller, so that fields can be added
  uint32_t deterministic; // 1 (default): reductions in rank order; 0: in a faster order, if any
  int64_t timeout_ms;     // how long a call waits for late ranks; default 300000, at least 1
  int64_t chunk_bytes;    // longest piece that is moved at once; 0 (default): the backend's choice
  uint32_t check_calls;   // 1 (default): device backends compare the ranks' calls, as other
                          // backends do; 0: ranks that disagree time out or get wrong results
  uint32_t on_host; // 1: the caller's buffers are host memory, so "auto" chooses no device backend
  /// The link that "local" models: no collective ends earlier than over this link. 0 bytes/s
  /// (default): no link.
  int64_t link_latency_ns, link_bytes_per_s;
} dsrt_options;

typedef struct dsrt_capabilities {
  uint32_t struct_size;   // set by the caller to sizeof(dsrt_capabilities)
  uint32_t abi_version;   // DSRT_BACKEND_ABI_VERSION of the backend
  const char *backend;    // "local", "mpi", ...
  uint32_t dtypes;        // bit d: dsrt_dtype d
  uint32_t deterministic; // 1: this context reduces in rank order
  uint32_t async;         // 1: a started collective makes progress while the caller computes
  uint32_t multiprocess;  // 1: ranks are processes
  uint32_t alignment;     // of buffers, in bytes, for full speed; that of the dtype suffices
  uint32_t device;    // 1: collectives run in device memory, through which host buffers are copied
  uint32_t nan_order; // 1: max and min of floats give NaN if any element is NaN
  int64_t largest_message; // bytes that travel at once; longer calls go in pieces. 0: no limit
  const char *library;     // the library below in its own words: "Open MPI v4.1.4, ..."; "" if none
  uint32_t gpu_aware;      // 1: MPI could take device pointers; the backend gives it host memory
  uint32_t registers;      // 1: the library can use registered memory of dsrt_memory_alloc in place
  int32_t ranks_on_host;   // ranks that are processes of this machine, this one included; 0: none
} dsrt_capabilities;

/// Totals of a context so far; `waiting_ns` ends when the last member of a group has arrived.
typedef struct dsrt_statistics {
  uint32_t struct_size, reserved; // the caller sets struct_size to sizeof(dsrt_statistics)
  uint64_t calls;                 // collectives that completed
  uint64_t bytes;                 // payload of those calls on this rank
  uint64_t total_ns;              // inside collectives, waiting included
  uint64_t waiting_ns;            // waiting for other ranks to arrive
  uint64_t exposed_ns;            // in blocking collectives, starts and waits of the caller's
                                  // thread
  uint64_t link_ns;               // for which the modelled link was busy
} dsrt_statistics;

#ifdef __cplusplus
} // extern "C"
#endif

#endif // DSRT_TYPES_H
