//===- FitChannel.h - costs of a channel from measured messages -*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef DS_PLAN_FITCHANNEL_H
#define DS_PLAN_FITCHANNEL_H

#include "ds/Plan/ChannelModel.h"

namespace ds {

struct MeasuredMessage {
  int64_t bytes; // ascending, from 1 on
  int64_t ps;
};

/// Few lines that pass within `tolerancePercent` of every message: each as long as it can be, from
/// one message to another. Shorter messages than the first take as long as it, longer ones than the
/// last go on like the last line. A longer message never takes less than a shorter one.
ChannelModel fitChannel(std::vector<MeasuredMessage> messages, int64_t tolerancePercent);

} // namespace ds

#endif // DS_PLAN_FITCHANNEL_H
