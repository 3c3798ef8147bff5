//===- dsrt.h - The ds runtime: collectives behind one C ABI ----*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The whole public interface of the runtime. A dsrt_context is one rank of a world; n ranks are n
// threads of one process (`local`, or `nccl` with several devices), n processes (`mpi`, `tcp`,
// `nccl`, `hccl`), or threads of several processes (dsrt_ranks_create). Compiled steps take the
// context as an argument and call the collectives below.
//
// Rules of every call:
//  - Errors are sticky: after the first failure of a context every later call on it does nothing
//    and returns the same status, so a compiled step asks dsrt_failed() once, at its end.
//  - Nothing blocks for ever: a call whose peers do not arrive within the timeout fails with
//    DSRT_TIMEOUT and a text that names the call, its bytes, the group, this rank and late ranks.
//  - Members of a group make the same calls in one order, or get DSRT_MISMATCH, never a wrong sum.
//  - A context serves one thread at a time; dsrt_abort, dsrt_failed and dsrt_last_error serve any.
//  - A comment "equivalent to" names what MPI, NCCL and HCCL call the same thing; arguments differ.
//  - Out parameters come last. No exception and no signal crosses this interface.
//
//===----------------------------------------------------------------------===//
#ifndef DSRT_DSRT_H
#define DSRT_DSRT_H

#include "dsrt/types.h"

#include <stddef.h>

#if defined(__GNUC__)
#define DSRT_NODISCARD __attribute__((warn_unused_result))
#else
#define DSRT_NODISCARD
#endif
#ifdef __cplusplus
extern "C" {
#endif

//===----------------------------------------------------------------------===//
// Worlds and contexts.
//===----------------------------------------------------------------------===//

/// Writes struct_size and the defaults of the first `struct_size` bytes, and no byte beyond them: a
/// caller that was compiled against an earlier header has a shorter struct than this library.
void dsrt_options_init_sized(dsrt_options *options, uint32_t struct_size);
static inline void dsrt_options_init(dsrt_options *options) {
  dsrt_options_init_sized(options, (uint32_t)sizeof *options);
}

/// Makes a world of `num_ranks` ranks inside this process and writes one context per rank to
/// out_contexts[0..num_ranks). Each rank's thread uses its own. Every context must be shut down.
/// Equivalent to ncclCommInitAll and HcclCommInitAll; MPI has no ranks that are threads.
DSRT_NODISCARD dsrt_status dsrt_local_world_create(int32_t num_ranks, const dsrt_options *options,
                                                   dsrt_context **out_contexts);

/// The same with a backend whose ranks can be threads ("nccl" with several devices, or "local").
DSRT_NODISCARD dsrt_status dsrt_world_create(const char *backend_name, int32_t num_ranks,
                                             const dsrt_options *options,
                                             dsrt_context **out_contexts);

/// Joins the world that started this process. `backend_name` is "auto", "local" (a world of one
/// rank), "mpi", "nccl", "hccl", or a registered one. "auto" takes, for a launched job, hccl or
/// nccl where there is a device for every rank of the machine, else mpi; and local otherwise. It
/// never splits a launched job into unconnected worlds of one.
/// Equivalent to MPI_Init_thread, ncclCommInitRank and HcclCommInitRootInfo.
DSRT_NODISCARD dsrt_status dsrt_init(const char *backend_name, const dsrt_options *options,
                                     dsrt_context **out_context);

/// Makes the ranks that this process holds of a world of `num_ranks`, and writes them to
/// out_contexts[0..*out_count): threads that exchange through memory, and through `processes`, a
/// context of the world of processes, with those of the others. Process p of P holds consecutive
/// ranks, the first `num_ranks` mod P processes one more. Collective over the processes, whose
/// context must be shut down after the ranks; it fails with them.
/// Equivalent to ncclCommInitRankConfig in a group, one communicator a thread; MPI's processes and
/// HCCL's have one rank each.
DSRT_NODISCARD dsrt_status dsrt_ranks_create(dsrt_context *processes, int32_t num_ranks,
                                             int32_t capacity, dsrt_context **out_contexts,
                                             int32_t *out_count);

/// Leaves the world and frees the context; null does nothing. A collective of processes while it is
/// healthy. A failed context lets go without waiting: the process should then end with an error.
/// Equivalent to MPI_Finalize, ncclCommDestroy and HcclCommDestroy.
dsrt_status dsrt_shutdown(dsrt_context *context);

/// Equivalent to MPI_Comm_rank, ncclCommUserRank and HcclGetRankId.
int32_t dsrt_rank(const dsrt_context *context);
/// Equivalent to MPI_Comm_size, ncclCommCount and HcclGetRankSize.
int32_t dsrt_num_ranks(const dsrt_context *context);
/// Returns 1, with rank and size, if the launcher's variables are set; 0 if no launcher started
/// this process.
int32_t dsrt_launched(int32_t *out_rank, int32_t *out_num_ranks);

/// Makes the calling thread treat denormal floats as zero, as the runtime's own threads do. Each
/// rank's thread calls it once: a converged model can be thirty times slower on denormals.
void dsrt_flush_denormals(void);

/// Ends the world: every rank that waits, and every later call of every rank, gets DSRT_ABORTED
/// with `reason`. On multi-process backends the message is printed and the job is killed.
/// Equivalent to MPI_Abort and ncclCommAbort; HCCL has none.
void dsrt_abort(dsrt_context *context, const char *reason);

//===----------------------------------------------------------------------===//
// Errors and queries.
//===----------------------------------------------------------------------===//

/// 1 once any call of this context has failed, or its world was ended by another rank.
/// Equivalent to ncclCommGetAsyncError and HcclGetCommAsyncError; MPI has none.
int32_t dsrt_failed(const dsrt_context *context);
/// The sticky status; DSRT_OK while the context is healthy.
dsrt_status dsrt_last_status(const dsrt_context *context);
/// One sentence; "" while the context is healthy. Lives as long as the context. With null: why the
/// last call without a context (dsrt_init, dsrt_local_world_create) failed on this thread.
/// Equivalent to MPI_Error_string, ncclGetLastError and HcclGetErrorString.
const char *dsrt_last_error(const dsrt_context *context);
/// The ranks that the sticky DSRT_TIMEOUT blames, ascending: writes up to `capacity`, returns all.
int32_t dsrt_late_ranks(const dsrt_context *context, int32_t capacity, int32_t *out_ranks);
/// Names the axes of this rank's mesh, the last one fastest: errors then add "rank 5 is dp=1,
/// tp=1".
DSRT_NODISCARD dsrt_status dsrt_name_axes(dsrt_context *context, int32_t num_axes,
                                          const char *const *names, const int32_t *sizes);

/// Sets the number of the step that this rank's collectives belong to from now on; 0, the default:
/// none. Members of a call that name different steps disagree, as on its size.
void dsrt_set_step(dsrt_context *context, uint64_t step);

/// Returns 1 while a collective of this context runs. Serves any thread.
int32_t dsrt_in_collective(const dsrt_context *context);
/// Returns 1 if this context can run the call; `reduction` matters only to operations that reduce.
int32_t dsrt_supports(const dsrt_context *context, dsrt_op op, dsrt_dtype dtype,
                      dsrt_reduction reduction);
DSRT_NODISCARD dsrt_status dsrt_get_capabilities(const dsrt_context *context,
                                                 dsrt_capabilities *out_capabilities);
DSRT_NODISCARD dsrt_status dsrt_get_statistics(const dsrt_context *context,
                                               dsrt_statistics *out_statistics);

const char *dsrt_status_name(dsrt_status status);
const char *dsrt_dtype_name(dsrt_dtype dtype); // as MLIR writes it: "f32", "i1"; unsigned "ui8"
int64_t dsrt_dtype_size(dsrt_dtype dtype);     // bytes of one element; 0 if `dtype` is not a dtype
const char *dsrt_reduction_name(dsrt_reduction reduction);
const char *dsrt_op_name(dsrt_op op);
/// Names of the backends in this build, in order of registration; null after the last.
const char *dsrt_backend_name(int32_t index);

//===----------------------------------------------------------------------===//
// Groups and buffers.
//===----------------------------------------------------------------------===//

/// Returns the group of these ranks of the world, which must be ascending, distinct and include
/// this one. Called by its members only. The same list gives the same handle again, at the price of
/// a look-up, so a step may ask each time it runs; the list of all ranks gives DSRT_WORLD.
/// Equivalent to MPI_Comm_create_group, ncclCommSplit and HcclCreateSubCommConfig.
DSRT_NODISCARD dsrt_status dsrt_group_create(dsrt_context *context, int32_t num_ranks,
                                             const int32_t *ranks, dsrt_group *out_group);
/// Frees the handle once for every dsrt_group_create that returned it. DSRT_WORLD is not freed.
/// Equivalent to MPI_Comm_free, ncclCommDestroy and HcclCommDestroy.
DSRT_NODISCARD dsrt_status dsrt_group_destroy(dsrt_context *context, dsrt_group group);
/// Equivalent to MPI_Comm_size, ncclCommCount and HcomGetRankSize.
DSRT_NODISCARD dsrt_status dsrt_group_size(dsrt_context *context, dsrt_group group,
                                           int32_t *out_size);

/// Returns the group of that name, made from these ranks in any order; its members count from 0 in
/// ascending rank. The same name with the same ranks gives the same handle again; with other ranks
/// it is DSRT_INVALID_ARGUMENT. "world" and MindSpore's "hccl_world_group", "nccl_world_group" and
/// "mccl_world_group" name DSRT_WORLD and cannot be made.
/// Equivalent to HcomCreateGroup; its counterparts below are those of hcom.
DSRT_NODISCARD dsrt_status dsrt_group_create_named(dsrt_context *context, const char *name,
                                                   int32_t num_ranks, const int32_t *ranks,
                                                   dsrt_group *out_group);
DSRT_NODISCARD dsrt_status dsrt_group_find(dsrt_context *context, const char *name,
                                           dsrt_group *out_group);
/// Forgets the name and frees its handle. The world cannot be destroyed.
DSRT_NODISCARD dsrt_status dsrt_group_destroy_named(dsrt_context *context, const char *name);
/// Writes this rank's number in the group.
/// Equivalent to MPI_Comm_rank, ncclCommUserRank and HcomGetRankId.
DSRT_NODISCARD dsrt_status dsrt_group_rank(dsrt_context *context, dsrt_group group,
                                           int32_t *out_rank);
/// Writes the rank of the world that has number `group_rank` in the group; the second call is the
/// inverse.
/// Equivalent to MPI_Group_translate_ranks and HcomGetWorldRankFromGroupRank.
DSRT_NODISCARD dsrt_status dsrt_group_world_rank(dsrt_context *context, dsrt_group group,
                                                 int32_t group_rank, int32_t *out_world_rank);
DSRT_NODISCARD dsrt_status dsrt_group_rank_of(dsrt_context *context, dsrt_group group,
                                              int32_t world_rank, int32_t *out_group_rank);

/// Declares that [data, data + bytes) is an arena: the padding between its slots is the runtime's
/// to read and write, so the buffers of one call that lie in it less than 64 bytes apart may travel
/// as one span. Local to this rank; a backend that pins or maps memory does it here.
/// Equivalent to ncclCommRegister, and ncclCommDeregister below.
DSRT_NODISCARD dsrt_status dsrt_buffer_register(dsrt_context *context, void *data, int64_t bytes);
/// Must be called before the memory is freed; `data` as it was registered.
DSRT_NODISCARD dsrt_status dsrt_buffer_unregister(dsrt_context *context, void *data);

//===----------------------------------------------------------------------===//
// Device memory, or host memory on backends without a device, so that one program serves both. The
// buffers of one call are all in host or all in device memory, alike on all ranks.
//===----------------------------------------------------------------------===//

/// Allocates memory of this context's device, aligned to 64 bytes or more.
/// Equivalent to MPI_Alloc_mem, cudaMalloc and aclrtMalloc, each with its free.
DSRT_NODISCARD dsrt_status dsrt_memory_alloc(dsrt_context *context, int64_t bytes, void **out_data);
/// Works on a failed context too; null does nothing.
dsrt_status dsrt_memory_free(dsrt_context *context, void *data);
/// Copies between host and device memory, in any direction, and returns when it is done.
/// Equivalent to cudaMemcpy and aclrtMemcpy.
DSRT_NODISCARD dsrt_status dsrt_memory_copy(dsrt_context *context, void *to, const void *from,
                                            int64_t bytes);
/// Names the device stream (CUstream, aclrtStream) on which the caller's own work on device buffers
/// is queued. A collective that is called or started begins after the work that the stream holds at
/// that moment, and has ended when its call, or its wait, returns. Null: no stream.
/// Equivalent to the argument 'stream' of every call of NCCL and HCCL.
DSRT_NODISCARD dsrt_status dsrt_set_stream(dsrt_context *context, void *stream);

//===----------------------------------------------------------------------===//
// Collectives. Blocking; n_buffers buffers in one call, which do not overlap; buffers[i] holds
// elements[i] elements of `dtype`, dense. No buffers and no elements still synchronise.
//===----------------------------------------------------------------------===//

/// In place: every rank ends with the reduction over the group.
/// Equivalent to MPI_Allreduce (MPI_IN_PLACE), ncclAllReduce and HcclAllReduce.
dsrt_status dsrt_all_reduce(dsrt_context *context, int64_t n_buffers, void *const *buffers,
                            const int64_t *elements, dsrt_dtype dtype, dsrt_reduction reduction,
                            dsrt_group group);

/// inputs[i] holds group-size x elements[i] elements, outputs[i] elements[i]: member m of the group
/// gets part m of the reduction. outputs[i] may be part m of inputs[i] itself.
/// Equivalent to MPI_Reduce_scatter_block, ncclReduceScatter and HcclReduceScatter.
dsrt_status dsrt_reduce_scatter(dsrt_context *context, int64_t n_buffers, const void *const *inputs,
                                void *const *outputs, const int64_t *elements, dsrt_dtype dtype,
                                dsrt_reduction reduction, dsrt_group group);

/// inputs[i] holds elements[i] elements, outputs[i] group-size times as many: part m comes from
/// member m. inputs[i] may be part m of outputs[i] itself.
/// Equivalent to MPI_Allgather, ncclAllGather and HcclAllGather.
dsrt_status dsrt_all_gather(dsrt_context *context, int64_t n_buffers, const void *const *inputs,
                            void *const *outputs, const int64_t *elements, dsrt_dtype dtype,
                            dsrt_group group);

/// inputs[i] and outputs[i] hold group-size x elements[i] elements each: part k of an input goes to
/// member k, part m of an output comes from member m. They must not overlap.
/// Equivalent to MPI_Alltoall and HcclAlltoAll; with NCCL grouped ncclSend and ncclRecv.
dsrt_status dsrt_all_to_all(dsrt_context *context, int64_t n_buffers, const void *const *inputs,
                            void *const *outputs, const int64_t *elements, dsrt_dtype dtype,
                            dsrt_group group);

/// inputs[i] and outputs[i] hold elements[i] elements each and must not overlap: member m receives
/// those of member sources[m], or zeros if that is -1. `sources` names no member twice.
/// Equivalent to MPI_Isend with MPI_Irecv, grouped ncclSend and ncclRecv, and HcclBatchSendRecv.
dsrt_status dsrt_collective_permute(dsrt_context *context, int64_t n_buffers,
                                    const void *const *inputs, void *const *outputs,
                                    const int64_t *elements, dsrt_dtype dtype,
                                    const int64_t *sources, dsrt_group group);

/// In place: every member ends with what `root` holds, a rank of the world and of the group.
/// Equivalent to MPI_Bcast, ncclBroadcast and HcclBroadcast.
dsrt_status dsrt_broadcast(dsrt_context *context, int64_t n_buffers, void *const *buffers,
                           const int64_t *elements, dsrt_dtype dtype, int32_t root,
                           dsrt_group group);

/// Equivalent to MPI_Barrier and HcclBarrier; with NCCL an all-reduce of one element.
dsrt_status dsrt_barrier(dsrt_context *context, dsrt_group group);

//===----------------------------------------------------------------------===//
// Messages that are not collectives.
//===----------------------------------------------------------------------===//

/// Connects each two ranks independently of the backend: out_to[r] is a stream on which rank r
/// serves this one, out_from[r] one on which this rank serves r; -1 at the rank's own index. The
/// sockets are nonblocking, and the caller closes them. Ranks exchange their addresses by an
/// all_gather, and both ends of a stream show a token that was in it; later data is neither
/// encrypted nor signed. A collective of the world.
/// Equivalent to MPI_Intercomm_create; NCCL and HCCL have none.
DSRT_NODISCARD dsrt_status dsrt_open_streams(dsrt_context *context, int32_t *out_to,
                                             int32_t *out_from);

//===----------------------------------------------------------------------===//
// Asynchronous collectives run in the order in which they were started, and a blocking call after
// them. Arrays are copied; buffers belong to the runtime until the wait. A failed start returns
// null; its wait fails.
//===----------------------------------------------------------------------===//

/// Equivalent to MPI_Iallreduce; NCCL and HCCL return as soon as a call is queued.
dsrt_status dsrt_all_reduce_start(dsrt_context *context, int64_t n_buffers, void *const *buffers,
                                  const int64_t *elements, dsrt_dtype dtype,
                                  dsrt_reduction reduction, dsrt_group group,
                                  dsrt_pending **out_pending);
/// Equivalent to MPI_Ireduce_scatter_block.
dsrt_status dsrt_reduce_scatter_start(dsrt_context *context, int64_t n_buffers,
                                      const void *const *inputs, void *const *outputs,
                                      const int64_t *elements, dsrt_dtype dtype,
                                      dsrt_reduction reduction, dsrt_group group,
                                      dsrt_pending **out_pending);
/// Equivalent to MPI_Iallgather.
dsrt_status dsrt_all_gather_start(dsrt_context *context, int64_t n_buffers,
                                  const void *const *inputs, void *const *outputs,
                                  const int64_t *elements, dsrt_dtype dtype, dsrt_group group,
                                  dsrt_pending **out_pending);
/// Equivalent to MPI_Ialltoall.
dsrt_status dsrt_all_to_all_start(dsrt_context *context, int64_t n_buffers,
                                  const void *const *inputs, void *const *outputs,
                                  const int64_t *elements, dsrt_dtype dtype, dsrt_group group,
                                  dsrt_pending **out_pending);
/// Equivalent to MPI_Isend with MPI_Irecv.
dsrt_status dsrt_collective_permute_start(dsrt_context *context, int64_t n_buffers,
                                          const void *const *inputs, void *const *outputs,
                                          const int64_t *elements, dsrt_dtype dtype,
                                          const int64_t *sources, dsrt_group group,
                                          dsrt_pending **out_pending);

/// Waits for one started collective. Its timeout runs from the moment that the collective begins.
/// Equivalent to MPI_Wait, cudaEventSynchronize and aclrtSynchronizeEvent.
dsrt_status dsrt_wait(dsrt_context *context, dsrt_pending *pending);

/// Advances started collectives, where the backend has no thread for it (`mpi`, `tcp`), and returns
/// how many have not ended. Polls for arrived data once in 100 us and otherwise only reads the
/// clock, so that compiled steps call it between their kernels. Never fails: the wait reports
/// errors.
/// Equivalent to MPI_Testall; NCCL and HCCL need none.
int64_t dsrt_progress(dsrt_context *context);

#ifdef __cplusplus
} // extern "C"
#endif

#endif // DSRT_DSRT_H
