//===- RankTable.cpp - MindSpore's table of servers and devices -*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// {"version": "1.0", "server_count": "1", "status": "completed", "server_list": [{"server_id":
// "10.0.0.1", "device": [{"device_id": "0", "device_ip": "10.1.0.1", "rank_id": "0"}, ...]}]}.
// Numbers are written as strings or as numbers.
//
//===----------------------------------------------------------------------===//
#include "Json.h"
#include "Launch.h"

#include <algorithm>
#include <cstdlib>

namespace dsrt::bootstrap {
namespace {

/// A number below 4096, or -1.
int32_t smallNumber(const Json *value) {
  if (!value || (value->kind != Json::Kind::string && value->kind != Json::Kind::number))
    return -1;
  const std::string &text = value->text;
  if (text.empty() || text.size() > 4 ||
      !std::all_of(text.begin(), text.end(), [](char c) { return c >= '0' && c <= '9'; }))
    return -1;
  const int number = std::atoi(text.c_str());
  return number < 4096 ? number : -1;
}

} // namespace

bool readRankTable(const std::string &json, RankTable &out, std::string &why) {
  out = {};
  Json table;
  if (!parseJson(json, table, why))
    return false;
  auto fail = [&](const std::string &what) {
    why = what;
    return false;
  };
  const Json *status = table.find("status");
  if (status && status->text != "completed")
    return fail("its status is '" + status->text + "', expected 'completed'");
  const Json *servers = table.find("server_list");
  if (!servers || servers->kind != Json::Kind::array || servers->elements.empty())
    return fail("it has no server_list");
  const Json *count = table.find("server_count");
  if (count && smallNumber(count) != static_cast<int32_t>(servers->elements.size()))
    return fail("its server_count is '" + count->text + "', but the server_list has " +
                std::to_string(servers->elements.size()) + " entries");

  std::vector<bool> seen;
  for (size_t s = 0; s < servers->elements.size(); ++s) {
    const Json &server = servers->elements[s];
    const std::string name = "server " + std::to_string(s);
    const Json *id = server.find("server_id"), *devices = server.find("device");
    if (!id || id->kind != Json::Kind::string || id->text.empty())
      return fail(name + " has no server_id");
    if (!devices || devices->kind != Json::Kind::array)
      return fail(name + " has no list 'device'");
    out.servers.push_back(id->text);
    for (const Json &device : devices->elements) {
      const int32_t rank = smallNumber(device.find("rank_id"));
      const int32_t number = smallNumber(device.find("device_id"));
      if (rank < 0 || number < 0)
        return fail(name + " has a device whose rank_id or device_id is no number from 0 to 4095");
      if (static_cast<size_t>(rank) >= seen.size()) {
        seen.resize(rank + 1);
        out.ranks.resize(rank + 1);
      }
      if (seen[rank])
        return fail("rank_id " + std::to_string(rank) + " is there twice");
      seen[rank] = true;
      out.ranks[rank] = {static_cast<int32_t>(s), number};
    }
  }
  if (seen.empty())
    return fail("it has no device");
  const auto gap = std::find(seen.begin(), seen.end(), false);
  if (gap != seen.end())
    return fail("rank_id " + std::to_string(gap - seen.begin()) + " is missing");
  return true;
}

} // namespace dsrt::bootstrap
