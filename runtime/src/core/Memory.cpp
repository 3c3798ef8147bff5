//===- Memory.cpp - Device memory of a context ------------------*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Backends without a device return host memory, aligned as their vector instructions like it.
//
//===----------------------------------------------------------------------===//
#include "Context.h"

#include <cstdlib>
#include <cstring>

using namespace dsrt;

static constexpr int64_t hostAlignment = 64;

dsrt_status dsrt_memory_alloc(dsrt_context *context, int64_t bytes, void **out_data) {
  const std::string call = "dsrt_memory_alloc";
  if (out_data)
    *out_data = nullptr;
  if (!context)
    return failWithoutContext(DSRT_INVALID_ARGUMENT, call + ": the context is null");
  if (dsrt_status status = context->check(); status != DSRT_OK)
    return status;
  if (!out_data || bytes < 1 || bytes > INT64_MAX - hostAlignment)
    return context->fail(DSRT_INVALID_ARGUMENT, call + ": null out_data, or " +
                                                    std::to_string(bytes) +
                                                    " bytes, expected 1 or more");
  if (context->backend->memory_alloc) {
    dsrt_error error = {};
    dsrt_status status = context->backend->memory_alloc(context->state, bytes, out_data, &error);
    if (status != DSRT_OK)
      return context->fail(status, call + " of " + std::to_string(bytes) + " bytes on rank " +
                                       std::to_string(context->rank) + ": " + error.text);
    return DSRT_OK;
  }
  const int64_t whole = (bytes + hostAlignment - 1) / hostAlignment * hostAlignment;
  *out_data = std::aligned_alloc(hostAlignment, static_cast<size_t>(whole));
  if (!*out_data)
    return context->fail(DSRT_OUT_OF_MEMORY,
                         call + ": no " + std::to_string(bytes) + " bytes of host memory");
  return DSRT_OK;
}

dsrt_status dsrt_memory_free(dsrt_context *context, void *data) {
  if (!context)
    return failWithoutContext(DSRT_INVALID_ARGUMENT, "dsrt_memory_free: the context is null");
  if (context->worker)
    context->worker->drain(); // a collective under way may still use it
  if (!context->backend->memory_free)
    std::free(data);
  else if (data)
    context->backend->memory_free(context->state, data);
  return context->check();
}

dsrt_status dsrt_memory_copy(dsrt_context *context, void *to, const void *from, int64_t bytes) {
  const std::string call = "dsrt_memory_copy";
  if (!context)
    return failWithoutContext(DSRT_INVALID_ARGUMENT, call + ": the context is null");
  if (dsrt_status status = context->check(); status != DSRT_OK)
    return status;
  if (bytes < 0 || (bytes > 0 && (!to || !from)))
    return context->fail(DSRT_INVALID_ARGUMENT, call + ": a null pointer, or " +
                                                    std::to_string(bytes) +
                                                    " bytes, expected 0 or more");
  if (bytes == 0)
    return DSRT_OK;
  if (context->worker)
    context->worker->drain();
  if (!context->backend->memory_copy) {
    std::memmove(to, from, static_cast<size_t>(bytes));
    return DSRT_OK;
  }
  dsrt_error error = {};
  dsrt_status status = context->backend->memory_copy(context->state, to, from, bytes,
                                                     context->options.timeout_ms, &error);
  if (status != DSRT_OK)
    return context->fail(status, call + " of " + std::to_string(bytes) + " bytes on rank " +
                                     std::to_string(context->rank) + ": " + error.text);
  return DSRT_OK;
}

dsrt_status dsrt_set_stream(dsrt_context *context, void *stream) {
  if (!context)
    return failWithoutContext(DSRT_INVALID_ARGUMENT, "dsrt_set_stream: the context is null");
  if (dsrt_status status = context->check(); status != DSRT_OK)
    return status;
  if (!context->backend->set_stream) {
    if (!stream)
      return DSRT_OK;
    return context->fail(DSRT_UNSUPPORTED, std::string("dsrt_set_stream: backend '") +
                                               context->backend->name + "' has no streams");
  }
  if (context->worker)
    context->worker->drain();
  dsrt_error error = {};
  dsrt_status status = context->backend->set_stream(context->state, stream, &error);
  if (status != DSRT_OK)
    return context->fail(status, std::string("dsrt_set_stream: ") + error.text);
  return DSRT_OK;
}
