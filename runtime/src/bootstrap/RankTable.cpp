//===- RankTable.cpp - MindSpore's table of servers and devices -*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// {"version": "1.0", "server_count": "1", "status": "completed", "server_list": [{"server_id":
// "10.0.0.1", "device": [{"device_id": "0", "device_ip": "10.1.0.1", "rank_id": "0"}, ...]}]}.
// Numbers are written as strings or as numbers. nlohmann-json reads the text; this file refuses on
// the way what the library accepts and a file from outside should not have (duplicate names, great
// depth, many values).
//
//===----------------------------------------------------------------------===//
#include "Launch.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cstring>
#include <set>
#include <stdexcept>

namespace dsrt::bootstrap {
namespace {

using Json = nlohmann::json;

/// Watches a text while it is parsed, and throws where it exceeds a limit.
class Limits {
public:
  bool operator()(int depth, Json::parse_event_t event, const Json &parsed) {
    using Event = Json::parse_event_t;
    if (event == Event::object_start || event == Event::array_start || event == Event::value)
      countValue(depth);
    if (event == Event::object_start)
      names.emplace_back();
    else if (event == Event::object_end)
      names.pop_back();
    else if (event == Event::key && !names.back().insert(parsed.get<std::string>()).second)
      throw std::length_error("the name '" + parsed.get<std::string>() + "' is there twice");
    return true;
  }

private:
  void countValue(int depth) {
    constexpr int deepest = 64;
    if (depth > deepest)
      throw std::length_error("more than 64 values inside each other");
    // One value takes some 100 bytes and may be 2 bytes of text: the limit keeps the two in
    // proportion.
    constexpr int mostValues = 100000;
    if (++values > mostValues)
      throw std::length_error("more than 100000 values");
  }

  std::vector<std::set<std::string>> names; // of the objects that are open
  int values = 0;
};

bool parse(const std::string &text, Json &out, std::string &why) {
  try {
    Limits limits;
    out = Json::parse(text, std::ref(limits));
    return true;
  } catch (const Json::exception &error) {
    // Without the library's name: "[json.exception.parse_error.101] parse error at line 2, ..".
    why = error.what();
    for (const char *head : {"] ", "parse error at "})
      if (const size_t at = why.find(head); at != std::string::npos)
        why.erase(0, at + std::strlen(head));
  } catch (const std::length_error &error) {
    why = error.what();
  }
  return false;
}

/// Returns the member of that name, or null.
const Json *find(const Json &value, const char *name) {
  const auto found = value.find(name);
  return found == value.end() ? nullptr : &*found;
}

std::string asText(const Json &value) {
  return value.is_string() ? value.get<std::string>() : value.dump();
}

/// Returns a number below 4096, or -1.
int32_t smallNumber(const Json *value) {
  if (!value || (!value->is_string() && !value->is_number_unsigned()))
    return -1;
  const std::string text = asText(*value);
  if (text.empty() || text.size() > 4 ||
      !std::all_of(text.begin(), text.end(), [](char c) { return c >= '0' && c <= '9'; }))
    return -1;
  const int number = std::stoi(text);
  return number < 4096 ? number : -1;
}

} // namespace

bool readRankTable(const std::string &json, RankTable &out, std::string &why) {
  out = {};
  Json table;
  if (!parse(json, table, why))
    return false;
  auto fail = [&](const std::string &what) {
    why = what;
    return false;
  };
  const Json *status = find(table, "status");
  if (status && *status != "completed")
    return fail("its status is '" + asText(*status) + "', expected 'completed'");
  const Json *servers = find(table, "server_list");
  if (!servers || !servers->is_array() || servers->empty())
    return fail("it has no server_list");
  const Json *count = find(table, "server_count");
  if (count && smallNumber(count) != static_cast<int32_t>(servers->size()))
    return fail("its server_count is '" + asText(*count) + "', but the server_list has " +
                std::to_string(servers->size()) + " entries");

  std::vector<bool> seen;
  for (size_t s = 0; s < servers->size(); ++s) {
    const Json &server = (*servers)[s];
    const std::string name = "server " + std::to_string(s);
    const Json *id = find(server, "server_id"), *devices = find(server, "device");
    if (!id || !id->is_string() || asText(*id).empty())
      return fail(name + " has no server_id");
    if (!devices || !devices->is_array())
      return fail(name + " has no list 'device'");
    out.servers.push_back(asText(*id));
    for (const Json &device : *devices) {
      const int32_t rank = smallNumber(find(device, "rank_id"));
      const int32_t number = smallNumber(find(device, "device_id"));
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
