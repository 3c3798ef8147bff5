//===- HostsTest.cpp - How members of a group lie on hosts ------*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "backends/Hosts.h"

#include <gtest/gtest.h>

using dsrt::hostsOf;

namespace {

void expectHosts(const std::vector<int32_t> &hostOf, int32_t number, int32_t ranks) {
  EXPECT_EQ(hostsOf(hostOf).number, number);
  EXPECT_EQ(hostsOf(hostOf).ranks, ranks);
}

TEST(Hosts, neighbours_share_a_host) {
  expectHosts({7}, 1, 1);
  expectHosts({0, 0, 0}, 1, 3);
  expectHosts({0, 0, 1, 1}, 2, 2);
  expectHosts({4, 4, 2, 2, 9, 9}, 3, 2);
  expectHosts({0, 1, 2}, 3, 1);
  EXPECT_FALSE(hostsOf({0, 1, 2}).haveTiers());
  EXPECT_TRUE(hostsOf({0, 0, 1, 1}).haveTiers());
}

TEST(Hosts, any_other_way_has_no_tiers) {
  expectHosts({0, 1, 0, 1}, 1, 4);       // round robin
  expectHosts({0, 0, 0, 1}, 1, 4);       // of unequal size
  expectHosts({0, 0, 1, 1, 0, 0}, 1, 6); // a host twice
  expectHosts({0, 0, 1, 2}, 1, 4);
  expectHosts({0, 0, 1, 1, 1, 1}, 1, 6);
}

} // namespace
