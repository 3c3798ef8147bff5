//===- Link.h - A link that is only modelled --------------------*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Ranks that are threads exchange through memory, where overlap hides nothing. A modelled link lets
// a collective end no earlier than a network would: the data moves at once, and a rank that needs
// it sleeps until the link would have carried it. The model takes no other time of a core, so one
// machine shows what buckets and overlap are worth on another. The link's time counts from the
// start on the rank's own thread, however late the worker thread is woken.
//
//===----------------------------------------------------------------------===//
#ifndef DSRT_SRC_CORE_LINK_H
#define DSRT_SRC_CORE_LINK_H

#include "dsrt/backend.h"

#include <cstddef>

namespace dsrt {

/// Returns the bytes that each member sends on the wire, by a ring where there is one.
int64_t wireBytes(const dsrt_call &call, size_t members);

/// Returns how many nanoseconds the link of `options` carries the call; 0 without a link, or in a
/// group of one.
uint64_t linkTime(const dsrt_options &options, const dsrt_call &call, size_t members);

} // namespace dsrt

#endif // DSRT_SRC_CORE_LINK_H
