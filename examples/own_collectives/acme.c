//===- acme.c - Collectives of a compiler called acme -------------*- C -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The functions that --convert-ds-to-calls=prefix=acme declares, over MPI: all that the rank
// programs of the recorded steps call, over a mesh of dp=2,tp=2. A tensor<?xf32> is a pointer to
// `Values` once the module is lowered to LLVM, and the result is the first argument.
//
//===----------------------------------------------------------------------===//
#include <mpi.h>
#include <stdint.h>
#include <stdlib.h>

typedef struct {
  void *allocated, *aligned;
  int64_t offset, size, stride;
} Values;

// What a start returns: values in flight, and the handle that its wait gets.
typedef struct {
  Values values;
  int64_t handle;
} Started;

enum { TP = 2 }; // the last axis of the mesh is the fastest

static MPI_Comm split(MPI_Comm *kept, int isAlongTp) {
  if (*kept == MPI_COMM_NULL) {
    int rank;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_split(MPI_COMM_WORLD, isAlongTp ? rank / TP : rank % TP, rank, kept);
  }
  return *kept;
}
static MPI_Comm everyone(void) { return MPI_COMM_WORLD; }
static MPI_Comm along_dp(void) {
  static MPI_Comm kept = MPI_COMM_NULL;
  return split(&kept, 0);
}
static MPI_Comm along_tp(void) {
  static MPI_Comm kept = MPI_COMM_NULL;
  return split(&kept, 1);
}

static int membersOf(MPI_Comm comm) {
  int members;
  MPI_Comm_size(comm, &members);
  return members;
}
static Values allocate(int64_t size, int bytes) {
  void *memory = malloc(size * bytes + 1);
  return (Values){memory, memory, 0, size, 1};
}
static void *address(const Values *values, int bytes) {
  return (char *)values->aligned + values->offset * bytes;
}

// Each starts, and returns the values in flight. An all-reduce is in place.
static Values allReduce(Values *values, MPI_Comm comm, MPI_Request *request) {
  float *data = address(values, sizeof(float));
  MPI_Iallreduce(MPI_IN_PLACE, data, values->size, MPI_FLOAT, MPI_SUM, comm, request);
  return *values;
}
static Values reduceScatter(Values *blocks, MPI_Comm comm, MPI_Request *request) {
  Values block = allocate(blocks->size / membersOf(comm), sizeof(float));
  float *data = address(blocks, sizeof(float));
  MPI_Ireduce_scatter_block(data, block.aligned, block.size, MPI_FLOAT, MPI_SUM, comm, request);
  return block;
}
static Values allGather(Values *block, int bytes, MPI_Comm comm, MPI_Request *request) {
  Values all = allocate(block->size * membersOf(comm), bytes);
  int count = block->size * bytes; // moved as they are
  MPI_Iallgather(address(block, bytes), count, MPI_BYTE, all.aligned, count, MPI_BYTE, comm,
                 request);
  return all;
}
static void await(int64_t handle) {
  MPI_Request *request = (MPI_Request *)handle;
  MPI_Wait(request, MPI_STATUS_IGNORE);
  free(request);
}

int64_t _mlir_ciface_acme_rank(void) {
  int rank;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  return rank;
}

// A collective by its name, and its start and wait; START starts it with `given` and `request`.
#define COLLECTIVE(NAME, START)                                                                    \
  void _mlir_ciface_acme_##NAME(Values *result, Values *given) {                                   \
    MPI_Request now, *request = &now;                                                              \
    *result = START;                                                                               \
    MPI_Wait(request, MPI_STATUS_IGNORE);                                                          \
  }                                                                                                \
  void _mlir_ciface_acme_##NAME##_start(Started *result, Values *given) {                          \
    MPI_Request *request = malloc(sizeof *request);                                                \
    *result = (Started){START, (int64_t)request};                                                  \
  }
#define WAIT(NAME)                                                                                 \
  void _mlir_ciface_acme_##NAME##_wait(Values *result, int64_t handle, Values *started) {          \
    await(handle);                                                                                 \
    *result = *started;                                                                            \
  }
// The wait of a collective with blocks also gets `given`, which lives until then.
#define WAIT_KEEPING(NAME)                                                                         \
  void _mlir_ciface_acme_##NAME##_wait(Values *result, int64_t handle, Values *started,            \
                                       Values *given) {                                            \
    (void)given;                                                                                   \
    await(handle);                                                                                 \
    *result = *started;                                                                            \
  }

COLLECTIVE(all_reduce_sum_f32, allReduce(given, everyone(), request))
COLLECTIVE(all_reduce_sum_f32_along_dp, allReduce(given, along_dp(), request))
COLLECTIVE(all_reduce_sum_f32_along_tp, allReduce(given, along_tp(), request))
COLLECTIVE(reduce_scatter_sum_f32, reduceScatter(given, everyone(), request))
COLLECTIVE(reduce_scatter_sum_f32_along_tp, reduceScatter(given, along_tp(), request))
COLLECTIVE(all_gather_f32, allGather(given, 4, everyone(), request))
COLLECTIVE(all_gather_f32_along_tp, allGather(given, 4, along_tp(), request))
COLLECTIVE(all_gather_bf16_along_tp, allGather(given, 2, along_tp(), request))
WAIT(all_reduce_sum_f32)
WAIT(all_reduce_sum_f32_along_dp)
WAIT(all_reduce_sum_f32_along_tp)
WAIT_KEEPING(reduce_scatter_sum_f32)
WAIT_KEEPING(reduce_scatter_sum_f32_along_tp)
WAIT_KEEPING(all_gather_f32)
WAIT_KEEPING(all_gather_f32_along_tp)
WAIT_KEEPING(all_gather_bf16_along_tp)
