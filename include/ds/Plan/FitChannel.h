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

/// Fits few lines that pass within `tolerancePercent` of every message: each as long as possible,
/// from one message to another. Messages shorter than the first take as long as it, those longer
/// than the last follow the last line. A longer message never takes less than a shorter one.
ChannelModel fitChannel(std::vector<MeasuredMessage> messages, int64_t tolerancePercent);

} // namespace ds

#endif // DS_PLAN_FITCHANNEL_H
