//===- NamedGroups.cpp - Groups by name, and numbers in a group -*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// create_group(name, ranks) of MindSpore: a name stands for one list of ranks until it is
// destroyed.
//
//===----------------------------------------------------------------------===//
#include "Context.h"

#include <algorithm>
#include <new>

using namespace dsrt;

namespace {

bool namesWorld(const std::string &name) {
  return name == "world" || name == "hccl_world_group" || name == "nccl_world_group" ||
         name == "mccl_world_group";
}

/// Runs `body` on a healthy context, and gives it the function that refuses the call with a reason.
template <typename Body>
dsrt_status withContext(dsrt_context *context, const char *call, Body body) {
  if (!context)
    return failWithoutContext(DSRT_INVALID_ARGUMENT, std::string(call) + ": the context is null");
  if (dsrt_status status = context->check(); status != DSRT_OK)
    return status;
  return body([&](const std::string &why) {
    return context->fail(DSRT_INVALID_ARGUMENT, std::string(call) + " on rank " +
                                                    std::to_string(context->rank) + ": " + why);
  });
}

/// Does the same with a name; lack of memory in `body` becomes a status.
template <typename Body>
dsrt_status withName(dsrt_context *context, const char *call, const char *name, Body body) {
  return withContext(context, call, [&](auto refuse) {
    if (!name || !*name)
      return refuse("the group has no name");
    try {
      return body(std::string(name), refuse);
    } catch (const std::bad_alloc &) {
      return context->fail(DSRT_OUT_OF_MEMORY, std::string(call) + ": out of memory");
    }
  });
}

/// Does the same for a call about numbers in a group.
template <typename Body>
dsrt_status withGroup(dsrt_context *context, const char *call, dsrt_group group, int32_t *out,
                      Body body) {
  if (out)
    *out = -1;
  return withContext(context, call, [&](auto refuse) {
    const Group *found = context->groupOf(group);
    if (!found || !out)
      return refuse("null out parameter, or no group " + std::to_string(group));
    return body(found->ranks, refuse);
  });
}

dsrt_status indexOf(const std::vector<int32_t> &ranks, int32_t rank, int32_t *out) {
  const auto found = std::lower_bound(ranks.begin(), ranks.end(), rank);
  if (found == ranks.end() || *found != rank)
    return DSRT_INVALID_ARGUMENT;
  *out = static_cast<int32_t>(found - ranks.begin());
  return DSRT_OK;
}

} // namespace

dsrt_status dsrt_group_create_named(dsrt_context *context, const char *name, int32_t num_ranks,
                                    const int32_t *ranks, dsrt_group *out_group) {
  if (out_group)
    *out_group = DSRT_WORLD;
  return withName(
      context, "dsrt_group_create_named", name, [&](const std::string &named, auto refuse) {
        if (!out_group || !ranks || num_ranks < 1)
          return refuse("null out_group or ranks, or " + std::to_string(num_ranks) +
                        " ranks, expected 1 or more");
        if (namesWorld(named))
          return refuse("the name '" + named + "' is that of the world");
        std::vector<int32_t> sorted(ranks, ranks + num_ranks);
        std::sort(sorted.begin(), sorted.end());
        if (const auto twice = std::adjacent_find(sorted.begin(), sorted.end());
            twice != sorted.end())
          return refuse("rank " + std::to_string(*twice) + " is twice in the list of group '" +
                        named + "'");
        if (auto known = context->namedGroups.find(named); known != context->namedGroups.end()) {
          const Group *existing = context->groupOf(known->second);
          if (!existing || existing->ranks != sorted)
            return refuse("the group '" + named + "' exists with " +
                          (existing ? nameRanks(existing->ranks) : std::string("no ranks")) +
                          ", and is now asked for with " + nameRanks(sorted));
          *out_group = known->second;
          return DSRT_OK;
        }
        dsrt_status status = dsrt_group_create(context, num_ranks, sorted.data(), out_group);
        if (status == DSRT_OK)
          context->namedGroups[named] = *out_group;
        return status;
      });
}

dsrt_status dsrt_group_find(dsrt_context *context, const char *name, dsrt_group *out_group) {
  if (out_group)
    *out_group = DSRT_WORLD;
  return withName(context, "dsrt_group_find", name, [&](const std::string &named, auto refuse) {
    if (!out_group)
      return refuse("out_group is null");
    if (namesWorld(named))
      return DSRT_OK;
    auto known = context->namedGroups.find(named);
    if (known == context->namedGroups.end())
      return refuse("no group '" + named + "'");
    *out_group = known->second;
    return DSRT_OK;
  });
}

dsrt_status dsrt_group_destroy_named(dsrt_context *context, const char *name) {
  return withName(context, "dsrt_group_destroy_named", name,
                  [&](const std::string &named, auto refuse) {
                    if (namesWorld(named))
                      return refuse("the world cannot be destroyed");
                    auto known = context->namedGroups.find(named);
                    if (known == context->namedGroups.end())
                      return refuse("no group '" + named + "'");
                    const dsrt_group group = known->second;
                    context->namedGroups.erase(known);
                    return dsrt_group_destroy(context, group);
                  });
}

dsrt_status dsrt_group_rank(dsrt_context *context, dsrt_group group, int32_t *out_rank) {
  return withGroup(context, "dsrt_group_rank", group, out_rank,
                   [&](const std::vector<int32_t> &ranks, auto) {
                     return indexOf(ranks, context->rank, out_rank);
                   });
}

dsrt_status dsrt_group_world_rank(dsrt_context *context, dsrt_group group, int32_t group_rank,
                                  int32_t *out_world_rank) {
  return withGroup(context, "dsrt_group_world_rank", group, out_world_rank,
                   [&](const std::vector<int32_t> &ranks, auto refuse) {
                     if (group_rank < 0 || static_cast<size_t>(group_rank) >= ranks.size())
                       return refuse("number " + std::to_string(group_rank) +
                                     " is outside the group of " + std::to_string(ranks.size()));
                     *out_world_rank = ranks[static_cast<size_t>(group_rank)];
                     return DSRT_OK;
                   });
}

dsrt_status dsrt_group_rank_of(dsrt_context *context, dsrt_group group, int32_t world_rank,
                               int32_t *out_group_rank) {
  return withGroup(context, "dsrt_group_rank_of", group, out_group_rank,
                   [&](const std::vector<int32_t> &ranks, auto refuse) {
                     if (indexOf(ranks, world_rank, out_group_rank) == DSRT_OK)
                       return DSRT_OK;
                     return refuse("rank " + std::to_string(world_rank) +
                                   " is not in the group of " + nameRanks(ranks));
                   });
}
