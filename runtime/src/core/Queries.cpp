//===- Queries.cpp - Capabilities and totals of a context -------*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Context.h"

#include <algorithm>
#include <cstring>

using namespace dsrt;

int32_t dsrt_supports(const dsrt_context *context, dsrt_op op, dsrt_dtype dtype,
                      dsrt_reduction reduction) {
  if (!context || op < 0 || op >= DSRT_NUM_OPS || dtype < 0 || dtype >= DSRT_NUM_DTYPES ||
      reduction < 0 || reduction >= DSRT_NUM_REDUCTIONS)
    return 0;
  uint32_t reductions = context->backend->reductions[dtype];
  if (op == DSRT_OP_ALL_REDUCE || op == DSRT_OP_REDUCE_SCATTER)
    return (reductions >> reduction) & 1u;
  return reductions != 0 || ((context->backend->moves >> dtype) & 1u);
}

dsrt_status dsrt_get_capabilities(const dsrt_context *context,
                                  dsrt_capabilities *out_capabilities) {
  if (!context || !out_capabilities || out_capabilities->struct_size < sizeof(uint32_t))
    return failWithoutContext(DSRT_INVALID_ARGUMENT,
                              "dsrt_get_capabilities: null argument, or struct_size is not set");
  const dsrt_backend &backend = *context->backend;
  dsrt_capabilities all = {};
  all.struct_size = out_capabilities->struct_size;
  all.abi_version = backend.abi_version;
  all.backend = backend.name;
  for (int d = 0; d < DSRT_NUM_DTYPES; ++d)
    all.dtypes |= (backend.reductions[d] ? 1u : 0u) << d;
  all.dtypes |= backend.moves;
  all.deterministic = context->options.deterministic;
  all.async = (backend.capabilities & (DSRT_CAP_THREADS | DSRT_CAP_POLLED)) != 0;
  all.multiprocess = (backend.capabilities & DSRT_CAP_MULTIPROCESS) != 0;
  all.alignment = backend.alignment;
  all.nan_order = (backend.capabilities & DSRT_CAP_NAN) != 0;
  all.library = "";
  if (backend.describe)
    backend.describe(context->state, &all);
  std::memcpy(out_capabilities, &all, std::min<size_t>(all.struct_size, sizeof all));
  return DSRT_OK;
}

void dsrt_context::note(dsrt_event_kind kind, uint32_t exchange, uint64_t ns) {
  constexpr size_t most = 1 << 20; // the caller does not take its events
  if (keepsEvents && events.size() < most)
    events.push_back({kind, exchange, ns});
}

int64_t dsrt_take_events(dsrt_context *context, int64_t capacity, dsrt_event *out_events) {
  if (!context)
    return 0;
  const int64_t count =
      out_events ? std::clamp<int64_t>(capacity, 0, static_cast<int64_t>(context->events.size()))
                 : 0;
  std::copy_n(context->events.begin(), count, out_events);
  context->events.clear();
  context->keepsEvents = true;
  return count;
}

int32_t dsrt_in_collective(const dsrt_context *context) { return context && context->inCollective; }

dsrt_status dsrt_get_statistics(const dsrt_context *context, dsrt_statistics *out_statistics) {
  if (!context || !out_statistics || out_statistics->struct_size < sizeof(uint32_t))
    return failWithoutContext(DSRT_INVALID_ARGUMENT,
                              "dsrt_get_statistics: null argument, or struct_size is not set");
  dsrt_statistics all = {};
  all.struct_size = out_statistics->struct_size;
  all.calls = context->calls;
  all.bytes = context->bytes;
  all.total_ns = context->totalNs;
  all.waiting_ns = context->waitingNs;
  all.exposed_ns = context->exposedNs;
  all.link_ns = context->linkNs;
  std::memcpy(out_statistics, &all, std::min<size_t>(all.struct_size, sizeof all));
  return DSRT_OK;
}
