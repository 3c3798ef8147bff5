//===- Buffers.cpp - Registered arenas --------------------------*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Context.h"

#include <algorithm>
#include <cstdint>
#include <new>

using namespace dsrt;

static constexpr int64_t maxPadding = 64; // bytes; slots of an arena are 64-byte aligned

// Outside an arena only a gap of zero is safe: two allocations can lie 16 bytes apart with the
// allocator's own words between them. Empty buffers have no address and do not count.
bool dsrt::isOneSpan(const std::vector<Arena> &arenas, int64_t numBuffers, void *const *buffers,
                     const int64_t *elements, int64_t elementSize) {
  uintptr_t end = 0; // of the last buffer with elements
  for (int64_t i = 0; i < numBuffers; ++i) {
    if (elements[i] == 0)
      continue;
    const uintptr_t next = reinterpret_cast<uintptr_t>(buffers[i]);
    if (end != 0 && next != end) {
      if (next < end || next - end >= maxPadding || (next - end) % elementSize != 0)
        return false;
      bool inside = std::any_of(arenas.begin(), arenas.end(), [&](const Arena &arena) {
        uintptr_t begin = reinterpret_cast<uintptr_t>(arena.data);
        return begin <= end && next <= begin + arena.bytes;
      });
      if (!inside)
        return false;
    }
    end = next + elements[i] * elementSize;
  }
  return end != 0;
}

dsrt_status dsrt_buffer_register(dsrt_context *context, void *data, int64_t bytes) {
  if (!context)
    return failWithoutContext(DSRT_INVALID_ARGUMENT, "dsrt_buffer_register: the context is null");
  if (dsrt_status status = context->check(); status != DSRT_OK)
    return status;
  if (!data || bytes < 1)
    return context->fail(DSRT_INVALID_ARGUMENT, "dsrt_buffer_register: null data, or " +
                                                    std::to_string(bytes) +
                                                    " bytes, expected 1 or more");
  for (const Arena &arena : context->arenas)
    if (static_cast<char *>(data) < arena.data + arena.bytes &&
        arena.data < static_cast<char *>(data) + bytes)
      return context->fail(DSRT_INVALID_ARGUMENT,
                           "dsrt_buffer_register: overlaps a registered buffer");
  dsrt_error error = {};
  if (context->backend->buffer_register) {
    dsrt_status status = context->backend->buffer_register(context->state, data, bytes, &error);
    if (status != DSRT_OK)
      return context->fail(status, std::string("dsrt_buffer_register: ") + error.text, &error);
  }
  try {
    context->arenas.push_back({static_cast<char *>(data), bytes});
  } catch (const std::bad_alloc &) {
    return context->fail(DSRT_OUT_OF_MEMORY, "dsrt_buffer_register: out of memory");
  }
  return DSRT_OK;
}

// Works on a failed context too: memory must be given back after any failure.
dsrt_status dsrt_buffer_unregister(dsrt_context *context, void *data) {
  if (!context)
    return failWithoutContext(DSRT_INVALID_ARGUMENT, "dsrt_buffer_unregister: the context is null");
  auto found = std::find_if(context->arenas.begin(), context->arenas.end(),
                            [&](const Arena &arena) { return arena.data == data; });
  if (found == context->arenas.end())
    return context->fail(DSRT_INVALID_ARGUMENT,
                         "dsrt_buffer_unregister: the buffer is not registered");
  if (context->worker)
    context->worker->drain(); // a collective under way may still use it
  if (context->backend->buffer_unregister)
    context->backend->buffer_unregister(context->state, data);
  context->arenas.erase(found);
  return context->check();
}
