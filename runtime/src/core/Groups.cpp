//===- Groups.cpp - Groups of ranks and their handles -----------*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A handle is an index in the context's list. The same ranks give the same index, so a compiled
// step may ask for its groups each time it runs: a look-up that allocates nothing.
//
//===----------------------------------------------------------------------===//
#include "Context.h"

#include <algorithm>
#include <new>

using namespace dsrt;

Group *dsrt_context::groupOf(dsrt_group handle) const {
  if (handle < 0 || handle >= static_cast<int64_t>(groups.size()) ||
      groups[handle]->references == 0)
    return nullptr;
  return groups[handle].get();
}

static dsrt_status checkRanks(dsrt_context &context, int32_t numRanks, const int32_t *ranks) {
  auto refuse = [&](const std::string &why) {
    return context.fail(DSRT_INVALID_ARGUMENT,
                        "dsrt_group_create on rank " + std::to_string(context.rank) + ": " + why);
  };
  if (!ranks || numRanks < 1)
    return refuse("null ranks, or " + std::to_string(numRanks) + " of them, expected 1 or more");
  for (int32_t i = 0; i < numRanks; ++i) {
    if (ranks[i] < 0 || ranks[i] >= context.numRanks)
      return refuse("rank " + std::to_string(ranks[i]) + " is outside the world of " +
                    std::to_string(context.numRanks));
    if (i > 0 && ranks[i] <= ranks[i - 1])
      return refuse("ranks must ascend, got " + std::to_string(ranks[i - 1]) + " before " +
                    std::to_string(ranks[i]));
  }
  if (!std::binary_search(ranks, ranks + numRanks, context.rank))
    return refuse("the calling rank is not in the group");
  return DSRT_OK;
}

static dsrt_status createGroup(dsrt_context &context, int32_t numRanks, const int32_t *ranks,
                               dsrt_group *outGroup) {
  size_t place = context.groups.size();
  for (size_t i = 0; i < context.groups.size(); ++i) {
    Group &group = *context.groups[i];
    if (group.references == 0)
      place = std::min(place, i);
    else if (std::equal(group.ranks.begin(), group.ranks.end(), ranks, ranks + numRanks)) {
      ++group.references;
      *outGroup = static_cast<dsrt_group>(i);
      return DSRT_OK;
    }
  }
  if (context.worker)
    context.worker->drain(); // the backend serves one call at a time
  if (place == context.groups.size())
    context.groups.push_back(std::make_unique<Group>());
  Group &group = *context.groups[place];
  group.ranks.assign(ranks, ranks + numRanks);
  group.calls = 0;
  dsrt_error error = {};
  dsrt_status status = context.backend->group_create(
      context.state, numRanks, ranks, context.options.timeout_ms, &group.backendGroup, &error);
  if (status != DSRT_OK)
    return context.fail(status,
                        "dsrt_group_create of " + nameRanks(group.ranks) + " on rank " +
                            std::to_string(context.rank) + ": " + error.text,
                        &error);
  group.references = 1;
  *outGroup = static_cast<dsrt_group>(place);
  return DSRT_OK;
}

dsrt_status dsrt_group_create(dsrt_context *context, int32_t num_ranks, const int32_t *ranks,
                              dsrt_group *out_group) {
  if (out_group)
    *out_group = DSRT_WORLD;
  if (!context)
    return failWithoutContext(DSRT_INVALID_ARGUMENT, "dsrt_group_create: the context is null");
  if (dsrt_status status = context->check(); status != DSRT_OK)
    return status;
  if (!out_group)
    return context->fail(DSRT_INVALID_ARGUMENT, "dsrt_group_create: out_group is null");
  if (dsrt_status status = checkRanks(*context, num_ranks, ranks); status != DSRT_OK)
    return status;
  try {
    return createGroup(*context, num_ranks, ranks, out_group);
  } catch (const std::bad_alloc &) {
    return context->fail(DSRT_OUT_OF_MEMORY, "dsrt_group_create: out of memory");
  }
}

dsrt_status dsrt_group_destroy(dsrt_context *context, dsrt_group group) {
  if (!context)
    return failWithoutContext(DSRT_INVALID_ARGUMENT, "dsrt_group_destroy: the context is null");
  if (dsrt_status status = context->check(); status != DSRT_OK)
    return status;
  Group *found = context->groupOf(group);
  if (!found)
    return context->fail(DSRT_INVALID_ARGUMENT,
                         "dsrt_group_destroy: no group " + std::to_string(group));
  if (group == DSRT_WORLD) {
    // dsrt_group_create returns the world like any group; the context itself keeps the last
    // reference.
    if (found->references > 1)
      --found->references;
    return DSRT_OK;
  }
  if (--found->references > 0)
    return DSRT_OK;
  if (context->worker)
    context->worker->drain();
  context->backend->group_destroy(context->state, found->backendGroup, /*failed=*/0);
  found->backendGroup = nullptr;
  return DSRT_OK;
}

dsrt_status dsrt_group_size(dsrt_context *context, dsrt_group group, int32_t *out_size) {
  if (out_size)
    *out_size = 0;
  if (!context)
    return failWithoutContext(DSRT_INVALID_ARGUMENT, "dsrt_group_size: the context is null");
  if (dsrt_status status = context->check(); status != DSRT_OK)
    return status;
  Group *found = context->groupOf(group);
  if (!found || !out_size)
    return context->fail(DSRT_INVALID_ARGUMENT,
                         "dsrt_group_size: null out_size, or no group " + std::to_string(group));
  *out_size = static_cast<int32_t>(found->ranks.size());
  return DSRT_OK;
}
