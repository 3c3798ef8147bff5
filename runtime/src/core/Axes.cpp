//===- Axes.cpp - The coordinates of a rank, for errors ---------*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Backends know ranks by their numbers. A reader of an error in a mesh needs the row and column of
// the rank: the core adds them, for all backends alike, to the error that ends a context.
//
//===----------------------------------------------------------------------===//
#include "Context.h"

#include <algorithm>
#include <new>

using namespace dsrt;

/// "rank 5 is dp=1, tp=1"
static std::string describeRank(const std::vector<Axis> &axes, int32_t rank) {
  std::string text;
  for (size_t i = axes.size(); i-- > 0; rank /= axes[i].size)
    text = axes[i].name + "=" + std::to_string(rank % axes[i].size) +
           (text.empty() ? "" : ", " + text);
  return text;
}

std::string dsrt_context::withCoordinates(const std::string &text,
                                          const dsrt_error *details) const {
  constexpr int32_t shown = 4;
  std::string result = text;
  for (int32_t i = 0; details && !axes.empty() && i < std::min(details->num_late, shown); ++i) {
    const int32_t late = details->late[i];
    const std::string where = "rank " + std::to_string(late) + " is " + describeRank(axes, late);
    if (result.find(where) == std::string::npos) // another rank's text may contain it already
      result += "; " + where;
  }
  return result;
}

dsrt_status dsrt_name_axes(dsrt_context *context, int32_t num_axes, const char *const *names,
                           const int32_t *sizes) {
  if (!context)
    return failWithoutContext(DSRT_INVALID_ARGUMENT, "dsrt_name_axes: the context is null");
  if (dsrt_status status = context->check(); status != DSRT_OK)
    return status;
  auto refuse = [&](const std::string &why) {
    return context->fail(DSRT_INVALID_ARGUMENT,
                         "dsrt_name_axes on rank " + std::to_string(context->rank) + ": " + why);
  };
  if (num_axes < 0 || (num_axes > 0 && (!names || !sizes)))
    return refuse("null names or sizes, or " + std::to_string(num_axes) + " axes");
  try {
    std::vector<Axis> axes;
    int64_t ranks = 1;
    for (int32_t i = 0; i < num_axes; ++i) {
      const std::string name = names[i] ? names[i] : "";
      if (name.empty())
        return refuse("the name of axis " + std::to_string(i) + " is empty");
      for (const Axis &axis : axes)
        if (axis.name == name)
          return refuse("two axes have the name '" + name + "'");
      if (sizes[i] < 1)
        return refuse("axis '" + name + "' has size " + std::to_string(sizes[i]) +
                      ", expected 1 or more");
      ranks = std::min(ranks * sizes[i], int64_t(1) << 31);
      axes.push_back({name, sizes[i]});
    }
    if (num_axes > 0 && ranks != context->numRanks)
      return refuse("the axes are of " + std::to_string(ranks) + " ranks, but the world has " +
                    std::to_string(context->numRanks));
    std::lock_guard<std::mutex> lock(context->errorMutex);
    context->axes = std::move(axes);
  } catch (const std::bad_alloc &) {
    return context->fail(DSRT_OUT_OF_MEMORY, "dsrt_name_axes: out of memory");
  }
  return DSRT_OK;
}
