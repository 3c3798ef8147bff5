//===- Collectives.cpp - Checks a collective and runs it --------*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Every public collective becomes one dsrt_call. prepare() checks it once for all backends; then it
// runs on the calling thread, or on the worker after the started collectives when there are any.
//
//===----------------------------------------------------------------------===//
#include "Context.h"
#include "base/Threads.h"

#include <algorithm>
#include <new>

using namespace dsrt;

namespace {

/// The fields in which the public calls differ.
struct Request {
  dsrt_op op;
  int64_t numBuffers = 0;
  const void *const *inputs = nullptr;
  void *const *outputs = nullptr;
  const int64_t *elements = nullptr;
  dsrt_dtype dtype = DSRT_I8;
  dsrt_reduction reduction = DSRT_SUM;
  int32_t root = 0;
  dsrt_group group = DSRT_WORLD;
  const int64_t *sources = nullptr;
};

dsrt_status refuse(dsrt_context &context, const Request &request, const std::string &why,
                   dsrt_status status = DSRT_INVALID_ARGUMENT) {
  return context.fail(status, std::string(dsrt_op_name(request.op)) + " on rank " +
                                  std::to_string(context.rank) + ": " + why);
}

bool overlap(const void *a, const void *b, int64_t bytes) {
  const auto first = reinterpret_cast<uintptr_t>(a), second = reinterpret_cast<uintptr_t>(b);
  return (first < second ? second - first : first - second) < static_cast<uintptr_t>(bytes);
}

dsrt_status checkBuffers(dsrt_context &context, const Request &request, int64_t members) {
  const int64_t size = dsrt_dtype_size(request.dtype);
  if (request.numBuffers < 0)
    return refuse(context, request,
                  "n_buffers is " + std::to_string(request.numBuffers) + ", expected 0 or more");
  if (request.numBuffers > 0 && (!request.inputs || !request.outputs || !request.elements))
    return refuse(context, request, "a list of buffers or elements is null");
  int64_t total = 0;
  for (int64_t i = 0; i < request.numBuffers; ++i) {
    auto name = [i] { return "buffer " + std::to_string(i); };
    const int64_t elements = request.elements[i];
    if (elements < 0)
      return refuse(context, request,
                    name() + " has " + std::to_string(elements) + " elements, expected 0 or more");
    int64_t allRanks;
    if (__builtin_mul_overflow(elements, size * members, &allRanks) ||
        __builtin_add_overflow(total, allRanks, &total))
      return refuse(context, request, name() + " is too large: the call exceeds 2^63 bytes");
    if (elements == 0)
      continue;
    for (const void *data : {request.inputs[i], static_cast<const void *>(request.outputs[i])}) {
      if (!data)
        return refuse(context, request,
                      name() + " is null and has " + std::to_string(elements) + " elements");
      if (reinterpret_cast<uintptr_t>(data) % size != 0)
        return refuse(context, request,
                      name() + " is not aligned to the " + std::to_string(size) + " bytes of " +
                          dsrt_dtype_name(request.dtype));
    }
    // Other members read the input while this member's data arrives.
    const bool exchanges =
        request.op == DSRT_OP_ALL_TO_ALL || request.op == DSRT_OP_COLLECTIVE_PERMUTE;
    const int64_t parts = request.op == DSRT_OP_ALL_TO_ALL ? members : 1;
    if (exchanges && overlap(request.inputs[i], request.outputs[i], elements * size * parts))
      return refuse(context, request,
                    name() + " is received where it is sent from; expected memory of its own");
  }
  return DSRT_OK;
}

/// Checks that each member of a permute sends to one at most.
dsrt_status checkSources(dsrt_context &context, const Request &request, int64_t members) {
  if (!request.sources)
    return refuse(context, request, "the list of sources is null");
  for (int64_t m = 0; m < members; ++m) {
    const int64_t source = request.sources[m];
    if (source < -1 || source >= members)
      return refuse(context, request,
                    "the source of member " + std::to_string(m) + " is " + std::to_string(source) +
                        ", expected one of " + std::to_string(members) + " members or -1");
    const int64_t *before = std::find(request.sources, request.sources + m, source);
    if (source >= 0 && before != request.sources + m)
      return refuse(context, request,
                    "member " + std::to_string(source) + " is the source of members " +
                        std::to_string(before - request.sources) + " and " + std::to_string(m) +
                        ", expected of one at most");
  }
  return DSRT_OK;
}

/// Checks the request and fills `call` and `group`, or fails.
dsrt_status prepare(dsrt_context &context, const Request &request, dsrt_call &call, Group *&group) {
  group = context.groupOf(request.group);
  if (!group)
    return refuse(context, request, "no group " + std::to_string(request.group));
  if (request.op != DSRT_OP_BARRIER) {
    if (dsrt_dtype_size(request.dtype) == 0)
      return refuse(context, request, "no dtype " + std::to_string(request.dtype));
    if (request.reduction < DSRT_SUM || request.reduction > DSRT_OR)
      return refuse(context, request, "no reduction " + std::to_string(request.reduction));
    if (!dsrt_supports(&context, request.op, request.dtype, request.reduction)) {
      std::string what = dsrt_dtype_name(request.dtype);
      if (request.op == DSRT_OP_ALL_REDUCE || request.op == DSRT_OP_REDUCE_SCATTER)
        what = std::string(dsrt_reduction_name(request.reduction)) + " of " + what;
      return refuse(context, request,
                    std::string("backend '") + context.backend->name + "' has no " + what,
                    DSRT_UNSUPPORTED);
    }
  }
  const int64_t members = static_cast<int64_t>(group->ranks.size());
  if (dsrt_status status = checkBuffers(context, request, members); status != DSRT_OK)
    return status;

  call = {};
  if (request.op == DSRT_OP_BROADCAST) {
    int64_t index = 0;
    while (index < members && group->ranks[index] != request.root)
      ++index;
    if (index == members)
      return refuse(context, request,
                    "root " + std::to_string(request.root) + " is not in the group");
    call.root = static_cast<int32_t>(index);
  }
  if (request.op == DSRT_OP_COLLECTIVE_PERMUTE) {
    if (dsrt_status status = checkSources(context, request, members); status != DSRT_OK)
      return status;
    const std::vector<int32_t> &ranks = group->ranks;
    const int64_t index = std::find(ranks.begin(), ranks.end(), context.rank) - ranks.begin();
    const int64_t *end = request.sources + members, *sent = std::find(request.sources, end, index);
    call.sources = request.sources;
    call.n_sources = members;
    call.source = static_cast<int32_t>(request.sources[index]);
    call.destination = sent == end ? -1 : static_cast<int32_t>(sent - request.sources);
  }
  call.op = request.op;
  call.dtype = request.dtype;
  call.reduction = request.reduction;
  call.n_buffers = request.numBuffers;
  call.inputs = request.inputs;
  call.outputs = request.outputs;
  call.elements = request.elements;
  call.sequence = ++group->calls;
  call.step = context.step;
  call.timeout_ms = context.options.timeout_ms;
  call.leaves_ns = now();
  if (context.queues)
    group->queued = group->queued * 1099511628211u + signatureOf(call).fingerprint();
  if (request.op == DSRT_OP_ALL_REDUCE || request.op == DSRT_OP_BROADCAST)
    call.one_span = isOneSpan(context.arenas, request.numBuffers, request.outputs, request.elements,
                              dsrt_dtype_size(request.dtype));
  if (context.backend->mark) {
    dsrt_error error = {};
    dsrt_status status = context.backend->mark(context.state, &call.ready, &error);
    if (status != DSRT_OK)
      return refuse(context, request, error.text, status);
  }
  return DSRT_OK;
}

dsrt_status run(dsrt_context *context, const Request &request) {
  if (!context)
    return failWithoutContext(DSRT_INVALID_ARGUMENT,
                              std::string(dsrt_op_name(request.op)) + ": the context is null");
  if (dsrt_status status = context->check(); status != DSRT_OK)
    return status;
  const uint64_t begin = now();
  try {
    dsrt_call call;
    Group *group;
    if (dsrt_status status = prepare(*context, request, call, group); status != DSRT_OK)
      return status;
    if (context->worker)
      context->worker->drain();
    uint64_t linkEnds = 0;
    void *queued = nullptr;
    dsrt_status status = context->execute(*group, call, linkEnds, queued);
    if (status == DSRT_OK)
      status = context->follow(queued);
    if (status == DSRT_OK)
      status = context->waitForLink(linkEnds);
    context->exposedNs += now() - begin;
    return status;
  } catch (const std::bad_alloc &) {
    return context->fail(DSRT_OUT_OF_MEMORY,
                         std::string(dsrt_op_name(request.op)) + ": out of memory");
  }
}

dsrt_status start(dsrt_context *context, const Request &request, dsrt_pending **outPending) {
  if (outPending)
    *outPending = nullptr;
  if (!context)
    return failWithoutContext(DSRT_INVALID_ARGUMENT,
                              std::string(dsrt_op_name(request.op)) + ": the context is null");
  if (dsrt_status status = context->check(); status != DSRT_OK)
    return status;
  if (!outPending)
    return refuse(*context, request, "out_pending is null");
  const uint64_t begin = now();
  const uint32_t number = context->starts++;
  auto returns = [&] {
    const uint64_t end = now();
    context->note(DSRT_EVENT_STARTED, number, end);
    context->exposedNs += end - begin;
  };
  context->note(DSRT_EVENT_START, number, begin);
  try {
    dsrt_call call;
    Group *group;
    if (dsrt_status status = prepare(*context, request, call, group); status != DSRT_OK)
      return status;
    if (!context->worker)
      context->worker = std::make_unique<Worker>(*context);
    dsrt_pending *pending = context->worker->take();
    pending->inputs.assign(request.inputs, request.inputs + request.numBuffers);
    pending->outputs.assign(request.outputs, request.outputs + request.numBuffers);
    pending->elements.assign(request.elements, request.elements + request.numBuffers);
    pending->sources.assign(call.sources, call.sources + call.n_sources);
    pending->call = call;
    pending->call.inputs = pending->inputs.data();
    pending->call.outputs = pending->outputs.data();
    pending->call.elements = pending->elements.data();
    pending->call.sources = pending->sources.data();
    pending->group = group;
    pending->number = number;
    if (context->backend->capabilities & (DSRT_CAP_THREADS | DSRT_CAP_POLLED) && !context->queues) {
      context->worker->enqueue(pending);
    } else {
      // Such a backend runs on the rank's own thread only: the collective is done, or queued, when
      // the start returns.
      pending->status = context->execute(*group, pending->call, pending->linkEnds, pending->queued);
      pending->done = true;
    }
    *outPending = pending;
    returns();
    return DSRT_OK;
  } catch (const std::bad_alloc &) {
    return context->fail(DSRT_OUT_OF_MEMORY,
                         std::string(dsrt_op_name(request.op)) + "_start: out of memory");
  } catch (const std::system_error &error) {
    return context->fail(DSRT_INTERNAL,
                         std::string("no thread for started collectives: ") + error.what());
  }
}

const void *const *asInputs(void *const *buffers) {
  return const_cast<const void *const *>(buffers);
}

Request allReduce(int64_t n, void *const *buffers, const int64_t *elements, dsrt_dtype dtype,
                  dsrt_reduction reduction, dsrt_group group) {
  return {DSRT_OP_ALL_REDUCE, n, asInputs(buffers), buffers, elements, dtype, reduction, 0, group};
}
Request reduceScatter(int64_t n, const void *const *inputs, void *const *outputs,
                      const int64_t *elements, dsrt_dtype dtype, dsrt_reduction reduction,
                      dsrt_group group) {
  return {DSRT_OP_REDUCE_SCATTER, n, inputs, outputs, elements, dtype, reduction, 0, group};
}
Request allGather(int64_t n, const void *const *inputs, void *const *outputs,
                  const int64_t *elements, dsrt_dtype dtype, dsrt_group group) {
  return {DSRT_OP_ALL_GATHER, n, inputs, outputs, elements, dtype, DSRT_SUM, 0, group};
}
Request allToAll(int64_t n, const void *const *inputs, void *const *outputs,
                 const int64_t *elements, dsrt_dtype dtype, dsrt_group group) {
  return {DSRT_OP_ALL_TO_ALL, n, inputs, outputs, elements, dtype, DSRT_SUM, 0, group};
}
Request permute(int64_t n, const void *const *inputs, void *const *outputs, const int64_t *elements,
                dsrt_dtype dtype, const int64_t *sources, dsrt_group group) {
  return {
      DSRT_OP_COLLECTIVE_PERMUTE, n, inputs, outputs, elements, dtype, DSRT_SUM, 0, group, sources};
}

} // namespace

dsrt_status dsrt_all_reduce(dsrt_context *context, int64_t n_buffers, void *const *buffers,
                            const int64_t *elements, dsrt_dtype dtype, dsrt_reduction reduction,
                            dsrt_group group) {
  return run(context, allReduce(n_buffers, buffers, elements, dtype, reduction, group));
}

dsrt_status dsrt_reduce_scatter(dsrt_context *context, int64_t n_buffers, const void *const *inputs,
                                void *const *outputs, const int64_t *elements, dsrt_dtype dtype,
                                dsrt_reduction reduction, dsrt_group group) {
  return run(context, reduceScatter(n_buffers, inputs, outputs, elements, dtype, reduction, group));
}

dsrt_status dsrt_all_gather(dsrt_context *context, int64_t n_buffers, const void *const *inputs,
                            void *const *outputs, const int64_t *elements, dsrt_dtype dtype,
                            dsrt_group group) {
  return run(context, allGather(n_buffers, inputs, outputs, elements, dtype, group));
}

dsrt_status dsrt_all_to_all(dsrt_context *context, int64_t n_buffers, const void *const *inputs,
                            void *const *outputs, const int64_t *elements, dsrt_dtype dtype,
                            dsrt_group group) {
  return run(context, allToAll(n_buffers, inputs, outputs, elements, dtype, group));
}

dsrt_status dsrt_collective_permute(dsrt_context *context, int64_t n_buffers,
                                    const void *const *inputs, void *const *outputs,
                                    const int64_t *elements, dsrt_dtype dtype,
                                    const int64_t *sources, dsrt_group group) {
  return run(context, permute(n_buffers, inputs, outputs, elements, dtype, sources, group));
}

dsrt_status dsrt_broadcast(dsrt_context *context, int64_t n_buffers, void *const *buffers,
                           const int64_t *elements, dsrt_dtype dtype, int32_t root,
                           dsrt_group group) {
  return run(context, {DSRT_OP_BROADCAST, n_buffers, asInputs(buffers), buffers, elements, dtype,
                       DSRT_SUM, root, group});
}

dsrt_status dsrt_barrier(dsrt_context *context, dsrt_group group) {
  Request request = {DSRT_OP_BARRIER};
  request.group = group;
  return run(context, request);
}

dsrt_status dsrt_all_reduce_start(dsrt_context *context, int64_t n_buffers, void *const *buffers,
                                  const int64_t *elements, dsrt_dtype dtype,
                                  dsrt_reduction reduction, dsrt_group group,
                                  dsrt_pending **out_pending) {
  return start(context, allReduce(n_buffers, buffers, elements, dtype, reduction, group),
               out_pending);
}

dsrt_status dsrt_reduce_scatter_start(dsrt_context *context, int64_t n_buffers,
                                      const void *const *inputs, void *const *outputs,
                                      const int64_t *elements, dsrt_dtype dtype,
                                      dsrt_reduction reduction, dsrt_group group,
                                      dsrt_pending **out_pending) {
  return start(context,
               reduceScatter(n_buffers, inputs, outputs, elements, dtype, reduction, group),
               out_pending);
}

dsrt_status dsrt_all_gather_start(dsrt_context *context, int64_t n_buffers,
                                  const void *const *inputs, void *const *outputs,
                                  const int64_t *elements, dsrt_dtype dtype, dsrt_group group,
                                  dsrt_pending **out_pending) {
  return start(context, allGather(n_buffers, inputs, outputs, elements, dtype, group), out_pending);
}

dsrt_status dsrt_all_to_all_start(dsrt_context *context, int64_t n_buffers,
                                  const void *const *inputs, void *const *outputs,
                                  const int64_t *elements, dsrt_dtype dtype, dsrt_group group,
                                  dsrt_pending **out_pending) {
  return start(context, allToAll(n_buffers, inputs, outputs, elements, dtype, group), out_pending);
}

dsrt_status dsrt_collective_permute_start(dsrt_context *context, int64_t n_buffers,
                                          const void *const *inputs, void *const *outputs,
                                          const int64_t *elements, dsrt_dtype dtype,
                                          const int64_t *sources, dsrt_group group,
                                          dsrt_pending **out_pending) {
  return start(context, permute(n_buffers, inputs, outputs, elements, dtype, sources, group),
               out_pending);
}
