//===- RankTableTest.cpp - What a rank table may hold -----------*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The text is JSON from outside: what is wrong with it is named, and how much of it is read is
// limited.
//
//===----------------------------------------------------------------------===//
#include "RankTableText.h"
#include "bootstrap/Launch.h"

#include <gtest/gtest.h>
#include <random>

using namespace dsrt::bootstrap;

namespace {

TEST(RankTable, has_mistakes_that_are_named) {
  auto why = [](const std::string &json) {
    RankTable read;
    std::string text;
    EXPECT_FALSE(readRankTable(json, read, text)) << json;
    return text;
  };
  auto replaced = [](const std::string &from, const std::string &to) {
    std::string text = table;
    const size_t at = text.find(from);
    EXPECT_NE(at, std::string::npos);
    return text.replace(at, from.size(), to);
  };
  EXPECT_EQ(why("{\n\"a\": }"),
            "line 2, column 6: syntax error while parsing value - unexpected '}'; "
            "expected '[', '{', or a literal");
  EXPECT_EQ(why("{}"), "it has no server_list");
  EXPECT_EQ(why(replaced("completed", "initializing")),
            "its status is 'initializing', expected 'completed'");
  EXPECT_EQ(why(replaced("\"server_count\": \"2\"", "\"server_count\": \"3\"")),
            "its server_count is '3', but the server_list has 2 entries");
  EXPECT_EQ(why(replaced("\"server_id\": \"10.0.0.2\"", "\"id\": \"10.0.0.2\"")),
            "server 1 has no server_id");
  EXPECT_EQ(why(replaced("\"rank_id\": \"2\"", "\"rank_id\": \"x\"")),
            "server 1 has a device whose rank_id or device_id is no number from 0 to 4095");
  EXPECT_EQ(why(replaced("\"rank_id\": \"2\"", "\"rank_id\": \"1\"")), "rank_id 1 is there twice");
  EXPECT_EQ(why(replaced("\"rank_id\": \"2\"", "\"rank_id\": \"3\"")), "rank_id 2 is missing");
  EXPECT_EQ(why("{\"server_list\": [{\"server_id\": \"a\", \"device\": []}]}"), "it has no device");
}

std::string whyNot(const std::string &json) {
  RankTable read;
  std::string why;
  EXPECT_FALSE(readRankTable(json, read, why)) << json;
  return why;
}

TEST(RankTable, is_json_without_names_that_are_there_twice) {
  for (const char *wrong :
       {"", "{", "[1,]", "{\"a\":1,}", "{\"a\" 1}", "{a:1}", "01", "1.", "-", "1e", "tru", "\"a",
        "\"\\x\"", "\"\\u12\"", "[1 2]", "1 2", "\"\n\"", "\"\xe9\""})
    EXPECT_NE(whyNot(wrong).find("line "), std::string::npos) << wrong << ": " << whyNot(wrong);
  EXPECT_EQ(whyNot("{\"a\": 1e999}"), "number overflow parsing '1e999'");
  // A value that is no table at all.
  for (const char *other : {"1", "null", "\"a\"", "[]", "[{}]"})
    EXPECT_EQ(whyNot(other), "it has no server_list");
  EXPECT_EQ(whyNot("{\"a\":1,\"b\":{\"a\":1},\"b\":2}"), "the name 'b' is there twice");
  EXPECT_EQ(whyNot("[{\"a\":1},{\"a\":1}]"), "it has no server_list");
}

TEST(RankTable, is_no_deeper_than_64_values) {
  auto nested = [](int depth) { return std::string(depth, '[') + std::string(depth, ']'); };
  EXPECT_EQ(whyNot(nested(65)), "it has no server_list");
  EXPECT_EQ(whyNot(nested(66)), "more than 64 values inside each other");
  EXPECT_EQ(whyNot(std::string(100000, '[')), "more than 64 values inside each other");
}

/// 90,000 names: comparing each with all before it would take four thousand million steps.
TEST(RankTable, takes_time_and_memory_in_proportion_to_its_text) {
  auto members = [](int count) {
    std::string text = "{";
    for (int i = 0; i < count; ++i)
      text += (i ? ",\"" : "\"") + std::to_string(i) + "\":0";
    return text + "}";
  };
  EXPECT_EQ(whyNot(members(99999)), "it has no server_list");
  EXPECT_EQ(whyNot(members(100000)), "more than 100000 values");
}

TEST(RankTable, takes_numbers_as_they_are_written) {
  auto rank = [](const std::string &id) {
    RankTable read;
    std::string why;
    return readRankTable(
               "{\"server_list\": [{\"server_id\": \"\\u00e9\", \"device\": [{\"rank_id\": " + id +
                   ", \"device_id\": 7}]}]}",
               read, why)
               ? read.servers[0]
               : why;
  };
  EXPECT_EQ(rank("0"), "\xc3\xa9");
  EXPECT_EQ(rank("\"0\""), "\xc3\xa9");
  for (const char *wrong : {"-1", "0.0", "1e0", "4096", "true", "null", "[0]", "\"00000\"", "\"\""})
    EXPECT_EQ(rank(wrong),
              "server 0 has a device whose rank_id or device_id is no number from 0 to 4095")
        << wrong;
}

TEST(RankTable, survives_damage) {
  std::mt19937 random(3);
  for (int i = 0; i < 5000; ++i) {
    std::string text = table;
    for (int flips = 1 + static_cast<int>(random() % 4); flips > 0; --flips)
      text[random() % text.size()] = static_cast<char>(random());
    if (random() % 4 == 0)
      text.resize(random() % text.size());
    RankTable read;
    std::string why;
    if (!readRankTable(text, read, why)) {
      EXPECT_NE(why, "");
    }
  }
}

} // namespace
