//===- RankTableText.h - A rank table for tests -----------------*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef DSRT_TEST_UNIT_RANKTABLETEXT_H
#define DSRT_TEST_UNIT_RANKTABLETEXT_H

/// Two servers with three devices.
inline const char table[] = R"({
  "version": "1.0", "server_count": "2", "status": "completed",
  "server_list": [
    {"server_id": "10.0.0.1", "device": [
      {"device_id": "0", "device_ip": "10.1.0.1", "rank_id": "0"},
      {"device_id": "1", "device_ip": "10.1.0.2", "rank_id": "1"}]},
    {"server_id": "10.0.0.2", "device": [
      {"device_id": "0", "device_ip": "10.1.0.3", "rank_id": "2"}]}]
})";

#endif // DSRT_TEST_UNIT_RANKTABLETEXT_H
